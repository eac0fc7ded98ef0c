import type { ToolInvocation } from '@parley/worker';
import type { AnswerLimits } from '../src/brain/answer-limits';
import { ChatCompletionsBrain } from '../src/brain/chat-completions';
import type { AnswerPart, Message } from '../src/brain/brain';
import type { ToolContext } from '../src/brain/tools';
import type { Environment } from '../src/runtime/environment';
import { readModels } from '../src/runtime/settings';
import { watchTimers } from '../../../test/support/timers';
import { until } from '../../../test/support/until';
import { liveRow, liveSettings, type Row, standInRow } from './support/live';
import { type ServerTool, serverTools } from './support/server-tools';
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

const warnings: string[] = [];
beforeEach(() => void warnings.splice(0));
const brain = (variables: string[] = [], limits?: AnswerLimits, tools: ServerTool[] = [], model = 'gpt-4o') =>
  new ChatCompletionsBrain(
    { baseUrl: chat.baseUrl, apiKey: chat.apiKey ?? '', model, temperature: 0.4, maxTokens: 50 },
    {
      provider: 'openai',
      prompt: 'Be short.',
      ...{ variables, ...serverTools(tools) },
      search: (query) => Promise.resolve([{ text: `About ${query}` }]),
      warn: (code, text) => void warnings.push(`${code}: ${text}`),
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
  messages: Message[] = [{ role: 'user', text: 'Hello' }],
): Promise<AnswerPart[]> {
  const parts: AnswerPart[] = [];
  for await (const part of subject.answer(messages, signal)) parts.push(part);
  return parts;
}
const results = (parts: AnswerPart[]) =>
  Promise.all(parts.flatMap((part) => (part.type === 'tool' ? [part.result] : [])));
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
  expect(parts[0]).toMatchObject({
    type: 'tool',
    name: 'search_knowledge',
    arguments: { query: 'hours' },
  });
  expect(await results(parts)).toEqual([[{ text: 'About hours' }]]);
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

describe('A tool that the server does', () => {
  const book = uses('book', { people: 2, at: 'nine' });
  const read = (request: number) =>
    chat.requests[request]?.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  const talk = (subject: ChatCompletionsBrain, ...texts: string[]) =>
    ask(
      subject,
      undefined,
      texts.map((text, at): Message => ({ role: at % 2 === 0 ? 'user' : 'agent', text })),
    );
  const RUNNING = expect.stringContaining('"state":"running"') as string;

  /** A tool whose end a test decides on. */
  function pending(mode: ServerTool['mode'] = 'wait') {
    const askings: object[] = [];
    let settle: (result: object) => void = () => undefined;
    const answer = new Promise<{ result: object }>((resolve) => (settle = (result) => resolve({ result })));
    const run = (given: object) => {
      askings.push(given);
      return answer;
    };
    return { tool: { name: 'book', mode, run }, askings, settle: (result: object) => settle(result) };
  }

  test('is described to the model as its owner describes it', async () => {
    const parameters = { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] };
    const tool = { name: 'book', description: 'Books a table.', parameters, run: () => ({}) };
    await ask(brain([], undefined, [tool]));
    expect(chat.requests[0]?.tools?.at(-1)).toEqual({
      type: 'function',
      function: { name: 'book', description: 'Books a table.', parameters },
    });
  });

  test('is asked for at once with the others of the answer', async () => {
    const { tool, askings, settle } = pending();
    const other = { name: 'note', run: () => (settle({ booked: 1 }), { result: 'It is noted.' }) };
    chat.answers.push([book, uses('note', {})], says('Booked.'));
    expect(words(await ask(brain([], undefined, [tool, other])))).toBe('Booked.');
    expect(askings).toEqual([{ people: 2, at: 'nine' }]);
    expect(read(1)).toEqual(['{"booked":1}', 'It is noted.']);
  });

  test('goes on when the person speaks: the model reads first that it is under way, then what came of it', async () => {
    const interrupted = new AbortController();
    const { tool, askings, settle } = pending();
    const run = (given: object) => {
      interrupted.abort(new Error('The person speaks'));
      return tool.run(given);
    };
    const subject = brain([], undefined, [{ name: 'book', run }]);
    chat.answers.push([book], says('It is under way.'), says('It is booked.'));
    const parts: AnswerPart[] = [];
    const first = (async () => {
      for await (const part of subject.answer([{ role: 'user', text: 'Book.' }], interrupted.signal))
        parts.push(part);
    })();
    await expect(first).rejects.toThrow('The person speaks');
    expect(words(await talk(subject, 'Book.', '', 'Wait.'))).toBe('It is under way.');
    expect(read(1)).toEqual([RUNNING]);
    expect(subject.hasNews).toBe(false);

    settle({ booked: 1 });
    expect(await results(parts)).toEqual([{ booked: 1 }]);
    expect(subject.hasNews).toBe(true);
    expect(words(await talk(subject, 'Book.', '', 'Wait.', 'It is under way.'))).toBe('It is booked.');
    // The model answers the result, and not its own words.
    expect(chat.requests[2]?.messages.slice(-3)).toMatchObject([
      { role: 'assistant', content: 'It is under way.' },
      { role: 'assistant', tool_calls: [{ function: { name: 'book' } }] },
      { role: 'tool', content: '{"booked":1}' },
    ]);
    expect(subject.hasNews).toBe(false);
    expect(askings).toHaveLength(1);
  });

  test.each([
    ['with the mode background', 'background', false],
    ['that takes longer than 10 s', 'wait', true],
  ] as const)('%s is no reason to wait, and its result is read when it comes', async (_, mode, isLate) => {
    const { tool, settle } = pending(mode);
    const subject = brain([], undefined, [tool]);
    chat.answers.push([book], says('I am on it.'), says('It is booked.'));
    const pauses = watchTimers(10_000, 10_000);
    const answer = ask(subject);
    if (isLate) {
      await until(() => pauses.running === 1);
      pauses.end();
    }
    const parts = await answer;
    pauses.stop();
    expect(words(parts)).toBe('I am on it.');
    expect(read(1)).toEqual([RUNNING]);
    settle({ booked: 1 });
    await results(parts);
    expect(words(await talk(subject, 'Hello', 'I am on it.'))).toBe('It is booked.');
    expect(read(2)).toEqual(['{"booked":1}']);
  });

  test('that needs a confirmation is asked for after the person has spoken again, each time', async () => {
    const asked: boolean[] = [];
    const run = (_: object, confirmed: boolean) => (asked.push(confirmed), { result: 'Booked.' });
    const subject = brain([], undefined, [{ name: 'book', confirm: true, run }]);
    const swapped = uses('book', { at: 'nine', people: 2 });
    chat.answers.push([book], [swapped], says('Shall I?'));
    await talk(subject, 'Book.');
    expect([read(2), asked]).toEqual([['Ask the person first.', 'Ask the person first.'], []]);
    chat.answers.push([swapped], [book], says('Booked.'));
    await talk(subject, 'Book.', 'Shall I?', 'Yes.');
    expect(read(5)?.slice(2)).toEqual(['Booked.', 'Ask the person first.']);
    expect(asked).toEqual([true]);
  });

  test.each<[string, Partial<ToolInvocation>, string]>([
    [
      'of which nobody knows whether it was done',
      { state: 'unknown', error: 'socket hang up' },
      '{"error":"It is not known whether this was done. Do not do it again; tell the person."}',
    ],
    [
      'that was refused',
      { state: 'refused', error: 'day is missing', code: 'TOOL_ARGUMENTS_INVALID' },
      '{"error":"This was not done: day is missing"}',
    ],
    [
      'whose answer is broken',
      { error: 'its answer is broken' },
      '{"done":true,"note":"its answer is broken"}',
    ],
    ['with a long answer', { result: 'x'.repeat(9_000) }, `${'x'.repeat(7_999)}…`],
  ])('%s has a result that says so', async (_, invocation, expected) => {
    chat.answers.push([book], says('I see.'));
    await ask(brain([], undefined, [{ name: 'book', run: () => invocation }]));
    expect(read(1)).toEqual([expected]);
  });
});

