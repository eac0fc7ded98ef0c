import { type JsonRows, statement } from '../../../platform/database/statement';
import { addWebhookEvents, HAS_JOBS } from '../../webhooks/add-webhook-event.sql';
import { ENTRY_KIND } from '../../../accounts/workspaces/credit-entry.entity';
import { lockWorkspaces } from '../../../accounts/workspaces/lock-workspaces.sql';
import { addSpending, isToday } from '../../../accounts/workspaces/spending.sql';
import { CALL_EVENT } from '../model/call-event.entity';
import { correctSegments, valuesOf } from '../counts/call-dimensions.sql';
import { addToRollups, QUARTER, rollupsOf, startOf } from '../counts/call-rollups.sql';
import { type ConversationStatus, type ENDED_STATUSES, inStatus, REASON, STATUS } from '../model/call-states';
import { CALL_EVENT_COLUMNS, callEvents } from './call-webhooks.sql';
import { lockCalls } from './lock-calls.sql';
import { correctDurations } from '../counts/segment-durations.sql';

/** SQL: assignments that clear the address at which a web call can be joined. */
export const WITHOUT_JOIN = 'join_url = NULL, join_expires_at = NULL';

interface Ending {
  name: string;
  from: readonly ConversationStatus[];
  to: (typeof ENDED_STATUSES)[number];
  /** SQL: the columns of `call`, a row of the parameter, beside its id. */
  columns?: string;
  /** SQL: which calls, beside their id and status. */
  where?: string;
  /** SQL: assignments of the other columns. */
  set: string;
  /** SQL: the actor that cancels the calls; it is stored for their timelines. */
  canceller?: string;
  /** SQL: the sender of the request that cancels the calls, as jsonb. */
  actor?: string;
}

/** A call of an earlier day never lowers today's counter, which does not include its hold. */
const spendingOf = (credits: string, createdAt: string) =>
  `CASE WHEN ${isToday(createdAt)} THEN ${credits} ELSE GREATEST(0, ${credits}) END`;

/** A call that has ended, or one that has not because another transaction has locked its workspace. */
export interface Ended {
  id: string;
  /** null: it has ended. */
  lockedWorkspaceId: string | null;
}

/**
 * A statement that ends calls and settles them: holds, charges, ledger, balances, the agents' sums and the webhooks.
 * Every end of a call is made by it, so that each is settled once. It takes its locks in the order calls, workspaces,
 * sums of agents, each by id. Clients' requests lock the rows of agents, so the sums are not in them.
 */
