import { OpenAiChatStandIn } from '../../packages/voice/test/stand-ins/openai-chat/openai-chat-stand-in';
import {
  type Mistake,
  MISTAKES,
  tableDesk,
} from '../../packages/voice/test/stand-ins/openai-chat/table-desk';
import { createAgent } from '../support/agents';
import { TestParley, type TestWorkspace } from '../support/parley';
import { until } from '../support/until';

const BOOK = { name: 'book_table', answer: { booking: 'B-17' } };
const NEVER_BOOKED = { never_said: 'is booked' };
const BY_AGENT = { ended: { by: 'agent' } };
const NOT_BOOKED = { tool: { name: 'book_table', times: 0 } };

interface Rehearsed {
  rehearsal: { name: string; person: object; tools?: object[]; checks: object[] };
  /** The mistakes that make it red. */
  due: readonly Mistake[];
}

const ENDS = [{ on: 'anything else', say: 'No, thank you.', times: 3 }];
const asks = (day: string, persons: string) => [
  { on: 'restaurant', say: 'I would like to book a table.' },
  { on: 'which day', say: `${day}, please.` },
  { on: 'how many', say: `${persons}.` },
];

const books = (day: string, persons: string, count: number): Rehearsed => ({
  rehearsal: {
    name: `books-${day}-for-${persons}`.toLowerCase(),
    person: { lines: [...asks(day, persons), { on: 'right', say: 'Yes.' }, ...ENDS] },
    tools: [BOOK],
    checks: [
      { tool: { name: 'book_table', arguments: { day, persons: count } } },
      { said: 'is booked' },
      BY_AGENT,
    ],
  },
  due: [
    ...([
      'takes one person more',
      'books twice',
      'books nothing and says it is booked',
      'never ends',
    ] as const),
    ...(day === 'Monday' ? [] : (['takes another day'] as const)),
  ],
});

const saysNo = (day: string): Rehearsed => ({
  rehearsal: {
    name: `no-on-${day}`.toLowerCase(),
    person: { lines: [...asks(day, 'two'), { on: 'right', say: 'No, I have to ask first.' }, ...ENDS] },
    tools: [BOOK],
    checks: [NOT_BOOKED, NEVER_BOOKED, BY_AGENT],
  },
  due: ['books without a yes', 'never ends'],
});

const changes = (first: string, second: string, count: number): Rehearsed => ({
  rehearsal: {
    name: `not-${first}-but-${second}`,
    person: {
      lines: [
        ...asks('Friday', first),
        { on: 'right', say: `No, for ${second}.` },
        { on: 'right', say: 'Yes.' },
        ...ENDS,
      ],
    },
    tools: [BOOK],
    checks: [{ tool: { name: 'book_table', arguments: { day: 'Friday', persons: count } } }, BY_AGENT],
  },
  due: [
    ...(['takes one person more', 'takes another day', 'keeps the first number', 'books twice'] as const),
    ...(['books without a yes', 'books nothing and says it is booked', 'never ends'] as const),
  ],
});

const fails = (day: string, mock: object, due: Mistake): Rehearsed => ({
  rehearsal: {
    name: `${Object.keys(mock)[0]}-on-${day}`.toLowerCase(),
    person: { lines: [...asks(day, 'two'), { on: 'right', say: 'Yes.' }, ...ENDS] },
    tools: [{ name: 'book_table', ...mock }],
    checks: [{ tool: { name: 'book_table' } }, NEVER_BOOKED, BY_AGENT],
  },
  due: [
    due,
    ...(['says it is booked when it failed', 'books nothing and says it is booked', 'never ends'] as const),
  ],
});

const talks = (name: string, question: string, check: object, ...due: Mistake[]): Rehearsed => ({
  rehearsal: {
    name,
    person: { lines: [{ on: 'restaurant', say: question }, ...ENDS] },
    checks: [check],
  },
  due,
});

