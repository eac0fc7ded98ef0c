import { type ConversationStatus, IN_PROGRESS_STATUSES, inStatus } from '../calls/call-states';
import { statement } from '../database/statement';

/** How many calls of a campaign have not ended. */
export const callsInProgress = (campaign: string) => `(
  SELECT count(*) FROM conversations
  WHERE campaign_id = ${campaign} AND ${inStatus(...IN_PROGRESS_STATUSES)})`;

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

export const COUNT_CALLS = statement<{ workspaceId: string; campaignId: string }, CallCount>(
  'count-campaign-calls',
  `
    SELECT conversations.status, count(*)::int AS count
    FROM campaigns JOIN conversations ON conversations.campaign_id = campaigns.id
    WHERE campaigns.workspace_id = $workspaceId AND campaigns.id = $campaignId
    GROUP BY conversations.status`,
);
