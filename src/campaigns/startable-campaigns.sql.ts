import { mayStartCall } from '../calls/may-start-call.sql';
import { statement } from '../database/statement';
import { callsInProgress, hasRecipientsToCall } from './campaign-progress.sql';
import { CAMPAIGN_STATUS } from './campaign-status';
import type { Campaign } from './campaign.entity';

export interface CallLimits {
  /** Calls in progress of one campaign. */
  campaignConcurrency: number;
  /** Calls in progress of one workspace, if it has no quota of its own. */
  workspaceConcurrency: number;
}

/**
 * A campaign waits while its workspace may start no call or its agent is off. The first campaign of each workspace
 * comes before the second one of any workspace.
 */
export const FIND_STARTABLE = statement<CallLimits, { id: string }>(
  'find-startable-campaigns',
  `
    SELECT campaigns.id
    FROM campaigns
    JOIN agents ON agents.id = campaigns.agent_id
    JOIN workspaces ON workspaces.id = campaigns.workspace_id
    WHERE campaigns.status = '${CAMPAIGN_STATUS.running}' AND agents.status AND agents.deleted_at IS NULL
      AND ${mayStartCall('$workspaceConcurrency')}
      AND ${hasRecipientsToCall('campaigns.id')} AND ${callsInProgress('campaigns.id')} < $campaignConcurrency
    ORDER BY row_number() OVER (PARTITION BY campaigns.workspace_id ORDER BY schedule_time, campaigns.id),
             schedule_time, campaigns.id`,
);

export type RunningCampaign = Pick<Campaign, 'id' | 'workspaceId' | 'agentId' | 'userId'>;

/** One runner at a time starts a campaign's calls, because it counts them. Another runner skips the campaign. */
export const LOCK_RUNNING = statement<{ campaignId: string }, RunningCampaign>(
  'lock-campaign',
  `
    SELECT id, workspace_id AS "workspaceId", agent_id AS "agentId", user_id AS "userId"
    FROM campaigns WHERE id = $campaignId AND status = '${CAMPAIGN_STATUS.running}' FOR UPDATE SKIP LOCKED`,
);
