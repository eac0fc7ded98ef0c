import type { ToolInvocation, ToolOfCall } from '@parley/worker';
import type { AnswerPart, Message } from './brain';
import { isGoodbye, isOptOut } from './replies';
import { ScriptedBrain } from './scripted-brain';

async function answers(brain: ScriptedBrain, said: string[]): Promise<AnswerPart[][]> {
  const messages: Message[] = [];
  const all: AnswerPart[][] = [];
  for (const text of said) {
    messages.push({ role: 'user', text });
    const parts: AnswerPart[] = [];
    for await (const part of brain.answer(messages)) parts.push(part);
    all.push(parts);
  }
  return all;
}
const words = (parts: AnswerPart[] = []) =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

test('it says what it is, asks for each variable once, and notes the answers', async () => {
  const brain = new ScriptedBrain(['party_size', 'time']);
  const [first, second, third, fourth] = await answers(brain, [
    'A table, please.',
    'Two.',
    'At eight.',
    'Yes.',
  ]);
  expect(words(first)).toBe(
    'I am a scripted assistant without a language model. Please tell me the party size.',
  );
  expect(words(second)).toBe('Thank you. Please tell me the time.');
  expect(words(third)).toBe('Thank you. So I have party size: Two, time: At eight. Is that right?');
  expect(words(fourth)).toBe('Thank you. Is there anything else?');
  const { variables, outcome } = await brain.conclude([{ role: 'user', text: 'A table' }]);
  expect([variables, outcome]).toEqual([{ party_size: 'Two', time: 'At eight' }, 'completed']);
});

test.each([
  ['that is named', 'No.', 'The time is wrong.'],
  ['that is named at once', 'No, the time is wrong.', undefined],
])('it asks again for a value %s, once', async (_, no, which) => {
  const brain = new ScriptedBrain(['day', 'time']);
  const said = ['Hello', 'Tuesday', 'seven', no, ...(which ? [which] : []), 'eight', 'No.'];
  const all = (await answers(brain, said)).map(words);
  if (which) expect(all.at(-4)).toBe('Which one is wrong: day, time?');
  expect(all.slice(-3)).toEqual([
    'Please tell me the time.',
    'Thank you. So I have day: Tuesday, time: eight. Is that right?',
    'Thank you. Is there anything else?',
  ]);
});

test('it asks for all values again if none is named', async () => {
  const brain = new ScriptedBrain(['day', 'time']);
  const said = ['Hello', 'Tuesday', 'seven', 'No.', 'Both.', 'Monday', 'eight'];
  expect((await answers(brain, said)).map(words).slice(-3)).toEqual([
    'Please tell me the day.',
    'Thank you. Please tell me the time.',
    'Thank you. So I have day: Monday, time: eight. Is that right?',
  ]);
});

test('a goodbye ends the call while a variable is asked for, and is not its value', async () => {
  const brain = new ScriptedBrain(['day']);
  const [, parts] = await answers(brain, ['Hello', 'Goodbye.']);
  expect(parts?.at(-1)).toEqual({ type: 'end' });
  expect((await brain.conclude([])).variables).toEqual({});
});

test('a value of nothing but punctuation is taken, however long it is', async () => {
  const value = `${'.'.repeat(400_000)}x`;
  const [, parts] = await answers(new ScriptedBrain(['day']), ['Hello', `${value}...`]);
  expect(parts?.[0]).toEqual({ type: 'variable', name: 'day', value });
});

test('"No" is a value where a variable is asked for', async () => {
  const [, parts] = await answers(new ScriptedBrain(['allergies']), ['Hello', 'No.']);
  expect(parts?.[0]).toEqual({ type: 'variable', name: 'allergies', value: 'No' });
});

test('it answers a question from the knowledge bases', async () => {
  const brain = new ScriptedBrain([], {
    search: (query) => Promise.resolve([{ text: `About ${query}` }]),
  });
  const [parts] = await answers(brain, ['When do you open?']);
  expect(words(parts)).toContain('I found this: About When do you open?');
});

test('it names the source that it quotes, and repeats nothing that it cannot answer', async () => {
  const passages = [[{ text: 'We open at nine.', source: 'Opening hours' }], []];
  const brain = new ScriptedBrain([], { search: () => Promise.resolve(passages.shift() ?? []) });
  const said = ['When do you open?', 'What does it cost?', 'A table, please.'];
  expect((await answers(brain, said)).map(words)).toEqual([
    'I am a scripted assistant without a language model. In Opening hours I found this: We open at nine. Is there anything else?',
    'I found nothing about that. Is there anything else?',
    'I cannot answer that. Is there anything else?',
  ]);
});

