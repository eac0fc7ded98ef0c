import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AnswerLimits, ChatCompletionsBrain } from '../src/brain/chat-completions';
import type { AnswerPart } from '../src/brain/brain';

type Answer = (response: ServerResponse, request: Record<string, unknown>) => void;

let server: Server;
let baseUrl: string;
let answers: Answer[] = [];
let requests: Record<string, unknown>[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    void request.toArray().then((parts: Buffer[]) => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
      requests.push({ ...body, authorization: request.headers.authorization, path: request.url });
      (answers.shift() ?? ((to) => to.writeHead(500).end()))(response, body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
beforeEach(() => {
  answers = [];
  requests = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const brain = (variables: string[] = [], limits?: AnswerLimits) =>
  new ChatCompletionsBrain(
    { baseUrl, apiKey: 'key-1', model: 'model-1', temperature: 0.4, maxTokens: 50 },
    {
      provider: 'openai',
      prompt: 'Be short.',
      variables,
      search: (query) => Promise.resolve([{ text: `About ${query}` }]),
    },
    limits,
  );

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const stream =
  (...events: string[]): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) response.write(event);
    response.end();
  };
const twice = (answer: Answer) => [answer, answer];
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
  answers = [
    stream(
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'Good ' }),
      chunk({ content: 'day.' }),
      chunk({}, 'stop'),
      'data: {"choices":[],"usage":{"total_tokens":17}}\n\n',
      DONE,
    ),
  ];
  const subject = brain();
  expect(words(await ask(subject))).toBe('Good day.');
  expect(subject.tokens).toBe(17);
  expect(requests).toMatchObject([
    {
      path: '/v1/chat/completions',
      authorization: 'Bearer key-1',
      model: 'model-1',
      temperature: 0.4,
      max_tokens: 50,
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Hello' },
      ],
    },
  ]);
});

test('a tool is used, and its result goes back to the model', async () => {
  answers = [
    stream(
      chunk({
        tool_calls: [{ index: 0, id: 'a', function: { name: 'search_knowledge', arguments: '{"que' } }],
      }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: 'ry":"hours"}' } }] }),
      chunk({}, 'tool_calls'),
      DONE,
    ),
    stream(chunk({ content: 'At nine.' }, 'stop'), DONE),
  ];
  const parts = await ask(brain());
  expect(parts[0]).toEqual({
    type: 'tool',
    name: 'search_knowledge',
    arguments: { query: 'hours' },
    result: [{ text: 'About hours' }],
  });
  expect(words(parts)).toBe('At nine.');
  expect((requests[1]?.messages as object[]).at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'a' });
});

test('a variable is noted, and the call is ended', async () => {
  const call = (index: number, name: string, args: object) => ({
    index,
    function: { name, arguments: JSON.stringify(args) },
  });
  answers = [
    stream(
      chunk({ content: 'Goodbye.' }),
      chunk(
        { tool_calls: [call(0, 'note_variable', { name: 'size', value: 2 }), call(1, 'end_call', {})] },
        'stop',
      ),
      DONE,
    ),
  ];
  expect((await ask(brain(['size']))).slice(1)).toEqual([
    { type: 'variable', name: 'size', value: '2' },
    { type: 'end' },
  ]);
});

test.each<[string, Answer]>([
  ['a refusal', (response) => response.writeHead(401).end()],
  ['a server that is busy', (response) => response.writeHead(503).end()],
  ['a stream that ends in the middle', stream()],
  ['an empty answer', stream(chunk({}, 'stop'), DONE)],
  ['nonsense', stream('data: {\n\n')],
  ['an error in the stream', stream('data: {"error":{"message":"overloaded"}}\n\n')],
  ['a connection that is cut', (response) => void response.destroy()],
])('after %s it asks once more', async (_, failure) => {
  answers = [failure, stream(chunk({ content: 'Here.' }, 'stop'), DONE)];
  expect(words(await ask(brain()))).toBe('Here.');
  answers = [failure, failure];
  await expect(ask(brain())).rejects.toThrow();
  expect(requests).toHaveLength(4);
});

