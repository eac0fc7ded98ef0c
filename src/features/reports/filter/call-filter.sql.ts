import { lineNumber, personNumber } from '../../calls/model/call-parties.sql';
import { LAST_DIGITS } from './call-filter';

/** SQL: a condition that holds if the parameter is null. */
export const ifGiven = (parameter: string, type: string, condition: string) =>
  `($${parameter}::${type} IS NULL OR ${condition})`;

/** SQL: whether a number is the one of the filter. */
export const isNumber = (number: string) => `reverse(${number}) LIKE $reversedNumber`;

const hasDigits = (number: string) =>
  `right(${number}, ${LAST_DIGITS}) = right($lastDigits, ${LAST_DIGITS}) AND ${isNumber(number)}`;

/** SQL: a condition that has an index of the calls that have ended; the others are few. */
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

const isMatch = (number: string) =>
  [
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
    ifGiven('reversedNumber', 'text', number),
    ifGiven('customerName', 'text', `COALESCE(call.request->>'customer_name', '') ILIKE $customerName`),
    ifGiven('externalId', 'text', IS_EXTERNAL_ID),
    ifGiven('outcome', 'text', 'call.outcome = $outcome'),
    ifGiven('createdFrom', 'timestamptz', 'call.created_at >= $createdFrom'),
    ifGiven('createdUntil', 'timestamptz', 'call.created_at <= $createdUntil'),
    ifGiven('durationMin', 'integer', 'call.duration_sec >= $durationMin'),
    ifGiven('durationMax', 'integer', 'call.duration_sec <= $durationMax'),
    ifGiven('workerId', 'text', 'call.worker_id = $workerId'),
  ].join('\n      AND ');

/** SQL: whether a row of `conversations`, named `call`, matches a `CallFilter`. */
export const IS_MATCH = isMatch(IS_NUMBER);

/** The same for calls that are found by their times: Postgres would prefer the index of a number that many calls have. */
export const IS_MATCH_BY_TIME = isMatch(`(${isNumber('call.to_number')} OR ${isNumber('call.from_number')})`);
