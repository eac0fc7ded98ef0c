import type { Statement } from '../database/sql';

/**
 * A statement that ends the calls its WHERE still finds, and settles each one in the same breath: the hold goes back,
 * the charge is taken, the ledger, the balance and the agent's sums follow. Whatever ends a call goes through
 * here, so that no call can end without being settled, or be settled twice.
 *
 * Parameters begin at $1 and are the caller's. The locks are taken in the order conversation, workspace, agent.
 */
const ending = (name: string, set: string, where: string): Statement => ({
  name,
  text: `
    WITH ended AS (
      UPDATE conversations SET ${set}
      WHERE ${where}
      RETURNING id, workspace_id, agent_id, status, hold, charge, duration_sec, ended_at
    ), ledger AS (
      INSERT INTO credit_entries (workspace_id, conversation_id, kind, amount)
      SELECT workspace_id, id, 'release', hold FROM ended
      UNION ALL
      SELECT workspace_id, id, 'charge', -charge FROM ended WHERE charge > 0
    ), balance AS (
      UPDATE workspaces SET credits = credits + ended.hold - ended.charge
      FROM ended WHERE workspaces.id = ended.workspace_id
      RETURNING ended.*
    ), agent AS (
      UPDATE agents SET
        ended_calls_total = ended_calls_total + 1,
        ended_calls_successful = ended_calls_successful + (balance.status = 'disconnected')::int,
        ended_calls_seconds = ended_calls_seconds + balance.duration_sec,
        ended_calls_last_at = GREATEST(ended_calls_last_at, balance.ended_at)
      FROM balance WHERE agents.id = balance.agent_id
    )
    SELECT id FROM ended`,
});

/** One credit for each started minute of `connected`, an interval. */
const chargeFor = (connected: string) => `GREATEST(1, CEIL(EXTRACT(EPOCH FROM ${connected}) / 60))`;

const secondsOf = (connected: string) => `FLOOR(EXTRACT(EPOCH FROM ${connected}))`;

const never = `status = 'failed', ended_at = now()`;

/** $1 id. The fenced cancel: a call that a runtime has claimed meanwhile is not found. */
export const CANCEL_UNDISPATCHED = ending(
  'cancel-undispatched-call',
  `${never}, disconnect_reason = 'dispatch_failed', disconnected_by = 'system'`,
  `id = $1 AND status = 'queued'`,
);

/** $1 id. */
export const EXPIRE_UNCLAIMED = ending(
  'expire-unclaimed-call',
  `${never}, disconnect_reason = 'dispatch_expired', disconnected_by = 'system'`,
  `id = $1 AND status = 'queued' AND expires_at <= now()`,
);

/** $1 id, $2 token, $3 reason, $4 by whom. */
export const FAIL_BEFORE_CONNECT = ending(
  'fail-call',
  `${never}, disconnect_reason = $3, disconnected_by = $4`,
  `id = $1 AND token = $2 AND status = 'accepted'`,
);

// Both times come from the worker's clock, so that its error cancels out; no call lasted longer than it was accepted.
const reported = `GREATEST(interval '0', LEAST($4::timestamptz - $3::timestamptz, now() - accepted_at))`;

const within = (time: string) => `LEAST(GREATEST(${time}::timestamptz, accepted_at), now())`;

/** $1 id, $2 token, $3 connected at, $4 ended at, $5 reason, $6 by whom, $7 summary, $8 compliance, $9 outcome. */
export const END_AFTER_CONNECT = ending(
  'end-call',
  `status = 'disconnected', connected_at = COALESCE(connected_at, ${within('$3')}), ended_at = ${within('$4')},
   duration_sec = ${secondsOf(reported)}, charge = ${chargeFor(reported)}, disconnect_reason = $5, disconnected_by = $6,
   summary = $7, process_compliance = $8, outcome = $9`,
  `id = $1 AND token = $2 AND status IN ('accepted', 'connected')`,
);

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
