import { until } from '../test/support/until';
import { type LoadOptions, startCalls } from './load';
import type { MeasuredServer } from './measured-server';

const TIMEOUT_MS = 300_000;

/** Starts calls and waits until all have ended. A runtime must take them. */
export async function runWholeLives(server: MeasuredServer, load: LoadOptions) {
  const startedAt = performance.now();
  const { calls } = await startCalls(server, load);
  await until(async () => {
    const { rows } = await server.sql.query<{ busy: boolean }>(server.isBusy);
    return !rows[0]?.busy;
  }, TIMEOUT_MS);
  return { calls, seconds: (performance.now() - startedAt) / 1_000 };
}