test('the next turn has what was done in the turns before, and so has the summary', async () => {
  const notes = uses('note_variable', { name: 'size', value: '2' });
  const subject = brain(['size'], undefined, [{ name: 'book', run: () => ({ result: { booked: 1 } }) }]);
  chat.answers.push([notes, uses('book', { people: 2 })], [...says('Goodbye.'), uses('end_call', {})]);
  await ask(subject);
  chat.answers.push(says('Yes.'));
  const said: Message[] = [
    { role: 'user', text: 'Hello' },
    { role: 'agent', text: 'Good' },
    { role: 'user', text: 'Wait. Is it booked?' },
  ];
  for await (const part of subject.answer(said, new AbortController().signal)) expect(part.type).toBe('text');
  const known = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', tool_calls: [{ function: { name: 'note_variable' } }] },
    { role: 'tool', content: '{"noted":true}' },
    { role: 'assistant', tool_calls: [{ function: { name: 'book' } }] },
    { role: 'tool', content: '{"booked":1}' },
    { role: 'assistant', content: 'Good' },
    { role: 'user', content: 'Wait. Is it booked?' },
  ];
  expect(chat.requests[2]?.messages.slice(1)).toMatchObject(known);
  await subject.conclude(said, AbortSignal.timeout(5_000));
  expect(chat.requests[3]?.messages.slice(1, -1)).toMatchObject(known);
});

