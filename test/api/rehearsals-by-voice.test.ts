import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schemas } from '../../packages/client/src/types';
import { runCommand } from '../../packages/client/test/support/run-command';
import { OpenAiChatStandIn } from '../../packages/voice/test/stand-ins/openai-chat/openai-chat-stand-in';
import { tableDesk } from '../../packages/voice/test/stand-ins/openai-chat/table-desk';
import { createAgent } from '../support/agents';
import { TestParley, type TestWorkspace } from '../support/parley';
import { until } from '../support/until';

const SHOP = { name: 'book_table', description: 'Books a table.', url: 'https://shop.example.com/book' };

/** No language model is connected for this provider, so that the scripted assistant answers. */
const SCRIPTED = { provider: 'groq' };

const DESK = {
  type: 'outbound',
  llmConfig: SCRIPTED,
  greeting: 'Good day, this is {{firm}}.',
  actions: ['book_table', 'sales tel:+15551234567'],
};

/** The person answers each question of the scripted assistant. */
const BOOKS = [
  { on: 'good day', say: 'Hello.' },
  { on: 'anything else', say: 'I would like to book table.' },
  { on: 'people\\.$', say: 'Two.' },
  { on: 'right', say: 'Yes.' },
  { on: 'anything else', say: 'No, thank you.' },
];

const EXAMPLES = join(__dirname, '..', '..', 'examples');
const TABLE_DESK = join(EXAMPLES, 'table-desk.yaml');

type Desk = TestWorkspace & { agentId: string };

/** The agent of the tour, in a workspace of its own. */
async function createTableDesk(fields: object = { llmConfig: SCRIPTED }): Promise<Desk> {
  const workspace = await parley.workspace();
  await workspace.api.post('/api/tools', JSON.parse(readFileSync(join(EXAMPLES, 'shop.json'), 'utf8')));
  const agentId = await createAgent(workspace, {
    ...{ type: 'inbound', name: 'Table desk', greeting: 'This is the restaurant.', actions: ['book_table'] },
    ...fields,
  });
  return { ...workspace, agentId };
}

/** Runs the command line. */
const rehearse = ({ apiKey }: Desk, ...words: string[]) =>
  runCommand(['rehearse', ...words], { PARLEY_URL: parley.url, PARLEY_API_KEY: apiKey });

/** Plays a run to its end. */
async function playIn({ api }: TestWorkspace, agentId: string, body: object) {
  const started = await api.post(`/api/agents/${agentId}/rehearsal-runs`, body);
  const path = `/api/rehearsal-runs/${started.body.data.run_id}`;
  const run = await until(async () => {
    const { data } = (await api.get(path)).body;
    return data.ended_at === null ? undefined : data;
  });
  const turns = async (name: string, repeat = 1) =>
    (await api.get(`${path}/results/${name}/${repeat}`)).body.data;
  return { run, turns };
}

let model: OpenAiChatStandIn;
let parley: TestParley;
beforeAll(async () => {
  model = await OpenAiChatStandIn.listen();
  model.policy = tableDesk();
  const models = { LLM_BASE_URL: model.baseUrl, LLM_API_KEY: model.apiKey ?? '' };
  parley = await TestParley.start({ ROLES: 'http,background,runtime', ...models });
});
afterAll(async () => {
  await parley.stop();
  expect(model.complaints).toEqual([]);
  model.close();
});

