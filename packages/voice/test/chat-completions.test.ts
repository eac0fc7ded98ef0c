import type { AnswerLimits } from '../src/brain/answer-limits';
import { ChatCompletionsBrain } from '../src/brain/chat-completions';
import type { AnswerPart, Message } from '../src/brain/brain';
import type { Action, ToolContext } from '../src/brain/tools';
import type { Environment } from '../src/runtime/environment';
import { readModels } from '../src/runtime/settings';
import { until } from '../../../test/support/until';
import { liveRow, liveSettings, type Row, standInRow } from './support/live';
import {
  type ChatRequest,
  type ForeignAnswer,
  type ModelPart,
  OpenAiChatStandIn,
} from './stand-ins/openai-chat/openai-chat-stand-in';

let chat: OpenAiChatStandIn;

beforeEach(async () => {
  chat = await OpenAiChatStandIn.listen();
});
afterEach(() => {
  chat.close();
  expect(chat.complaints).toEqual([]);
});

const brain = (variables: string[] = [], limits?: AnswerLimits, actions: Action[] = [], model = 'gpt-4o') =>
  new ChatCompletionsBrain(
    { baseUrl: chat.baseUrl, apiKey: chat.apiKey ?? '', model, temperature: 0.4, maxTokens: 50 },
    {
      provider: 'openai',
      prompt: 'Be short.',
      ...{ variables, actions },
      search: (query) => Promise.resolve([{ text: `About ${query}` }]),
    },
    limits,
  );

const says = (text: string): ModelPart[] => [{ type: 'text', text }];
const uses = (name: string, args: object): ModelPart => ({ type: 'tool', name, arguments: args });
const CUT: ModelPart = { type: 'cut' };
const STALL: ModelPart = { type: 'stall' };

// The answers of servers that differ from the reference.
const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const stream =
  (...events: string[]): ForeignAnswer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) response.write(event);
    response.end();
  };
const refuse =
  (status: number, body: string): ForeignAnswer =>
  (response) =>
    void response.writeHead(status).end(body);
const DONE = 'data: [DONE]\n\n';

async function ask(
  subject: ChatCompletionsBrain,
  signal = new AbortController().signal,
): Promise<AnswerPart[]> {
  const parts: AnswerPart[] = [];
  for await (const part of subject.answer([{ role: 'user', text: 'Hello' }], signal)) parts.push(part);
  return parts;
}
const words = (parts: AnswerPart[]) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

test('an answer is streamed, with the prompt, the model and the key', async () => {
  chat.answers.push(says('Good day.'));
  const subject = brain();
  expect(words(await ask(subject))).toBe('Good day.');
  expect(subject.usage).toEqual(chat.charged);
  expect(subject.tokens).toBe(chat.charged.read + chat.charged.written);
  expect(chat.requests).toMatchObject([
    {
      authorization: `Bearer ${chat.apiKey}`,
      model: 'gpt-4o',
      temperature: 0.4,
      max_tokens: 50,
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Hello' },
      ],
    },
  ]);
});

test('a server without keys gets none', async () => {
  chat.apiKey = undefined;
  chat.answers.push(says('Good day.'));
  expect(words(await ask(brain()))).toBe('Good day.');
  expect(chat.requests[0]?.authorization).toBeUndefined();
});

test('the usage so far, which some servers send with each part, is counted once', async () => {
  const part = (content: string, written: number) =>
    `data: ${JSON.stringify({
      choices: [{ delta: { content } }],
      usage: { prompt_tokens: 500, completion_tokens: written, total_tokens: 500 + written },
    })}\n\n`;
  chat.answers.push(stream(part('Good ', 1), part('day.', 2), chunk({}, 'stop'), DONE));
  const subject = brain();
  await ask(subject);
  expect(subject.usage).toEqual({ read: 500, written: 2 });
});

