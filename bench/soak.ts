import { setTimeout as pause } from 'node:timers/promises';
import { ApiClient } from '../test/support/client';
import type { Bench, Benchmark } from './benchmark';
import { startCalls } from './load';
import type { MeasuredServer } from './measured-server';
import { startParley } from './parley';
import { withServers } from './rounds';
import { startRuntime } from './runtime';
import { runWholeLives } from './whole-lives';

const SECONDS_FOR_LIMIT = 10;
const MINUTE = 60_000;
const MEGABYTE = 1024 * 1024;

async function memory({ url }: MeasuredServer): Promise<string> {
  const metrics = String((await new ApiClient(url).get('/metrics')).body);
  const megabytes = (metric: string) => {
    const [, bytes] = new RegExp(`^${metric} (\\S+)$`, 'm').exec(metrics) ?? [];
    return (Number(bytes) / MEGABYTE).toFixed(1);
  };
  return `RSS ${megabytes('process_resident_memory_bytes')} MB, heap ${megabytes('nodejs_heap_size_used_bytes')} MB`;
}

async function run(bench: Bench): Promise<void> {
  const { minutes, rate } = bench.options;
  await withServers([startParley(bench)], async (parley) => {
    const runtime = await startRuntime(bench, parley);
    await runWholeLives(parley, { seconds: SECONDS_FOR_LIMIT });
    const { calls, seconds } = await runWholeLives(parley, { seconds: SECONDS_FOR_LIMIT });
    const overallRate = Math.ceil((rate * calls) / seconds);
    console.log(
      `  limit ${Math.round(calls / seconds)} whole lives/s; holding ${overallRate}/s for ${minutes} min`,
    );
    const load = startCalls(parley, { seconds: minutes * 60, overallRate });
    for (let minute = 1; minute <= minutes; minute += 1) {
      await Promise.race([load, pause(MINUTE)]);
      console.log(`      minute ${minute}: ${await memory(parley)}`);
    }
    const { calls: started, p99 } = await load;
    console.log(`      ${started} calls started, p99 ${p99} ms`);
    await runtime.kill();
  });
}

export const soak: Benchmark = {
  name: 'soak',
  title: 'the memory of the server at a share of its limit',
  onRequest: true,
  run,
};
