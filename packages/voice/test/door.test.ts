import { until } from '../../../test/support/until';
import { exampleCall } from '../../worker/src/example-call';
import { OpenAiChatStandIn } from './stand-ins/openai-chat/openai-chat-stand-in';
import { type Caller, MULAW } from './support/caller';
import { VirtualClock } from '../src/rehearsal/virtual-clock';
import { startVoiceServer, type VoiceServer } from './support/voice-server';

const clock = new VirtualClock();
let server: VoiceServer;
beforeAll(async () => {
  server = await startVoiceServer(clock);
});
afterAll(() => server.close());

const start = { greeting: 'Good day!', agent: { type: 'chat' as const } };

const waitForClose = (caller: Caller) => until(() => caller.closed);
async function joined(url: string): Promise<Caller> {
  const caller = await server.join(url);
  await caller.start(null);
  await until(() => caller.agentSaid().includes('Good day!'));
  return caller;
}
async function hangUp(caller: Caller): Promise<void> {
  caller.send({ event: 'stop' });
  expect(await waitForClose(caller)).toMatchObject({ code: 1000 });
}

test('a chat agent is conversed with in writing', async () => {
  const call = await server.talk({ start }, async (url) => {
    const caller = await joined(url);
    expect(caller.frames.find(({ event }) => event === 'ready')).toMatchObject({
      services: [{ part: 'language', provider: 'local' }],
    });
    caller.send({ event: 'text', text: 'A table, please.' });
    await until(() => caller.agentSaid().includes('Is there anything else?'));
    caller.send({ event: 'dtmf', dtmf: { digit: '1' } });
    await until(() => caller.agentSaid().split('I cannot answer that.').length === 3);
    caller.send({ event: 'text', text: 'Goodbye' });
    expect(await waitForClose(caller)).toMatchObject({ code: 1000 });
  });
  expect(call.end).toMatchObject({
    reason: 'agent_hangup',
    by: 'agent',
    summary: 'The person said: A table, please. DTMF 1 Goodbye',
  });
  expect(call.turns.map(({ speaker, text }) => [speaker, text]).slice(0, 2)).toEqual([
    ['agent', 'Good day!'],
    ['user', 'A table, please.'],
  ]);
  expect(call.warnings.map(({ code }) => code)).toEqual(['provider_not_configured']);
});

test('a chat agent is conversed with in writing, even if its client offers audio', async () => {
  await server.talk({ start }, async (url) => {
    const caller = await server.join(url);
    await caller.start({ encoding: 'audio/l16', sampleRate: 16_000, channels: 1 });
    await until(() => caller.agentSaid().includes('Good day!'));
    expect(caller.frames.find(({ event }) => event === 'ready')).toMatchObject({ mediaFormat: null });
    await hangUp(caller);
  });
});

test('an agent that can speak is joined in writing without a warning about its speech', async () => {
  const agent = { ...start.agent, type: 'hybrid' as const };
  const { warnings } = await server.talk({ start: { ...start, agent } }, async (url) => {
    const caller = await joined(url);
    expect(caller.frames.find(({ event }) => event === 'ready')).toMatchObject({
      services: [{ part: 'language', provider: 'local' }],
    });
    await hangUp(caller);
  });
  expect(warnings.map(({ text }) => text)).toEqual([expect.not.stringMatching(/voice|recognition/)]);
});

test('without transcription, no turn leaves the runtime', async () => {
  const { turns } = await server.talk(
    {
      start: {
        ...start,
        agent: {
          type: 'chat',
          callConfig: { ...exampleCall().agent.callConfig, transcriptionEnabled: false },
        },
      },
    },
    async (url) => hangUp(await joined(url)),
  );
  expect(turns).toEqual([]);
});

test('a client that hangs up ends the call as the user', async () => {
  const { end } = await server.talk({ start }, async (url) => hangUp(await joined(url)));
  expect(end).toMatchObject({ type: 'call.ended.v1', reason: 'user_hangup', by: 'user' });
});

test('a hang-up over REST ends the conversation', async () => {
  const { end } = await server.talk({ start, hangUpAfterMs: 500 }, async (url) => {
    const caller = await joined(url);
    expect(await waitForClose(caller)).toMatchObject({ code: 1000 });
    expect(caller.frames.at(-1)).toMatchObject({ event: 'ended', reason: 'cancelled' });
  });
  expect(end).toMatchObject({ reason: 'cancelled', by: 'system' });
});