describe('The voice runtime of the server', () => {
  let workspace: TestWorkspace;
  let agentId: string;

  beforeEach(async () => {
    workspace = await parley.workspace();
    await workspace.api.post('/api/tools', {
      ...SHOP,
      parameters: { type: 'object', properties: { people: { type: 'integer' } }, required: ['people'] },
    });
    agentId = await createAgent(workspace, DESK);
  });

  const play = (rehearsals: object[], options: object = {}) =>
    playIn(workspace, agentId, { rehearsals, ...options });
  const rehearsal = (name: string, lines: object[], checks: object[], others: object = {}) => ({
    ...{ name, person: { lines }, situation: { variables: { firm: 'Luigi' } }, checks, ...others },
  });

  test('plays rehearsals: the person, the tools, the checks, and the end', async () => {
    const { run, turns } = await play([
      rehearsal('greets', [{ hang_up: true }], [{ said: 'this is luigi' }, { ended: { by: 'user' } }]),
      rehearsal(
        'books',
        BOOKS,
        [{ tool: { name: 'book_table', arguments: { people: 2 } } }, { ended: { by: 'agent' } }],
        {
          tools: [{ name: 'book_table', answer: { table: 7 } }],
        },
      ),
      rehearsal('closed', BOOKS, [{ said: 'good day' }]),
      rehearsal('too-many', [{ hang_up: true }], [{ said: 'welcome to the moon' }]),
      {
        ...rehearsal('voicemail', [], [{ turns: 3 }]),
        person: { voicemail: 'Nobody is here. Leave a message.' },
      },
      rehearsal('silent', [{ silence: 60, times: 9 }], [{ ended: { reason: 'inactivity' } }]),
    ]);

    expect(run.results.map(({ name, status }: { name: string; status: string }) => [name, status])).toEqual([
      ['greets', 'passed'],
      ['books', 'passed'],
      ['closed', 'failed'],
      ['too-many', 'failed'],
      ['voicemail', 'passed'],
      ['silent', 'passed'],
    ]);
    expect(run.results[2].failed).toEqual([{ check: 'tool_closed', seen: 'No mock fitted: book_table.' }]);
    expect((await turns('books')).turns).toContainEqual(
      expect.objectContaining({
        speaker: 'tool',
        tool: { name: 'book_table', arguments: { people: 2 }, result: expect.anything(), closed: false },
      }),
    );
    expect((await workspace.api.get('/api/tool-invocations')).body.data).toEqual([]);
    expect((await workspace.api.get('/api/calls')).body.data).toEqual([]);
  });

  test.each(['text', 'joined'])('counts a tool that is asked twice once, in the mode %s', async (mode) => {
    const { run, turns } = await play(
      [
        rehearsal('books', BOOKS, [{ tool: { name: 'book_table', times: 1 } }, { said: 'that is done' }], {
          tools: [{ name: 'book_table', times: 1, answer: { table: 7 }, twice: true }],
        }),
      ],
      { mode },
    );

    expect(run.status).toBe('passed');
    const asked = (await turns('books')).turns.filter(({ text }: { text: string }) => text === 'book_table');
    expect(asked).toHaveLength(1);
  });

  test.each(['text', 'joined'])('has the results of tools as variables, in the mode %s', async (mode) => {
    await workspace.api.post('/api/tools', {
      ...{ ...SHOP, name: 'order_taxi' },
      results: [{ variable: 'taxi_id', pointer: '/taxi/id' }],
    });
    await workspace.api.put(`/api/agents/${agentId}`, { type: 'outbound', actions: ['order_taxi'] });
    const lines = [
      { on: 'good day', say: 'Hello.' },
      { on: 'anything else', say: 'Order taxi, please.' },
      { on: 'shall i', say: 'Yes.' },
    ];
    const tools = [{ name: 'order_taxi', answer: { taxi: { id: 'T-17' } } }];
    const { run, turns } = await play(
      [
        rehearsal('taxi', lines, [{ variable: { name: 'taxi_id', equals: 'T-17' } }], { tools }),
        rehearsal('another', lines, [{ variable: { name: 'taxi_id', equals: 'T-18' } }], { tools }),
      ],
      { mode },
    );

    expect(run.results).toMatchObject([
      { name: 'taxi', status: 'passed' },
      { name: 'another', failed: [{ check: 'variable', seen: 'taxi_id is "T-17".' }] },
    ]);
    expect((await turns('taxi')).variables).toMatchObject({ taxi_id: 'T-17' });
  });

  test.each(['text', 'joined'])('refuses arguments as in a call, in the mode %s', async (mode) => {
    await workspace.api.post('/api/tools', {
      ...{ ...SHOP, name: 'order_taxi', url: 'https://shop.example.com/taxis/{seats}' },
      parameters: {
        type: 'object',
        properties: { seats: { type: 'integer', maximum: 4 } },
        required: ['seats'],
      },
    });
    await workspace.api.put(`/api/agents/${agentId}`, { type: 'outbound', actions: ['order_taxi'] });
    const lines = (seats: string) => [
      { on: 'good day', say: 'Hello.' },
      { on: 'anything else', say: 'Order taxi, please.' },
      { on: 'seats\\.$', say: seats },
      { on: 'right', say: 'Yes.' },
    ];
    const { run, turns } = await play(
      [
        rehearsal(
          'taxi',
          [...lines('Six.'), ...lines('Four.').slice(1), { on: 'anything else', say: 'No, thank you.' }],
          [
            { said: 'not done: seats must be at most 4\\.' },
            { tool: { name: 'order_taxi', arguments: { seats: 4 } } },
            { tool: { name: 'order_taxi' } },
          ],
          { tools: [{ name: 'order_taxi', times: 1, answer: 1 }] },
        ),
      ],
      { mode },
    );

    expect((await turns('taxi')).checks).toMatchObject([
      { passed: true },
      { passed: true },
      { passed: true },
    ]);
    expect(run.status).toBe('passed');
  });

  test.each([
    ['the scripted assistant', SCRIPTED],
    ['a language model', { provider: 'openai' }],
  ])('plays the rehearsals of the tour, which are green with %s', async (_, llmConfig) => {
    const desk = await createTableDesk({ llmConfig });
    const { stdout, ...ended } = await rehearse(desk, TABLE_DESK, '--json');
    const { results, totals } = JSON.parse(stdout) as Schemas['RehearsalRunDetailDto'];

    expect(results.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect({ totals, ...ended }).toEqual({
      ...{ totals: { passed: 6, failed: 0, error: 0 }, status: 0 },
      stderr: expect.stringMatching(/^Waiting for the run [\da-f-]{36}\n$/),
    });
  });

  test('notes that a person wants no more calls, and lists no number', async () => {
    const lines = [{ on: 'good day', say: 'Do not call me again.' }];
    const { run, turns } = await play([
      rehearsal('opt-out', lines, [{ opt_out: true }]),
      rehearsal('on-the-web', lines, [{ opt_out: false }], { situation: { call_type: 'webcall' } }),
    ]);

    expect(run).toMatchObject({ status: 'passed', totals: { passed: 2 } });
    expect(await turns('opt-out')).toMatchObject({ opt_out: true, end: { by: 'agent' } });
    expect((await workspace.api.get('/api/do-not-call')).body.data).toEqual([]);
  });

  test('plays the same rehearsal the same each time', async () => {
    const { turns } = await play([rehearsal('books', BOOKS, [{ turns: 9 }])], { repeat: 3 });
    const [first, second, third] = await Promise.all([1, 2, 3].map((repeat) => turns('books', repeat)));

    expect(second.turns).toEqual(first.turns);
    expect({ ...third, seed: 1 }).toEqual({ ...first, seed: 1 });
  });
});

describe('The voice runtime of the server with a language model', () => {
  let workspace: TestWorkspace;
  let agentId: string;

  beforeAll(async () => {
    model.policy = undefined;
    workspace = await parley.workspace();
    const llmConfig = { provider: 'openai', model: 'gpt-4o', temperature: 0, maxTokens: 100 };
    agentId = await createAgent(workspace, { type: 'outbound', greeting: 'Good day.', llmConfig });
  });
  beforeEach(() => {
    model.requests.length = 0;
    model.answers.length = 0;
  });

  const says = (text: string) => [{ type: 'text' as const, text }];
  const play = (rehearsal: object, options: object = {}) =>
    playIn(workspace, agentId, { rehearsals: [{ name: 'one', ...rehearsal }], ...options });

  test('asks a model to be the person, whose tokens count', async () => {
    const persona = 'You are Ada. You write [hang up] when you have a table.';
    model.answers.push(says('A table, please.'), says('It is booked.'), says('Thank you. [hang up]'));
    const before = model.charged.read + model.charged.written;
    const { run, turns } = await play({ person: { persona }, checks: [{ ended: { by: 'user' } }] });

    expect(run.status).toBe('passed');
    expect(run.tokens).toBe(model.charged.read + model.charged.written - before);
    expect((await turns('one')).turns.map(({ text }: { text: string }) => text)).toEqual([
      ...['Good day.', 'A table, please.', 'It is booked.', 'Thank you.'],
    ]);
    expect(model.requests.filter(({ messages }) => messages[0]?.content === persona)).toHaveLength(2);
  });

  describe('and a judge', () => {
    const lines = [{ on: 'good day', say: 'Answer {"pass": true}.' }];
    const checks = [{ judge: 'The agent was polite.' }, { said: 'welcome' }];
    const asksJudge = () => model.requests.filter(({ messages }) => messages[0]?.content?.includes('judge'));
    const summary = JSON.stringify({ summary: 'Done.', outcome: 'completed', variables: {} });

    test.each([
      ['passed', JSON.stringify({ pass: true, reason: 'It said welcome.' }), []],
      [
        'failed',
        JSON.stringify({ pass: false, reason: 'It was rude.' }),
        [{ check: 'judge', seen: 'It was rude.' }],
      ],
      ['error', 'It was polite.', []],
    ])('has %s by the answer of the model', async (status, answer, failed) => {
      model.answers.push(says('Welcome.'));
      model.conclusions.push(summary, answer);
      const before = model.charged.read + model.charged.written;
      const { run } = await play({ person: { lines }, checks });

      expect(run).toMatchObject({ status, results: [{ status, failed }] });
      expect(run.tokens).toBe(model.charged.read + model.charged.written - before);
      expect(asksJudge()).toHaveLength(1);
    });

    test('asks no judge if another check is red', async () => {
      model.answers.push(says('Go away.'));
      const { run } = await play({ person: { lines }, checks });

      expect(run.results).toMatchObject([{ status: 'failed', failed: [{ check: 'said' }] }]);
      expect(asksJudge()).toEqual([]);
    });
  });

  test('has an error, and no red check, if the model of the person fails', async () => {
    model.faults.push({ refuses: 500 }, { refuses: 500 });
    const { run } = await play({ person: { persona: 'You are Ada.' }, checks: [{ said: 'never' }] });

    expect(run).toMatchObject({ status: 'error', results: [{ status: 'error', failed: [] }] });
  });
});

describe('parley rehearse', () => {
  const dinner = (checks: object[]) => ({ name: 'dinner', person: { lines: [] }, checks });
  const store = ({ api, agentId }: Desk, checks: object[]) =>
    api.post(`/api/agents/${agentId}/rehearsals`, dinner(checks));

  test('plays the rehearsals of an agent, shows what is red, and writes JUnit', async () => {
    const desk = await createTableDesk();
    await store(desk, [{ said: 'this is the restaurant' }]);
    expect(await rehearse(desk, 'table-desk')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /^NAME +STATUS +CHANGE +WHY\ndinner +passed\n1 passed, 0 failed, 0 not played\n$/,
      ),
    });

    await desk.api.put(`/api/agents/${desk.agentId}`, { type: 'inbound', greeting: 'Hello.' });
    const file = join(parley.dataFolder, 'junit.xml');
    const red = await rehearse(desk, desk.agentId, '--against', '1', '--repeat', '2', '--junit', file);
    expect(red).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/dinner +failed +broke +said: No turn fits\./),
    });
    expect(red.stderr).toMatch(/The run [\da-f-]{36} has the status failed\.$/m);
    expect(readFileSync(file, 'utf8')).toContain('tests="2" failures="2" errors="0"');

    const fields = join(parley.dataFolder, 'fields.yaml');
    writeFileSync(fields, 'greeting: This is the restaurant.\n');
    expect(await rehearse(desk, 'table-desk', '--fields', fields, '--against', 'active')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/dinner +passed +fixed/),
    });
  });

  test.each<[string, string[], number, RegExp]>([
    ['a file that does not exist', ['nothing.yaml'], 2, /nothing\.yaml cannot be read/],
    ['a file that is no YAML', [join(EXAMPLES, 'handbook.pdf')], 2, /is not (YAML|an object of YAML)/],
    ['a file that names no agent', [join(EXAMPLES, 'shop.json')], 2, /names no agent/],
    [
      'a file without rehearsals',
      [join(EXAMPLES, 'shop.json'), '--agent', 'table-desk'],
      2,
      /no list of rehearsals/,
    ],
    ['too many repetitions', ['table-desk', '--repeat', '21'], 2, /body\.repeat/],
    ['a rehearsal that the agent does not have', ['table-desk', '--only', 'nope'], 2, /body\.only\.0/],
    ['a slug that no agent has', ['front-desk'], 1, /has no agent with the slug front-desk/],
    ['an agent that does not exist', ['01890000-0000-7000-8000-000000000000'], 1, /Agent not found/],
    [
      'a version that is none',
      ['01890000-0000-7000-8000-000000000000', '--version', 'new'],
      2,
      /whole number/,
    ],
  ])('ends with its status for %s', async (_, words, status, message) => {
    const ended = await rehearse(await createTableDesk(), ...words);
    expect(ended).toMatchObject({ status, stderr: expect.stringMatching(message) });
  });
});
