import type { Schemas } from '../../api/client';
import { EntryEnd, entrySource } from '../../domain/do-not-call-entry';
import { PersonLink } from '../../domain/person-link';
import { Button } from '../../ui/button';
import { Table } from '../../ui/table/table';
import { TimeText } from '../../ui/time-text';
import { texts } from '../../texts';
import styles from './do-not-call.module.css';

type Entry = Schemas['DoNotCallEntryDto'];

const { columns: headers, ...labels } = texts.doNotCall;

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
      {
        key: 'number',
        header: headers.number,
        cell: ({ phone_number }) => <PersonLink number={phone_number} />,
      },
      {
        key: 'reason',
        header: headers.reason,
        cell: ({ reason }) => <div className={styles.text}>{reason ?? texts.common.none}</div>,
        phone: 'rest',
      },
      { key: 'source', header: headers.source, cell: entrySource, isMinor: true },
      {
        key: 'listed',
        header: headers.listed,
        cell: ({ created_at }) => <TimeText at={created_at} />,
        isMinor: true,
        phone: 'aside',
      },
      {
        key: 'expires',
        header: headers.expires,
        cell: ({ expires_at }) => <EntryEnd at={expires_at} />,
        isMinor: true,
      },
      {
        key: 'act',
        header: headers.act,
        phone: 'act',
        cell: ({ phone_number }) => (
          <Button
            needs="operate"
            variant="quiet"
            aria-label={labels.removeNamed(phone_number)}
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