test('a wrong secret, a second client and a used-up address are refused', async () => {
  let used = '';
  await server.talk({ start }, async (url) => {
    used = url;
    const caller = await joined(url);
    expect(
      await waitForClose(await server.join(`${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`)),
    ).toMatchObject({ code: 4401 });
    expect(await waitForClose(await server.join(url.replace(/voice\/[^/]+/, 'voice/another')))).toMatchObject(
      {
        code: 4401,
      },
    );
    expect(await waitForClose(await server.join(url))).toMatchObject({ code: 4409 });
    await hangUp(caller);
  });
  expect(await waitForClose(await server.join(used))).toMatchObject({ code: 4401 });
});

test('a client that was cut off comes back, and the call goes on', async () => {
  const { end, turns } = await server.talk({ start }, async (url) => {
    (await joined(url)).cut();
    let caller: Caller | undefined;
    await until(async () => {
      caller = await server.join(url);
      await new Promise((resolve) => setImmediate(resolve));
      return caller.closed === undefined;
    });
    if (!caller) return;
    await caller.start(null);
    clock.advance(11_000);
    caller.send({ event: 'text', text: 'I am back.' });
    await until(() => caller?.agentSaid().includes('I cannot answer that.'));
    await hangUp(caller);
  });
  expect(end).toMatchObject({ reason: 'user_hangup' });
  expect(turns.map(({ text }) => text)).toContain('I am back.');
});

test('a client that does not come back within 10 s has hung up', async () => {
  let [isCut, ended] = [false, false];
  const talked = server.talk({ start }, async (url) => {
    (await joined(url)).cut();
    isCut = true;
  });
  void talked.then(() => (ended = true));
  // Its address must not expire before it comes.
  await until(() => isCut);
  // The runtime notices the cut a moment later.
  await until(() => {
    clock.advance(5_000);
    return ended;
  });
  expect((await talked).end).toMatchObject({ type: 'call.ended.v1', reason: 'user_hangup', by: 'user' });
});

test('a client that comes back at the second attempt stays', async () => {
  const { end } = await server.talk({ start }, async (url) => {
    const lost = await joined(url);
    lost.cut();
    const hasty = await server.join(url);
    // The door has noticed the cut when it answers this client.
    hasty.send({ event: 'text', text: 'Too early' });
    expect(await waitForClose(hasty)).toMatchObject({ code: 4400 });
    const caller = await server.join(url);
    await caller.start(null);
    clock.advance(30_000);
    caller.send({ event: 'text', text: 'I am back.' });
    await until(() => caller.agentSaid().includes('I cannot answer that.'));
    await hangUp(caller);
  });
  expect(end).toMatchObject({ reason: 'user_hangup' });
});

test('a client whose connection is lost without a sign comes back', async () => {
  const { end, turns } = await server.talk({ start }, async (url) => {
    const lost = await joined(url);
    lost.fallSilent();
    const caller = await server.join(url);
    const third = await server.join(url);
    expect(await waitForClose(third)).toMatchObject({ code: 4409 });
    clock.advance(1_000);
    await caller.start(null);
    clock.advance(11_000);
    caller.send({ event: 'text', text: 'I am back.' });
    await until(() => caller.agentSaid().includes('I cannot answer that.'));
    await hangUp(caller);
  });
  expect(end).toMatchObject({ reason: 'user_hangup' });
  expect(turns.map(({ text }) => text)).toContain('I am back.');
});

test('a call that ends while a second client waits refuses it', async () => {
  const { end } = await server.talk({ start }, async (url) => {
    const first = await joined(url);
    first.send({ event: 'stop' });
    first.fallSilent();
    const second = await server.join(url);
    clock.advance(1_000);
    expect(await waitForClose(second)).toMatchObject({ code: 4401 });
  });
  expect(end).toMatchObject({ reason: 'user_hangup' });
});

test('a call that nobody joins was not answered', async () => {
  const { end, events } = await server.talk({ start }, () => {
    setImmediate(() => clock.advance(120_000));
    return Promise.resolve();
  });
  expect(end).toMatchObject({ type: 'call.failed.v1', reason: 'dial_no_answer' });
  expect(events.map(({ type }) => type)).not.toContain('call.connected.v1');
});

