import type { Schemas } from '../../api/client';
import { CallStatus } from '../../components/call-status';
import { type Column, Table } from '../../components/table';
import { durationText, TimeText } from '../../components/time-text';
import { texts } from '../../texts';

type Call = Schemas['CallDto'];

const { columns: headers } = texts.calls;

/** The number of the person: the other side of the agent's. */
export const personsNumber = (call: Pick<Call, 'direction' | 'to_number' | 'from_number'>) =>
  call.direction === 'inbound' ? call.from_number : call.to_number;

/** Who calls whom, and how it stands. */
export const WHO_COLUMNS: Column<Call>[] = [
  {
    key: 'person',
    header: headers.person,
    cell: (call) => call.customer_name || personsNumber(call) || texts.common.unknown,
  },
  { key: 'number', header: headers.number, cell: personsNumber, isMinor: true },
  { key: 'status', header: headers.status, cell: ({ status }) => <CallStatus status={status} /> },
  { key: 'agent', header: headers.agent, cell: ({ agent }) => agent.name, isMinor: true },
];

const COLUMNS: Column<Call>[] = [
  ...WHO_COLUMNS,
  { key: 'created', header: headers.created, cell: ({ created_at }) => <TimeText at={created_at} /> },
  {
    key: 'duration',
    header: headers.duration,
    cell: ({ duration_sec }) => durationText(duration_sec),
    align: 'end',
  },
  { key: 'charge', header: headers.charge, cell: ({ charge }) => charge, align: 'end', isMinor: true },
  {
    key: 'reason',
    header: headers.reason,
    cell: ({ disconnect_reason }) => disconnect_reason?.replaceAll('_', ' '),
    isMinor: true,
  },
  { key: 'outcome', header: headers.outcome, cell: ({ outcome }) => outcome, isMinor: true },
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
