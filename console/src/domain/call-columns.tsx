import type { Schemas } from '../api/client';
import { texts } from '../texts';
import type { Column } from '../ui/table/table';
import { TimeText } from '../ui/time-text';
import { CallDuration } from './call-duration';
import { CallStatus } from './call-status';
import { PersonLink } from './person-link';
import { getPerson, personNumber } from './phone-number';
import { getTerm } from './term';
import styles from './call-columns.module.css';

type Call = Schemas['CallDto'];

const { columns: headers } = texts.calls;

/** The columns of calls by their keys. */
export const CALL_COLUMNS = {
  person: { key: 'person', header: headers.person, cell: getPerson },
  number: {
    key: 'number',
    header: headers.number,
    cell: (call) => <PersonLink number={personNumber(call)} />,
    phone: 'hidden',
  },
  status: {
    key: 'status',
    header: headers.status,
    cell: ({ status }) => <CallStatus status={status} />,
    phone: 'aside',
  },
  agent: {
    key: 'agent',
    header: headers.agent,
    cell: ({ agent }) => agent.name,
    isMinor: true,
    phone: 'rest',
  },
  direction: {
    key: 'direction',
    header: headers.direction,
    cell: ({ direction }) => getTerm(direction),
    isMinor: true,
  },
  created: {
    key: 'created',
    header: headers.created,
    cell: ({ created_at }) => <TimeText at={created_at} />,
    sortBy: 'created_at',
  },
  duration: {
    key: 'duration',
    header: headers.duration,
    cell: (call) => <CallDuration call={call} />,
    align: 'end',
    phone: 'detail',
    sortBy: 'duration_sec',
  },
  charge: {
    key: 'charge',
    header: headers.charge,
    cell: ({ charge }) => charge,
    align: 'end',
    isMinor: true,
    sortBy: 'charge',
  },
  reason: {
    key: 'reason',
    header: headers.reason,
    cell: ({ disconnect_reason }) => disconnect_reason && getTerm(disconnect_reason),
    isMinor: true,
  },
  outcome: {
    key: 'outcome',
    header: headers.outcome,
    cell: ({ outcome }) => outcome && getTerm(outcome),
    isMinor: true,
  },
} as const satisfies Record<string, Column<Call>>;

/** The person beside the column of the number. Without a name, the number is shown once. */
export const PERSON_BESIDE_NUMBER: Column<Call> = {
  ...CALL_COLUMNS.person,
  cell: (call) =>
    call.customer_name || !personNumber(call) ? (
      getPerson(call)
    ) : (
      <>
        <span className={styles.number}>{getPerson(call)}</span>
        <span aria-hidden="true" className={styles.unnamed}>
          {texts.calls.noName}
        </span>
      </>
    ),
};

/** The columns of the person, the number, the status and the agent. */
export const PARTY_COLUMNS: Column<Call>[] = [
  PERSON_BESIDE_NUMBER,
  CALL_COLUMNS.number,
  CALL_COLUMNS.status,
  CALL_COLUMNS.agent,
];
