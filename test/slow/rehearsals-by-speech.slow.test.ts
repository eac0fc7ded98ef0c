import { createAgent } from '../support/agents';
import { TestParley, type TestWorkspace } from '../support/parley';
import { until } from '../support/until';

/** No language model is connected for this provider, so that the scripted assistant answers. */
const SCRIPTED = { provider: 'groq' };

const SHOP = {
  ...{ name: 'book_table', description: 'Books a table.', url: 'https://shop.example.com/book' },
  parameters: { type: 'object', properties: { people: { type: 'integer' } }, required: ['people'] },
};

/** The person answers again what was misheard. */
const BOOKS = [
  { on: 'good day', say: 'I would like to book a table.' },
  { on: 'people\\.$', say: 'Four people.', times: 3 },
  { on: 'right', say: 'Yes, please.' },
  { on: 'anything else', say: 'No, thank you. Goodbye.', times: 3 },
];

const LONG =
  'Good day. We are open from nine in the morning until ten in the evening, every day of the week.';

let parley: TestParley;
let workspace: TestWorkspace;
beforeAll(async () => {
  parley = await TestParley.start({ ROLES: 'http,background,runtime', VOICE_CAPACITY: '2' });
  workspace = await parley.workspace();
  await workspace.api.post('/api/tools', SHOP);
});
afterAll(() => parley.stop());

/** Plays a run to its end. */
async function play(agent: object, rehearsals: object[], options: object = {}) {
  const agentId = await createAgent(workspace, { type: 'outbound', llmConfig: SCRIPTED, ...agent });
  const body = { rehearsals, mode: 'audio', ...options };
  const started = await workspace.api.post(`/api/agents/${agentId}/rehearsal-runs`, body);
  const path = `/api/rehearsal-runs/${started.body.data.run_id}`;
  const run = await until(async () => {
    const { data } = (await workspace.api.get(path)).body;
    return data.ended_at === null ? undefined : data;
  }, 200_000);
  const result = async (name: string) => (await workspace.api.get(`${path}/results/${name}/1`)).body.data;
  return { run, result };
}

test('A spoken rehearsal books by speech with the answer of a mock, is red where due, and is no call', async () => {
  const rehearsal = {
    person: { lines: BOOKS },
    tools: [{ name: 'book_table', answer: { table: 7 } }],
  };
  const { run, result } = await play({ greeting: 'Good day.', actions: ['book_table'] }, [
    {
      ...{ ...rehearsal, name: 'books' },
      checks: [{ tool: { name: 'book_table', arguments: { people: 4 } } }, { ended: { by: 'agent' } }],
    },
    {
      ...{ ...rehearsal, name: 'closed', tools: [] },
      checks: [{ said: 'good day' }, { turn_gap_ms: 1 }],
    },
  ]);

  expect(await result('books')).toMatchObject({ status: 'passed', error: null });
  expect(run).toMatchObject({ mode: 'audio', totals: { passed: 1, failed: 1, error: 0 } });
  expect(run.results[1].failed.map(({ check }: { check: string }) => check)).toEqual([
    'turn_gap_ms',
    'tool_closed',
  ]);
  expect((await workspace.api.get('/api/tool-invocations')).body.data).toEqual([]);
  expect((await workspace.api.get('/api/calls')).body.data).toEqual([]);
});

test('A spoken rehearsal measures how soon the agent is silent, and a voicemail gets its message', async () => {
  const { result } = await play(
    { greeting: LONG, voicemailConfig: { isEnabled: true, message: 'Please call us back.' } },
    [
      {
        name: 'interrupts',
        person: {
          interrupts: { after_ms: 1_000, say: 'Excuse me, wait a moment.' },
          lines: [{ hang_up: true }],
        },
        situation: { call_type: 'webcall' },
        checks: [{ interrupted_ms: 5_000 }, { ended: { by: 'user' } }],
      },
      {
        name: 'voicemail',
        person: { voicemail: 'You have reached the Miller family. Please leave a message after the tone.' },
        checks: [{ said: 'call us back' }, { ended: { reason: 'voicemail_reached' } }],
      },
    ],
  );

  expect(await result('interrupts')).toMatchObject({ status: 'passed' });
  expect(await result('voicemail')).toMatchObject({ status: 'passed' });
});