test('a model reads the end of a long conversation', async () => {
  const pages = Array.from({ length: 100 }, (_, page): Message => ({
    role: 'user',
    text: `${page} `.repeat(1_000),
  }));
  const subject = brain();
  for await (const part of subject.answer(pages, new AbortController().signal))
    expect(part.type).toBe('text');
  const read = chat.requests[0]?.messages ?? [];
  expect(read[0]).toEqual({ role: 'system', content: 'Be short.' });
  expect(read.at(-1)?.content).toBe(pages.at(-1)?.text);
  const letters = read.slice(1).reduce((sum, { content }) => sum + (content ?? '').length, 0);
  expect([letters > 90_000, letters <= 100_000]).toEqual([true, true]);
});

test('a call has one request at a time: the next one waits for the end of the one before', async () => {
  const subject = brain();
  chat.answers.push([...says('A long '), STALL], says('Yes.'));
  const interrupted = new AbortController();
  const first = ask(subject, interrupted.signal);
  first.catch(() => undefined);
  await until(() => chat.received === 1);
  const second = ask(subject);
  const late = new AbortController();
  const third = ask(subject, late.signal);
  late.abort(new Error('Too late'));
  await expect(third).rejects.toThrow('Too late');
  // Another call is asked meanwhile.
  expect(words(await ask(brain()))).toBe('Yes.');
  expect(chat.received).toBe(2);
  chat.answers.push(says('Here.'));
  interrupted.abort(new Error('interrupted'));
  expect(words(await second)).toBe('Here.');
  expect(chat.received).toBe(3);
});

