import { until } from '../../../test/support/until';
import { exampleCall } from '../../worker/src/example-call';
import { PATIENCE } from './support/caller';
import { startVoiceServer, type VoiceServer } from './support/voice-server';

// Speech takes its time, also on a busy machine.
jest.setTimeout(180_000);

let server: VoiceServer;
beforeAll(async () => {
  server = await startVoiceServer();
  await server.speech.warm();
});
afterAll(() => server.close());

const greeting = 'Hello, this is the front desk. How can I help you?';

test.concurrent('a person is understood, answered, and says goodbye', async () => {
  const call = await server.talk(
    { start: { greeting, agent: { dynamic_variables: ['party_size'] } } },
    async (url) => {
      const caller = await server.join(url);
      await caller.start();
      await until(() => caller.finals('agent').includes(greeting) && caller.state === 'listening', PATIENCE);
      expect(await caller.understood()).toMatch(/front desk/i);
      await caller.say('I would like to book a table for two.');
      await until(
        () => /tell me the party size/.test(caller.agentSaid()) && caller.state === 'listening',
        PATIENCE,
      );
      expect(caller.finals('user')[0]).toMatch(/book a table/i);
      await caller.say('Two people, please.');
      await until(() => /Is that right/.test(caller.agentSaid()) && caller.state === 'listening', PATIENCE);
      await caller.say('Yes, that is right.');
      await until(() => /anything else/.test(caller.agentSaid()) && caller.state === 'listening', PATIENCE);
      await caller.say('Good bye.');
      expect(await until(() => caller.closed, PATIENCE)).toMatchObject({ code: 1000 });
      expect(caller.frames.at(-1)).toMatchObject({ event: 'ended', reason: 'agent_hangup' });
      expect(caller.frames.filter(({ event }) => event === 'metrics')).toHaveLength(4);
    },
  );

  expect(call.end).toMatchObject({ reason: 'agent_hangup', by: 'agent', outcome: 'completed' });
  expect(call.problems).toEqual([]);
  expect(call.turns.map(({ speaker }) => speaker)).toEqual([
    'agent',
    'user',
    'agent',
    'user',
    'agent',
    'user',
    'agent',
    'user',
    'agent',
  ]);
  const analyzed = call.events.find(({ type }) => type === 'call.analyzed.v1');
  expect(JSON.stringify(analyzed?.body)).toMatch(/"party_size":"[^"]*people/i);
});

test.concurrent(
  'a person who speaks interrupts the agent, and what was not heard is not in the transcript',
  async () => {
    const long =
      'Let me tell you everything about our house. It was built by the river in the year eighteen hundred. '.repeat(
        4,
      );
    const call = await server.talk({ start: { greeting: long } }, async (url) => {
      const caller = await server.join(url);
      await caller.start();
      await until(() => caller.audio().seconds > 2, PATIENCE);
      await caller.say('Stop. I want a table.');
      await until(() => caller.frames.some(({ event }) => event === 'clear'), PATIENCE);
      await until(() => caller.finals('user').length > 0, PATIENCE);
      caller.send({ event: 'stop' });
      await until(() => caller.closed, PATIENCE);
    });
    const [first, second] = call.turns;
    expect(first?.speaker).toBe('agent');
    expect(long.startsWith(first?.text ?? '?')).toBe(true);
    expect(first?.text.length).toBeLessThan(long.length / 2);
    expect(second).toMatchObject({ speaker: 'user' });
    expect(second?.text).toMatch(/table/i);
    expect(call.end).toMatchObject({ reason: 'user_hangup', by: 'user' });
  },
);

test.concurrent('both sides of a call are recorded, the person left and the agent right', async () => {
  const { callConfig } = exampleCall().agent;
  const call = await server.talk(
    { start: { greeting, agent: { callConfig: { ...callConfig, recordingEnabled: true } } } },
    async (url) => {
      const caller = await server.join(url);
      await caller.start();
      await until(() => caller.finals('agent').includes(greeting), PATIENCE);
      await caller.say('I want a table by the window.');
      await until(() => caller.finals('user').length > 0, PATIENCE);
      caller.send({ event: 'stop' });
      await until(() => caller.closed, PATIENCE);
    },
  );
  const [person, agent] = readSides(call.recording ?? Buffer.alloc(44));
  expect(await server.understand(agent)).toMatch(/front desk/i);
  expect(await server.understand(person)).toMatch(/table/i);
  expect(call.problems).toEqual([]);
});

test.concurrent('a person who says nothing is reminded, and the call ends', async () => {
  const { callConfig } = exampleCall().agent;
  const agent = { callConfig: { ...callConfig, idleReminders: [true, 3] as [boolean, number] } };
  const call = await server.talk(
    { start: { greeting, agent: { ...agent, timeoutConfig: { silenceTimeout: 6, maximumDuration: 600 } } } },
    async (url) => {
      const caller = await server.join(url);
      await caller.start();
      await until(() => caller.closed, 90_000);
      expect(caller.frames.at(-1)).toMatchObject({ event: 'ended', reason: 'inactivity' });
    },
  );
  expect(call.turns.map(({ text }) => text)).toEqual([
    greeting,
    ...Array<string>(3).fill('Are you still there?'),
    'I have to end the call now. Goodbye.',
  ]);
  expect(call.end).toMatchObject({ reason: 'inactivity', by: 'system' });
});

test.concurrent('a synthesis that fails ends the call as an error, not in silence', async () => {
  const broken = {
    provider: 'broken',
    speak: () => {
      throw new Error('No voice');
    },
  };
  const speech = {
    ...server.speech,
    recognizer: server.speech.recognizer,
    synthesizer: broken,
    warm: () => Promise.resolve(),
  };
  const call = await server.talk(
    { start: { greeting } },
    async (url) => {
      const caller = await server.join(url);
      await caller.start();
      await until(() => caller.closed, PATIENCE);
    },
    { speech },
  );
  expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'error', by: 'system' });
  expect(call.problems).toContainEqual(expect.stringContaining('No voice'));
});

/** The channels of a 16-bit stereo WAV file. */
function readSides(wav: Buffer): [Int16Array, Int16Array] {
  const count = (wav.length - 44) / 4;
  const side = (offset: number) =>
    Int16Array.from({ length: count }, (_, index) => wav.readInt16LE(44 + index * 4 + offset));
  return [side(0), side(2)];
}
