import { inStatus, IS_IN_PROGRESS, STATUS } from '../calls/call-states';
import { literals } from '../database/closed-list';
import { statement } from '../database/statement';
import { callsInProgress, hasRecipientsToCall } from './campaign-progress.sql';
import { CAMPAIGN_STATUS, OPEN_STATUSES } from './campaign-status';

/*
 * scheduled ──▶ running ──▶ completed
 *     │            │
 *     └────────────┴──────▶ failed
 */

/** scheduled → running, at the scheduled time. */
export const START_DUE = statement<object, { id: string }>(
  'run-due-campaigns',
  `
    UPDATE campaigns SET status = '${CAMPAIGN_STATUS.running}', updated_at = now()
    WHERE status = '${CAMPAIGN_STATUS.scheduled}' AND schedule_time <= now()
    RETURNING id`,
);

/** running → completed, when every recipient has a call and every call has ended. */
export const COMPLETE_ENDED = statement<object, { id: string }>(
  'complete-ended-campaigns',
  `
    UPDATE campaigns SET status = '${CAMPAIGN_STATUS.completed}', updated_at = now()
    WHERE status = '${CAMPAIGN_STATUS.running}'
      AND NOT ${hasRecipientsToCall('campaigns.id')} AND ${callsInProgress('campaigns.id')} = 0
    RETURNING id`,
);

const IS_WITHOUT_AGENT = `
  campaigns.status IN (${literals(OPEN_STATUSES)})
  AND EXISTS (SELECT FROM agents WHERE agents.id = campaigns.agent_id AND agents.deleted_at IS NOT NULL)`;

/** Without the campaigns whose last calls are all claimed by runtimes: these are completed when the calls have ended. */
export const FIND_WITHOUT_AGENT = statement<object, { id: string }>(
  'find-campaigns-without-agent',
  `
    SELECT id FROM campaigns
    WHERE ${IS_WITHOUT_AGENT} AND (
      ${hasRecipientsToCall('campaigns.id')}
      OR (SELECT true FROM conversations WHERE campaign_id = campaigns.id AND ${IS_IN_PROGRESS} AND ${inStatus(STATUS.queued)} LIMIT 1))`,
);

export interface CampaignOfAgent {
  workspaceId: string;
  agentId: string;
}

/** No row: the campaign has an agent, or another runner has locked it to fail it or to accept its calls. */
export const LOCK_WITHOUT_AGENT = statement<{ campaignId: string }, CampaignOfAgent>(
  'lock-campaign-without-agent',
  `
    SELECT workspace_id AS "workspaceId", agent_id AS "agentId"
    FROM campaigns WHERE id = $campaignId AND ${IS_WITHOUT_AGENT} FOR UPDATE SKIP LOCKED`,
);

/**
 * Locks all queued calls before the first one ends, because ending a call locks the call and then its workspace. A
 * call that a runtime claims at this moment is not found.
 */
export const LOCK_QUEUED_CALLS = statement<{ campaignId: string }, { id: string }>(
  'lock-unclaimed-calls',
  `SELECT id FROM conversations WHERE campaign_id = $campaignId AND ${IS_IN_PROGRESS} AND ${inStatus(STATUS.queued)}
   ORDER BY id FOR UPDATE`,
);

/** scheduled or running → failed. No row: the campaign's last calls were claimed in the meantime. */
export const FAIL_WITHOUT_AGENT = statement<{ campaignId: string; hasCancelled: boolean }, { id: string }>(
  'fail-campaign-without-agent',
  `
    UPDATE campaigns
    SET status = '${CAMPAIGN_STATUS.failed}', failure_reason = 'The agent was deleted.', updated_at = now()
    WHERE id = $campaignId AND ($hasCancelled OR ${hasRecipientsToCall('campaigns.id')})
    RETURNING id`,
);
