import { personNumber } from '../../calls/model/call-parties.sql';
import { REASON, inStatus, STATUS } from '../../calls/model/call-states';
import { CALL_EVENT, CANCELLER } from '../../calls/model/call-event.entity';
import { literals } from '../../../platform/database/closed-list';
import { type JsonRows, statement } from '../../../platform/database/statement';
import { isListed } from '../../do-not-call/is-listed.sql';
import { OTHER_OUTCOMES } from '../plan/campaign-outcomes';
import {
  CONTACT_RESULT,
  type ContactResult,
  OPEN_STATUSES,
  RECIPIENT_STATUS,
  RECIPIENT_STATUSES,
  SKIP_REASON,
  type SkipReason,
} from '../plan/campaign-status';
import { getCountColumn } from '../plan/campaign.entity';
import { changedRetryingOutcomes } from './retrying-outcomes.sql';

/*
 * Every move of a recipient. Each is made under the lock of its campaign, in one statement that also counts, so that the
 * counts of a campaign always add up.
 *
 *   pending ──CALL──▶ calling ──SETTLE──▶ disconnected | failed | lost | skipped
 *      ▲                │  │                      ▲
 *      └──TAKE_BACK─────┘  └──▶ retrying ──CALL───┘ (calling again)
 *                         a retry that no runtime claimed is retrying again
 *   pending, retrying ──SKIP──▶ skipped
 *   pending, retrying ──LEAVE_*, DECIDE_AGAIN──▶ skipped, or for one who had a call, what that call was
 *
 * The moves of the last line are in waiting-recipients.sql.ts.
 */

const difference = (status: string) =>
  `((count(*) FILTER (WHERE status = '${status}')) - (count(*) FILTER (WHERE old_status = '${status}')))::int AS ${status}`;

const isStatus = (column: 'status' | 'old_status') => `(${column} = '${RECIPIENT_STATUS.retrying}')::int`;

/** SQL: the result of a connected call for the recipient, by the reason of its end. */
export const getResult = (reason: string) => `
  CASE ${reason} WHEN '${REASON.voicemail_reached}' THEN '${CONTACT_RESULT.voicemail}'
                 WHEN '${REASON.inactivity}' THEN '${CONTACT_RESULT.inactivity}'
                 ELSE '${CONTACT_RESULT.reached}' END`;

/** SQL: the number of recipients that get this result. A recipient with a result is not moved again. */
const count = (result: ContactResult) => `
  count(*) FILTER (WHERE status = '${RECIPIENT_STATUS.disconnected}' AND old_status <> '${RECIPIENT_STATUS.disconnected}'
                     AND ${getResult('reason')} = '${result}')::int AS ${result}`;

/**
 * SQL: CTEs that move recipients and count. `moved` has the rows of the moved recipients.
 * @param change SQL: campaign_id, phone_number, old_status, status, attempts, next_attempt_at, conversation_id,
 * skipped of each recipient to move, and the outcome and the reason of the end of the last call
 */
export const moving = (change: string) => `
  change AS MATERIALIZED (${change}), moved AS (
    UPDATE campaign_recipients AS recipient
    SET status = change.status, attempts = change.attempts, next_attempt_at = change.next_attempt_at,
        conversation_id = change.conversation_id, skipped = change.skipped
    FROM change
    WHERE recipient.campaign_id = change.campaign_id AND recipient.phone_number = change.phone_number
      AND recipient.status = change.old_status
    RETURNING recipient.campaign_id, recipient.phone_number, change.old_status, recipient.status, change.outcome,
      change.reason
  ), retried AS MATERIALIZED (
    SELECT campaign_id, COALESCE(outcome, '${OTHER_OUTCOMES}') AS outcome,
           sum(${isStatus('status')} - ${isStatus('old_status')})::int AS count
    FROM moved GROUP BY 1, 2 HAVING sum(${isStatus('status')} - ${isStatus('old_status')}) <> 0
  ), counted AS (
    UPDATE campaigns
    SET ${RECIPIENT_STATUSES.map((status) => `${getCountColumn(status)} = ${getCountColumn(status)} + difference.${status}`).join(', ')},
        count_voicemail = count_voicemail + voicemail, count_inactivity = count_inactivity + inactivity,
        retrying_outcomes = CASE WHEN EXISTS (SELECT FROM retried WHERE campaign_id = campaigns.id)
                                 THEN ${changedRetryingOutcomes('retried')} ELSE retrying_outcomes END
    FROM (
      SELECT campaign_id, ${RECIPIENT_STATUSES.map(difference).join(', ')},
             ${count(CONTACT_RESULT.voicemail)}, ${count(CONTACT_RESULT.inactivity)}
      FROM moved GROUP BY campaign_id
    ) AS difference
    WHERE campaigns.id = difference.campaign_id
  )`;

