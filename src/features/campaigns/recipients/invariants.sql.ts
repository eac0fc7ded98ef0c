import { invariant, pageOfRows } from '../../../platform/database/invariant';
import { RECIPIENT_STATUSES } from '../plan/campaign-status';

/** Checks that the counts of a campaign are those of its recipients. */
export const CHECK_RECIPIENTS = invariant(
  'recipients',
  `
  SELECT campaigns.id, campaigns.workspace_id,
         CASE WHEN ${RECIPIENT_STATUSES.map((status) => `count_${status} <> ${status}`).join(' OR ')}
              THEN format('The campaign counts %s, and has %s',
                          jsonb_build_object(${RECIPIENT_STATUSES.map((status) => `'${status}', count_${status}`).join(', ')}),
                          to_jsonb(recipients))
         END AS detail
  FROM (${pageOfRows('campaigns', 1)}) campaigns
  CROSS JOIN LATERAL (
    SELECT ${RECIPIENT_STATUSES.map((status) => `count(*) FILTER (WHERE status = '${status}') AS ${status}`).join(', ')}
    FROM campaign_recipients WHERE campaign_id = campaigns.id) recipients`,
);