describe('A server that differs from OpenAI', () => {
  test('sends parallel calls at one index, as Gemini does', async () => {
    const call = (id: string, name: string, value: string) =>
      chunk({
        tool_calls: [
          {
            ...{ index: 0, id, type: 'function' },
            function: { name: 'note_variable', arguments: JSON.stringify({ name, value }) },
          },
        ],
      });
    chat.answers.push(
      stream(call('call_a', 'size', '4'), call('call_b', 'day', 'Monday'), chunk({}, 'stop'), DONE),
      says('Noted.'),
    );
    expect(await ask(brain(['size', 'day']))).toMatchObject([
      { type: 'variable', name: 'size', value: '4' },
      { type: 'variable', name: 'day', value: 'Monday' },
      { type: 'text', text: 'Noted.' },
    ]);
    expect(chat.requests[1]?.messages.filter(({ role }) => role === 'tool')).toHaveLength(2);
  });

  test('writes its content as a list, as Mistral does, whose thoughts are not said', async () => {
    const thinking = [{ type: 'thinking', thinking: [{ type: 'text', text: 'The user greets me.' }] }];
    const text = [{ type: 'text', text: 'We open at nine.' }];
    chat.answers.push(stream(chunk({ content: thinking }), chunk({ content: text }, 'stop'), DONE));
    expect(words(await ask(brain()))).toBe('We open at nine.');
    const complete: ForeignAnswer = (response) => {
      const content = [...thinking, { type: 'text', text: '{"summary":"Asked."}' }];
      response.end(JSON.stringify({ choices: [{ message: { content } }] }));
    };
    chat.conclusions.push(complete);
    expect(await brain().conclude([], AbortSignal.timeout(5_000))).toMatchObject({ summary: 'Asked.' });
  });

  test('sends events without data, which are ignored', async () => {
    chat.answers.push(stream('data:\n\n', chunk({ content: 'Yes.' }), 'data: \n\n', chunk({}, 'stop'), DONE));
    expect(words(await ask(brain()))).toBe('Yes.');
  });

  test('answers in one JSON, although a stream was requested', async () => {
    const complete =
      (message: object): ForeignAnswer =>
      (response) =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ choices: [{ message }], usage: { total_tokens: 7 } }, undefined, 2));
    const called = { name: 'note_variable', arguments: '{"name":"size","value":"4"}' };
    chat.answers.push(
      complete({ content: null, tool_calls: [{ id: 'x', type: 'function', function: called }] }),
      complete({ content: '<think>Noted?</think>Noted.' }),
    );
    const subject = brain(['size']);
    expect(await ask(subject)).toMatchObject([
      { type: 'variable', name: 'size', value: '4' },
      { type: 'text', text: 'Noted.' },
    ]);
    expect(subject.tokens).toBe(14);
  });

  test('reports an error as JSON, although a stream was requested', async () => {
    const failure: ForeignAnswer = (response) => response.end('{"error":{"code":"overloaded"}}');
    chat.answers.push(failure, failure);
    await expect(ask(brain())).rejects.toThrow(/^The model reported an error: overloaded$/);
  });

  test('writes content of an unknown form, which is an error', async () => {
    const strange = () => stream(chunk({ content: [{ type: 'table', rows: [] }] }, 'stop'), DONE);
    chat.answers.push(strange(), strange());
    await expect(ask(brain())).rejects.toThrow('The model wrote content of an unknown form');
  });

  test.each<[string, object]>([
    ['names a parameter', { message: 'Only the default (1) value is supported.', param: 'temperature' }],
    ['names a part of a parameter', { message: 'Not supported.', param: 'body.temperature' }],
    ...['', 'Temperature', 'sampling'].map((param): [string, object] => [
      `names a parameter in a sentence, and "${param}" beside it`,
      { message: "Unsupported value: 'temperature' does not support 0.7.", param },
    ]),
    [
      'names a parameter in a sentence',
      { message: "Unsupported value: 'temperature' does not support 0.7." },
    ],
  ])('%s that it refuses, and gets no such request again, also in another call', async (_, about) => {
    const refusal = refuse(400, JSON.stringify({ error: { type: 'invalid_request_error', ...about } }));
    chat.answers.push(refusal, says('Yes.'), says('Yes.'));
    expect(words(await ask(brain([], undefined, [], 'gpt-5-mini')))).toBe('Yes.');
    const other = brain([], undefined, [], 'gpt-5-mini');
    expect(words(await ask(other))).toBe('Yes.');
    await other.conclude([], AbortSignal.timeout(5_000));
    const sent = chat.requests.map((request) => [request.temperature, request.max_completion_tokens]);
    expect(sent).toEqual([
      [0.4, 50],
      [undefined, 50],
      [undefined, 50],
      [undefined, 50],
    ]);
    // The limit was refused once, before the temperature.
    expect(chat.complaints.splice(0)).toMatchObject([{ param: 'max_tokens' }]);
    expect(chat.received).toBe(5);
  });

  test('refuses the form of a summary', async () => {
    chat.conclusions.push(refuse(422, '{"detail":[{"loc":["body","response_format"]}]}'));
    expect(await brain().conclude([], AbortSignal.timeout(5_000))).toMatchObject({ summary: 'Done.' });
    expect(chat.received).toBe(2);
    expect(chat.requests[1]).not.toHaveProperty('response_format');
  });

  const error = (message: string, param: string | null = null) => ({ error: { message, param } });
  test.each<[string, object]>([
    ['Ollama', error('registry.ollama.ai/library/gemma:2b does not support tools')],
    [
      'vLLM',
      {
        ...{ object: 'error', type: 'BadRequestError', param: null, code: 400 },
        message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      },
    ],
    ['OpenAI', error("Unsupported parameter: 'tools' is not supported with this model.", 'tools')],
    ['a server that names the parameter', error('Wrong', 'tools')],
    ['a server in Python', { detail: [{ loc: ['body', 'tools'], msg: 'Extra inputs are not permitted' }] }],
    ['Gemini', error('Function calling is not enabled for models/gemma-3-1b-it')],
    ['another server', error('Unrecognized request argument supplied: tools')],
  ])('takes no tools, like %s, and gets none again; the call is warned once', async (_, body) => {
    chat.answers.push(refuse(400, JSON.stringify(body)), says('Yes.'), says('Yes.'), says('Yes.'));
    const model = 'gpt-4.1-mini';
    const subject = brain([], undefined, [], model);
    expect(words([...(await ask(subject)), ...(await ask(subject))])).toBe('Yes.Yes.');
    expect(warnings).toEqual([
      expect.stringMatching(/^tools_refused: The model gpt-4.1-mini takes no tools/),
    ]);
    expect(words(await ask(brain([], undefined, [], model)))).toBe('Yes.');
    expect(warnings).toHaveLength(2);
    const sent = chat.requests.map(({ tools, tool_choice }) => [tools !== undefined, tool_choice]);
    const none = [false, undefined];
    expect(sent).toEqual([[true, 'auto'], none, none, none]);
  });

  test.each([
    ['a tool', error("Invalid 'tools[0].function.name': it is not supported.", 'tools[0].function.name')],
    ['the form of a tool', error('Unknown name "strict" at \'tools[0].function\': Cannot find field.')],
    ['an argument of a tool', error('tools.0.custom.input_schema: it is not supported')],
    ['the number of tools', error("Invalid 'tools': array too long. At most 128 are allowed.", 'tools')],
  ])('refuses %s, which says nothing about the tools of other agents', async (_, body) => {
    chat.answers.push(refuse(400, JSON.stringify(body)), refuse(400, JSON.stringify(body)));
    await expect(ask(brain())).rejects.toThrow('The model answered 400');
    expect(chat.received).toBe(2);
    expect(warnings).toEqual([]);
  });

  test('takes no choice of a tool, which is left out alone', async () => {
    chat.answers.push(refuse(400, JSON.stringify(error("'tool_choice' is not supported."))), says('Yes.'));
    expect(words(await ask(brain([], undefined, [], 'gpt-4.1')))).toBe('Yes.');
    expect(chat.requests[1]).toHaveProperty('tools');
    expect(chat.requests[1]).not.toHaveProperty('tool_choice');
    expect(warnings).toEqual([]);
  });

  test('refuses a request for another reason, which is remembered by nobody', async () => {
    const long = refuse(400, '{"error":{"message":"Too long. Reduce the messages or max_tokens."}}');
    chat.answers.push(...Array.from({ length: 4 }, () => long));
    await expect(ask(brain())).rejects.toThrow('The model answered 400');
    chat.requests.length = 0;
    chat.answers.length = 0;
    await ask(brain());
    expect(chat.requests).toMatchObject([{ max_tokens: 50 }]);
  });
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
  const busy = { refuses: 429, code: 'rate_limit_exceeded', retryAfter: '2' };
  chat.faults.push(busy, busy);
  chat.answers.push(says('Here.'));
  const pauses = watchTimers(2_000, 2_500);
  const asking = ask(brain());
  for (const received of [1, 2]) {
    await until(() => pauses.running === 1);
    expect(chat.received).toBe(received);
    pauses.end();
  }
  expect(words(await asking)).toBe('Here.');
  pauses.stop();
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

