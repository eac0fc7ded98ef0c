import type { MockedTool } from '@parley/worker';
import { RE2JS } from 're2js';
import { MockedTools } from './mocked-tools';
import { VirtualClock } from './virtual-clock';

const START = new Date('2026-06-15T09:00:00.000Z');
const MOCK: MockedTool = { name: 'book_table', after_ms: 0, timeout_ms: 4_000 };

/** The answers to askings, one after the other. */
async function ask(mocks: Partial<MockedTool>[], count: number) {
  const clock = new VirtualClock(START);
  const tools = new MockedTools({ tools: mocks.map((mock) => ({ ...MOCK, ...mock })) }, [], clock);
  const answers = [];
  for (let asked = 0; asked < count; asked++) {
    const answer = tools.ask(MOCK.name, { asked });
    clock.advance(MOCK.timeout_ms);
    answers.push(await answer);
  }
  return { answers, tools };
}

describe('A mock that is asked twice', () => {
  test.each<[string, Partial<MockedTool>, object]>([
    ['answers', { answer: { table: 7 } }, { state: 'done', result: { table: 7 }, error: null }],
    ['fails', { fail: 'It is full.' }, { state: 'failed', result: null, error: 'It is full.' }],
    ['never answers', { never: true }, { state: 'unknown', result: null, error: null }],
  ])('and %s has the same answer again, and one use', async (_, mock, answer) => {
    const { answers } = await ask(
      [
        { ...mock, times: 1, twice: true },
        { times: 1, answer: 'next' },
      ],
      3,
    );
    expect(answers).toMatchObject([
      { ...answer, repeated: true },
      { result: 'next', repeated: false },
      { state: 'failed', error: 'The rehearsal has no answer for it.', repeated: false },
    ]);
  });
});

test('Expressions of parameters are compiled once, not for each value that is compared', async () => {
  const compile = jest.spyOn(RE2JS, 'compile');
  const parameters = {
    type: 'object',
    properties: { days: { type: 'array', items: { type: 'string', pattern: '^\\pL+day$' } } },
  };
  const tools = new MockedTools(
    { tools: [MOCK], tool_rules: [{ name: MOCK.name, compares: true, fixed: [], path: [] }] },
    [{ name: MOCK.name, description: '', parameters, mode: 'wait', confirm: false, say: '' }],
    new VirtualClock(START),
  );
  const refused = await tools.ask(MOCK.name, { days: ['Monday', 'Tuesday', 'May', 'Sunday'] });

  expect(refused).toMatchObject({ state: 'refused', error: '2 must match ^\\pL+day$' });
  expect(compile).toHaveBeenCalledTimes(1);
  compile.mockRestore();
});
