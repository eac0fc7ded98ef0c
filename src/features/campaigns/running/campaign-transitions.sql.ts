import { inStatus, IS_IN_PROGRESS, STATUS } from '../../calls/model/call-states';
import { literals } from '../../../platform/database/closed-list';
import { statement } from '../../../platform/database/statement';
import { LOG_EVENT } from '../plan/campaign-log-entry.entity';
import { logging } from '../plan/campaign-log.sql';
import { PACE_FROM_NOW } from '../plan/campaign-state.sql';
import { CAMPAIGN_STATUS, type CampaignStatus, OPEN_STATUSES } from '../plan/campaign-status';

/*
 * scheduled ──▶ running ──▶ completed
 *     │ ▲         │ ▲
 *     ▼ │         ▼ │
 *    paused      paused
 *
 * scheduled, running, paused ──▶ failed (its agent was deleted), cancelled
 *
 * A campaign that has ended is over when its last call has ended, too.
 */

/**
 * SQL: whether a campaign goes on, fulfils a condition, and is locked by nobody else. A runner does not wait for a
 * locked campaign while it holds others: a later tick finds the campaign again.
 */
const isFree = (condition: string) => `
  id = ANY (ARRAY(
    SELECT id FROM campaigns WHERE NOT is_over AND ${condition} ORDER BY id FOR NO KEY UPDATE SKIP LOCKED))`;

/** scheduled → running, at the scheduled time. */
export const START_DUE = statement<object, { id: string }>(
  'run-due-campaigns',
  `
    WITH begun AS (
      UPDATE campaigns SET status = '${CAMPAIGN_STATUS.running}', has_begun = true, ${PACE_FROM_NOW}, updated_at = now()
      WHERE ${isFree(`status = '${CAMPAIGN_STATUS.scheduled}' AND schedule_time <= now()`)}
      RETURNING id
    ), ${logging(LOG_EVENT.begun, 'The campaign began.', 'begun')}
    SELECT id FROM begun`,
);

/** running → completed, when no recipient is left to call and every call has ended. */
export const COMPLETE_ENDED = statement<object, { id: string }>(
  'complete-ended-campaigns',
  `
    WITH completed AS (
      UPDATE campaigns
      SET status = '${CAMPAIGN_STATUS.completed}', is_over = true, waiting = NULL, waiting_since = NULL, updated_at = now()
      WHERE ${isFree(`status = '${CAMPAIGN_STATUS.running}' AND count_pending + count_calling + count_retrying = 0`)}
      RETURNING id
    ), ${logging(LOG_EVENT.completed, 'The campaign is complete.', 'completed')}
    SELECT id FROM completed`,
);

/** Closes campaigns that failed or were cancelled, and have nothing left to do. */
export const CLOSE_ENDED = statement<object, { id: string }>(
  'close-ended-campaigns',
  `
    UPDATE campaigns SET is_over = true
    WHERE ${isFree(`
      count_calling = 0 AND (status = '${CAMPAIGN_STATUS.failed}'
        OR status = '${CAMPAIGN_STATUS.cancelled}' AND count_pending + count_retrying = 0)`)}
    RETURNING id`,
);

/** Finds the campaigns that were cancelled or have expired, and have recipients that wait for a call. */
export const FIND_TO_FINISH = statement<object, { id: string; isCancelled: boolean }>(
  'find-campaigns-to-finish',
  `
    SELECT id, status = '${CAMPAIGN_STATUS.cancelled}' AS "isCancelled" FROM campaigns
    WHERE NOT is_over AND count_pending + count_retrying > 0
      AND (status = '${CAMPAIGN_STATUS.cancelled}' OR expires_at <= now() AND status IN (${literals(OPEN_STATUSES)}))`,
);

/** Finds the campaigns with calls that have ended, but are not settled in their recipients. */
export const FIND_TO_SETTLE = statement<object, { id: string }>(
  'find-campaigns-to-settle',
  `
    SELECT id FROM campaigns
    WHERE NOT is_over AND count_calling > 0 AND EXISTS (
      SELECT FROM campaign_recipients AS recipient JOIN conversations AS call ON call.id = recipient.conversation_id
      WHERE recipient.campaign_id = campaigns.id AND recipient.status = 'calling' AND call.ended_at IS NOT NULL)`,
);

const IS_WITHOUT_AGENT = `
  NOT is_over AND campaigns.status IN (${literals(OPEN_STATUSES)})
  AND EXISTS (SELECT FROM agents WHERE agents.id = campaigns.agent_id AND agents.deleted_at IS NOT NULL)`;

const HAS_RECIPIENTS_TO_CALL = 'count_pending + count_retrying > 0';

/**
 * Finds the campaigns whose agent was deleted. It leaves out those whose last calls are all claimed by runtimes:
 * they are completed when the calls have ended.
 */
export const FIND_WITHOUT_AGENT = statement<object, { id: string }>(
  'find-campaigns-without-agent',
  `
    SELECT id FROM campaigns
    WHERE ${IS_WITHOUT_AGENT} AND (
      ${HAS_RECIPIENTS_TO_CALL}
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
export const LOCK_QUEUED_CALLS = statement<{ campaignId: string; areRetries: boolean }, { id: string }>(
  'lock-unclaimed-calls',
  `SELECT id FROM conversations WHERE campaign_id = $campaignId AND ${IS_IN_PROGRESS} AND ${inStatus(STATUS.queued)}
     AND (attempt > 1 OR NOT $areRetries)
   ORDER BY id FOR UPDATE`,
);

/** scheduled, running or paused → failed. No row: the campaign's last calls were claimed in the meantime. */
export const FAIL_WITHOUT_AGENT = statement<{ campaignId: string; hasCancelled: boolean }, { id: string }>(
  'fail-campaign-without-agent',
  `
    WITH failed AS (
      UPDATE campaigns
      SET status = '${CAMPAIGN_STATUS.failed}', failure_reason = 'The agent was deleted.', waiting = NULL,
          waiting_since = NULL, updated_at = now()
      WHERE id = $campaignId AND ($hasCancelled OR ${HAS_RECIPIENTS_TO_CALL})
      RETURNING id
    ), ${logging(LOG_EVENT.failed, 'The agent was deleted.', 'failed')}
    SELECT id FROM failed`,
);

/**
 * Sets the status that a person requested. Running becomes `scheduled` if the time of the campaign has not come,
 * which is only possible before it has begun. It requires the campaign's lock.
 */
export const SET_STATUS = statement<{ campaignId: string; status: CampaignStatus }>(
  'set-campaign-status',
  `
    UPDATE campaigns
    SET status = CASE WHEN $status::text = '${CAMPAIGN_STATUS.running}' AND schedule_time > now()
                      THEN '${CAMPAIGN_STATUS.scheduled}' ELSE $status END,
        has_begun = has_begun OR $status::text = '${CAMPAIGN_STATUS.running}' AND schedule_time <= now(),
        ${PACE_FROM_NOW}, waiting = NULL, waiting_since = NULL, updated_at = now()
    WHERE id = $campaignId`,
);