test('the tokens of an answer that is interrupted are an estimate, because the provider has not reported them', async () => {
  const controller = new AbortController();
  chat.answers.push([...says('One more table.'), STALL]);
  const subject = brain();
  const parts = subject.answer([{ role: 'user', text: 'Hello' }], controller.signal);
  const interrupted = async () => {
    for await (const part of parts)
      if (words([part]).endsWith('table.')) controller.abort(new Error('interrupted'));
  };
  await expect(interrupted()).rejects.toThrow('interrupted');
  const [{ messages, tools, tool_choice } = {} as ChatRequest] = chat.requests;
  const read = Math.ceil(JSON.stringify({ messages, tools, tool_choice }).length / 4);
  expect(subject.usage).toEqual({ read, written: 4, estimated: read + 4 });
  expect(subject.tokens).toBe(read + 4);
});

test('the tokens of a server that reports none are an estimate, and a request that is refused has none', async () => {
  chat.answers.push(stream(chunk({ content: 'Good day.' }, 'stop'), DONE));
  const subject = brain();
  await ask(subject);
  expect(subject.usage).toMatchObject({ written: 3, estimated: subject.tokens });
  chat.faults.push({ refuses: 500 }, { refuses: 500 });
  const refused = brain();
  await expect(ask(refused)).rejects.toThrow('The model answered 500');
  expect(refused.usage).toEqual({ read: 0, written: 0 });
});

test('a tool is used, and its result goes back to the model', async () => {
  chat.answers.push([uses('search_knowledge', { query: 'hours' })], says('At nine.'));
  const subject = brain();
  const parts = await ask(subject);
  expect(parts[0]).toEqual({
    type: 'tool',
    name: 'search_knowledge',
    arguments: { query: 'hours' },
    result: [{ text: 'About hours' }],
  });
  expect(words(parts)).toBe('At nine.');
  expect(chat.requests[1]?.messages.at(-1)).toMatchObject({
    role: 'tool',
    content: '[{"text":"About hours"}]',
  });
  expect(subject.usage).toEqual(chat.charged);
});

test('tools that are used at once each have a result of their own', async () => {
  const both = [uses('search_knowledge', { query: 'hours' }), uses('search_knowledge', { query: 'prices' })];
  chat.answers.push(both, says('At nine.'));
  expect(words(await ask(brain()))).toBe('At nine.');
  expect(chat.requests[1]?.messages.slice(-2)).toMatchObject([
    { role: 'tool', content: '[{"text":"About hours"}]' },
    { role: 'tool', content: '[{"text":"About prices"}]' },
  ]);
});

test('an action that was interrupted is not begun again: the model reads that its outcome is not known', async () => {
  chat.answers.push([uses('book', { people: 2 })], says('All right.'));
  const interrupted = new AbortController();
  const run = (_: object, stopped: AbortSignal) => {
    interrupted.abort(new Error('The person speaks'));
    return Promise.reject(stopped.reason as Error);
  };
  const subject = brain([], undefined, [{ name: 'book', run }]);
  await expect(ask(subject, interrupted.signal)).rejects.toThrow('The person speaks');
  expect(words(await ask(subject))).toBe('All right.');
  expect(chat.requests[1]?.messages.slice(1)).toMatchObject([
    { role: 'user', content: 'Hello' },
    { role: 'assistant', tool_calls: [{ function: { name: 'book', arguments: '{"people":2}' } }] },
    { role: 'tool', content: expect.stringContaining('not known whether it was done') as string },
  ]);
});

test.each<[string, () => unknown]>([
  ['a refusal', () => chat.faults.push({ refuses: 401, code: 'invalid_api_key' })],
  ['a server that is busy', () => chat.faults.push({ refuses: 503 })],
  ['a stream that ends in the middle', () => chat.answers.push(stream())],
  ['an empty answer', () => chat.answers.push([])],
  ['nonsense', () => chat.answers.push(stream('data: {\n\n'))],
  ['an error in the stream', () => chat.answers.push([{ type: 'error', code: 'overloaded', message: 'No' }])],
  ['a connection that is cut', () => chat.answers.push([CUT])],
])('after %s it asks once more', async (_, fail) => {
  fail();
  chat.answers.push(says('Here.'));
  expect(words(await ask(brain()))).toBe('Here.');
  fail();
  fail();
  await expect(ask(brain())).rejects.toThrow();
  expect(chat.received).toBe(4);
});

