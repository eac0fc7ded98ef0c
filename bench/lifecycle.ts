import { startBare } from './bare';
import type { Bench, Benchmark } from './benchmark';
import { liveThrough } from './lives';
import { measure } from './measure';
import { startParley } from './parley';
import { cpuSum, printCost, printRatio } from './report';
import { interleave, withSides } from './rounds';
import { startRuntime } from './runtime';
import { startWebhookListener } from './webhook-listener';

/** Of the first round, which shows how many calls the others need. */
const FIRST_CALLS = 500;

async function run(bench: Bench): Promise<void> {
  // The reference stores webhooks only, so Parley must not deliver them meanwhile.
  const listener = await startWebhookListener({ holding: true });
  const callFields = { webhook_url: listener.url };
  const settings = { WEBHOOK_CONCURRENCY: '1', JOB_CONCURRENCY: '1' };
  const starting = [startParley(bench, settings, callFields), startBare(bench, { callFields })] as const;
  await withSides([...starting], async (...sides) => {
    const runtimes = await Promise.all(sides.map((side) => startRuntime(bench, side)));
    const amounts = new Map<string, number>();
    const rounds = await interleave(bench, sides, async (side) => {
      const amount = amounts.get(side.name) ?? FIRST_CALLS;
      const round = await measure(bench.services, side, () => liveThrough(side, amount));
      amounts.set(side.name, Math.ceil(round.perSecond * bench.options.seconds));
      return round;
    });
    printRatio('P11 whole life ÷ bare', 'calls/s', rounds, ({ perSecond }) => perSecond);
    printRatio('P11 CPU time of all processes ÷ bare', 'µs a call', rounds, cpuSum);
    rounds.forEach(printCost);
    await Promise.all(runtimes.map((runtime) => runtime.kill()));
  });
  listener.stop();
}

export const lifecycle: Benchmark = {
  name: 'lifecycle',
  title: 'the whole life of calls: start, claim, connected, three heartbeats, ended, webhooks stored (P11)',
  run,
};
