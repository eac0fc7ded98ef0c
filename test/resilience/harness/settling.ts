import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../support/until';
import type { DialLog } from './dial-log';
import { INCOMING_WORKER } from './incoming-load';
import type { Installation } from './installation';
import { TOOL_MS } from './shop';

const SETTLE_TIMEOUT_MS = 180_000;

/** The time that the suite waits before it expires the leases of a killed server. */
const EXPIRE_LEASES_AFTER_MS = 1_000;

const IN_PROGRESS = `
  SELECT (SELECT count(*)::int FROM conversations WHERE status IN ('queued', 'accepted', 'connected')) AS calls,
         (SELECT count(*)::int FROM campaigns
          WHERE status IN ('scheduled', 'running') AND schedule_time <= now()
             OR status = 'cancelled' AND NOT is_over) AS campaigns,
         (SELECT count(*)::int FROM conversations LEFT JOIN call_transcripts ON conversation_id = id
          WHERE transcript_turns > COALESCE(turns, 0)) AS transcripts,
         (SELECT count(*)::int FROM conversations
          WHERE disconnect_reason = 'worker_lost' AND worker_id = '${INCOMING_WORKER}'
            AND ended_at > now() - interval '10 seconds') AS incoming,
         (SELECT count(*)::int FROM tool_invocations WHERE state = 'running') AS tools,
         (SELECT count(*)::int FROM webhook_deliveries WHERE status = 'pending') AS webhooks`;

/** Calls that ended as lost: a runtime that is running reports their end later if it dialled them. */
const LOST_CALLS = `
  SELECT id, worker_id = ANY ($1) AS "isOfLiving" FROM conversations WHERE disconnect_reason = 'worker_lost'`;

/** The sweeper ignores a call for some seconds after its publish; this lets these seconds pass. */
const AGE_PUBLISHES = `
  UPDATE conversations SET last_publish_at = last_publish_at - interval '10 seconds'
  WHERE status = 'queued' AND dispatched_at IS NULL AND last_publish_at > now() - interval '9 seconds'`;

/**
 * The attempt of a killed server leases its delivery for half a minute, and the job runs again after that. Work that is
 * postponed for longer or a second time stays postponed, so that the invariants detect it.
 */
const EXPIRE_DELIVERY_LEASES = `
  UPDATE webhook_deliveries SET leased_until = now()
  WHERE status = 'pending' AND leased_until BETWEEN now() AND now() + interval '30 seconds'`;
const MAKE_JOBS_DUE = `
  UPDATE graphile_worker._private_jobs SET run_at = now()
  WHERE run_at BETWEEN now() AND now() + interval '30 seconds'`;

/** A server settles an invocation within the time of its tool; one that another server has taken keeps its lease. */
const EXPIRE_TOOL_LEASES = `
  UPDATE tool_invocations SET lease_until = now()
  WHERE state = 'running' AND asked_at < now() - interval '${TOOL_MS} milliseconds' AND lease_until > now()
    AND lease_until < asked_at + (lease_ms + 1000) * interval '1 millisecond'`;

/** The attempt of a killed server leases its Idempotency-Key for seconds. */
const EXPIRE_KEY_LEASES = `
  UPDATE idempotency_keys SET locked_until = now()
  WHERE locked_until BETWEEN now() AND now() + interval '15 seconds'`;

export const expireKeyLeases = (installation: Installation) => installation.rows(EXPIRE_KEY_LEASES);

export const agePublishes = (installation: Installation) => installation.rows(AGE_PUBLISHES);

async function expireLeases(installation: Installation): Promise<void> {
  await agePublishes(installation);
  await installation.rows(EXPIRE_DELIVERY_LEASES);
  await installation.rows(MAKE_JOBS_DUE);
}

/** Whether no call, campaign or webhook is in progress, and the runtime has reported all ends. */
async function isIdle(installation: Installation): Promise<boolean> {
  const [inProgress = {}] = await installation.rows<Record<string, number>>(IN_PROGRESS);
  if (Object.values(inProgress).some((count) => count > 0)) return false;
  const lost = await installation.rows<{ id: string; isOfLiving: boolean }>(LOST_CALLS, [
    installation.workerIds,
  ]);
  if (lost.length === 0) return true;
  const getIds = (log: DialLog) => new Set(log.read().map(({ conversationId }) => conversationId));
  const [dialled, kept] = [getIds(installation.dialLog), getIds(installation.endLog)];
  return !lost.some(({ id, isOfLiving }) => kept.has(id) || (isOfLiving && dialled.has(id)));
}

/**
 * Resolves when everything is idle, or after a timeout. The leases of killed servers are expired once, so that a round
 * takes seconds. Everything else must continue without help.
 */
export async function settle(installation: Installation, inRealTime = false): Promise<void> {
  const expireAt = inRealTime ? Infinity : Date.now() + EXPIRE_LEASES_AFTER_MS;
  let haveLeasesExpired = false;
  const idle = async () => {
    if (await isIdle(installation)) return true;
    if (!inRealTime) await installation.rows(EXPIRE_TOOL_LEASES);
    if (!haveLeasesExpired && Date.now() >= expireAt) {
      await expireLeases(installation);
      haveLeasesExpired = true;
    }
    await pause(50);
    return false;
  };
  // The invariants report what is not idle by then.
  await until(idle, SETTLE_TIMEOUT_MS).catch(() => undefined);
}
