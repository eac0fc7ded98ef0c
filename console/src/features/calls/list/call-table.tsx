import type { Schemas } from '../../../api/client';
import { PARTY_COLUMNS } from '../../../domain/call-columns';
import { type Column, Table } from '../../../ui/table/table';
import { CallDuration } from '../call-duration';
import { TimeText } from '../../../ui/time-text';
import { wordOf } from '../../../domain/word-of';
import { texts } from '../../../texts';

type Call = Schemas['CallDto'];

const { columns: headers } = texts.calls;

const COLUMNS: Column<Call>[] = [
  ...PARTY_COLUMNS,
  { key: 'created', header: headers.created, cell: ({ created_at }) => <TimeText at={created_at} /> },
  {
    key: 'duration',
    header: headers.duration,
    cell: (call) => <CallDuration call={call} />,
    align: 'end',
  },
  { key: 'charge', header: headers.charge, cell: ({ charge }) => charge, align: 'end', isMinor: true },
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

export const CallTable = ({ calls, empty }: { calls: Call[]; empty: string }) => (
  <Table
    caption={texts.calls.title}
    columns={COLUMNS}
    rows={calls}
    rowKey={({ call_id }) => call_id}
    rowHref={({ call_id }) => `/calls/${call_id}`}
    empty={empty}
  />
);
