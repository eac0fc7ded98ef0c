import type { Bench, Benchmark } from './benchmark';
import { startCalls } from './load';
import { measure } from './measure';
import { startParley } from './parley';
import { printRatio } from './report';
import { interleave, purgeCalls, withSides } from './rounds';
import type { Side } from './side';

async function run(bench: Bench): Promise<void> {
  await withSides([startParley(bench)], async (parley) => {
    const hot: Side = { ...parley, name: 'one workspace', startCalls: parley.startCalls.slice(0, 1) };
    const spread: Side = { ...parley, name: '100 workspaces' };
    const rounds = await interleave(bench, [hot, spread], async (side) => {
      const { seconds } = bench.options;
      const round = await measure(bench.services, side, () => startCalls(side, { seconds }));
      await purgeCalls(bench, side);
      return round;
    });
    printRatio('P3  one workspace ÷ 100', 'calls/s', rounds, ({ perSecond }) => perSecond);
  });
}

export const hotWorkspace: Benchmark = {
  name: 'hot-workspace',
  title: 'starting calls in one workspace (P3)',
  run,
};
