import { TAKES_CALLS } from '../../agents/active-version.sql';
import { IS_IN_PROGRESS, inStatus, STATUS } from '../../calls/model/call-states';
import { freeCalls, mayStartCall } from '../../calls/lifecycle/may-start-call.sql';
import { statement } from '../../../platform/database/statement';
import { CAMPAIGN_STATUS, RECIPIENT_STATUS, WAITING_REASON, type WaitingReason } from './campaign-status';
import type { Campaign } from './campaign.entity';

/** The seconds of unused rate that can be used later. A tick that is late catches up. */
const SAVED_SECONDS = 2;

/** SQL: the calls that the rate has allowed since this time can still be started. It is at least one call. */
export const SAVED_FROM = `now() - GREATEST(${SAVED_SECONDS}, 1 / calls_per_second) * interval '1 second'`;

/**
 * SQL: the assignment for a campaign that begins or goes on: it may start one call at once, and has no saved rate.
 */
export const PACE_FROM_NOW = `paced_until = GREATEST(paced_until, now() - interval '1 second' / calls_per_second)`;

/** SQL: the rate that is free now, in calls; null: there is no limit. */
export const FREE_RATE = `
  floor(0.000001 + calls_per_second * extract(epoch FROM now() - GREATEST(paced_until, ${SAVED_FROM})))`;

/** SQL: the number of calls that a campaign may have in progress. */
export const getConcurrency = (installationDefault: string) =>
  `COALESCE(campaigns.concurrency, ${installationDefault}::int)`;

/** SQL: the number of calls that a campaign may start now by its own limits. */
export const countFreeCalls = (installationDefault: string) => `
  GREATEST(0, LEAST(${getConcurrency(installationDefault)} - campaigns.count_calling, ${FREE_RATE}))::int`;

/**
 * SQL: for each zone of a campaign, whether its window is open, and when the first of its recipients can be
 * called. Rows of `next`: whether a recipient can be called now, the first time at which one can, and whether the
 * window of that zone is open now.
 */
const NEXT = `
  SELECT COALESCE(bool_or(is_open AND due_at <= now()), false) AS is_due, min(starts_at) AS starts_at,
         (array_agg(is_open ORDER BY starts_at))[1] AS is_open
  FROM (
    SELECT is_open, due_at, GREATEST(due_at, CASE WHEN is_open THEN now() ELSE opens_at END) AS starts_at
    FROM (
      SELECT zone.opens_at, zone.opens_at <= now() AND zone.closes_at > now() AS is_open,
             COALESCE(pending.due_at, retrying.due_at) AS due_at
      FROM campaign_zones AS zone
      LEFT JOIN LATERAL (
        SELECT now() AS due_at FROM campaign_recipients
        WHERE campaigns.count_pending > 0 AND campaign_id = zone.campaign_id AND timezone = zone.timezone
          AND status = '${RECIPIENT_STATUS.pending}'
        ORDER BY row_number LIMIT 1) AS pending ON true
      LEFT JOIN LATERAL (
        SELECT next_attempt_at AS due_at FROM campaign_recipients
        WHERE campaigns.count_retrying > 0 AND campaign_id = zone.campaign_id AND timezone = zone.timezone
          AND status = '${RECIPIENT_STATUS.retrying}'
        ORDER BY next_attempt_at LIMIT 1) AS retrying ON true
      WHERE zone.campaign_id = campaigns.id
    ) AS zone WHERE due_at IS NOT NULL
  ) AS zone`;

/** A runtime that takes calls claims one within this time. */
const UNCLAIMED_SECONDS = 2;

/**
 * SQL: whether a campaign has calls, no runtime has claimed one, and the first one has waited long enough for a
 * claim.
 */
const IS_UNCLAIMED = `(
  SELECT bool_and(${inStatus(STATUS.queued)}) AND min(created_at) < now() - interval '${UNCLAIMED_SECONDS} seconds'
  FROM conversations WHERE campaign_id = campaigns.id AND ${IS_IN_PROGRESS})`;

/**
 * SQL: why a campaign dials nothing, and whether it may: the one place that decides on both. A campaign whose own
 * calls use up the credits or its calls in progress waits for their end, and has no reason.
 */
