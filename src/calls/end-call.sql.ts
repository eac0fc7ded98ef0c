import type { Statement } from '../database/sql';
import { addSpending, isToday } from '../workspaces/spending.sql';
import { addWebhookEvents } from '../webhooks/add-webhook-event.sql';
import { isSuspended } from '../workspaces/suspended.sql';
import { CALL_EVENT_COLUMNS, callEvents } from './call-webhooks.sql';

/** A call of an earlier day never lowers today's counter, which has not counted its hold. */
const spendingOf = (credits: string, createdAt: string) =>
  addSpending(`CASE WHEN ${isToday(createdAt)} THEN ${credits} ELSE GREATEST(0, ${credits}) END`);

/**
 * A statement that ends the calls its WHERE still finds, and settles each one in the same breath: the hold goes back,
 * the charge is taken, the ledger, the balance and the agent's sums follow, and the owner's webhook hears of it.
 * Whatever ends a call goes through here, so that no call can end without being settled, or be settled twice.
 *
 * Parameters begin at $1 and are the caller's. The locks are taken in the order conversation, workspace, agent.
 */
const ending = (name: string, set: string, where: string): Statement => ({
  name,
  text: `
    WITH ended AS (
      UPDATE conversations SET ${set}
      WHERE ${where}
      RETURNING agent_id, hold, charge, duration_sec, conversations.created_at, ended_at, ${CALL_EVENT_COLUMNS}
    ), ledger AS (
      INSERT INTO credit_entries (workspace_id, conversation_id, kind, amount)
      SELECT workspace_id, id, 'release', hold FROM ended
      UNION ALL
      SELECT workspace_id, id, 'charge', -charge FROM ended WHERE charge > 0
    ), balance AS (
      UPDATE workspaces SET credits = credits + ended.hold - ended.charge, calls_under_way = calls_under_way - 1,
             ${spendingOf('ended.charge - ended.hold', 'ended.created_at')}
      FROM ended WHERE workspaces.id = ended.workspace_id
      RETURNING ended.*
    ), agent AS (
      UPDATE agents SET
        ended_calls_total = ended_calls_total + 1,
        ended_calls_successful = ended_calls_successful + (balance.status = 'disconnected')::int,
        ended_calls_seconds = ended_calls_seconds + balance.duration_sec,
        ended_calls_last_at = GREATEST(ended_calls_last_at, balance.ended_at)
      FROM balance WHERE agents.id = balance.agent_id
    ), events AS (
      ${addWebhookEvents(callEvents('ended'))}
    )
    SELECT id FROM ended`,
});

/**
 * A statement that puts right what was settled when a runtime was taken for lost, for the same token: the record, the
 * charge (by a ledger entry of the difference), the balance and the agent's sums. Once, since the reason is another
 * one from then on.
 */
const correction = (name: string, set: string, where: string): Statement => ({
  name,
  text: `
    WITH lost AS (
      SELECT id AS lost_id, status AS old_status, charge AS old_charge, duration_sec AS old_duration
      FROM conversations WHERE id = $1 AND token = $2 AND disconnect_reason = 'worker_lost' AND ${where}
      FOR UPDATE
    ), corrected AS (
      UPDATE conversations SET ${set}
      FROM lost WHERE id = lost_id
      RETURNING agent_id, charge - old_charge AS owed, duration_sec - old_duration AS seconds,
                (status = 'disconnected')::int - (old_status = 'disconnected')::int AS successes,
                conversations.created_at, ended_at,
                ${CALL_EVENT_COLUMNS}
    ), ledger AS (
      INSERT INTO credit_entries (workspace_id, conversation_id, kind, amount)
      SELECT workspace_id, id, 'correction', -owed FROM corrected WHERE owed <> 0
    ), balance AS (
      UPDATE workspaces SET credits = credits - owed, ${spendingOf('owed', 'corrected.created_at')}
      FROM corrected WHERE workspaces.id = corrected.workspace_id
      RETURNING corrected.*
    ), agent AS (
      UPDATE agents SET
        ended_calls_successful = ended_calls_successful + balance.successes,
        ended_calls_seconds = ended_calls_seconds + balance.seconds,
        ended_calls_last_at = GREATEST(ended_calls_last_at, balance.ended_at)
      FROM balance WHERE agents.id = balance.agent_id
    ), events AS (
      ${addWebhookEvents(callEvents('corrected'))}
    )
    SELECT id FROM corrected`,
});