test('an answer that ends in the middle is continued, and nothing is said twice', async () => {
  chat.answers.push([...says('The table '), CUT], says('is free.'));
  expect(words(await ask(brain()))).toBe('The table is free.');
  expect(chat.requests[1]?.messages.slice(1)).toMatchObject([
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'The table ' },
    { role: 'user', content: expect.stringContaining('Continue exactly where it ended') as string },
  ]);
  chat.answers.push(stream(chunk({ content: 'The table ' })), stream(chunk({ content: 'is ' })));
  await expect(ask(brain())).rejects.toThrow('ended too early');
  expect(chat.received).toBe(4);
});

describe('A model that streams for ever', () => {
  const endless = (text: string, begins = ''): ModelPart[] => [...says(begins), { type: 'endless', text }];
  const limits = { firstWordMs: 300, nextWordMs: 300, answerMs: 60_000 };

  test.each(['', '. ', ' \n'])('%j is asked once more, and fails', async (text) => {
    chat.answers.push(endless(text), endless(text));
    await expect(ask(brain([], limits))).rejects.toThrow('The model wrote no word for 0.3 s');
    expect(chat.requests).toHaveLength(2);
  });

  test.each(['', '. '])('%j after its first words fails', async (text) => {
    chat.answers.push(endless(text, 'Let me look. '), endless(text));
    await expect(ask(brain([], limits))).rejects.toThrow('The model wrote no word for 0.3 s');
    expect(chat.requests).toHaveLength(2);
  });

  test('words fails at the limit of an answer', async () => {
    chat.answers.push(endless('a '));
    const long = { firstWordMs: 20_000, nextWordMs: 20_000, answerMs: 1_000 };
    await expect(ask(brain([], long))).rejects.toThrow('The answer of the model took longer than 1 s');
    expect(chat.requests).toHaveLength(1);
  });
});

test('a model that is busy is asked again, after the time that it names', async () => {
  const busy = { refuses: 429, code: 'rate_limit_exceeded', retryAfter: '1' };
  chat.faults.push(busy, busy);
  chat.answers.push(says('Here.'));
  const askedAt = Date.now();
  expect(words(await ask(brain()))).toBe('Here.');
  expect(Date.now() - askedAt).toBeGreaterThanOrEqual(2_000);
  expect(chat.received).toBe(3);
});

test('a refusal says its code without its text', async () => {
  const subject = brain();
  chat.apiKey = 'another key';
  await expect(ask(subject)).rejects.toThrow(/^The model answered 401: invalid_api_key$/);
});

test('a model that does not exist is named by the code of the refusal', async () => {
  await expect(ask(brain([], undefined, [], 'gpt-0'))).rejects.toThrow(
    /^The model answered 404: model_not_found$/,
  );
  expect(chat.complaints.splice(0)).toMatchObject([{ status: 404 }, { status: 404 }]);
});

test.each([
  ['{"error":{"message":"key-1","type":"bad type: <key>","code":null}}', 'bad type key'],
  [`{"error":{"code":"${'x'.repeat(200)}"}}`, 'x'.repeat(100)],
])('of the error %j it says %s', async (body, said) => {
  chat.answers.push(refuse(403, body), refuse(403, body));
  await expect(ask(brain())).rejects.toThrow(new Error(`The model answered 403: ${said}`));
});

test.each(['key-1 is wrong', '{"error":"key-1 is wrong"}', '[]'])(
  'of the refusal %j it says the status',
  async (body) => {
    chat.answers.push(refuse(403, body), refuse(403, body));
    await expect(ask(brain())).rejects.toThrow(/^The model answered 403$/);
  },
);

test('an error in the stream is named by its code', async () => {
  const failure: ModelPart = { type: 'error', code: 'overloaded', message: 'key-1 is over its limit' };
  chat.answers.push([failure], [failure]);
  await expect(ask(brain())).rejects.toThrow(/^The model reported an error: overloaded$/);
});

test('a refusal without an end is read to its first 4 KB', async () => {
  const endless: ForeignAnswer = (response) => response.writeHead(403).write('x'.repeat(8_192));
  chat.answers.push(endless, endless);
  await expect(ask(brain())).rejects.toThrow(/^The model answered 403$/);
});

