import { until } from '../test/support/until';
import { type LoadOptions, startCalls } from './load';
import type { Side } from './side';

const TIMEOUT_MS = 300_000;

/** Starts calls and waits until all have ended. A runtime must take them. */
export async function liveThrough(side: Side, load: LoadOptions) {
  const startedAt = performance.now();
  const { calls } = await startCalls(side, load);
  await until(async () => {
    const { rows } = await side.sql.query<{ busy: boolean }>(side.isBusy);
    return !rows[0]?.busy;
  }, TIMEOUT_MS);
  return { calls, seconds: (performance.now() - startedAt) / 1_000 };
}