/** SQL: the outcome of a recipient's last call: the one that the runtime reported, or the reason of the end. */
export const getOutcome = (call: string) =>
  `COALESCE(NULLIF(left(${call}.outcome, 100), ''), ${call}.disconnect_reason)`;

/** The number of recipients that have ended, by the outcome of their last call. */
export interface CountedOutcome {
  outcome: string;
  count: number;
}

/** A row for each outcome of recipients that have ended; one without an outcome if there is none. */
export interface MovedRecipients extends CountedOutcome {
  /** The number of recipients, including those that have not ended. */
  moved: number;
}

/** SQL: rows of {@link MovedRecipients}, with more columns */
export const movedRecipients = (columns = '') => `
  SELECT outcome, count, (SELECT count(*)::int FROM moved) AS moved ${columns}
  FROM (
    SELECT outcome, count(*)::int AS count FROM moved
    WHERE status IN ('${RECIPIENT_STATUS.disconnected}', '${RECIPIENT_STATUS.failed}') GROUP BY outcome
  ) AS ended RIGHT JOIN (SELECT 1) AS one ON true`;

/** The ids of the calls are in the order of the numbers. */
export interface CalledRecipients {
  campaignId: string;
  numbers: string[];
  conversationIds: string[];
}

/**
 * SQL, on a row of `campaign_recipients`: the outcome of the last call of a recipient that waits for another
 * attempt.
 */
const LAST_OUTCOME = `
  CASE status WHEN '${RECIPIENT_STATUS.retrying}' THEN (
    SELECT ${getOutcome('last')} FROM conversations AS last WHERE last.id = campaign_recipients.conversation_id) END`;

/** pending, retrying → calling. The same transaction has accepted the calls. */
export const CALL = statement<CalledRecipients, { phoneNumber: string }>(
  'mark-recipients-called',
  `
    WITH ${moving(`
      SELECT campaign_id, phone_number, status AS old_status, '${RECIPIENT_STATUS.calling}' AS status,
             (attempts + 1)::smallint AS attempts, NULL::timestamptz AS next_attempt_at,
             called.conversation_id AS conversation_id, NULL::text AS skipped, ${LAST_OUTCOME} AS outcome, NULL::text AS reason
      FROM campaign_recipients
      JOIN unnest($numbers::text[], $conversationIds::uuid[]) AS called (phone_number, conversation_id)
        USING (phone_number)
      WHERE campaign_id = $campaignId
        AND status IN ('${RECIPIENT_STATUS.pending}', '${RECIPIENT_STATUS.retrying}')`)}
    SELECT phone_number AS "phoneNumber" FROM moved`,
);

/** pending, retrying → skipped, whatever their calls were: a person has requested it. */
export const SKIP = statement<
  { campaignId: string; numbers: string[]; reason: SkipReason },
  { phoneNumber: string }
>(
  'skip-recipients',
  `
    WITH ${moving(`
      SELECT campaign_id, phone_number, status AS old_status, '${RECIPIENT_STATUS.skipped}' AS status, attempts,
             NULL::timestamptz AS next_attempt_at, conversation_id, $reason::text AS skipped, ${LAST_OUTCOME} AS outcome,
             NULL::text AS reason
      FROM campaign_recipients
      WHERE campaign_id = $campaignId AND phone_number = ANY ($numbers)
        AND status IN ('${RECIPIENT_STATUS.pending}', '${RECIPIENT_STATUS.retrying}')`)}
    SELECT phone_number AS "phoneNumber" FROM moved`,
);

