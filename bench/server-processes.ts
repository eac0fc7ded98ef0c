import type { Bench, Benchmark } from './benchmark';
import { type Load, startCalls } from './load';
import { measure, type Measured } from './measure';
import { startParley } from './parley';
import { printCost, printRatio } from './report';

const COUNTS = [1, 2, 4];
const WARM_UP_SECONDS = 2;

type Round = Measured & Load;

/** Each count has servers of its own, one after the other: paused processes would keep their connections. */
async function measureOnce(bench: Bench, count: number): Promise<Round> {
  const settings: Record<string, string> = count === 1 ? {} : { PROCESSES: String(count) };
  const parley = await startParley(bench, settings);
  const side = { ...parley, name: `${count} ${count === 1 ? 'process' : 'processes'}` };
  try {
    await startCalls(side, { seconds: WARM_UP_SECONDS });
    return await measure(bench.services, side, () => startCalls(side, { seconds: bench.options.seconds }));
  } finally {
    await parley.stop();
  }
}

async function run(bench: Bench): Promise<void> {
  const rounds = COUNTS.map((): Round[] => []);
  for (let round = 0; round < bench.options.rounds; round += 1) {
    for (const [index, count] of COUNTS.entries()) rounds[index]?.push(await measureOnce(bench, count));
  }
  const [single = [], ...several] = rounds;
  for (const [index, measured] of several.entries()) {
    const title = `${COUNTS[index + 1]} processes ÷ 1`;
    printRatio(title, 'calls/s', [measured, single], ({ perSecond }) => perSecond);
    printRatio(`${title}, p99`, 'ms', [measured, single], ({ p99 }) => p99);
  }
  for (const measured of rounds) printCost(measured);
}

export const serverProcesses: Benchmark = {
  name: 'server-processes',
  title: 'starting calls in 100 workspaces by 1, 2 and 4 server processes on one port',
  run,
};
