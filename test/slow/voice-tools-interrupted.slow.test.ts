import { LocalSpeech } from '@parley/voice';
import { RUNNING } from '../../packages/voice/src/brain/tools';
import {
  type ChatRequest,
  OpenAiChatStandIn,
} from '../../packages/voice/test/stand-ins/openai-chat/openai-chat-stand-in';
import { Caller } from '../../packages/voice/test/support/caller';
import { Random } from '../../src/tools/demo-data/random';
import { createAgent } from '../support/agents';
import type { ApiClient } from '../support/client';
import { TestParley } from '../support/parley';
import { answeringJson } from '../support/tool-shop';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { readJoinUrl } from '../support/web-calls';
import { WebhookReceiver } from '../support/webhook-receiver';

const CONVERSATIONS = 1_000;
const CONVERSATIONS_AT_ONCE = 8;
const TIMEOUT_MS = 900_000;

const INTERRUPTIONS = [
  { name: 'none', weight: 20 },
  { name: 'text', weight: 40 },
  { name: 'hang-up', weight: 20 },
  { name: 'cut', weight: 18 },
  // The call ends ten seconds after the cut.
  { name: 'cut for good', weight: 2 },
] as const;
const TOOLS = [
  { name: 'book_table', mode: 'wait' },
  { name: 'request_table', mode: 'background' },
] as const;
const PARAMETERS = { type: 'object', properties: { table: { type: 'string' } }, required: ['table'] };
const FURTHER_TEXT = 'Is it done?';

/** The seed decides on everything that varies in a conversation. */
function createPlan(seed: number) {
  const random = new Random(`conversation ${seed}`);
  const tables = [`${seed}-1`, `${seed}-2`];
  const several = <Item>(create: () => Item) => Array.from({ length: random.between([1, 3]) }, create);
  return {
    tables,
    tool: random.pick(TOOLS),
    /** The tables that each answer of the model asks for, in parallel. */
    askings: several(() => several(() => random.pick(tables))),
    /** Whether the shop answers after the interruption, or at once. */
    isHeld: random.chance(0.6),
    interruption: random.weighted(INTERRUPTIONS).name,
  };
}

/** The calls of tools that a request tells the model of, each with the result that it reads. */
function readCalls(request: ChatRequest | undefined) {
  const { messages } = request ?? { messages: [] };
  const results = new Map(messages.map(({ tool_call_id: id, content }) => [id, content]));
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls) as {
    id: string;
    function: { name: string; arguments: string };
  }[];
  return calls.map(({ id, function: { name, arguments: given } }) => ({
    ...{ id, name, result: results.get(id) },
    table: (JSON.parse(given) as { table: string }).table,
  }));
}

const pathOf = (table: string) => `/tables/${table}`;
const resultFor = (table: string) => ({ booked: table });
const isFurtherText = ({ content }: ChatRequest['messages'][number]) => content === FURTHER_TEXT;
const sorted = (texts: readonly string[]) => [...texts].sort();

interface Invocation {
  tool: string;
  arguments: object;
  state: string;
  result: unknown;
  attempts: number;
  repeats: number;
}

const summarize = ({ arguments: given, state, result, attempts, repeats, tool }: Invocation) =>
  JSON.stringify({ given, state, result, attempts, repeats, tool });

/** A model, and a workspace whose agent asks it. */
interface Place {
  model: OpenAiChatStandIn;
  api: ApiClient;
  agentId: string;
}

const shop = useStarted(() => WebhookReceiver.start());
const speech = new LocalSpeech();
const places: Place[] = [];
let parley: TestParley;

async function createPlace(model: OpenAiChatStandIn, provider: string): Promise<Place> {
  const { api } = await parley.workspace({ credits: CONVERSATIONS });
  for (const { name, mode } of TOOLS)
    await api.post('/api/tools', {
      ...{ name, mode, description: 'Books a table.', parameters: PARAMETERS },
      url: shop.url(pathOf('{table}')),
    });
  const llmConfig = { provider, model: 'gpt-4o', temperature: 0, maxTokens: 100 };
  const actions = TOOLS.map(({ name }) => name);
  return {
    ...{ model, api },
    agentId: await createAgent({ api }, { type: 'chat', greeting: '', llmConfig, actions }),
  };
}

beforeAll(async () => {
  const models: [string, OpenAiChatStandIn][] = [];
  while (models.length < CONVERSATIONS_AT_ONCE)
    models.push([`model${models.length}`, await OpenAiChatStandIn.listen()]);
  const addresses = models.flatMap(([provider, { baseUrl, apiKey = '' }]) => [
    [`${provider.toUpperCase()}_BASE_URL`, baseUrl],
    [`${provider.toUpperCase()}_API_KEY`, apiKey],
  ]);
  parley = await TestParley.start({
    ...{ ROLES: 'http,background,runtime', ALLOW_PRIVATE_ADDRESSES: 'true' },
    ...{ VOICE_CAPACITY: String(2 * CONVERSATIONS_AT_ONCE), WEBCALL_WAIT_MS: '10000' },
    ...(Object.fromEntries(addresses) as Record<string, string>),
  });
  for (const [provider, model] of models) places.push(await createPlace(model, provider));
});
afterAll(async () => {
  await parley.stop();
  await speech.close();
  for (const { model } of places) model.close();
});

