import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../support/until';
import type { Installation } from './installation';

const SETTLE_TIMEOUT_MS = 40_000;

const UNDER_WAY = `
  SELECT (SELECT count(*)::int FROM conversations WHERE status IN ('queued', 'accepted', 'connected')) AS calls,
         (SELECT count(*)::int FROM campaigns
          WHERE status IN ('scheduled', 'running') AND schedule_time <= now()) AS campaigns,
         (SELECT count(*)::int FROM webhook_deliveries WHERE status = 'pending') AS webhooks`;

/** A sweeper leaves a call alone for some seconds after its publish: they pass. */
const LET_SECONDS_PASS = `
  UPDATE conversations SET last_publish_at = last_publish_at - interval '10 seconds'
  WHERE status = 'queued' AND dispatched_at IS NULL AND last_publish_at > now() - interval '9 seconds'`;

/** The attempt of a killed server holds its delivery for half a minute, and the job comes back after that. */
const LET_LEASES_PASS = `
  UPDATE webhook_deliveries SET leased_until = now()
  WHERE status = 'pending' AND leased_until BETWEEN now() AND now() + interval '29 seconds'`;
const LET_JOBS_COME = `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE run_at > now()`;

/** The attempt of a killed server holds its Idempotency-Key for seconds. */
const LET_KEYS_GO = `UPDATE idempotency_keys SET locked_until = now() WHERE locked_until > now()`;

export const letKeysGo = (installation: Installation) => installation.rows(LET_KEYS_GO);

export const letSecondsPass = (installation: Installation) => installation.rows(LET_SECONDS_PASS);

async function letAllPass(installation: Installation): Promise<void> {
  await letSecondsPass(installation);
  await installation.rows(LET_LEASES_PASS);
  await installation.rows(LET_JOBS_COME);
}

/** Resolves when no call, campaign or webhook is under way any more, or when it takes too long. */
export async function settled(installation: Installation): Promise<void> {
  const atRest = async () => {
    const [underWay = {}] = await installation.rows<Record<string, number>>(UNDER_WAY);
    if (Object.values(underWay).every((count) => count === 0)) return true;
    await letAllPass(installation);
    await pause(50);
    return false;
  };
  // What is not at rest by then is for the invariants to tell.
  await until(atRest, SETTLE_TIMEOUT_MS).catch(() => undefined);
}
