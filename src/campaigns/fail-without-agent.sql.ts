import type { Statement } from '../database/sql';
import { hasRecipientsToCall } from './campaign-runner.sql';

const withoutAgent = `
  campaigns.status IN ('scheduled', 'running')
  AND EXISTS (SELECT FROM agents WHERE agents.id = campaigns.agent_id AND agents.deleted_at IS NOT NULL)`;

/** Also those whose time has not come; not those whose last calls a runtime holds, which end as they would have. */
export const FIND_WITHOUT_AGENT: Statement = {
  name: 'find-campaigns-without-agent',
  text: `
    SELECT id FROM campaigns
    WHERE ${withoutAgent} AND (
      ${hasRecipientsToCall('campaigns.id')}
      OR (SELECT true FROM conversations WHERE campaign_id = campaigns.id AND status = 'queued' LIMIT 1))`,
};

/** $1 campaign. One runner at a time, and none that still accepts calls for it; another one passes it over. */
export const LOCK_WITHOUT_AGENT: Statement = {
  name: 'lock-campaign-without-agent',
  text: `
    SELECT workspace_id AS "workspaceId", agent_id AS "agentId"
    FROM campaigns WHERE id = $1 AND ${withoutAgent} FOR UPDATE SKIP LOCKED`,
};

/**
 * $1 campaign. All of its calls before the workspace, which each of their ends locks: whatever ends a call takes the
 * locks in that order. A call that is claimed just now is not found.
 */
export const LOCK_UNCLAIMED: Statement = {
  name: 'lock-unclaimed-calls',
  text: `SELECT id FROM conversations WHERE campaign_id = $1 AND status = 'queued' ORDER BY id FOR UPDATE`,
};

/** $1 campaign, $2 whether calls of it were cancelled. No row: its last calls were claimed meanwhile. */
export const FAIL_WITHOUT_AGENT: Statement = {
  name: 'fail-campaign-without-agent',
  text: `
    UPDATE campaigns SET status = 'failed', failure_reason = 'The agent was deleted.', updated_at = now()
    WHERE id = $1 AND ($2 OR ${hasRecipientsToCall('campaigns.id')})
    RETURNING id`,
};
