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
  /** The last digits of that number, of which there is an index. */
  lastDigits: string | null;
  customerName: string | null;
  externalId: string | null;
  outcome: string | null;
  createdFrom: Date | null;
  createdUntil: Date | null;
  durationMin: number | null;
  durationMax: number | null;
  workerId: string | null;
}

/** In the indexes of numbers. */
const LAST_DIGITS = 4;

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
    lastDigits: query.number === undefined ? null : query.number.slice(-LAST_DIGITS),
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

/** Whether an index finds the calls, which are few then. */
export const isFoundByIndex = ({ reversedNumber, externalId, campaignId }: CallFilter) =>
  reversedNumber !== null || campaignId !== null || (externalId !== null && externalId !== '');

/** SQL: a condition that holds if the parameter is null. */
export const ifGiven = (parameter: string, type: string, condition: string) =>
  `($${parameter}::${type} IS NULL OR ${condition})`;

const hasDigits = (column: string) =>
  `right(${column}, ${LAST_DIGITS}) = right($lastDigits, ${LAST_DIGITS}) AND reverse(${column}) LIKE $reversedNumber`;

/** SQL: a condition that has an index of the calls that have ended; the others are few. */
const ifEnded = (condition: string) => `call.ended_at IS NOT NULL AND ${condition}`;

const IS_NUMBER = `(
    (${ifEnded(hasDigits('call.to_number'))}) OR (${ifEnded(hasDigits('call.from_number'))})
    OR (call.ended_at IS NULL AND ((${hasDigits('call.to_number')}) OR (${hasDigits('call.from_number')}))))`;

const OF_CAMPAIGN = 'call.campaign_id = $campaignId';

const IS_OF_CAMPAIGN = `((${ifEnded(OF_CAMPAIGN)}) OR (call.ended_at IS NULL AND ${OF_CAMPAIGN}))`;

const EXTERNAL_ID = `call.request->>'external_id'`;

const IS_EXTERNAL_ID = `(
    ($externalId = '' AND COALESCE(${EXTERNAL_ID}, '') = '')
    OR ($externalId <> '' AND call.ended_at IS NULL AND ${EXTERNAL_ID} = $externalId)
    OR ($externalId <> '' AND ${ifEnded(`${EXTERNAL_ID} <> ''`)}
        AND hashtextextended(${EXTERNAL_ID}, 0) = hashtextextended($externalId, 0) AND ${EXTERNAL_ID} = $externalId))`;

/** SQL: whether a row of `conversations`, named `call`, matches a {@link CallFilter}. */
export const IS_MATCH = [
  'call.workspace_id = $workspaceId',
  ifGiven('agentsInScope', 'uuid[]', 'call.agent_id = ANY ($agentsInScope)'),
  ifGiven('agentId', 'uuid', 'call.agent_id = $agentId'),
  ifGiven('agentVersion', 'integer', 'call.agent_version = $agentVersion'),
  ifGiven('campaignId', 'uuid', IS_OF_CAMPAIGN),
  ifGiven('statuses', 'text[]', 'call.status = ANY ($statuses)'),
  ifGiven('reasons', 'text[]', 'call.disconnect_reason = ANY ($reasons)'),
  ifGiven('direction', 'text', 'call.direction = $direction'),
  ifGiven('channel', 'text', 'call.channel = $channel'),
  ifGiven('callType', 'text', 'call.call_type = $callType'),
  ifGiven('reversedNumber', 'text', IS_NUMBER),
  ifGiven('customerName', 'text', `call.request->>'customer_name' ILIKE $customerName`),
  ifGiven('externalId', 'text', IS_EXTERNAL_ID),
  ifGiven('outcome', 'text', 'call.outcome = $outcome'),
  ifGiven('createdFrom', 'timestamptz', 'call.created_at >= $createdFrom'),
  ifGiven('createdUntil', 'timestamptz', 'call.created_at <= $createdUntil'),
  ifGiven('durationMin', 'integer', 'call.duration_sec >= $durationMin'),
  ifGiven('durationMax', 'integer', 'call.duration_sec <= $durationMax'),
  ifGiven('workerId', 'text', 'call.worker_id = $workerId'),
].join('\n      AND ');
