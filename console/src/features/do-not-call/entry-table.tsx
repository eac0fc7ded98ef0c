import type { Schemas } from '../../api/client';
import { actorName } from '../../domain/actor-name';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Table } from '../../ui/table/table';
import { TimeText } from '../../ui/time-text';
import { texts } from '../../texts';
import styles from './do-not-call.module.css';

type Entry = Schemas['DoNotCallEntryDto'];

const { columns: headers, ...labels } = texts.doNotCall;

const sourceOf = ({ source, created_by }: Entry) =>
  created_by ? labels.sourcesBy[source](actorName(created_by)) : labels.sources[source];

function Until({ at }: { at: string | null }) {
  if (at === null) return labels.forEver;
  return (
    <>
      <TimeText at={at} /> {Date.parse(at) <= Date.now() && <Badge tone="plain">{labels.expired}</Badge>}
    </>
  );
}

export const EntryTable = ({
  entries,
  empty,
  onRemove,
}: {
  entries: Entry[];
  empty: string;
  onRemove: (number: string) => void;
}) => (
  <Table
    caption={labels.title}
    rows={entries}
    rowKey={({ phone_number }) => phone_number}
    empty={empty}
    columns={[
      { key: 'number', header: headers.number, cell: ({ phone_number }) => phone_number },
      {
        key: 'reason',
        header: headers.reason,
        cell: ({ reason }) => <div className={styles.text}>{reason ?? texts.common.none}</div>,
      },
      { key: 'source', header: headers.source, cell: sourceOf, isMinor: true },
      {
        key: 'listed',
        header: headers.listed,
        cell: ({ created_at }) => <TimeText at={created_at} />,
        isMinor: true,
      },
      {
        key: 'expires',
        header: headers.expires,
        cell: ({ expires_at }) => <Until at={expires_at} />,
        isMinor: true,
      },
      {
        key: 'act',
        header: headers.act,
        cell: ({ phone_number }) => (
          <Button
            variant="quiet"
            aria-label={labels.removeOf(phone_number)}
            onClick={() => onRemove(phone_number)}
          >
            {labels.remove}
          </Button>
        ),
        align: 'end',
      },
    ]}
  />
);
