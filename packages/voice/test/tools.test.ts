import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../../../test/support/until';
import { exampleCall } from '../../worker/src/example-call';
import type { AnswerPart } from '../src/brain/brain';
import { OpenAiChatStandIn } from './stand-ins/openai-chat/openai-chat-stand-in';
import { toTool } from './support/server-tools';
import { VirtualTalk } from './support/virtual-talk';
import { startVoiceServer } from './support/voice-server';

const llmConfig = { ...exampleCall().agent.llmConfig, provider: 'openai' };

describe('A tool that the server does', () => {
  const requests: { path?: string; credential?: string; body: unknown }[] = [];
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    void request.toArray().then((parts: Buffer[]) => {
      const { url: path, headers } = request;
      const body: unknown = JSON.parse(Buffer.concat(parts).toString());
      requests.push({ path, credential: headers.authorization, body });
      held.push(response);
    });
  });
  let url: string;
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    requests.length = 0;
    held.length = 0;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test.each([
    ['is done', 'done', { booked: true }, { booked: true }, []],
    [
      'nobody knows of',
      'unknown',
      null,
      { error: expect.stringContaining('not known whether this was done') as string },
      ['action_unknown'],
    ],
  ])(
    'that %s is in the transcript, also if the person writes meanwhile and hangs up',
    async (_, state, result, told, codes) => {
      const voice = await startVoiceServer();
      const chat = await OpenAiChatStandIn.listen([
        [{ type: 'tool', name: 'book_table', arguments: { people: 2 } }],
        [{ type: 'text', text: 'It is under way.' }],
      ]);
      const agent = { type: 'chat' as const, llmConfig, actions: ['book_table'] };
      const call = await voice.talk(
        {
          start: { greeting: '', agent, tools: [toTool({ name: 'book_table' })] },
          api: { url, token: 'parley_call_1', expires_at: '2100-01-01T00:00:00.000Z' },
        },
        async (address) => {
          const caller = await voice.join(address);
          await caller.start(null);
          await until(() => caller.state === 'listening');
          caller.send({ event: 'text', text: 'A table for two.' });
          await until(() => held.length > 0);
          caller.send({ event: 'text', text: 'Is it done?' });
          await until(() => caller.agentSaid().includes('It is under way.'));
          caller.send({ event: 'stop' });
          await until(() => caller.closed);
          const invocation = { invocation_id: 'one', state, result, error: null, repeated: false };
          for (const response of held)
            response
              .setHeader('content-type', 'application/json')
              .end(JSON.stringify({ data: { ...invocation, arguments: {}, variables: {} } }));
        },
        { models: chat.models },
      );
      expect(call.turns.filter(({ speaker }) => speaker === 'tool')).toMatchObject([
        { text: 'book_table', tool: { name: 'book_table', arguments: { people: 2 }, result: told } },
      ]);
      expect(call.warnings.map(({ code }) => code)).toEqual(codes);
      expect(requests).toMatchObject([
        {
          path: expect.stringMatching(/^\/api\/calls\/[\w-]+\/tools\/book_table$/) as string,
          credential: 'Bearer parley_call_1',
          body: { arguments: { people: 2 }, confirmed: false },
        },
      ]);
      expect(chat.complaints).toEqual([]);
      chat.close();
      await voice.close();
    },
  );
});

test('a call whose model takes no tools has a warning, because it does nothing', async () => {
  const voice = await startVoiceServer();
  const refusal = JSON.stringify({ error: { message: 'gemma does not support tools' } });
  const chat = await OpenAiChatStandIn.listen([
    (response) => response.writeHead(400).end(refusal),
    [{ type: 'text', text: 'Good day.' }],
  ]);
  const agent = { type: 'chat' as const, llmConfig, actions: ['book_table'] };
  const { warnings } = await voice.talk(
    { start: { greeting: '', agent, tools: [toTool({ name: 'book_table' })] } },
    async (url) => {
      const caller = await voice.join(url);
      await caller.start(null);
      await until(() => caller.state === 'listening');
      caller.send({ event: 'text', text: 'A table for two.' });
      await until(() => caller.agentSaid().includes('Good day.'));
      caller.send({ event: 'stop' });
      await until(() => caller.closed);
    },
    { models: chat.models },
  );
  expect(warnings).toEqual([
    { code: 'tools_refused', text: expect.stringContaining('takes no tools') as string },
  ]);
  chat.close();
  await voice.close();
});

