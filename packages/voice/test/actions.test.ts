import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ActionClient } from '../src/brain/action-client';
import { isPublicAddress } from '../src/net/public-address';
import { until } from '../../../test/support/until';
import { exampleCall } from '../../worker/src/example-call';
import { OpenAiChatStandIn } from './stand-ins/openai-chat/openai-chat-stand-in';
import { startVoiceServer } from './support/voice-server';

let server: Server;
let address: string;
let requests: object[] = [];
let answer: (response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => {
    void request.toArray().then((parts: Buffer[]) => {
      requests.push({
        method: request.method,
        path: request.url,
        key: request.headers['idempotency-key'],
        body: JSON.parse(Buffer.concat(parts).toString()) as unknown,
      });
      answer(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/book_table`;
});
beforeEach(() => (requests = []));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const anywhere = new ActionClient(() => true);
const KEY = 'fb41a5c6-4f52-4a4e-9d4b-6a4f6e4d5c01';

test('an action is sent to its address, and its answer is read', async () => {
  answer = (response) => response.end('{"booked":true}');
  expect(await anywhere.post(address, { arguments: { people: 2 } }, KEY)).toEqual({ booked: true });
  expect(requests).toEqual([
    { method: 'POST', path: '/book_table', key: KEY, body: { arguments: { people: 2 } } },
  ]);
  answer = (response) => response.end('It is done.');
  expect(await anywhere.post(address, {}, KEY)).toBe('It is done.');
});

const UNKNOWN = { isUnknown: true };
const DONE = { isUnknown: false };
const NOT_DONE = {};

test.each<[string, (response: ServerResponse) => void, string, object]>([
  ['a refusal', (response) => response.writeHead(409).end(), 'answered with status 409', NOT_DONE],
  ['a server that is busy', (response) => response.writeHead(429).end(), 'status 429', NOT_DONE],
  [
    'a server that is away',
    (response) => response.writeHead(503, { 'retry-after': '9' }).end(),
    'status 503',
    NOT_DONE,
  ],
  ['an error of the server', (response) => response.writeHead(500).end(), 'status 500', UNKNOWN],
  ['a redirect', (response) => response.writeHead(302, { location: address }).end(), 'status 302', UNKNOWN],
  ['a connection that is cut', (response) => response.destroy(), 'hang up', UNKNOWN],
  ['a large answer', (response) => response.end('x'.repeat(17_000)), 'larger than 16 KB', DONE],
  [
    'an answer that is cut',
    (response) => {
      response.write('{');
      setImmediate(() => response.destroy());
    },
    'This was done',
    DONE,
  ],
])('%s is an error that says why, and whether it was done', async (_, how, sentence, outcome) => {
  answer = how;
  const error: unknown = await anywhere.post(address, {}, KEY).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ ...outcome, message: expect.stringContaining(sentence) as string });
  expect(String(error).includes('not known whether this was done')).toBe(outcome === UNKNOWN);
  expect(requests).toHaveLength(1);
});

test('what nobody listens for was not done', async () => {
  const error: unknown = await anywhere
    .post('http://127.0.0.1:1/', {}, KEY)
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ message: expect.stringContaining('ECONNREFUSED') as string });
  expect(error).not.toHaveProperty('isUnknown');
});

test('private addresses are not reached, by number or by name', async () => {
  const client = new ActionClient();
  await expect(client.post(address, {}, KEY)).rejects.toThrow('private');
  await expect(client.post(address.replace('127.0.0.1', 'localhost'), {}, KEY)).rejects.toThrow('private');
  await expect(client.post('http://[::1]:1/', {}, KEY)).rejects.toThrow('private');
  expect(requests).toEqual([]);
  for (const internal of [
    '10.0.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '::ffff:8.8.8.8',
    '64:ff9b::1',
    'fe80::1%eth0',
  ])
    expect([internal, isPublicAddress(internal)]).toEqual([internal, false]);
  expect(isPublicAddress('93.184.215.14')).toBe(true);
});

test.each<[string, (response: ServerResponse) => void, object, string[]]>([
  ['is done', (response) => response.end('{"booked":true}'), { booked: true }, []],
  [
    'nobody knows of',
    (response) => response.destroy(),
    { error: expect.stringContaining('The answer was not received (socket hang up)') as string },
    ['action_unknown'],
  ],
])(
  'what %s is in the transcript, also if the person writes meanwhile and hangs up',
  async (_, how, result, codes) => {
    const voice = await startVoiceServer();
    const chat = await OpenAiChatStandIn.listen([
      [{ type: 'tool', name: 'book_table', arguments: { people: 2 } }],
      [{ type: 'text', text: 'It is under way.' }],
    ]);
    const held: ServerResponse[] = [];
    answer = (response) => void held.push(response);
    const agent = {
      type: 'chat' as const,
      llmConfig: { ...exampleCall().agent.llmConfig, provider: 'openai' },
      actions: [address],
    };
    const call = await voice.talk(
      { start: { greeting: '', agent } },
      async (url) => {
        const caller = await voice.join(url);
        await caller.start(null);
        await until(() => caller.state === 'listening');
        caller.send({ event: 'text', text: 'A table for two.' });
        await until(() => held.length > 0);
        caller.send({ event: 'text', text: 'Is it done?' });
        await until(() => caller.agentSaid().includes('It is under way.'));
        caller.send({ event: 'stop' });
        await until(() => caller.closed);
        for (const response of held) how(response);
      },
      { models: chat.models, isAddressAllowed: () => true },
    );
    expect(call.turns.filter(({ speaker }) => speaker === 'tool')).toMatchObject([
      { text: 'book_table', tool: { name: 'book_table', arguments: { people: 2 }, result } },
    ]);
    expect(call.warnings.map(({ code }) => code)).toEqual(codes);
    expect(requests).toMatchObject([{ key: expect.stringMatching(/^[0-9a-f-]{36}$/) as string }]);
    expect(chat.complaints).toEqual([]);
    chat.close();
    await voice.close();
  },
);

test('a call whose model takes no tools has a warning, because it does no action', async () => {
  const voice = await startVoiceServer();
  const refusal = JSON.stringify({ error: { message: 'gemma does not support tools' } });
  const chat = await OpenAiChatStandIn.listen([
    (response) => response.writeHead(400).end(refusal),
    [{ type: 'text', text: 'Good day.' }],
  ]);
  const llmConfig = { ...exampleCall().agent.llmConfig, provider: 'openai' };
  const agent = { type: 'chat' as const, llmConfig, actions: [address] };
  const { warnings } = await voice.talk(
    { start: { greeting: '', agent } },
    async (url) => {
      const caller = await voice.join(url);
      await caller.start(null);
      await until(() => caller.state === 'listening');
      caller.send({ event: 'text', text: 'A table for two.' });
      await until(() => caller.agentSaid().includes('Good day.'));
      caller.send({ event: 'stop' });
      await until(() => caller.closed);
    },
    { models: chat.models, isAddressAllowed: () => true },
  );
  expect(warnings).toEqual([
    { code: 'tools_refused', text: expect.stringContaining('takes no tools') as string },
  ]);
  chat.close();
  await voice.close();
});