/** SQL: the attempt before the last one of a row `recipient`, whose `call` no runtime has claimed. */
const ATTEMPT_BEFORE = `
  COALESCE((
    SELECT before.id FROM conversations AS before
    WHERE before.workspace_id = call.workspace_id AND before.campaign_id = recipient.campaign_id
      AND right(${personNumber('before')}, 4) = right(recipient.phone_number, 4) AND before.to_number = recipient.phone_number
      AND before.ended_at IS NOT NULL AND before.token IS NOT NULL AND before.id < call.id
    ORDER BY before.id DESC LIMIT 1), call.id)`;

/** SQL: whether a row `recipient` was called before its last call. It keeps the result of that call. */
const WAS_CALLED_BEFORE = 'recipient.attempts > 1';

/**
 * calling → pending, retrying, or skipped. The same transaction has cancelled the calls before a runtime claimed
 * them.
 */
export const TAKE_BACK = statement<
  { campaignId: string; conversationIds: string[]; skipped: SkipReason | null },
  { phoneNumber: string }
>(
  'take-back-recipients',
  `
    WITH ${moving(`
      SELECT recipient.campaign_id, recipient.phone_number, recipient.status AS old_status, decided.status,
             (recipient.attempts - 1)::smallint AS attempts,
             CASE decided.status WHEN '${RECIPIENT_STATUS.retrying}' THEN now() END AS next_attempt_at,
             before.id AS conversation_id, $skipped::text AS skipped,
             (SELECT ${getOutcome('last')} FROM conversations AS last WHERE last.id = before.id) AS outcome,
             NULL::text AS reason
      FROM campaign_recipients AS recipient JOIN conversations AS call ON call.id = recipient.conversation_id
      CROSS JOIN LATERAL (
        SELECT CASE WHEN $skipped::text IS NOT NULL THEN '${RECIPIENT_STATUS.skipped}'
                    WHEN ${WAS_CALLED_BEFORE} THEN '${RECIPIENT_STATUS.retrying}'
                    ELSE '${RECIPIENT_STATUS.pending}' END AS status) AS decided
      CROSS JOIN LATERAL (SELECT CASE WHEN ${WAS_CALLED_BEFORE} THEN ${ATTEMPT_BEFORE} END AS id) AS before
      WHERE recipient.campaign_id = $campaignId AND recipient.conversation_id = ANY ($conversationIds)
        AND recipient.status = '${RECIPIENT_STATUS.calling}'`)}
    SELECT phone_number AS "phoneNumber" FROM moved`,
);

/**
 * SQL, on rows `recipient`, `call` and `campaigns`: whether the policy has another attempt after a call, and the
 * number may be called. The reason of the end is missing once the call is deleted.
 */
export const mayRetry = `(
  COALESCE(campaigns.retry->'on' ? call.disconnect_reason, true)
  AND recipient.attempts <= (campaigns.retry->>'max')::int
  AND NOT ${isListed('campaigns.workspace_id', 'recipient.phone_number')})`;

/** SQL: the status of a recipient after the last call, a row `call` that has ended. */
export const statusOfCall = `
  CASE WHEN call.${inStatus(STATUS.disconnected)} THEN '${RECIPIENT_STATUS.disconnected}'
       ELSE '${RECIPIENT_STATUS.failed}' END`;

/**
 * SQL, on rows `recipient`, `call` and `campaigns`: the status of a recipient whose call has ended; the one place
 * that decides on the next attempt. A call that nobody claimed before its window or its campaign ended is no
 * attempt, nor is one that was cancelled because its number was listed.
 */
export const decidedStatus = `
  CASE
    WHEN call.disconnect_reason = '${REASON.worker_lost}' THEN '${RECIPIENT_STATUS.lost}'
    WHEN call.disconnect_reason = '${REASON.dispatch_expired}' AND NOT recipient.removed
      AND (campaigns.windows <> '[]' OR campaigns.expires_at <= now())
      THEN CASE WHEN ${WAS_CALLED_BEFORE} THEN '${RECIPIENT_STATUS.retrying}' ELSE '${RECIPIENT_STATUS.pending}' END
    WHEN call.token IS NULL AND call.disconnect_reason = '${REASON.cancelled}' AND EXISTS (
      SELECT FROM call_events
      WHERE call_events.conversation_id = call.id AND kind = '${CALL_EVENT.cancelled}'
        AND data->>'by' = '${CANCELLER.do_not_call}')
      THEN CASE WHEN ${WAS_CALLED_BEFORE} THEN '${RECIPIENT_STATUS.retrying}' ELSE '${RECIPIENT_STATUS.skipped}' END
    WHEN call.token IS NOT NULL AND NOT recipient.removed AND campaigns.status IN (${literals(OPEN_STATUSES)})
      AND (campaigns.expires_at IS NULL OR campaigns.expires_at > now()) AND ${mayRetry}
      THEN '${RECIPIENT_STATUS.retrying}'
    ELSE ${statusOfCall}
  END`;