test('an answer that ends in the middle is continued, and nothing is said twice', async () => {
  answers = [stream(chunk({ content: 'The table ' })), stream(chunk({ content: 'is free.' }, 'stop'), DONE)];
  expect(words(await ask(brain()))).toBe('The table is free.');
  expect((requests[1]?.messages as object[]).slice(1)).toMatchObject([
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'The table ' },
    { role: 'user', content: expect.stringContaining('Continue exactly where it ended') as string },
  ]);
  answers = [stream(chunk({ content: 'The table ' })), stream(chunk({ content: 'is ' }))];
  await expect(ask(brain())).rejects.toThrow('ended too early');
  expect(requests).toHaveLength(4);
});

describe('A model that streams for ever', () => {
  const endless =
    (text: string, begins = ''): Answer =>
    (response) => {
      response.writeHead(200);
      response.write(chunk({ content: begins }));
      const timer = setInterval(() => response.write(chunk({ content: text })), 20);
      response.on('close', () => clearInterval(timer));
    };
  const limits = { firstWordMs: 300, nextWordMs: 300, answerMs: 60_000 };

  test.each(['', '. ', ' \n'])('%j is asked once more, and fails', async (text) => {
    answers = [endless(text), endless(text)];
    await expect(ask(brain([], limits))).rejects.toThrow('The model wrote no word for 0.3 s');
    expect(requests).toHaveLength(2);
  });

  test.each(['', '. '])('%j after its first words fails', async (text) => {
    answers = [endless(text, 'Let me look. '), endless(text)];
    await expect(ask(brain([], limits))).rejects.toThrow('The model wrote no word for 0.3 s');
    expect(requests).toHaveLength(2);
  });

  test('words fails at the limit of an answer', async () => {
    answers = [endless('a ')];
    const long = { firstWordMs: 20_000, nextWordMs: 20_000, answerMs: 1_000 };
    await expect(ask(brain([], long))).rejects.toThrow('The answer of the model took longer than 1 s');
    expect(requests).toHaveLength(1);
  });
});

test('a refusal says its code without its text', async () => {
  const error = {
    message: 'Incorrect API key provided: key-1',
    type: 'request_error',
    code: 'invalid_api_key',
  };
  answers = twice((response) => response.writeHead(401).end(JSON.stringify({ error })));
  await expect(ask(brain())).rejects.toThrow(/^The model answered 401: invalid_api_key$/);
});

test.each([
  ['{"error":{"message":"key-1","type":"bad type: <key>","code":null}}', 'bad type key'],
  [`{"error":{"code":"${'x'.repeat(200)}"}}`, 'x'.repeat(100)],
])('of the error %j it says %s', async (body, said) => {
  answers = twice((response) => response.writeHead(403).end(body));
  await expect(ask(brain())).rejects.toThrow(new Error(`The model answered 403: ${said}`));
});

test.each(['key-1 is wrong', '{"error":"key-1 is wrong"}', '[]'])(
  'of the refusal %j it says the status',
  async (body) => {
    answers = twice((response) => response.writeHead(403).end(body));
    await expect(ask(brain())).rejects.toThrow(/^The model answered 403$/);
  },
);

test('an error in the stream is named by its code', async () => {
  const failure = stream('data: {"error":{"message":"key-1 is over its limit","code":"overloaded"}}\n\n');
  answers = [failure, failure];
  await expect(ask(brain())).rejects.toThrow(/^The model reported an error: overloaded$/);
});

test('a refusal without an end is read to its first 4 KB', async () => {
  answers = twice((response) => response.writeHead(403).write('x'.repeat(8_192)));
  await expect(ask(brain())).rejects.toThrow(/^The model answered 403$/);
});

test('a model that wants max_completion_tokens gets it', async () => {
  const refusal = '{"error":{"message":"Use max_completion_tokens instead"}}';
  answers = [
    (response) => response.writeHead(400).end(refusal),
    stream(chunk({ content: 'Yes.' }, 'stop'), DONE),
  ];
  expect(words(await ask(brain()))).toBe('Yes.');
  expect(requests[1]).toMatchObject({ max_completion_tokens: 50 });
  expect(requests[1]).not.toHaveProperty('max_tokens');
});