test('a failure of a tool goes back to the model, and so do its own words before', async () => {
  const given: object[] = [];
  const run = (values: object) => {
    given.push(values);
    return given.length === 1 ? Promise.reject(new Error('No table is free')) : { result: { booked: 1 } };
  };
  const subject = brain([], undefined, [{ name: 'book_table', run }]);
  const book = uses('book_table', { people: 2 });
  chat.answers.push([...says('Let me see.'), book], [book], says('Booked.'));
  expect(words(await ask(subject))).toBe('Let me see.Booked.');
  expect(given).toEqual([{ people: 2 }, { people: 2 }]);
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

test('the answers to the questions of the agent come with the summary, in one request', async () => {
  const analysis = { fields: [], criteria: [{ name: 'consent', text: 'The person agreed.' }] };
  const turns = [{ speaker: 'user' as const, text: 'Yes.', sequence: 1 }];
  const consent = { pass: true, turns: [1], reason: 'Yes.' };
  chat.conclusions.push(JSON.stringify({ summary: 'Asked.', criteria: { consent } }));
  const messages: Message[] = [{ role: 'user', text: 'Yes.' }];
  const conclusion = await brain().conclude(messages, AbortSignal.timeout(5_000), { analysis, turns });
  expect(conclusion).toMatchObject({ summary: 'Asked.', criteria: { consent } });
  expect(chat.received).toBe(1);
  expect(chat.requests[0]).toMatchObject({
    max_tokens: 4_096,
    messages: [{ content: 'Be short.' }, { content: expect.stringContaining('"text":"Yes."') as string }],
  });
});

test('a conclusion that does not end is not read to its end', async () => {
  const endless: ForeignAnswer = (response) => {
    const page = Buffer.alloc(64 * 1024, ' ');
    const write = () => {
      while (!response.destroyed && response.write(page));
    };
    response.on('drain', write);
    write();
  };
  chat.conclusions.push(endless);
  expect(await brain().conclude([], AbortSignal.timeout(5_000))).toMatchObject({ summary: 'Done.' });
  await until(() => chat.aborted === 1);
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

  row('uses a tool of the agent, and says its result', DECLARED, async () => {
    let booked = 0;
    const run = () => ({ result: { reference: `tulip-${++booked}` } });
    const subject = open([[uses('book', {})], says('The reference is tulip-1.')], {
      prompt: 'To book, use the tool book once. Then say the reference.',
      ...serverTools([{ name: 'book', run }]),
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
