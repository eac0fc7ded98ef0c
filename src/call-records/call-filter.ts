import { isUUID } from 'class-validator';
import type { CallType, ConversationStatus, Direction, DisconnectReason } from '../calls/call-states';
import { likePattern } from '../database/like-pattern';
import { agentsInScope, type Caller } from '../http/access';
import type { CallFilterQuery } from './call-filter.dto';

/** The parameters of {@link IS_MATCH}. null: no condition */
export interface CallFilter {
  workspaceId: string;
  /** Only calls of these agents. */
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
  customerName: string | null;
  externalId: string | null;
  outcome: string | null;
  createdFrom: Date | null;
  createdUntil: Date | null;
  durationMin: number | null;
  durationMax: number | null;
  workerId: string | null;
}

const NIL = '00000000-0000-0000-0000-000000000000';

/** An id that no row has stands for a text that is not an id. */
const idOf = (text: string | undefined) => (text === undefined ? null : isUUID(text) ? text : NIL);

const reversed = (text: string) => [...text].reverse().join('');

/** All digits of a number, or its last ones. */
const reversedPattern = (number: string) => reversed(number) + (number.startsWith('+') ? '' : '%');

/** null: all agents */
export const uuidsInScope = (caller: Caller): string[] | null =>
  agentsInScope(caller)?.filter((id) => isUUID(id)) ?? null;

export function callFilterOf(caller: Caller, query: CallFilterQuery): CallFilter {
  return {
    workspaceId: caller.workspaceId,
    agentsInScope: uuidsInScope(caller),
    agentId: idOf(query.agent_id),
    agentVersion: query.agent_version ?? null,
    campaignId: idOf(query.campaign_id),
    statuses: query.status ?? null,
    reasons: query.disconnect_reason ?? null,
    direction: query.direction ?? null,
    channel: query.channel ?? null,
    callType: query.call_type ?? null,
    reversedNumber: query.number === undefined ? null : reversedPattern(query.number),
    customerName: query.customer_name === undefined ? null : likePattern(query.customer_name),
    externalId: query.external_id ?? null,
    outcome: query.outcome ?? null,
    createdFrom: query.start_date ?? null,
    createdUntil: query.end_date ?? null,
    durationMin: query.duration_min ?? null,
    durationMax: query.duration_max ?? null,
    workerId: query.worker_id ?? null,
  };
}

/** SQL: a condition that holds if the parameter is null. */
const ifGiven = (parameter: string, type: string, condition: string) =>
  `($${parameter}::${type} IS NULL OR ${condition})`;

/** SQL: whether a row of `conversations`, named `call`, matches a {@link CallFilter}. */
export const IS_MATCH = [
  'call.workspace_id = $workspaceId',
  ifGiven('agentsInScope', 'uuid[]', 'call.agent_id = ANY ($agentsInScope)'),
  ifGiven('agentId', 'uuid', 'call.agent_id = $agentId'),
  ifGiven('agentVersion', 'integer', 'call.agent_version = $agentVersion'),
  ifGiven('campaignId', 'uuid', 'call.campaign_id = $campaignId'),
  ifGiven('statuses', 'text[]', 'call.status = ANY ($statuses)'),
  ifGiven('reasons', 'text[]', 'call.disconnect_reason = ANY ($reasons)'),
  ifGiven('direction', 'text', 'call.direction = $direction'),
  ifGiven('channel', 'text', 'call.channel = $channel'),
  ifGiven('callType', 'text', 'call.call_type = $callType'),
  ifGiven(
    'reversedNumber',
    'text',
    '(reverse(call.to_number) LIKE $reversedNumber OR reverse(call.from_number) LIKE $reversedNumber)',
  ),
  ifGiven('customerName', 'text', `call.request->>'customer_name' ILIKE $customerName`),
  ifGiven('externalId', 'text', `COALESCE(call.request->>'external_id', '') = $externalId`),
  ifGiven('outcome', 'text', 'call.outcome = $outcome'),
  ifGiven('createdFrom', 'timestamptz', 'call.created_at >= $createdFrom'),
  ifGiven('createdUntil', 'timestamptz', 'call.created_at <= $createdUntil'),
  ifGiven('durationMin', 'integer', 'call.duration_sec >= $durationMin'),
  ifGiven('durationMax', 'integer', 'call.duration_sec <= $durationMax'),
  ifGiven('workerId', 'text', 'call.worker_id = $workerId'),
].join('\n      AND ');