test('a model that wants max_completion_tokens gets it', async () => {
  chat.answers.push(says('Yes.'));
  expect(words(await ask(brain([], undefined, [], 'gpt-5')))).toBe('Yes.');
  expect(chat.requests[0]).toMatchObject({ max_completion_tokens: 50 });
  expect(chat.requests[0]).not.toHaveProperty('max_tokens');
  expect(chat.complaints.splice(0)).toMatchObject([{ code: 'unsupported_parameter', param: 'max_tokens' }]);
});

test('an interruption closes the connection to the model', async () => {
  chat.answers.push([...says('A long '), STALL]);
  const controller = new AbortController();
  const parts = brain().answer([{ role: 'user', text: 'Hello' }], controller.signal);
  const interrupted = async () => {
    for await (const part of parts) if (part.type === 'text') controller.abort(new Error('interrupted'));
  };
  await expect(interrupted()).rejects.toThrow('interrupted');
  await until(() => chat.aborted === 1);
  expect(chat.received).toBe(1);
});

test('at the end it asks for a summary, and keeps declared variables only', async () => {
  const content = JSON.stringify({
    summary: 'Booked.',
    outcome: 'booked',
    variables: { size: 2, other: 'x' },
  });
  chat.conclusions.push(content);
  const conclusion = await brain(['size']).conclude(
    [{ role: 'user', text: 'Two' }],
    AbortSignal.timeout(5_000),
  );
  expect(conclusion).toEqual({ summary: 'Booked.', outcome: 'booked', variables: { size: '2' } });
});

test('what a model thinks is not said', async () => {
  chat.answers.push([...says('<think>Nine. Or ten?</th'), ...says('ink>At nine.')]);
  expect(words(await ask(brain()))).toBe('At nine.');
  chat.answers.push(says('<think>Nothing else</think>'), says('Here.'));
  expect(words(await ask(brain()))).toBe('Here.');
});

test('an action of the agent is a tool, and a failure of it goes back to the model', async () => {
  const given: object[] = [];
  const run = (values: object) => {
    given.push(values);
    return given.length === 1
      ? Promise.reject(new Error('No table is free'))
      : Promise.resolve({ booked: 1 });
  };
  const subject = brain([], undefined, [{ name: 'book_table', run }]);
  const book = uses('book_table', { people: 2 });
  chat.answers.push([...says('Let me see.'), book], [book], says('Booked.'));
  expect(words(await ask(subject))).toBe('Let me see.Booked.');
  expect(given).toEqual([{ people: 2 }, { people: 2 }]);
  expect(chat.requests[0]?.tools).toMatchObject([
    { function: { name: 'end_call' } },
    { function: { name: 'search_knowledge' } },
    { function: { name: 'book_table' } },
  ]);
  expect(chat.requests[2]?.messages.slice(2)).toMatchObject([
    { role: 'assistant', content: 'Let me see.' },
    { role: 'tool', content: '{"error":"No table is free"}' },
    { role: 'assistant', content: null },
    { role: 'tool', content: '{"booked":1}' },
  ]);
});

test('a conclusion between lines of Markdown is read, and nonsense is asked for once more', async () => {
  chat.conclusions.push('I think it went well.', '```json\n{"summary":"Booked."}\n```');
  const subject = brain();
  expect(await subject.conclude([], AbortSignal.timeout(5_000))).toMatchObject({ summary: 'Booked.' });
  expect(subject.usage).toEqual(chat.charged);
  expect(chat.received).toBe(2);
  chat.conclusions.push('', '');
  await expect(subject.conclude([], AbortSignal.timeout(5_000))).rejects.toThrow();
});

