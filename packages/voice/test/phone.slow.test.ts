import { exampleCall } from '../../worker/src/example-call';
import { PATIENCE } from './support/caller';
import { Phones } from './support/phone';

// Speech takes its time, also on a busy machine.
jest.setTimeout(240_000);

let phones: Phones;
beforeAll(async () => {
  phones = await Phones.start();
  await phones.speech.warm();
}, PATIENCE);
afterAll(() => phones.close());

const greeting = 'Hello, this is the front desk. How can I help you?';
const { callConfig, voiceConfig } = exampleCall().agent;
const heard = ({ callee }: { callee: { type: string }[] }) =>
  callee
    .flatMap((event) => (event.type === 'heard' ? [(event as unknown as { text: string }).text] : []))
    .join(' ');

test.concurrent('a person at a phone is called, understood and answered', async () => {
  const call = await phones.call(
    { hello: 'Hello?', otherwise: ['I would like to book a table for two.', 'Good bye.'] },
    { start: { greeting } },
  );
  expect(call.problems).toEqual([]);
  expect(heard(call)).toMatch(/front desk/i);
  expect(call.turns.map(({ speaker }) => speaker)).toEqual([
    'user',
    'agent',
    'user',
    'agent',
    'user',
    'agent',
  ]);
  expect(call.turns[1]?.text).toBe(greeting);
  expect(call.turns[2]?.text).toMatch(/book a table/i);
  expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'agent_hangup', by: 'agent' });
});

test.concurrent.each([
  ['busy', 'dial_busy'],
  ['no-answer', 'dial_no_answer'],
  ['failed', 'invalid_destination'],
] as const)('a phone that is %s ends the call as %s', async (what, reason) => {
  const call = await phones.call(what, { start: { greeting } });
  expect(call.end).toMatchObject({ type: 'call.failed.v1', reason });
  expect(call.problems).toEqual([]);
});

test.concurrent('a number that the carrier refuses is an invalid destination', async () => {
  const call = await phones.call('busy', { start: { greeting, to_number: '+0' } });
  expect(call.end).toMatchObject({ type: 'call.failed.v1', reason: 'invalid_destination' });
});

test.concurrent('a person who hangs up ends the call as the user', async () => {
  const call = await phones.call({ hangsUpAfterMs: 1_500 }, { start: { greeting } });
  expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'user_hangup', by: 'user' });
});

test.concurrent('a hang-up over REST ends a call, also while it rings', async () => {
  const connected = await phones.call({}, { start: { greeting }, hangUpAfterMs: 3_000 });
  expect(connected.end).toMatchObject({ type: 'call.ended.v1', reason: 'cancelled', by: 'system' });
  const ringing = await phones.call('no-answer', { start: { greeting }, hangUpAfterMs: 500 });
  expect(ringing.end).toMatchObject({ type: 'call.failed.v1', reason: 'cancelled' });
  expect([...connected.problems, ...ringing.problems]).toEqual([]);
});

test.concurrent('a person who interrupts is heard, and the agent stops', async () => {
  const long = `${'Let me tell you everything about our house by the river. '.repeat(6)}`;
  const call = await phones.call(
    { interrupts: { afterMs: 2_000, say: 'Stop it. I want a table.' }, otherwise: [] },
    { start: { greeting: long, agent: { voiceConfig: { ...voiceConfig, voiceId: 'slt' } } } },
  );
  const at = (type: string) => call.callee.find((event) => event.type === type)?.at ?? NaN;
  // The agent asks for 0.2 s of voice.
  expect(at('cleared') - at('person-began')).toBeLessThan(5_000);
  expect(call.turns[0]?.text.length).toBeLessThan(long.length / 2);
  expect(call.turns[1]).toMatchObject({ speaker: 'user' });
  expect(call.turns[1]?.text).toMatch(/table/i);
});

describe('A voicemail', () => {
  const machine = {
    hello: 'Hi. We are not available right now. Please leave a message after the tone.',
    beeps: true,
  };
  const agent = (type: string, message: string | null) => ({
    voicemailConfig: { isEnabled: message !== null, message },
    callConfig: { ...callConfig, voicemailDetection: { enabled: true, type } },
  });

  test.concurrent('gets the message after its beep', async () => {
    const call = await phones.call(machine, {
      start: { greeting: '', agent: agent('', 'This is the front desk. Please call us back tomorrow.') },
    });
    expect(call.end).toMatchObject({ reason: 'voicemail_reached', by: 'agent' });
    expect(call.turns.map(({ text }) => text)).toContain(
      'This is the front desk. Please call us back tomorrow.',
    );
    const types = call.callee.map(({ type }) => type);
    expect(types.lastIndexOf('agent-began')).toBeGreaterThan(types.indexOf('person-ended'));
  });

  test.concurrent('without a message it is left at once', async () => {
    const call = await phones.call(machine, { start: { greeting: '', agent: agent('transcript', null) } });
    expect(call.end).toMatchObject({ reason: 'voicemail_reached', by: 'agent' });
    expect(call.turns).toEqual([]);
  });
});
