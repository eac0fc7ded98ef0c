import type { Schemas } from '../../../api/client';
import { PARTY_COLUMNS } from '../../../domain/call-columns';
import { type Column, Table } from '../../../ui/table/table';
import type { Sorting } from '../../../ui/table/table-header';
import { CallDuration } from '../call-duration';
import { TimeText } from '../../../ui/time-text';
import { wordOf } from '../../../domain/word-of';
import { texts } from '../../../texts';

type Call = Schemas['CallDto'];

const { columns: headers } = texts.calls;

const COLUMNS: Column<Call>[] = [
  ...PARTY_COLUMNS,
  {
    key: 'created',
    header: headers.created,
    cell: ({ created_at }) => <TimeText at={created_at} />,
    sortBy: 'created_at',
  },
  {
    key: 'duration',
    header: headers.duration,
    cell: (call) => <CallDuration call={call} />,
    align: 'end',
    sortBy: 'duration_sec',
  },
  {
    key: 'charge',
    header: headers.charge,
    cell: ({ charge }) => charge,
    align: 'end',
    isMinor: true,
    sortBy: 'charge',
  },
  {
    key: 'reason',
    header: headers.reason,
    cell: ({ disconnect_reason }) => disconnect_reason && wordOf(disconnect_reason),
    isMinor: true,
  },
  {
    key: 'outcome',
    header: headers.outcome,
    cell: ({ outcome }) => outcome && wordOf(outcome),
    isMinor: true,
  },
];

interface Props {
  calls: Call[];
  empty: string;
  sorting: Sorting;
}

export const CallTable = ({ calls, empty, sorting }: Props) => (
  <Table
    caption={texts.calls.title}
    columns={COLUMNS}
    rows={calls}
    rowKey={({ call_id }) => call_id}
    rowHref={({ call_id }) => `/calls/${call_id}`}
    empty={empty}
    sorting={sorting}
  />
);
