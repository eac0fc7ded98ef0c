import type { Schemas } from '../../api/client';
import { Badge } from '../../components/badge';
import { Button } from '../../components/button';
import { Table } from '../../components/table';
import { TimeText } from '../../components/time-text';
import { texts } from '../../texts';
import styles from './do-not-call.module.css';

type Entry = Schemas['DoNotCallEntryDto'];

const { columns: headers, ...words } = texts.doNotCall;

function Until({ at }: { at: string | null }) {
  if (at === null) return words.forEver;
  return (
    <>
      <TimeText at={at} /> {Date.parse(at) <= Date.now() && <Badge tone="plain">{words.expired}</Badge>}
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
    caption={words.title}
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
      { key: 'source', header: headers.source, cell: ({ source }) => words.sources[source], isMinor: true },
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
            aria-label={words.removeOf(phone_number)}
            onClick={() => onRemove(phone_number)}
          >
            {words.remove}
          </Button>
        ),
        align: 'end',
      },
    ]}
  />
);