test.each([
  ['a frame that makes no sense', 4400, (caller: Caller) => caller.sendRaw('{"event":"jump"}')],
  ['a binary frame', 4400, (caller: Caller) => caller.sendRaw(Buffer.from([1]))],
  [
    'audio in a conversation in writing',
    4400,
    (caller: Caller) => caller.send({ event: 'media', media: { payload: '/w==' } }),
  ],
  ['a second start', 4400, (caller: Caller) => caller.send({ event: 'start', mediaFormat: null })],
  [
    'more than 64 KB',
    1009,
    (caller: Caller) => caller.sendRaw(JSON.stringify({ event: 'text', text: 'x'.repeat(65_536) })),
  ],
  [
    'more than 100 frames a second',
    4429,
    (caller: Caller) =>
      Array.from({ length: 101 }, () => caller.send({ event: 'mark', mark: { name: 'x' } })),
  ],
])('%s closes the connection with %i, and the client may come back', async (_, code, send) => {
  await server.talk({ start }, async (url) => {
    const caller = await joined(url);
    clock.advance(1_000);
    send(caller);
    expect(await waitForClose(caller)).toMatchObject({ code });
    const again = await server.join(url);
    await again.start(null);
    await hangUp(again);
  });
});

test('a client that sends no first frame within 10 s is closed with 4400', async () => {
  await server.talk({ start }, async (url) => {
    const caller = await server.join(url);
    // The first client is attached when the door refuses a second one.
    expect(await waitForClose(await server.join(url))).toMatchObject({ code: 4409 });
    clock.advance(10_000);
    expect(await waitForClose(caller)).toMatchObject({ code: 4400 });
    await hangUp(await joined(url));
  });
});

test('audio that comes faster than it is spoken closes the connection with 4429', async () => {
  await server.talk({ start: { ...start, agent: { type: 'inbound' } } }, async (url) => {
    const joinSilently = async () => {
      const caller = await server.join(url);
      caller.send({ event: 'start', mediaFormat: MULAW });
      await until(() => caller.frames.some(({ event }) => event === 'ready'));
      return caller;
    };
    const caller = await joinSilently();
    const fiveSeconds = { payload: Buffer.alloc(5 * MULAW.sampleRate, 0xff).toString('base64') };
    for (let part = 0; part < 3; part++) caller.send({ event: 'media', media: fiveSeconds });
    expect(await waitForClose(caller)).toEqual({
      code: 4429,
      reason: 'Audio comes faster than it is spoken',
    });
    await hangUp(await joinSilently());
  });
});

test('texts and keys that come faster than they are answered are one turn, and too many close the connection', async () => {
  const chat = await OpenAiChatStandIn.listen();
  const agent = { ...start.agent, llmConfig: { ...exampleCall().agent.llmConfig, provider: 'openai' } };
  const call = await server.talk(
    { start: { ...start, agent } },
    async (url) => {
      const caller = await joined(url);
      clock.advance(1_000);
      for (let text = 1; text <= 30; text++) {
        caller.send({ event: 'text', text: `Number ${text}` });
        caller.send({ event: 'dtmf', dtmf: { digit: '1' } });
      }
      await until(() => caller.finals('user').join('\n').split('\n').length === 60);
      await until(() => chat.requests.length > 0 && caller.state === 'listening');
      clock.advance(1_000);
      for (let page = 0; page < 20; page++) caller.send({ event: 'text', text: 'x'.repeat(4_000) });
      expect(await waitForClose(caller)).toEqual({
        code: 4429,
        reason: 'Texts come faster than they are answered',
      });
      const again = await server.join(url);
      await again.start(null);
      await hangUp(again);
    },
    { models: chat.models },
  );
  // Four at once, and then two a second.
  const turns = call.turns.filter(({ speaker }) => speaker === 'user');
  expect(turns.slice(0, 4).map(({ text }) => text)).toEqual(['Number 1', 'DTMF 1', 'Number 2', 'DTMF 1']);
  expect(turns.length).toBeLessThan(30);
  expect(chat.requests.filter(({ stream }) => stream).length).toBeLessThanOrEqual(turns.length);
  chat.close();
});

test('a first frame other than start is refused', async () => {
  await server.talk({ start }, async (url) => {
    const caller = await server.join(url);
    caller.send({ event: 'text', text: 'Hello' });
    expect(await waitForClose(caller)).toMatchObject({ code: 4400 });
    await hangUp(await joined(url));
  });
});
