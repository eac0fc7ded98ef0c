import { createCallToken } from '../src/accounts/auth/call-token';
import { createAgent } from '../test/support/agents';
import { ApiClient } from '../test/support/client';
import { until } from '../test/support/until';
import type { Bench, Benchmark } from './benchmark';
import { measure, type Measured } from './measure';
import type { MeasuredServer } from './measured-server';
import { startParley } from './parley';
import { printCost, printRatio, printValues } from './report';
import { withServers } from './rounds';
import { startRuntime } from './runtime';
import { startWebhookListener } from './webhook-listener';

const AT_ONCE = [1, 10];
/** The askings of a round. */
const ASKINGS = 500;
const SHORT_ASKINGS = 50;
/** The rounds in which the server becomes faster, as it would in use. They are not counted. */
const WARM_UP_ROUNDS = 6;
/** A call has no more invocations. */
const ASKINGS_OF_CALL = 100;
const WORKSPACES = 10;
/** The calls go on after their runtime has ended. */
const CALL_SECONDS = 3_600;

const FIND_TOKENS = 'SELECT id, token FROM conversations WHERE token IS NOT NULL';

/** The times of a way to ask, in milliseconds. */
interface Times {
  name: string;
  times: number[];
}

/** Starts calls whose agents have the tool. @returns a function that asks for it, each time in the next call */
async function startCalls(bench: Bench, server: MeasuredServer, url: string, count: number) {
  const apis = bench.workspaces
    .slice(0, WORKSPACES)
    .map(({ apiKey }) => new ApiClient(server.url, { 'x-api-key': apiKey }));
  const parameters = { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] };
  const tool = { name: 'book_table', description: 'Books a table.', parameters, url };
  const agents: string[] = [];
  for (const api of apis) {
    await api.post('/api/tools', tool);
    agents.push(await createAgent({ api }, { actions: [tool.name] }));
  }
  for (let call = 0; call < count; call += 1) {
    const place = call % apis.length;
    await apis[place]?.post(`/api/agents/${agents[place]}/calls`, { to_number: '+15551234567' });
  }
  const tokens = await until(async () => {
    const { rows } = await server.sql.query<{ id: string; token: string }>(FIND_TOKENS);
    return rows.length === count && rows;
  });
  const calls = tokens.map(({ id, token }) => ({
    path: `/api/calls/${id}/tools/${tool.name}`,
    api: new ApiClient(server.url, { authorization: `Bearer ${createCallToken(id, token)}` }),
  }));
  let asked = 0;
  return async (): Promise<void> => {
    const call = calls[asked % calls.length];
    const answer = await call?.api.post(call.path, { arguments: { number: asked++ } });
    const state = (answer?.body as { data?: { state: string } } | undefined)?.data?.state;
    if (state !== 'done') throw new Error(`The tool was answered with ${JSON.stringify(answer?.body)}.`);
  };
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Asks in both ways in turns. */
async function compare(
  ways: { asked: () => Promise<unknown>; direct: () => Promise<unknown> },
  atOnce: number,
  askings: number,
) {
  const asked: Times = { name: 'by Parley', times: [] };
  const direct: Times = { name: 'by its address', times: [] };
  const own: Times = { name: 'own code', times: [] };
  let left = askings;
  const ask = async () => {
    while (left-- > 0) {
      const [directMs, askedMs] = [await time(ways.direct), await time(ways.asked)];
      direct.times.push(directMs);
      asked.times.push(askedMs);
      own.times.push(askedMs - directMs);
    }
  };
  const seconds = (await time(() => Promise.all(Array.from({ length: atOnce }, ask)))) / 1_000;
  return { calls: askings, seconds, asked, direct, own };
}

type Round = Awaited<ReturnType<typeof compare>>;

const percentile =
  (percent: number) =>
  ({ times }: Times): number =>
    [...times].sort((a, b) => a - b)[Math.ceil((times.length * percent) / 100) - 1] ?? NaN;

async function run(bench: Bench): Promise<void> {
  const { rounds, short } = bench.options;
  const askings = short ? SHORT_ASKINGS : ASKINGS;
  const listener = await startWebhookListener({ holding: false });
  const address = new ApiClient(listener.url);
  await withServers([startParley(bench)], async (server) => {
    const runtime = await startRuntime(bench, server, CALL_SECONDS);
    const all = (WARM_UP_ROUNDS + AT_ONCE.length * rounds) * askings;
    const asked = await startCalls(bench, server, listener.url, Math.ceil(all / ASKINGS_OF_CALL));
    await runtime.kill();
    const ways = { asked, direct: () => address.post('', { number: 1 }) };
    await compare(ways, Math.max(...AT_ONCE), WARM_UP_ROUNDS * askings);
    for (const atOnce of AT_ONCE) {
      const measured: (Measured & Round)[] = [];
      while (measured.length < rounds)
        measured.push(await measure(bench.services, server, () => compare(ways, atOnce, askings)));
      const of = (way: 'asked' | 'direct' | 'own') => measured.map((round) => round[way]);
      for (const percent of [50, 95]) {
        const figure = `a tool, ${atOnce} at once, p${percent}: by Parley ÷ by its address`;
        printRatio(figure, 'ms', [of('asked'), of('direct')], percentile(percent));
        printValues('ms', of('own'), percentile(percent));
      }
      printCost(measured);
    }
  }).finally(() => listener.stop());
}

export const tools: Benchmark = {
  name: 'tools',
  title: 'a tool that answers at once, asked for in a call and at its address',
  run,
};
