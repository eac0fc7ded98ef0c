import { statement } from '../../../platform/database/statement';
import { RECIPIENT_STATUS, type SkipReason } from '../plan/campaign-status';
import {
  mayRetry,
  movedRecipients,
  type MovedRecipients,
  moving,
  getOutcome,
  RETRY_PAUSE,
  statusOfCall,
} from './recipient-moves.sql';

/** The number of recipients that one statement moves, so that it takes a fraction of a second. */
export const WAITING_BATCH = 5_000;

/**
 * SQL: pending → skipped, for $reason; retrying → the status by the last call.
 * @param recipients SQL: their rows
 */
const finishing = (recipients: string) =>
  moving(`
    SELECT recipient.campaign_id, recipient.phone_number, recipient.status AS old_status,
           CASE WHEN recipient.status = '${RECIPIENT_STATUS.pending}' THEN '${RECIPIENT_STATUS.skipped}'
                ELSE ${statusOfCall} END AS status,
           recipient.attempts, NULL::timestamptz AS next_attempt_at, recipient.conversation_id,
           CASE recipient.status WHEN '${RECIPIENT_STATUS.pending}' THEN $reason::text END AS skipped,
           ${getOutcome('call')} AS outcome, call.disconnect_reason AS reason
    FROM (${recipients}) AS recipient LEFT JOIN conversations AS call ON call.id = recipient.conversation_id`);

/** Finishes a batch of the recipients that wait for a call. */
export const FINISH_REST = statement<{ campaignId: string; reason: SkipReason }, MovedRecipients>(
  'finish-rest-of-recipients',
  `
    WITH ${finishing(`
      (SELECT * FROM campaign_recipients
       WHERE campaign_id = $campaignId AND status = '${RECIPIENT_STATUS.pending}' LIMIT ${WAITING_BATCH})
      UNION ALL
      (SELECT * FROM campaign_recipients
       WHERE campaign_id = $campaignId AND status = '${RECIPIENT_STATUS.retrying}' LIMIT ${WAITING_BATCH})`)}
    ${movedRecipients()}`,
);

/** Finishes the recipients with these numbers that wait for a call. */
export const FINISH_NUMBERS = statement<
  { campaignId: string; reason: SkipReason; numbers: string[] },
  MovedRecipients
>(
  'finish-recipients',
  `
    WITH ${finishing(`
      SELECT * FROM campaign_recipients
      WHERE campaign_id = $campaignId AND phone_number = ANY ($numbers)
        AND status IN ('${RECIPIENT_STATUS.pending}', '${RECIPIENT_STATUS.retrying}')`)}
    ${movedRecipients()}`,
);

/**
 * retrying → the status by the last call, if a changed policy has no further attempt; otherwise its pause counts.
 * A batch is in the order of the numbers, from the number `after` on; `last` is null after the last batch.
 */
export const DECIDE_AGAIN = statement<
  { campaignId: string; after: string },
  MovedRecipients & { last: string | null }
>(
  'decide-again-on-recipients',
  `
    WITH batch AS MATERIALIZED (
      SELECT * FROM campaign_recipients
      WHERE campaign_id = $campaignId AND status = '${RECIPIENT_STATUS.retrying}' AND phone_number > $after
      ORDER BY phone_number LIMIT ${WAITING_BATCH}
    ), ${moving(`
      SELECT recipient.campaign_id, recipient.phone_number, recipient.status AS old_status, decided.status,
             recipient.attempts,
             next.attempt_at AS next_attempt_at, recipient.conversation_id, recipient.skipped, ${getOutcome('call')} AS outcome,
             call.disconnect_reason AS reason
      FROM campaigns
      JOIN batch AS recipient ON recipient.campaign_id = campaigns.id
      LEFT JOIN conversations AS call ON call.id = recipient.conversation_id
      CROSS JOIN LATERAL (
        SELECT CASE WHEN ${mayRetry} THEN '${RECIPIENT_STATUS.retrying}' ELSE ${statusOfCall} END AS status
      ) AS decided
      CROSS JOIN LATERAL (
        SELECT CASE decided.status WHEN '${RECIPIENT_STATUS.retrying}'
               THEN COALESCE(call.ended_at + ${RETRY_PAUSE}, recipient.next_attempt_at) END AS attempt_at
      ) AS next
      WHERE campaigns.id = $campaignId AND next.attempt_at IS DISTINCT FROM recipient.next_attempt_at`)}
    ${movedRecipients(', (SELECT max(phone_number) FROM batch) AS last')}`,
);