describe('A tool that the person names', () => {
  const tool = (properties: object = {}): ToolOfCall => ({
    ...{ name: 'book_table', description: 'Books a table.', mode: 'wait', confirm: true, say: '' },
    parameters: { type: 'object', properties, required: Object.keys(properties) },
  });
  const TABLE = tool({ day: { type: 'string' }, persons: { type: 'integer' } });
  const REQUEST = 'I would like to book a table, please.';

  async function ask(tools: ToolOfCall[], said: string[], ended: Partial<ToolInvocation> = {}) {
    const asked: unknown[][] = [];
    const brain = new ScriptedBrain([], {
      tools,
      ask: (...given) => {
        asked.push(given);
        return Promise.resolve({ state: 'done', error: null, result: {}, ...ended } as ToolInvocation);
      },
    });
    const all = await answers(brain, said);
    return { asked, said: all.map(words), last: all.at(-1) ?? [], brain };
  }

  test('is used with the arguments that it asks for, after the person has agreed', async () => {
    const { asked, said, last, brain } = await ask(
      [TABLE],
      [REQUEST, 'Friday.', 'Two of us.', 'Yes, please.'],
    );
    expect(said.slice(1)).toEqual([
      'Thank you. Please tell me the persons.',
      'Thank you. So I have day: Friday, persons: 2. Is that right?',
      'Thank you. That is done. Is there anything else?',
    ]);
    expect(asked).toEqual([['book_table', { day: 'Friday', persons: 2 }, true]]);
    expect(last).toContainEqual(expect.objectContaining({ type: 'tool', name: 'book_table' }));
    expect((await brain.conclude([])).variables).toEqual({});
  });

  test.each([
    ['an argument that is no number is asked for again', ['Friday', 'Many', '3', 'Yes'], 3],
    ['a wrong argument is corrected', ['Friday', '2', 'No, the persons are wrong', 'four', 'Right.'], 4],
  ])('is used when %s', async (_, replies, persons) => {
    const { asked } = await ask([TABLE], [REQUEST, ...replies]);
    expect(asked).toEqual([['book_table', { day: 'Friday', persons }, true]]);
  });

  test.each([
    ['says neither yes nor no', ['Friday', '2', 'Well', 'Friday', 'Friday', '2', 'Hm']],
    ['refuses', ['Friday', '2', 'No, the day', 'Monday', 'No.']],
  ])('is not used if the person %s', async (_, replies) => {
    const { asked, said } = await ask([TABLE], [REQUEST, ...replies]);
    expect([asked, said.at(-1)]).toEqual([[], 'I leave it, then. Is there anything else?']);
  });

  test.each<[string, Partial<ToolInvocation>, string]>([
    ['nobody knows of', { state: 'unknown' }, 'I do not know whether that was done. '],
    ['was refused', { state: 'refused', error: 'no free table' }, 'That was not done: no free table. '],
  ])('that %s is not said to be done', async (_, ended, sentence) => {
    const { said } = await ask([tool()], [REQUEST, 'Yes.'], ended);
    expect(said).toEqual([
      'I am a scripted assistant without a language model. Shall I do this: book table?',
      `Thank you. ${sentence}Is there anything else?`,
    ]);
  });

  test('is left to a language model if an argument of it is a list', async () => {
    const { said } = await ask([tool({ wishes: { type: 'array' } })], [REQUEST]);
    expect(said[0]).toContain('I cannot answer that. ');
  });
});

test.each([
  'Yes, goodbye',
  'No, Sam, you good-by,',
  'Goodbye, Sam.',
  'I have to go now, thanks, bye.',
  'That was all that I wanted to know. Good bye, thank you.',
  'Nothing else',
  'Good-by.',
  'Good bye.',
  'Goodbye!',
  'Bye bye',
  'No, thank you.',
  "That's all, thanks.",
  'No.',
])('"%s" ends the call', async (said) => {
  const [parts] = await answers(new ScriptedBrain([]), [said]);
  expect(parts?.at(-1)).toEqual({ type: 'end' });
});

test.each(['Now', 'I know a good buy', 'That is good by me', 'A lullaby', 'No, I want a table', ''])(
  '"%s" does not end the call',
  (said) => {
    expect(isGoodbye(said)).toBe(false);
  },
);

test('a summary is cut between characters', async () => {
  const { summary } = await new ScriptedBrain([]).conclude([{ role: 'user', text: '😀'.repeat(300) }]);
  expect(summary).toHaveLength(500);
  expect(summary.isWellFormed()).toBe(true);
});

test.each([
  ["Don't call me again.", true],
  ['Please do not ever call here anymore', true],
  ['I said stop calling me!', true],
  ['Take me off your calling list.', true],
  ['Put me on the do not call list', true],
  ['Never call this number again', true],
  ['Please take me off the waiting list.', false],
  ['Why did you stop calling me?', false],
  ['Take me off the do not call list, I want your calls.', false],
  ['You never call me anymore.', false],
  ['Can you call me again tomorrow?', false],
  ["I don't recall.", false],
  ["Don't call before nine.", false],
])('whether "%s" is an opt-out: %s', (said, is) => {
  expect(isOptOut(said)).toBe(is);
});

test('an opt-out is reported on the phone only, and ends the call', async () => {
  const optOut = jest.fn(() => Promise.resolve());
  const [parts] = await answers(new ScriptedBrain(['time'], { optOut }), ['Do not call me again.']);
  const [elsewhere] = await answers(new ScriptedBrain(['time']), ['Do not call me again.']);

  expect(parts?.map(({ type }) => type)).toEqual(['text', 'tool', 'text', 'end']);
  expect(optOut).toHaveBeenCalledTimes(1);
  expect(elsewhere?.map(({ type }) => type)).toEqual(['text', 'text']);
});