const endingOf = <Call extends { id: string }>(
  { name, from, to, columns = '', where = 'true', set, canceller, actor = 'NULL::jsonb' }: Ending,
  { skipLocked }: { skipLocked: boolean },
) => {
  const note = `
    , noted AS (
      INSERT INTO call_events (conversation_id, kind, data)
      SELECT id, '${CALL_EVENT.cancelled}', jsonb_strip_nulls(jsonb_build_object('by', canceller, 'actor', actor)) FROM settled
    )`;
  const lockedCalls = `
    UNION ALL
    SELECT id, workspace_id FROM locked WHERE workspace_id <> ALL (ARRAY(SELECT id FROM workspace))`;
  return statement<{ calls: JsonRows<Call> }, Ended>(
    skipLocked ? `${name}-unlocked` : name,
    `
    WITH ${lockCalls(columns)}, ${lockWorkspaces('SELECT workspace_id FROM locked', 'id', { skipLocked })}, settled AS (
      UPDATE conversations SET status = '${to}', ${WITHOUT_JOIN}, ${set}
      FROM call
      WHERE conversations.id = call.id AND conversations.id = ANY (ARRAY(SELECT id FROM locked))
        AND conversations.workspace_id = ANY (ARRAY(SELECT id FROM workspace)) AND ${inStatus(...from)} AND ${where}
      RETURNING agent_id, hold, charge, duration_sec, conversations.created_at, ended_at, ${CALL_EVENT_COLUMNS}
                ${canceller ? `, ${canceller} AS canceller, ${actor} AS actor` : ''}
    ), ledger AS (
      INSERT INTO credit_entries (workspace_id, conversation_id, kind, amount)
      SELECT workspace_id, id, '${ENTRY_KIND.release}', hold FROM settled
      UNION ALL
      SELECT workspace_id, id, '${ENTRY_KIND.charge}', -charge FROM settled WHERE charge > 0
    ), balance AS (
      UPDATE workspaces SET credits = credits + released, calls_under_way = calls_under_way - calls,
             ${addSpending('spent')}
      FROM (SELECT workspace_id, sum(hold - charge)::int AS released, count(*)::int AS calls,
                   sum(${spendingOf('charge - hold', 'created_at')})::int AS spent
            FROM settled GROUP BY workspace_id) AS sums
      WHERE workspaces.id = sums.workspace_id
    ), agent AS (
      INSERT INTO agent_call_totals AS totals (agent_id, calls, successful, seconds, last_ended_at)
      SELECT agent_id, count(*), count(*) FILTER (WHERE status = '${STATUS.disconnected}'), sum(duration_sec), max(ended_at)
      FROM settled GROUP BY agent_id ORDER BY agent_id
      ON CONFLICT (agent_id) DO UPDATE SET
        calls = totals.calls + excluded.calls, successful = totals.successful + excluded.successful,
        seconds = totals.seconds + excluded.seconds, last_ended_at = GREATEST(totals.last_ended_at, excluded.last_ended_at)
    )${canceller ? note : ''}, ${addWebhookEvents(callEvents('settled'))}
    SELECT id, NULL::uuid AS "lockedWorkspaceId" FROM settled WHERE ${HAS_JOBS}
    ${skipLocked ? lockedCalls : ''}`,
  );
};

/** Waits for the rows of the calls' workspaces. */
export const endCalls = <Call extends { id: string }>(ending: Ending) =>
  endingOf<Call>(ending, { skipLocked: false });

/**
 * Makes the statements of ends that share a batch: one waits for no workspace, so that none delays the calls of the
 * others; the other one waits, for the calls of a workspace that was locked.
 */
export const endSharedCalls = <Call extends { id: string }>(ending: Ending) => ({
  ofAllWorkspaces: endingOf<Call>(ending, { skipLocked: true }),
  ofOneWorkspace: endingOf<Call>(ending, { skipLocked: false }),
});

/**
 * A statement that corrects one call that had ended as `worker_lost`, once: the record, the charge, the ledger, the
 * balance, the agent's sums, the rollups and the segments. The upsert of their state locks it and returns its newest version, which
 * says whether the call was rolled up without the correction; see decision 24.
 */