const campaignStates = ({ isBrokerAway, hasNoRuntime }: Record<'isBrokerAway' | 'hasNoRuntime', string>) => `
  SELECT campaigns.id, campaigns.waiting AS known_reason, campaigns.waiting_since,
         CASE
           WHEN count_pending + count_retrying = 0
             THEN CASE WHEN ${hasNoRuntime} AND ${IS_UNCLAIMED} THEN '${WAITING_REASON.no_runtime}' END
           WHEN NOT next.is_due AND NOT next.is_open THEN '${WAITING_REASON.outside_window}'
           WHEN NOT next.is_due THEN CASE WHEN count_calling = 0 THEN '${WAITING_REASON.retry_pause}' END
           WHEN workspace.is_suspended THEN '${WAITING_REASON.suspended}'
           WHEN NOT ${TAKES_CALLS} THEN '${WAITING_REASON.agent_off}'
           WHEN count_calling = 0 AND LEAST(affordable, affordable_today) < 1 THEN '${WAITING_REASON.no_credits}'
           WHEN count_calling = 0 AND free_slots < 1 THEN '${WAITING_REASON.workspace_full}'
           WHEN ${isBrokerAway} THEN '${WAITING_REASON.broker_away}'
           WHEN ${hasNoRuntime} AND ${IS_UNCLAIMED} THEN '${WAITING_REASON.no_runtime}'
         END AS reason,
         CASE
           WHEN NOT next.is_due
             THEN CASE WHEN next.starts_at > now() AND next.starts_at < 'infinity' THEN next.starts_at END
           WHEN ${TAKES_CALLS} AND count_calling = 0 AND affordable >= 1 AND affordable_today < 1
             THEN (date_trunc('day', now() AT TIME ZONE 'UTC') + interval '1 day') AT TIME ZONE 'UTC'
         END AS until,
         COALESCE(next.is_due AND ${TAKES_CALLS} AND ${mayStartCall('$workspaceConcurrency')}
           AND ${countFreeCalls('$campaignConcurrency')} > 0, false) AS may_start,
         campaigns.workspace_id, campaigns.schedule_time
  FROM campaigns
  JOIN agents ON agents.id = campaigns.agent_id AND agents.deleted_at IS NULL
  JOIN workspaces ON workspaces.id = campaigns.workspace_id
  CROSS JOIN LATERAL (SELECT ${freeCalls('$workspaceConcurrency')}) AS workspace
  CROSS JOIN LATERAL (${NEXT}) AS next
  WHERE campaigns.status = '${CAMPAIGN_STATUS.running}' AND NOT campaigns.is_over`;

export interface CallLimits {
  /** The number of calls in progress of a campaign that sets none. */
  campaignConcurrency: number;
  /** The number of calls in progress of a workspace without a quota of its own. */
  workspaceConcurrency: number;
}

export interface BrokerState {
  isBrokerAway: boolean;
  /** Whether nobody consumes the default queue of calls. */
  hasNoRuntime: boolean;
}

export interface Waiting {
  reason: WaitingReason;
  since: Date;
  until: Date | null;
}

export interface CampaignState {
  id: string;
  reason: WaitingReason | null;
  until: Date | null;
  /** The reason that the runner stored last. */
  knownReason: WaitingReason | null;
  mayStart: boolean;
}

/**
 * Finds the states of the running campaigns. The first campaign of each workspace comes before the second one of any
 * workspace.
 */
export const FIND_STATES = statement<CallLimits & BrokerState, CampaignState>(
  'find-campaign-states',
  `
    SELECT id, reason, until, known_reason AS "knownReason", may_start AS "mayStart"
    FROM (${campaignStates({ isBrokerAway: '$isBrokerAway', hasNoRuntime: '$hasNoRuntime' })}) AS state
    ORDER BY row_number() OVER (PARTITION BY workspace_id ORDER BY schedule_time, id), schedule_time, id`,
);

/**
 * Finds the same for some campaigns. It uses the state of the broker that the runner has stored. No row: the campaign
 * is not running.
 */
export const FIND_WAITING = statement<
  CallLimits & { campaignIds: string[] },
  { id: string } & (Waiting | { reason: null })
>(
  'find-campaign-waiting',
  `
    SELECT id, reason, until, CASE WHEN reason = known_reason THEN waiting_since ELSE now() END AS since
    FROM (${campaignStates({
      isBrokerAway: `campaigns.waiting = '${WAITING_REASON.broker_away}'`,
      hasNoRuntime: `campaigns.waiting = '${WAITING_REASON.no_runtime}'`,
    })} AND campaigns.id = ANY ($campaignIds)) AS state`,
);

export type RunningCampaign = Pick<
  Campaign,
  'id' | 'workspaceId' | 'agentId' | 'userId' | 'webhookUrl' | 'outcomes'
>;

export type CampaignToAdvance = RunningCampaign & Pick<Campaign, 'status'>;

/** One runner at a time advances a campaign. Another one skips it. */
export const LOCK_TO_ADVANCE = statement<{ campaignId: string }, CampaignToAdvance>(
  'lock-campaign',
  `
    SELECT id, workspace_id AS "workspaceId", agent_id AS "agentId", user_id AS "userId",
           webhook_url AS "webhookUrl", outcomes, status
    FROM campaigns WHERE id = $campaignId AND NOT is_over FOR UPDATE SKIP LOCKED`,
);