/** SQL: the pause before the next attempt, from the end of the last one. */
export const RETRY_PAUSE = `
  (campaigns.retry->'afterMinutes'->>(
    LEAST(recipient.attempts, jsonb_array_length(campaigns.retry->'afterMinutes')) - 1))::int * interval '1 minute'`;

/** The number of recipients that one statement settles. */
export const SETTLE_BATCH = 1_000;

/** calling → the status that follows from the end of the call. */
export const SETTLE = statement<{ campaignId: string }, MovedRecipients>(
  'settle-recipients',
  `
    WITH ${moving(`
      SELECT recipient.campaign_id, recipient.phone_number, recipient.status AS old_status, decided.status,
             (recipient.attempts - (is_unclaimed_retry
               OR decided.status IN ('${RECIPIENT_STATUS.pending}', '${RECIPIENT_STATUS.skipped}'))::int
             )::smallint AS attempts,
             CASE WHEN is_unclaimed_retry THEN now()
                  WHEN decided.status = '${RECIPIENT_STATUS.retrying}' THEN call.ended_at + ${RETRY_PAUSE}
             END AS next_attempt_at,
             CASE WHEN decided.status <> '${RECIPIENT_STATUS.pending}' THEN last.id END AS conversation_id,
             CASE decided.status WHEN '${RECIPIENT_STATUS.skipped}' THEN '${SKIP_REASON.do_not_call}' END AS skipped,
             ${getOutcome('last')} AS outcome, call.disconnect_reason AS reason
      FROM campaigns
      JOIN campaign_recipients AS recipient ON recipient.campaign_id = campaigns.id
      JOIN conversations AS call ON call.id = recipient.conversation_id
      CROSS JOIN LATERAL (SELECT ${decidedStatus} AS status) AS decided
      CROSS JOIN LATERAL (
        SELECT decided.status = '${RECIPIENT_STATUS.retrying}' AND call.token IS NULL AS is_unclaimed_retry
      ) AS retry
      JOIN conversations AS last ON last.id = CASE WHEN is_unclaimed_retry THEN ${ATTEMPT_BEFORE} ELSE call.id END
      WHERE campaigns.id = $campaignId AND recipient.status = '${RECIPIENT_STATUS.calling}'
        AND call.ended_at IS NOT NULL
      LIMIT ${SETTLE_BATCH}`)}
    ${movedRecipients()}`,
);

/**
 * Removes calls that are about to be deleted from their recipients. A `lost` recipient gets the status of its call:
 * nothing can correct it any more.
 */
export const UNLINK_CALLS = statement<{ campaignId: string; conversationIds: string[] }, CountedOutcome>(
  'unlink-calls-of-recipients',
  `
    WITH ${moving(`
      SELECT recipient.campaign_id, recipient.phone_number, recipient.status AS old_status,
             CASE WHEN recipient.status <> '${RECIPIENT_STATUS.lost}' THEN recipient.status
                  ELSE ${statusOfCall} END AS status,
             recipient.attempts, recipient.next_attempt_at, NULL::uuid AS conversation_id, recipient.skipped,
             ${getOutcome('call')} AS outcome, call.disconnect_reason AS reason
      FROM campaign_recipients AS recipient JOIN conversations AS call ON call.id = recipient.conversation_id
      WHERE recipient.campaign_id = $campaignId AND recipient.conversation_id = ANY ($conversationIds)`)}
    SELECT outcome, count(*)::int AS count FROM moved
    WHERE old_status = '${RECIPIENT_STATUS.lost}' GROUP BY outcome`,
);

export const SET_OUTCOMES = statement<{ campaignId: string; outcomes: JsonRows<object> }>(
  'set-campaign-outcomes',
  `UPDATE campaigns SET outcomes = $outcomes::jsonb WHERE id = $campaignId`,
);