/** One credit for each started minute of `connected`, an interval. */
const chargeFor = (connected: string) => `GREATEST(1, CEIL(EXTRACT(EPOCH FROM ${connected}) / 60))`;

const secondsOf = (connected: string) => `FLOOR(EXTRACT(EPOCH FROM ${connected}))`;

const never = `status = 'failed', ended_at = now()`;

/** $1 id. The fenced cancel: a call that a runtime has claimed meanwhile is not found. */
export const CANCEL_UNCONFIRMED = ending(
  'cancel-unconfirmed-call',
  `${never}, disconnect_reason = 'dispatch_failed', disconnected_by = 'system'`,
  `id = $1 AND status = 'queued'`,
);

/** $1 workspace, $2 agent, $3 id. Fenced like the cancel above. */
export const CANCEL_QUEUED = ending(
  'cancel-queued-call',
  `${never}, disconnect_reason = 'cancelled', disconnected_by = 'system'`,
  `workspace_id = $1 AND agent_id = $2 AND id = $3 AND status = 'queued'`,
);

/** $1 id. */
export const CANCEL_SUSPENDED = ending(
  'cancel-suspended-call',
  `${never}, disconnect_reason = 'cancelled', disconnected_by = 'system'`,
  `id = $1 AND status = 'queued' AND ${isSuspended('conversations.workspace_id')}`,
);

/** $1 id. For a call that was accepted in the same transaction, and is not published. */
export const REFUSE_DESTINATION = ending(
  'refuse-destination-of-call',
  `${never}, disconnect_reason = 'invalid_destination', disconnected_by = 'system'`,
  `id = $1 AND status = 'queued'`,
);

/** $1 id. */
export const EXPIRE_UNCLAIMED = ending(
  'expire-unclaimed-call',
  `${never}, disconnect_reason = 'dispatch_expired', disconnected_by = 'system'`,
  `id = $1 AND status = 'queued' AND expires_at <= now()`,
);

const failure = `disconnect_reason = $3, disconnected_by = $4`;

/** $1 id, $2 token, $3 reason, $4 by whom. */
export const FAIL_BEFORE_CONNECT = ending(
  'fail-call',
  `${never}, ${failure}`,
  `id = $1 AND token = $2 AND status = 'accepted'`,
);

/** The same report, late. */
export const CORRECT_FAILURE = correction('correct-failed-call', failure, `status = 'failed'`);

// Both times come from the worker's clock, so that its error cancels out; no call lasted longer than it was accepted.
const reported = `GREATEST(interval '0', LEAST($4::timestamptz - $3::timestamptz, now() - accepted_at))`;

const within = (time: string) => `LEAST(GREATEST(${time}::timestamptz, accepted_at), now())`;

const end = `
  status = 'disconnected', connected_at = COALESCE(connected_at, ${within('$3')}), ended_at = ${within('$4')},
  duration_sec = ${secondsOf(reported)}, charge = ${chargeFor(reported)}, disconnect_reason = $5, disconnected_by = $6,
  summary = $7, process_compliance = $8, outcome = $9`;

/** $1 id, $2 token, $3 connected at, $4 ended at, $5 reason, $6 by whom, $7 summary, $8 compliance, $9 outcome. */
export const END_AFTER_CONNECT = ending(
  'end-call',
  end,
  `id = $1 AND token = $2 AND status IN ('accepted', 'connected')`,
);

/** The same report, late. */
export const CORRECT_END = correction('correct-ended-call', end, `status IN ('disconnected', 'failed')`);

const lost = `disconnect_reason = 'worker_lost', disconnected_by = 'system'`;

/** $1 id, $2 lease in seconds. */
export const LOSE_BEFORE_CONNECT = ending(
  'lose-accepted-call',
  `${never}, ${lost}`,
  `id = $1 AND status = 'accepted' AND heartbeat_at <= now() - $2 * interval '1 second'`,
);

/** $1 id, $2 lease in seconds. Charged to the last sign of life. */
export const LOSE_AFTER_CONNECT = ending(
  'lose-connected-call',
  `status = 'disconnected', ended_at = heartbeat_at, duration_sec = ${secondsOf('(heartbeat_at - connected_at)')},
   charge = ${chargeFor('(heartbeat_at - connected_at)')}, ${lost}`,
  `id = $1 AND status = 'connected' AND heartbeat_at <= now() - $2 * interval '1 second'`,
);
