import { isUUID } from 'class-validator';
import type {
  CallType,
  ConversationStatus,
  Direction,
  DisconnectReason,
} from '../../calls/model/call-states';
import { likePattern } from '../../../platform/database/like-pattern';
import { agentsInScope, type Caller } from '../../../platform/http/access';
import type { CallFilterQuery } from './call-filter.dto';

/** The parameters of `IS_MATCH`. null: no condition */
export interface CallFilter {
  workspaceId: string;
  /** The agents whose calls the filter finds. */
  agentsInScope: string[] | null;
  agentId: string | null;
  agentVersion: number | null;
  campaignId: string | null;
  statuses: ConversationStatus[] | null;
  reasons: DisconnectReason[] | null;
  direction: Direction | null;
  channel: string | null;
  callType: CallType | null;
  /** A LIKE pattern of the reversed number. */
  reversedNumber: string | null;
  /** The last digits of that number, which have an index. */
  lastDigits: string | null;
  customerName: string | null;
  externalId: string | null;
  outcome: string | null;
  createdFrom: Date | null;
  createdUntil: Date | null;
  durationMin: number | null;
  durationMax: number | null;
  workerId: string | null;
  /** The findings that a call has, by the names of `answers`. */
  findings: Record<string, string> | null;
}

/** The conditions by which rollups are kept, apart from the agent. */
export type RollupFilter = Pick<
  CallFilter,
  'workspaceId' | 'createdFrom' | 'createdUntil' | 'statuses' | 'callType'
>;

/** The number of digits in the indexes of numbers. */
export const LAST_DIGITS = 4;

const NIL = '00000000-0000-0000-0000-000000000000';

/** A text that is not an id becomes an id that no row has. */
const toId = (text: string | undefined) => (text === undefined ? null : isUUID(text) ? text : NIL);

const reversed = (text: string) => [...text].reverse().join('');

/** Reverses the digits of a number, or its last ones. */
const reversedPattern = (number: string) => reversed(number) + (number.startsWith('+') ? '' : '%');

/** null: all agents */
export const uuidsInScope = (caller: Caller): string[] | null =>
  agentsInScope(caller)?.filter((id) => isUUID(id)) ?? null;

export interface CallId {
  workspaceId: string;
  callId: string;
  /** null: all agents */
  agentsInScope: string[] | null;
}

export const toCallId = (caller: Caller, callId: string): CallId => ({
  workspaceId: caller.workspaceId,
  callId,
  agentsInScope: uuidsInScope(caller),
});

function toFindings({ field = {}, criterion = {} }: CallFilterQuery): CallFilter['findings'] {
  const conditions = [
    ...Object.entries(field).map(([name, value]) => [`field.${name}`, value]),
    ...Object.entries(criterion).map(([name, answer]) => [`criterion.${name}`, answer]),
  ];
  return conditions.length === 0 ? null : (Object.fromEntries(conditions) as Record<string, string>);
}

export function toCallFilter(caller: Caller, query: CallFilterQuery): CallFilter {
  return {
    workspaceId: caller.workspaceId,
    agentsInScope: uuidsInScope(caller),
    agentId: toId(query.agent_id),
    agentVersion: query.agent_version ?? null,
    campaignId: toId(query.campaign_id),
    statuses: query.status ?? null,
    reasons: query.disconnect_reason ?? null,
    direction: query.direction ?? null,
    channel: query.channel ?? null,
    callType: query.call_type ?? null,
    reversedNumber: query.number === undefined ? null : reversedPattern(query.number),
    lastDigits: query.number === undefined ? null : query.number.slice(-LAST_DIGITS),
    customerName: query.customer_name === undefined ? null : likePattern(query.customer_name),
    externalId: query.external_id ?? null,
    outcome: query.outcome ?? null,
    createdFrom: query.start_date ?? null,
    createdUntil: query.end_date ?? null,
    durationMin: query.duration_min ?? null,
    durationMax: query.duration_max ?? null,
    workerId: query.worker_id ?? null,
    findings: toFindings(query),
  };
}

/** Whether an index finds the calls. They are few then. */
export const isFoundByIndex = ({ reversedNumber, externalId, campaignId }: CallFilter) =>
  reversedNumber !== null || campaignId !== null || (externalId !== null && externalId !== '');
