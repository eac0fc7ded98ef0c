import type { Bench, Benchmark } from './benchmark';
import { type Load, startCalls } from './load';
import { measure, type Measured } from './measure';
import { startParley } from './parley';
import { cpuSum, printCost, printRatio } from './report';
import { interleave, purgeCalls, withServers } from './rounds';
import { startWebhookListener } from './webhook-listener';

const WARM_UP_SECONDS = 1;

type Round = Measured & Load;

async function run(bench: Bench): Promise<void> {
  const receiver = await startWebhookListener({ holding: false });
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
  const starting = [
    startParley(bench),
    startParley(bench, settings).then((server) => ({ ...server, name: 'with a receiver' })),
    startParley(bench, {
      ...settings,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.05',
    }).then((server) => ({ ...server, name: '5 % of the traces' })),
  ] as const;
  await withServers([...starting], async (...servers) => {
    const [unset, all, sampled] = await interleave(bench, servers, async (server): Promise<Round> => {
      const { seconds } = bench.options;
      await startCalls(server, { seconds: WARM_UP_SECONDS });
      const round = await measure(bench.services, server, () => startCalls(server, { seconds }));
      await purgeCalls(bench, server);
      return round;
    });
    for (const traced of [all, sampled]) {
      printRatio('start call ÷ without a receiver', 'calls/s', [traced, unset], ({ perSecond }) => perSecond);
      printRatio('CPU time ÷ without a receiver', 'µs a call', [traced, unset], cpuSum);
    }
    for (const rounds of [unset, all, sampled]) printCost(rounds);
  }).finally(() => receiver.stop());
}

export const tracing: Benchmark = {
  name: 'tracing',
  title: 'starting calls in 100 workspaces, with and without a receiver of traces',
  run,
};
