import { type ConversationStatus, IS_IN_PROGRESS, STATUS } from '../calls/call-states';
import { statement } from '../database/statement';

/** How many calls of a campaign have not ended. */
export const callsInProgress = (campaign: string) => `(
  SELECT count(*) FROM conversations WHERE campaign_id = ${campaign} AND ${IS_IN_PROGRESS})`;

/**
 * Whether a campaign has recipients without a call. Ordered and limited, because Postgres then uses the index whatever
 * its statistics are. An EXISTS became a scan of the recipients of all workspaces.
 */
export const hasRecipientsToCall = (campaign: string) => `((
  SELECT true FROM campaign_recipients WHERE campaign_id = ${campaign} AND conversation_id IS NULL
  ORDER BY campaign_id, row_number LIMIT 1) IS NOT NULL)`;

export interface CallCount {
  status: ConversationStatus;
  count: number;
}

/** A call that has ended was connected if it has a charge. An index has the charge, and has not the status. */
export const COUNT_CALLS = statement<{ workspaceId: string; campaignId: string }, CallCount>(
  'count-campaign-calls',
  `
    WITH campaign AS (SELECT id FROM campaigns WHERE workspace_id = $workspaceId AND id = $campaignId)
    SELECT status, count(*)::int AS count
    FROM campaign JOIN conversations ON campaign_id = campaign.id AND ${IS_IN_PROGRESS}
    GROUP BY status
    UNION ALL
    SELECT CASE WHEN charge > 0 THEN '${STATUS.disconnected}' ELSE '${STATUS.failed}' END, count(*)::int
    FROM campaign JOIN conversations ON campaign_id = campaign.id AND ended_at IS NOT NULL
    GROUP BY charge > 0`,
);
