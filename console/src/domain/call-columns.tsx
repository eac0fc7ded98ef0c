import type { Schemas } from '../api/client';
import { texts } from '../texts';
import type { Column } from '../ui/table/table';
import { CallStatus } from './call-status';

type Call = Schemas['CallDto'];

const { columns: headers } = texts.calls;

/** The number of the person: the other side of the agent's. */
export const personNumber = (call: Pick<Call, 'direction' | 'to_number' | 'from_number'>) =>
  call.direction === 'inbound' ? call.from_number : call.to_number;

/** The columns of the person, the number, the status and the agent. */
export const PARTY_COLUMNS: Column<Call>[] = [
  {
    key: 'person',
    header: headers.person,
    cell: (call) => call.customer_name || personNumber(call) || texts.common.unknown,
  },
  { key: 'number', header: headers.number, cell: personNumber, isMinor: true },
  { key: 'status', header: headers.status, cell: ({ status }) => <CallStatus status={status} /> },
  { key: 'agent', header: headers.agent, cell: ({ agent }) => agent.name, isMinor: true },
];