/** The tests of the brain with the stand-in, or with a server of an account. */
function testChat(row: Row, connect: (answers: ModelPart[][]) => Environment): void {
  const { signal } = new AbortController();
  const DECLARED = ['VOICE_LIVE_MODEL'];

  function open(answers: ModelPart[][], context: Partial<ToolContext & { prompt: string }>, key?: string) {
    const env = connect(answers);
    const { baseUrl, apiKey } = readModels(env).models.get('openai') ?? {};
    if (baseUrl === undefined || apiKey === undefined) throw new Error('LLM_BASE_URL is not set');
    const account = { baseUrl, apiKey: key ?? apiKey, model: env.VOICE_LIVE_MODEL ?? '' };
    return new ChatCompletionsBrain(
      { ...account, temperature: 0, maxTokens: 400 },
      { provider: 'openai', prompt: 'Be short.', variables: [], ...context },
    );
  }
  async function answer(subject: ChatCompletionsBrain, text: string): Promise<AnswerPart[]> {
    const parts: AnswerPart[] = [];
    for await (const part of subject.answer([{ role: 'user', text }], signal)) parts.push(part);
    return parts;
  }
  row('answers, and says its tokens', DECLARED, async () => {
    const subject = open([says('A table.')], { prompt: 'Answer with the word table.' });
    expect(words(await answer(subject, 'Hello'))).toMatch(/table/i);
    expect(subject.usage.read).toBeGreaterThan(0);
    expect(subject.usage.written).toBeGreaterThan(0);
    expect(subject.usage.estimated).toBeUndefined();
  });

  row('uses an action of the agent, and says its result', DECLARED, async () => {
    let booked = 0;
    const run = () => Promise.resolve({ reference: `tulip-${++booked}` });
    const subject = open([[uses('book', {})], says('The reference is tulip-1.')], {
      prompt: 'To book, use the tool book once. Then say the reference.',
      actions: [{ name: 'book', run }],
    });
    expect(words(await answer(subject, 'Please book a table.'))).toMatch(/tulip/i);
    expect(booked).toBe(1);
  });

  row('notes a variable', DECLARED, async () => {
    const subject = open([[uses('note_variable', { name: 'size', value: '2' })], says('Thank you.')], {
      prompt: 'Note the variable size as a digit as soon as you know it. Then say thank you.',
      variables: ['size'],
    });
    const parts = await answer(subject, 'A table for two people, please.');
    expect(parts).toContainEqual({ type: 'variable', name: 'size', value: '2' });
  });

  row('says goodbye and ends the call', DECLARED, async () => {
    const goodbye = [...says('Goodbye.'), uses('end_call', {})];
    const prompt = 'When the person says goodbye, say goodbye and use the tool end_call.';
    const parts = await answer(open([goodbye], { prompt }), 'Goodbye!');
    expect(parts.at(-1)).toEqual({ type: 'end' });
  });

  row('summarises the conversation', DECLARED, async () => {
    const subject = open([], {});
    const said: Message[] = [
      { role: 'user', text: 'A table for two, please.' },
      { role: 'agent', text: 'It is booked.' },
    ];
    expect((await subject.conclude(said, signal)).summary).not.toBe('');
  });

  row('is silent as soon as the person interrupts', DECLARED, async () => {
    const endless: ModelPart[] = [{ type: 'endless', text: 'One more. ' }];
    const controller = new AbortController();
    const subject = open([endless], { prompt: 'Tell a story of 300 words.' });
    const interrupted = async () => {
      for await (const part of subject.answer([{ role: 'user', text: 'Hello' }], controller.signal))
        if (part.type === 'text') controller.abort(new Error('interrupted'));
    };
    await expect(interrupted()).rejects.toThrow('interrupted');
    expect(subject.usage.estimated).toBe(subject.tokens);
  });

  row('says that a key is wrong, and never the key', ['LLM_API_KEY', ...DECLARED], async () => {
    const failure: unknown = await answer(open([], {}, 'key-2'), 'Hello').catch((e: unknown) => e);
    expect(String(failure)).toMatch(/The model answered 40[13]/);
    expect(String(failure)).not.toContain('key-2');
  });
}

describe('The stand-in of a server', () =>
  testChat(standInRow, (answers) => {
    chat.answers.push(...answers);
    return { LLM_BASE_URL: chat.baseUrl, LLM_API_KEY: chat.apiKey, VOICE_LIVE_MODEL: 'gpt-4o' };
  }));

describe('A server of chat completions itself', () => testChat(liveRow('chat'), () => liveSettings));
