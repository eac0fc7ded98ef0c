import { lineNumber, personNumber } from '../../calls/model/call-parties.sql';
import type { ConversationStatus } from '../../calls/model/call-states';
import { type CallFilter, LAST_DIGITS } from './call-filter';

/** SQL: a condition that holds if the parameter is null. */
export const ifGiven = (parameter: string, type: string, condition: string) =>
  `($${parameter}::${type} IS NULL OR ${condition})`;

/** SQL: whether a number is the number of the filter. */
export const isNumber = (number: string) => `reverse(${number}) LIKE $reversedNumber`;

const hasDigits = (number: string) =>
  `right(${number}, ${LAST_DIGITS}) = right($lastDigits, ${LAST_DIGITS}) AND ${isNumber(number)}`;

/** SQL: a condition on calls that have ended, for which they have an index; the other calls are few. */
const ifEnded = (condition: string) => `call.ended_at IS NOT NULL AND ${condition}`;

/** SQL: whether a call has ended and the person in it has the number of the filter. */
export const IS_PERSON = ifEnded(hasDigits(personNumber('call')));

const IS_NUMBER = `(
    (${IS_PERSON}) OR (${ifEnded(hasDigits(lineNumber('call')))})
    OR (call.ended_at IS NULL AND ((${isNumber('call.to_number')}) OR (${isNumber('call.from_number')}))))`;

const OF_CAMPAIGN = 'call.campaign_id = $campaignId';

const IS_OF_CAMPAIGN = `((${ifEnded(OF_CAMPAIGN)}) OR (call.ended_at IS NULL AND ${OF_CAMPAIGN}))`;

const EXTERNAL_ID = `call.request->>'external_id'`;

const IS_EXTERNAL_ID = `(
    ($externalId = '' AND COALESCE(${EXTERNAL_ID}, '') = '')
    OR ($externalId <> '' AND call.ended_at IS NULL AND ${EXTERNAL_ID} = $externalId)
    OR ($externalId <> '' AND ${ifEnded(`${EXTERNAL_ID} <> ''`)}
        AND hashtextextended(${EXTERNAL_ID}, 0) = hashtextextended($externalId, 0) AND ${EXTERNAL_ID} = $externalId))`;

/** SQL: the first moment that the filter asks for, and the moment after the last one. */
export const FILTER_START = `COALESCE($createdFrom::timestamptz, '-infinity')`;
export const FILTER_END = `COALESCE($createdUntil::timestamptz + interval '1 millisecond', 'infinity')`;

/** SQL: whether a time is in a slice, whose end is exclusive. */
export const isBetween = (time: string, start: string, end: string) =>
  `${time} >= ${start} AND ${time} < ${end}`;

/** SQL: a sum of the calls of a status, or 0 if the filter does not ask for the status. */
export const ifAsked = (status: ConversationStatus, sum: string) =>
  `CASE WHEN $statuses::text[] IS NULL OR '${status}' = ANY ($statuses) THEN ${sum} ELSE 0 END`;

const CONDITIONS = {
  workspaceId: 'call.workspace_id = $workspaceId',
  agentsInScope: ifGiven('agentsInScope', 'uuid[]', 'call.agent_id = ANY ($agentsInScope)'),
  agentId: ifGiven('agentId', 'uuid', 'call.agent_id = $agentId'),
  agentVersion: ifGiven('agentVersion', 'integer', 'call.agent_version = $agentVersion'),
  campaignId: ifGiven('campaignId', 'uuid', IS_OF_CAMPAIGN),
  statuses: ifGiven('statuses', 'text[]', 'call.status = ANY ($statuses)'),
  reasons: ifGiven('reasons', 'text[]', 'call.disconnect_reason = ANY ($reasons)'),
  direction: ifGiven('direction', 'text', 'call.direction = $direction'),
  channel: ifGiven('channel', 'text', 'call.channel = $channel'),
  callType: ifGiven('callType', 'text', 'call.call_type = $callType'),
  reversedNumber: ifGiven('reversedNumber', 'text', IS_NUMBER),
  customerName: ifGiven(
    'customerName',
    'text',
    `COALESCE(call.request->>'customer_name', '') ILIKE $customerName`,
  ),
  externalId: ifGiven('externalId', 'text', IS_EXTERNAL_ID),
  outcome: ifGiven('outcome', 'text', 'call.outcome = $outcome'),
  createdFrom: ifGiven('createdFrom', 'timestamptz', 'call.created_at >= $createdFrom'),
  createdUntil: ifGiven('createdUntil', 'timestamptz', 'call.created_at <= $createdUntil'),
  durationMin: ifGiven('durationMin', 'integer', 'call.duration_sec >= $durationMin'),
  durationMax: ifGiven('durationMax', 'integer', 'call.duration_sec <= $durationMax'),
  workerId: ifGiven('workerId', 'text', 'call.worker_id = $workerId'),
  findings: ifGiven(
    'findings',
    'jsonb',
    'EXISTS (SELECT FROM call_findings AS found WHERE found.conversation_id = call.id AND found.answers @> $findings)',
  ),
} satisfies { [Name in Exclude<keyof CallFilter, 'lastDigits'>]: string };

const joinConditions = (conditions: Partial<typeof CONDITIONS>) =>
  Object.values(conditions).join('\n      AND ');

/** SQL: whether a row of `conversations`, named `call`, matches a `CallFilter`. */
export const IS_MATCH = joinConditions(CONDITIONS);

/**
 * SQL: the same as {@link IS_MATCH}, for calls that are found by their times: Postgres would prefer the index of a
 * number that many calls have.
 */
export const IS_MATCH_BY_TIME = joinConditions({
  ...CONDITIONS,
  reversedNumber: ifGiven(
    'reversedNumber',
    'text',
    `(${isNumber('call.to_number')} OR ${isNumber('call.from_number')})`,
  ),
});

/** SQL: whether a call matches a {@link RollupFilter}, apart from its times. */
export const IS_ROLLUP_MATCH = joinConditions({
  workspaceId: CONDITIONS.workspaceId,
  callType: CONDITIONS.callType,
  statuses: CONDITIONS.statuses,
});