/** Conducts the conversation of a seed, and checks what became of what was asked for. */
async function converse({ model, api, agentId }: Place, seed: number): Promise<void> {
  const { tables, tool, askings, isHeld, interruption } = createPlan(seed);
  const [first = []] = askings;
  const { requests, answers } = model;
  requests.length = 0;
  answers.length = 0;
  for (const asked of askings)
    answers.push(asked.map((table) => ({ type: 'tool', name: tool.name, arguments: { table } })));
  const held: (() => void)[] = [];
  for (const table of tables) {
    const book = answeringJson(resultFor(table));
    shop.answer(pathOf(table), isHeld ? (response) => held.push(() => book(response)) : book);
  }

  const { body } = await api.post(`/api/agents/${agentId}/calls`, { call_type: 'webcall' });
  const id = body.data.conversation_id as string;
  const url = await readJoinUrl(api, body.data);
  let caller = await Caller.connect(url, speech);
  await caller.start(null);
  await until(() => caller.state === 'listening');
  caller.send({ event: 'text', text: 'A table, please.' });
  await until(() => first.some((table) => shop.at(pathOf(table)).length > 0));
  switch (interruption) {
    case 'none':
      if (tool.mode === 'background') await until(() => requests.length > 1);
      break;
    case 'text':
      caller.send({ event: 'text', text: FURTHER_TEXT });
      await until(() => requests.some(({ messages }) => messages.some(isFurtherText)));
      break;
    case 'hang-up':
      caller.send({ event: 'stop' });
      await until(() => caller.closed);
      break;
    case 'cut':
      caller.cut();
      caller = await Caller.connect(url, speech);
      await caller.start(null);
      break;
    case 'cut for good':
      caller.cut();
  }
  const requestsBefore = isHeld ? requests.length : 0;
  for (const table of tables) shop.answer(pathOf(table), answeringJson(resultFor(table)));
  for (const book of held) book();
  if (['none', 'text', 'cut'].includes(interruption)) {
    const isTold = () => readCalls(requests.at(-1)).every(({ result }) => result !== RUNNING);
    await until(() => answers.length === 0 && caller.state === 'listening' && isTold());
    caller.send({ event: 'stop' });
  }
  await until(async () => (await api.get(`/api/calls/${id}`)).body.data.status === 'disconnected');

  expect(model.complaints).toEqual([]);
  const told = requests.map(readCalls);
  expect(told[1]?.map(({ table }) => table)).toEqual(first);
  for (const [at, calls] of told.entries()) {
    expect(new Set(calls.map((call) => call.id)).size).toBe(calls.length);
    for (const { result, ...call } of told[at - 1] ?? [])
      expect(calls).toContainEqual({ ...call, result: result === RUNNING ? expect.any(String) : result });
    for (const { name, table, result } of calls) {
      const settled = JSON.stringify(resultFor(table));
      const possible =
        at < requestsBefore ? [RUNNING] : at === told.length - 1 ? [settled] : [RUNNING, settled];
      expect(name).toBe(tool.name);
      expect(possible).toContain(result);
    }
  }

  const asked = told.at(-1)?.map(({ table }) => table) ?? [];
  // An answer of the model that was under way when the person interrupted it may be lost, with its calls.
  const isAwaited = isHeld && tool.mode === 'wait';
  if (interruption === 'none' || interruption === 'cut' || (interruption === 'text' && isAwaited))
    expect(sorted(asked)).toEqual(sorted(askings.flat()));
  if (interruption === 'hang-up' && isAwaited) expect(asked).toEqual(first);
  const times = (table: string) => asked.filter((each) => each === table).length;
  const bookings = tables.map((table) => shop.at(pathOf(table)).length);
  expect(bookings).toEqual(tables.map((table) => Math.min(1, times(table))));
  const invocations = (await api.get(`/api/calls/${id}/tools`)).body.data as Invocation[];
  const done = { tool: tool.name, state: 'done', attempts: 1 };
  expect(sorted(invocations.map(summarize))).toEqual(
    tables
      .filter(times)
      .map((table) =>
        summarize({ ...done, arguments: { table }, result: resultFor(table), repeats: times(table) - 1 }),
      ),
  );
}

test(
  'In 1,000 conversations that are interrupted and in which the same is asked for again, each booking is made once and told of',
  async () => {
    const failures: string[] = [];
    let seed = 0;
    const conduct = async (place: Place) => {
      while (seed < CONVERSATIONS && failures.length === 0) {
        const own = seed++;
        await converse(place, own).catch(({ message }: Error) =>
          failures.push(`Seed ${own}, ${JSON.stringify(createPlan(own))}: ${message}`),
        );
      }
    };
    await Promise.all(places.map(conduct));
    expect(failures.join('\n')).toBe('');
  },
  TIMEOUT_MS,
);
