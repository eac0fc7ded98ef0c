import { startBare } from './bare';
import type { Bench, Benchmark } from './benchmark';
import type { MeasuredServer } from './measured-server';
import { startParley } from './parley';
import { printRatio, printTables } from './report';
import { withServers } from './rounds';
import { startRuntime } from './runtime';
import { bytesOfTables } from './table-sizes';
import { startWebhookListener } from './webhook-listener';
import { runWholeLives } from './whole-lives';

const CALLS = 2_000;

/** Whether calls or deliveries of webhooks are in progress: these belong to the life of a call. */
const IS_BUSY = `
  SELECT EXISTS (SELECT FROM conversations WHERE ended_at IS NULL)
      OR EXISTS (SELECT FROM webhook_deliveries WHERE status = 'pending') AS busy`;

/** The bytes of a call in each table after a VACUUM. VACUUM FULL also removes the space that is free for later rows. */
async function bytesOfCall(bench: Bench, server: MeasuredServer) {
  const runtime = await startRuntime(bench, server);
  const before = await bytesOfTables(server.sql, 'VACUUM');
  const { calls } = await runWholeLives(server, { amount: CALLS });
  const sizes = [await bytesOfTables(server.sql, 'VACUUM'), await bytesOfTables(server.sql, 'VACUUM FULL')];
  await runtime.kill();
  const [grown, packed] = sizes.map((after) => {
    const tables = [...after].map(
      ([table, bytes]) => [table, (bytes - (before.get(table) ?? 0)) / calls] as const,
    );
    return { name: server.name, tables: new Map(tables) };
  });
  return { grown, packed };
}

type Sizes = Awaited<ReturnType<typeof bytesOfCall>>['grown'];

function compare(figure: string, parley: Sizes, bare: Sizes): void {
  if (!parley || !bare) throw new Error('There are no sizes.');
  const sum = ({ tables }: typeof parley) => [...tables.values()].reduce((total, bytes) => total + bytes, 0);
  printRatio(`bytes of a call ${figure} ÷ bare`, 'bytes', [[parley], [bare]], sum);
  for (const sizes of [parley, bare]) printTables(sizes);
}

async function compareCalls(bench: Bench, title: string, callFields: object): Promise<void> {
  const starting = [startParley(bench, {}, callFields), startBare(bench, { callFields })] as const;
  await withServers([...starting], async (parley, bare) => {
    const ofParley = await bytesOfCall(bench, { ...parley, isBusy: IS_BUSY });
    const ofBare = await bytesOfCall(bench, bare);
    compare(`${title}, after VACUUM`, ofParley.grown, ofBare.grown);
    compare(`${title}, after VACUUM FULL`, ofParley.packed, ofBare.packed);
  });
}

async function run(bench: Bench): Promise<void> {
  const listener = await startWebhookListener({ holding: false });
  await compareCalls(bench, 'without webhooks', {});
  await compareCalls(bench, 'with two webhooks', { webhook_url: listener.url });
  listener.stop();
}

export const storage: Benchmark = {
  name: 'storage',
  title: 'the bytes of a call in Postgres after its whole life',
  run,
};
