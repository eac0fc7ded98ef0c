import { setTimeout as pause } from 'node:timers/promises';
import { createCampaign, recipientsFile } from '../test/support/campaigns';
import { ApiClient } from '../test/support/client';
import type { Bench, Benchmark } from './benchmark';
import { startParley } from './parley';
import { withSides } from './rounds';
import { startRuntime } from './runtime';
import type { Side } from './side';
import { findAgent } from './start-campaign';

/**
 * The calls a second that the campaigns request. The campaigns run at the same time, each in a workspace of its
 * own.
 */
const RATES = [20, 100];
const SECONDS = 60;
const SHORT_SECONDS = 10;
/** The unused rate of two seconds may be caught up, and the campaign must not end before the time does. */
const SPARE_SECONDS = 10;
const CONCURRENCY = 1_000;
const POLL_MS = 500;

/** The calls of a campaign, counted from the first one on. */
const FIND_CALLS = `
  SELECT count(*) FILTER (WHERE created_at < first + $2 * interval '1 second')::int AS calls,
         COALESCE(now() > min(first) + $2 * interval '1 second', false) AS is_over
  FROM conversations, (SELECT min(created_at) AS first FROM conversations WHERE campaign_id = $1) AS begin
  WHERE campaign_id = $1`;

async function waitForCalls({ sql }: Side, id: string, seconds: number): Promise<number> {
  for (;;) {
    const { rows } = await sql.query<{ calls: number; is_over: boolean }>(FIND_CALLS, [id, seconds]);
    if (rows[0]?.is_over) return rows[0].calls;
    await pause(POLL_MS);
  }
}

/** The rate of the calls that a campaign starts. The runtime ends each at once, so that no concurrency limits it. */
async function measureRate(bench: Bench, side: Side, index: number): Promise<number> {
  const rate = RATES[index] as number;
  const seconds = bench.options.short ? SHORT_SECONDS : SECONDS;
  const { apiKey, agentId } = findAgent(bench, side, index);
  const api = new ApiClient(side.url, { 'x-api-key': apiKey });
  const id = await createCampaign(api, agentId, recipientsFile(rate * (seconds + SPARE_SECONDS)), {
    callsPerSecond: `${rate}`,
    concurrency: `${CONCURRENCY}`,
  });
  return (await waitForCalls(side, id, seconds)) / seconds;
}

async function paceWith(bench: Bench, servers: number): Promise<void> {
  await withSides([startParley(bench, {}, {}, servers)], async (side) => {
    const runtime = await startRuntime(bench, side);
    const rates = await Promise.all(RATES.map((_, index) => measureRate(bench, side, index)));
    await runtime.kill();
    for (const [index, rate] of rates.entries()) {
      const asked = RATES[index] as number;
      const difference = ((rate / asked - 1) * 100).toFixed(1);
      console.log(
        `  ${servers} server${servers === 1 ? ' ' : 's'}: ${rate.toFixed(1)} calls/s of ${asked} (${difference} %)`,
      );
    }
  });
}

async function run(bench: Bench): Promise<void> {
  for (const servers of [1, 2]) await paceWith(bench, servers);
}

export const pacing: Benchmark = {
  name: 'pacing',
  title: `calls a second of campaigns with a rate of ${RATES.join(' and ')}, by one server and by two`,
  onRequest: true,
  run,
};
