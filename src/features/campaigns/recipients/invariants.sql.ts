import { invariant, pageOfRows } from '../../../platform/database/invariant';
import { LOG_EVENT } from '../plan/campaign-log-entry.entity';
import { CAMPAIGN_STATUS, RECIPIENT_STATUSES } from '../plan/campaign-status';
import { MAX_RETRIES } from '../plan/retry-policy';

/** SQL: the further attempts of a campaign. A policy that was changed may have had more of them before. */
const RETRIES = `
  CASE WHEN EXISTS (
    SELECT FROM campaign_log
    WHERE campaign_id = campaigns.id AND event = '${LOG_EVENT.changed}' AND data ? 'retry')
  THEN ${MAX_RETRIES} ELSE COALESCE((campaigns.retry->>'max')::int, 0) END`;

/**
 * Checks that the counts of a campaign are those of its recipients, that nobody was called too often, and that nobody is left
 * when it is over. It reads a campaign at once, because recipients move between steps.
 */
export const CHECK_RECIPIENTS = invariant(
  'recipients',
  `
  SELECT campaigns.id, campaigns.workspace_id,
         CASE WHEN ${RECIPIENT_STATUSES.map((status) => `count_${status} <> ${status}`).join(' OR ')}
              THEN format('The campaign counts %s, and has %s',
                          jsonb_build_object(${RECIPIENT_STATUSES.map((status) => `'${status}', count_${status}`).join(', ')}),
                          to_jsonb(recipients) - 'most_attempts')
              WHEN is_over AND (calling > 0 OR campaigns.status <> '${CAMPAIGN_STATUS.failed}' AND pending + retrying > 0)
              THEN format('The campaign is over, and %s of its recipients have no final state', pending + calling + retrying)
              WHEN most_attempts > 1 + ${RETRIES}
              THEN format('A recipient was called %s times, which is more often than the campaign says', most_attempts)
         END AS detail
  FROM (${pageOfRows('campaigns', 1)}) campaigns
  CROSS JOIN LATERAL (
    SELECT ${RECIPIENT_STATUSES.map((status) => `count(*) FILTER (WHERE status = '${status}') AS ${status}`).join(', ')},
           max(attempts) AS most_attempts
    FROM campaign_recipients WHERE campaign_id = campaigns.id) recipients`,
);