export const correctCall = <Call extends { id: string }>(correction: Ending) => {
  const { name, from, to, columns = '', where = 'true', set } = correction;
  return statement<{ calls: JsonRows<Call> }, { id: string }>(
    name,
    `
    WITH ${lockCalls(columns)}, ${lockWorkspaces('SELECT workspace_id FROM locked', 'id', { skipLocked: false })}, lost AS (
      SELECT id AS lost_id, status AS old_status, charge AS old_charge, duration_sec AS old_duration,
             ended_at AS old_end, outcome AS old_outcome
      FROM conversations
      WHERE id = ANY (ARRAY(SELECT id FROM locked)) AND disconnect_reason = '${REASON.worker_lost}'
        AND ${inStatus(...from)} AND workspace_id = ANY (ARRAY(SELECT id FROM workspace))
      FOR NO KEY UPDATE
    ), corrected AS (
      UPDATE conversations SET status = '${to}', ${set}
      FROM lost, call
      WHERE conversations.id = lost_id AND conversations.id = call.id AND ${where}
      RETURNING agent_id, charge - old_charge AS owed, duration_sec - old_duration AS seconds,
                (status = '${STATUS.disconnected}')::int - (old_status = '${STATUS.disconnected}')::int AS successes,
                conversations.created_at, ended_at, call_type, agent_version, campaign_id, direction, channel, worker_id,
                incoming_claim_id, to_number, from_number, charge, duration_sec, disconnect_reason, conversations.outcome, lost.*,
                jsonb_build_object('status', old_status, 'endedAt', old_end, 'durationSec', old_duration) AS corrected_from,
                ${CALL_EVENT_COLUMNS}
    ), noted AS (
      INSERT INTO call_events (conversation_id, kind, data)
      SELECT id, '${CALL_EVENT.corrected}', corrected_from FROM corrected
    ), ledger AS (
      INSERT INTO credit_entries (workspace_id, conversation_id, kind, amount)
      SELECT workspace_id, id, '${ENTRY_KIND.correction}', -owed FROM corrected WHERE owed <> 0
    ), balance AS (
      UPDATE workspaces SET credits = credits - owed, ${addSpending(spendingOf('owed', 'corrected.created_at'))}
      FROM corrected WHERE workspaces.id = corrected.workspace_id
      RETURNING corrected.*
    ), agent AS (
      UPDATE agent_call_totals AS totals SET
        successful = totals.successful + successes, seconds = totals.seconds + balance.seconds,
        last_ended_at = GREATEST(totals.last_ended_at, ended_at)
      FROM balance WHERE totals.agent_id = balance.agent_id
    ), rolled_up AS (
      INSERT INTO call_rollup_states (workspace_id) SELECT DISTINCT workspace_id FROM balance
      ON CONFLICT (workspace_id) DO UPDATE SET revision = call_rollup_states.revision + 1
      RETURNING workspace_id, rolled_up_until, segmented_until
    ), difference AS (
      SELECT workspace_id, agent_id, call_type, created_at AS starts_at,
             successes AS connected, -successes AS failed, seconds, owed AS credits
      FROM balance JOIN rolled_up USING (workspace_id) WHERE created_at < rolled_up_until
    ), rollups AS (
      ${addToRollups(rollupsOf('difference'))}
    ), version AS (
      SELECT balance.*, times,
             CASE times WHEN 1 THEN status ELSE old_status END AS counted_status,
             CASE times WHEN 1 THEN duration_sec ELSE old_duration END AS counted_seconds,
             CASE times WHEN 1 THEN charge ELSE old_charge END AS counted_charge
      FROM balance JOIN rolled_up USING (workspace_id) CROSS JOIN (VALUES (1), (-1)) AS version (times)
      WHERE created_at < segmented_until
    ), segment_difference AS (
      SELECT workspace_id, value_of.dimension, value_of.value, ${startOf(QUARTER, 'created_at')} AS starts_at,
             times * (counted_status = '${STATUS.disconnected}')::int AS connected,
             times * (counted_status = '${STATUS.failed}')::int AS failed,
             CASE counted_status WHEN '${STATUS.disconnected}' THEN times * counted_seconds ELSE 0 END AS seconds,
             times * counted_charge AS credits
      FROM version CROSS JOIN LATERAL (
        SELECT agent_id, agent_version, campaign_id, direction, channel, call_type, worker_id, incoming_claim_id,
               to_number, from_number,
               counted_seconds AS duration_sec, CASE times WHEN 1 THEN disconnect_reason ELSE '${REASON.worker_lost}' END AS disconnect_reason,
               CASE times WHEN 1 THEN outcome ELSE old_outcome END AS outcome) AS call
      CROSS JOIN LATERAL ${valuesOf('call')} AS value_of (dimension, value)
    ), ${correctSegments('segment_difference')}, durations AS (${correctDurations('version')}
    ), ${addWebhookEvents(callEvents('corrected'))}
    SELECT id FROM corrected WHERE ${HAS_JOBS}`,
  );
};