describe('In a conversation', () => {
  const WORDS = 'I am booking your table.';

  /** A tool that is at work, and its end. */
  function begin(say?: string) {
    let settle: (result: unknown) => void = () => undefined;
    const result = new Promise<unknown>((resolve) => (settle = resolve));
    const part: AnswerPart = { type: 'tool', name: 'book', arguments: {}, say, result };
    return { part, settle };
  }
  const text = (words: string): AnswerPart => ({ type: 'text', text: words });

  test('a result that comes while nobody speaks begins an answer', async () => {
    const { part, settle } = begin();
    const talk = new VirtualTalk({ answers: [[part, text('I am on it.')], 'It is booked.'] });
    await talk.says('A table');
    await talk.answered();
    talk.hasNews = true;
    settle({ booked: 1 });
    await talk.answered();
    expect(talk.turns.map(({ text: words }) => words)).toEqual([
      ...['A table', 'I am on it.'],
      ...['book', 'It is booked.'],
    ]);
  });

  test('a result that comes while the agent speaks is answered after these words', async () => {
    const { part, settle } = begin();
    const long = 'I am on it, and while we wait I can tell you everything about our house by the river.';
    const talk = new VirtualTalk({ answers: [[part, text(long)], 'It is booked.'] });
    await talk.says('A table');
    await talk.silence(2_000);
    talk.hasNews = true;
    settle({ booked: 1 });
    await talk.answered();
    expect(talk.cleared).toEqual([]);
    await talk.answered();
    expect(talk.turns.map(({ text: words }) => words)).toEqual(['A table', 'book', long, 'It is booked.']);
  });

  test('a result that comes while the person speaks is a part of the answer to it', async () => {
    const { part, settle } = begin();
    const talk = new VirtualTalk({ answers: [[part, text('I am on it.')], 'Yes, it is booked.'] });
    await talk.says('A table');
    await talk.answered();
    await talk.says('Is it', 500);
    talk.hasNews = true;
    settle({ booked: 1 });
    await talk.says('done?', 500);
    await talk.answered();
    await talk.silence(2_000);
    expect(talk.turns.map(({ text: words }) => words)).toEqual([
      ...['A table', 'I am on it.'],
      ...['book', 'Is it done?', 'Yes, it is booked.'],
    ]);
  });

  test.each([
    ['longer than a second', 3_000, [WORDS]],
    ['less than a second', 500, []],
  ])('the words of a tool that takes %s', async (_, ms, spoken) => {
    const { part, settle } = begin(WORDS);
    const talk = new VirtualTalk({ answers: [[part]], hangs: true });
    await talk.says('A table');
    await talk.silence(300 + ms);
    settle({});
    await talk.silence(3_000);
    expect(talk.spoken).toEqual(spoken);
  });

  test('the words of a tool are not spoken over those of the agent or of the person', async () => {
    const [first, second] = [begin(WORDS), begin(WORDS)];
    const long = 'One moment please, because I have to look this up for you.';
    const answers = [[text(long), first.part], [second.part]];
    const talk = new VirtualTalk({ answers, hangs: true });
    await talk.says('A table');
    await talk.silence(3_000);
    await talk.says('Hello', 1_000);
    await talk.silence(700);
    await talk.says('Are you there', 2_000);
    expect(talk.spoken).toEqual([long]);
  });
});
