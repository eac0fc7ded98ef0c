import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../support/until';
import type { Installation } from './installation';

const SETTLE_TIMEOUT_MS = 60_000;

/** How long everything is left to itself, before what waits for a killed server's leases is hurried on. */
const OWN_PACE_MS = 1_000;

const UNDER_WAY = `
  SELECT (SELECT count(*)::int FROM conversations WHERE status IN ('queued', 'accepted', 'connected')) AS calls,
         (SELECT count(*)::int FROM campaigns
          WHERE status IN ('scheduled', 'running') AND schedule_time <= now()) AS campaigns,
         (SELECT count(*)::int FROM webhook_deliveries WHERE status = 'pending') AS webhooks`;

/** Taken for lost, by a runtime that lives: where it has dialled, it reports sooner or later. */
const TAKEN_FOR_LOST = `SELECT id FROM conversations WHERE disconnect_reason = 'worker_lost' AND worker_id = $1`;

/** A sweeper leaves a call alone for some seconds after its publish: they pass. */
const LET_SECONDS_PASS = `
  UPDATE conversations SET last_publish_at = last_publish_at - interval '10 seconds'
  WHERE status = 'queued' AND dispatched_at IS NULL AND last_publish_at > now() - interval '9 seconds'`;

/**
 * The attempt of a killed server holds its delivery for half a minute, and the job comes back after that. What is put
 * off for longer, or again, is left to be found.
 */
const LET_LEASES_PASS = `
  UPDATE webhook_deliveries SET leased_until = now()
  WHERE status = 'pending' AND leased_until BETWEEN now() AND now() + interval '30 seconds'`;
const LET_JOBS_COME = `
  UPDATE graphile_worker._private_jobs SET run_at = now()
  WHERE run_at BETWEEN now() AND now() + interval '30 seconds'`;

/** The attempt of a killed server holds its Idempotency-Key for seconds. */
const LET_KEYS_GO = `
  UPDATE idempotency_keys SET locked_until = now()
  WHERE locked_until BETWEEN now() AND now() + interval '15 seconds'`;

export const letKeysGo = (installation: Installation) => installation.rows(LET_KEYS_GO);

export const letSecondsPass = (installation: Installation) => installation.rows(LET_SECONDS_PASS);

async function hurryOn(installation: Installation): Promise<void> {
  await letSecondsPass(installation);
  await installation.rows(LET_LEASES_PASS);
  await installation.rows(LET_JOBS_COME);
}

/** Whether no call, campaign or webhook is under way any more, and no runtime has an end to report. */
async function isAtRest(installation: Installation): Promise<boolean> {
  const [underWay = {}] = await installation.rows<Record<string, number>>(UNDER_WAY);
  if (Object.values(underWay).some((count) => count > 0)) return false;
  const lost = await installation.rows<{ id: string }>(TAKEN_FOR_LOST, [installation.workerId]);
  if (lost.length === 0) return true;
  const dialled = new Set(installation.dialLog.read().map(({ conversationId }) => conversationId));
  return !lost.some(({ id }) => dialled.has(id));
}

/**
 * Resolves when everything is at rest, or when it takes too long. What waits for the leases of the dead is hurried on
 * once, so that a round takes seconds; whatever waits for anything else must come by itself.
 */
export async function settle(installation: Installation, unhurried = false): Promise<void> {
  const hurryAt = unhurried ? Infinity : Date.now() + OWN_PACE_MS;
  let isHurried = false;
  const atRest = async () => {
    if (await isAtRest(installation)) return true;
    if (!isHurried && Date.now() >= hurryAt) {
      await hurryOn(installation);
      isHurried = true;
    }
    await pause(50);
    return false;
  };
  // What is not at rest by then is for the invariants to tell.
  await until(atRest, SETTLE_TIMEOUT_MS).catch(() => undefined);
}
