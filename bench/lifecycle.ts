import { startBare } from './bare';
import type { Bench, Benchmark } from './benchmark';
import { measure } from './measure';
import { startParley } from './parley';
import { cpuSum, printCost, printRatio } from './report';
import { interleave, withServers } from './rounds';
import { startRuntime } from './runtime';
import { startWebhookListener } from './webhook-listener';
import { runWholeLives } from './whole-lives';

async function run(bench: Bench): Promise<void> {
  // The reference stores webhooks only, so Parley must not deliver them meanwhile.
  const listener = await startWebhookListener({ holding: true });
  const callFields = { webhook_url: listener.url };
  const settings = { WEBHOOK_CONCURRENCY: '1', JOB_CONCURRENCY: '1' };
  const starting = [startParley(bench, settings, callFields), startBare(bench, { callFields })] as const;
  await withServers([...starting], async (...servers) => {
    const runtimes = await Promise.all(servers.map((server) => startRuntime(bench, server)));
    const rounds = await interleave(bench, servers, (server) => {
      const { seconds } = bench.options;
      return measure(bench.services, server, () => runWholeLives(server, { seconds }));
    });
    printRatio('whole life ÷ bare', 'calls/s', rounds, ({ perSecond }) => perSecond);
    printRatio('CPU time of all processes for a whole life ÷ bare', 'µs a call', rounds, cpuSum);
    rounds.forEach(printCost);
    await Promise.all(runtimes.map((runtime) => runtime.kill()));
  });
  listener.stop();
}

export const lifecycle: Benchmark = {
  name: 'lifecycle',
  title: 'the whole life of calls: start, claim, connected, three heartbeats, ended, webhooks stored',
  run,
};