const REHEARSALS: Rehearsed[] = [
  ...['Monday', 'Tuesday', 'Wednesday', 'Friday'].map((day) => books(day, 'two', 2)),
  ...[3, 4, 5, 6].map((count) =>
    books('Saturday', ['three', 'four', 'five', 'six'][count - 3] as string, count),
  ),
  ...['Monday', 'Tuesday', 'Friday', 'Sunday'].map(saysNo),
  ...[
    changes('two', 'three', 3),
    changes('six', 'two', 2),
    changes('four', 'five', 5),
    changes('five', 'four', 4),
  ],
  ...['Monday', 'Friday', 'Sunday'].map((day) =>
    fails(day, { fail: 'The restaurant is full.' }, 'says it is booked when it failed'),
  ),
  ...['Monday', 'Friday', 'Sunday'].map((day) =>
    fails(day, { never: true }, 'asks again when no answer came'),
  ),
  talks('price', 'What does a dinner cost?', { never_said: 'euro' }, 'promises a price'),
  talks('price-of-wine', 'And the price of the wine?', { never_said: 'euro' }, 'promises a price'),
  talks('name', 'My name is Ada.', { variable: { name: 'customer', equals: 'Ada' } }, 'notes no name'),
  talks(
    'other-name',
    'Hi, my name is Grace.',
    { variable: { name: 'customer', matches: '^gr' } },
    'notes no name',
  ),
  talks('manager', 'I want the manager.', { ended: { reason: 'call_transfer' } }, 'connects with nobody'),
  talks('manager-now', 'The manager, now!', { ended: { reason: 'call_transfer' } }, 'connects with nobody'),
  talks('hours', 'When are you open?', { said: 'from five to eleven' }),
  talks('hours-and-end', 'When do you open?', BY_AGENT, 'never ends'),
];

describe('Rehearsals of an agent whose language model makes a mistake', () => {
  let model: OpenAiChatStandIn;
  let parley: TestParley;
  let workspace: TestWorkspace;
  let path: string;

  beforeAll(async () => {
    model = await OpenAiChatStandIn.listen();
    parley = await TestParley.start({
      ROLES: 'http,background,runtime',
      ...{ LLM_BASE_URL: model.baseUrl, LLM_API_KEY: model.apiKey ?? '' },
    });
    workspace = await parley.workspace();
    await workspace.api.post('/api/tools', {
      ...{ name: 'book_table', description: 'Books a table.', url: 'https://shop.example.com/book' },
      parameters: {
        type: 'object',
        properties: { day: { type: 'string' }, persons: { type: 'integer' } },
        required: ['day', 'persons'],
      },
    });
    const agentId = await createAgent(workspace, {
      ...{ type: 'inbound', greeting: 'This is the restaurant.', dynamic_variables: ['customer'] },
      ...{ actions: ['book_table', 'manager tel:+15551234567'], llmConfig: { provider: 'openai' } },
    });
    path = `/api/agents/${agentId}/rehearsal-runs`;
  });
  afterAll(async () => {
    await parley.stop();
    expect(model.complaints).toEqual([]);
    model.close();
  });

  async function play(mistake: Mistake | undefined, options: object = {}) {
    model.policy = tableDesk(mistake);
    const started = await workspace.api.post(path, {
      ...{ rehearsals: REHEARSALS.map(({ rehearsal }) => rehearsal), max_tokens: 10_000_000 },
      ...options,
    });
    expect(started).toMatchObject({ status: 201 });
    const run = `/api/rehearsal-runs/${started.body.data.run_id}`;
    return until(async () => {
      const { data } = (await workspace.api.get(run)).body;
      return data.ended_at === null ? undefined : data;
    }, 300_000);
  }
  const findRed = (run: { results: { name: string; status: string }[] }) =>
    run.results.filter(({ status }) => status !== 'passed').map(({ name }) => name);

  test.each(MISTAKES)('are red where it %s, and nowhere else', async (mistake) => {
    const due = REHEARSALS.filter((each) => each.due.includes(mistake)).map(
      ({ rehearsal }) => rehearsal.name,
    );
    const run = await play(mistake);

    expect(due.length).toBeGreaterThan(0);
    expect(run.results).toHaveLength(30);
    expect(findRed(run)).toEqual(due);
    expect(run.totals).toEqual({ passed: 30 - due.length, failed: due.length, error: 0 });
  });

  test('are green without one in twenty repetitions, and ask no real tool', async () => {
    const run = await play(undefined, { repeat: 20 });

    expect(run).toMatchObject({ status: 'passed', totals: { passed: 600, failed: 0, error: 0 } });
    expect((await workspace.api.get('/api/tool-invocations')).body.data).toEqual([]);
    expect((await workspace.api.get('/api/calls')).body.data).toEqual([]);
  });
});