test('an interruption closes the connection to the model', async () => {
  const closed = new Promise<void>((resolve) => {
    answers = [
      (response) => {
        response.writeHead(200);
        response.write(chunk({ content: 'A long ' }));
        response.on('close', () => resolve());
      },
    ];
  });
  const controller = new AbortController();
  const asked = ask(brain(), controller.signal);
  setTimeout(() => controller.abort(new Error('interrupted')), 50);
  await expect(asked).rejects.toThrow('interrupted');
  await closed;
  expect(requests).toHaveLength(1);
});

test('at the end it asks for a summary, and keeps declared variables only', async () => {
  const content = JSON.stringify({
    summary: 'Booked.',
    outcome: 'booked',
    variables: { size: 2, other: 'x' },
  });
  answers = [(response) => response.end(JSON.stringify({ choices: [{ message: { content } }] }))];
  const conclusion = await brain(['size']).conclude(
    [{ role: 'user', text: 'Two' }],
    AbortSignal.timeout(5_000),
  );
  expect(conclusion).toEqual({ summary: 'Booked.', outcome: 'booked', variables: { size: '2' } });
});

test('what a model thinks is not said', async () => {
  answers = [
    stream(chunk({ content: '<think>Nine. Or ten?</th' }), chunk({ content: 'ink>At nine.' }, 'stop'), DONE),
  ];
  expect(words(await ask(brain()))).toBe('At nine.');
  answers = [
    stream(chunk({ content: '<think>Nothing else</think>' }, 'stop'), DONE),
    stream(chunk({ content: 'Here.' }, 'stop'), DONE),
  ];
  expect(words(await ask(brain()))).toBe('Here.');
});

test('an action of the agent is a tool, and a failure of it goes back to the model', async () => {
  const given: object[] = [];
  const subject = new ChatCompletionsBrain(
    { baseUrl, apiKey: '', model: 'model-1', temperature: 0, maxTokens: 50 },
    {
      ...{ provider: 'openai', prompt: '', variables: [] },
      actions: [
        {
          name: 'book_table',
          run: (values) => {
            given.push(values);
            return given.length === 1
              ? Promise.reject(new Error('No table is free'))
              : Promise.resolve({ booked: 1 });
          },
        },
      ],
    },
  );
  const call = { index: 0, id: 'a', function: { name: 'book_table', arguments: '{"people":2}' } };
  answers = [
    stream(chunk({ content: 'Let me see.' }), chunk({ tool_calls: [call] }, 'tool_calls'), DONE),
    stream(chunk({ tool_calls: [call] }, 'tool_calls'), DONE),
    stream(chunk({ content: 'Booked.' }, 'stop'), DONE),
  ];
  expect(words(await ask(subject))).toBe('Let me see.Booked.');
  expect(given).toEqual([{ people: 2 }, { people: 2 }]);
  expect(requests[0]?.tools).toMatchObject([
    { function: { name: 'end_call' } },
    { function: { name: 'book_table' } },
  ]);
  expect((requests[2]?.messages as object[]).slice(2)).toMatchObject([
    { role: 'assistant', content: 'Let me see.' },
    { role: 'tool', content: '{"error":"No table is free"}' },
    { role: 'assistant', content: null },
    { role: 'tool', content: '{"booked":1}' },
  ]);
});

test('a conclusion between lines of Markdown is read, and nonsense is asked for once more', async () => {
  const answer =
    (content: string): Answer =>
    (response) =>
      response.end(JSON.stringify({ choices: [{ message: { content } }], usage: { total_tokens: 5 } }));
  answers = [answer('I think it went well.'), answer('```json\n{"summary":"Booked."}\n```')];
  const subject = brain();
  expect(await subject.conclude([], AbortSignal.timeout(5_000))).toMatchObject({ summary: 'Booked.' });
  expect(subject.tokens).toBe(10);
  answers = [answer(''), answer('')];
  await expect(subject.conclude([], AbortSignal.timeout(5_000))).rejects.toThrow();
});
