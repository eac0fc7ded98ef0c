import { startBare } from './bare';
import type { Bench, Benchmark } from './benchmark';
import { type Load, startCalls } from './load';
import { measure, type Measured } from './measure';
import { startParley } from './parley';
import { cpuSum, printCost, printRatio, printValues } from './report';
import { interleave, purgeCalls, withServers } from './rounds';

const WARM_UP_SECONDS = 1;

type Round = Measured & Load;

async function run(bench: Bench): Promise<void> {
  const starting = [startParley(bench), startBare(bench), startBare(bench, { grouped: false })] as const;
  await withServers([...starting], async (...servers) => {
    const [parley, grouped, ungrouped] = await interleave(bench, servers, async (server): Promise<Round> => {
      const { seconds } = bench.options;
      // A server that was paused does first what has become due meanwhile.
      await startCalls(server, { seconds: WARM_UP_SECONDS });
      const round = await measure(bench.services, server, () => startCalls(server, { seconds }));
      await purgeCalls(bench, server);
      return round;
    });
    const compare = (figure: string, unit: string, getValue: (round: Round) => number) => {
      printRatio(figure, unit, [parley, grouped], getValue);
      printValues(unit, ungrouped, getValue);
    };
    compare('start of a call ÷ bare', 'calls/s', ({ perSecond }) => perSecond);
    compare('p99 of a start ÷ bare', 'ms', ({ p99 }) => p99);
    compare('CPU time of all processes for a start ÷ bare', 'µs a call', cpuSum);
    for (const rounds of [parley, grouped, ungrouped]) printCost(rounds);
  });
}

export const accept: Benchmark = {
  name: 'accept',
  title: 'starting calls in 100 workspaces, and the CPU time of it',
  run,
};
