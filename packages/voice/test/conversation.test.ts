import { PATIENCE } from './support/caller';
import { startVoiceServer, type VoiceServer } from './support/voice-server';
import { until } from '../../../test/support/until';

let server: VoiceServer;
beforeAll(async () => {
  server = await startVoiceServer();
  await server.speech.warm();
});
afterAll(() => server.close());

const greeting = 'Hello, this is the front desk. How can I help you?';

test('a person is understood, answered, and says goodbye', async () => {
  const call = await server.talk({ start: { greeting, agent: { dynamic_variables: ['party_size'] } } }, async (url) => {
    const caller = await server.join(url);
    await caller.start();
    await until(() => caller.finals('agent').includes(greeting) && caller.state === 'listening', PATIENCE);
    expect(await caller.understood()).toMatch(/front desk/i);
    await caller.say('I would like to book a table for two.');
    await until(() => /tell me the party size/.test(caller.agentSaid()) && caller.state === 'listening', PATIENCE);
    expect(caller.finals('user')[0]).toMatch(/book a table/i);
    await caller.say('Two people, please.');
    await until(() => /anything else/.test(caller.agentSaid()) && caller.state === 'listening', PATIENCE);
    await caller.say('Good bye.');
    expect(await until(() => caller.closed, PATIENCE)).toMatchObject({ code: 1000 });
    expect(caller.frames.at(-1)).toMatchObject({ event: 'ended', reason: 'agent_hangup' });
    expect(caller.frames.filter(({ event }) => event === 'metrics')).toHaveLength(3);
  });

  expect(call.end).toMatchObject({ reason: 'agent_hangup', by: 'agent', outcome: 'completed' });
  expect(call.problems).toEqual([]);
  expect(call.turns.map(({ speaker }) => speaker)).toEqual(['agent', 'user', 'agent', 'user', 'agent', 'user', 'agent']);
  const analyzed = call.events.find(({ type }) => type === 'call.analyzed.v1');
  expect(JSON.stringify(analyzed?.body)).toMatch(/"party_size":"[^"]*people/i);
});
