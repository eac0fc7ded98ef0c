import { until } from '../../../../test/support/until';
import { exampleCall } from '../../../worker/src/example-call';
import { DeepgramStandIn } from '../stand-ins/deepgram/deepgram-stand-in';
import { ElevenLabsStandIn } from '../stand-ins/elevenlabs/elevenlabs-stand-in';
import { type CarriedCall, type CarrierName, CarrierTalk } from './carriers';
import { instantSpeech } from './instant-speech';
import { startModel } from './scripted-model';

const greeting = 'Hello, this is the front desk. How can I help you today?';
const { callConfig, llmConfig, voiceConfig } = exampleCall().agent;
const speaks = { talks: [{ afterMs: 200, forMs: 300 }] };

/** The calls that go the same way with each carrier. */
export function testCarrier(name: CarrierName): void {
  jest.setTimeout(60_000);

  let talk: CarrierTalk;
  beforeAll(async () => {
    talk = await CarrierTalk.start(name);
  });
  afterAll(() => talk.close());
  afterEach(() => expect(talk.problems.splice(0)).toEqual([]));

  const carrierSaid = ({ warnings }: CarriedCall) =>
    warnings.filter(({ code }) => code === 'carrier').map(({ text }) => text);
  const isOverAtCarrier = (call: CarriedCall) => until(() => call.phone?.isOver);

  test('a person who answers is heard and answered, and hangs up', async () => {
    const person = { ...speaks, hangsUpAfterMs: 2_000 };
    const call = await talk.call(person, { options: { start: { greeting } } });
    expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'user_hangup', by: 'user' });
    expect(call.turns.map(({ speaker, text }) => `${speaker}: ${text}`).slice(0, 2)).toEqual([
      'user: A table for two',
      `agent: ${greeting}`,
    ]);
    expect(call.phone).toMatchObject({ endedBy: 'person', complaints: [], streams: 1 });
    expect(call.phone?.handset?.heardSound).toBe(true);
    expect(carrierSaid(call)).toEqual([]);
    expect(call.analysis).toMatchObject({ carrier: name, stt_provider: 'local', tts_provider: 'local' });
    expect(call.analysis.carrier_seconds).toBeGreaterThanOrEqual(1);
  });

  test.each([
    ['busy', 'dial_busy', /SIP 486|cause 17/],
    ['declines', 'dial_busy', /SIP 603|cause 21/],
    ['no-answer', 'dial_no_answer', /no-answer|timeout|cause 19/],
    ['does-not-exist', 'invalid_destination', /SIP 404|cause 1 /],
    ['network-fails', 'dial_failed', /SIP 503|cause 38/],
  ] as const)(
    'a phone that is or does "%s" ends the call as %s, with the code of the carrier',
    async (phone, reason, said) => {
      const call = await talk.call({ phone }, { options: { start: { greeting } } });
      expect(call.end).toMatchObject({ type: 'call.failed.v1', reason });
      expect(carrierSaid(call)).toEqual([expect.stringMatching(said)]);
      expect(call.phone?.complaints).toEqual([]);
    },
  );

  test('a number that is none, and a full trunk, are told apart', async () => {
    const wrong = await talk.call({}, { options: { start: { greeting, to_number: '+0' } } });
    expect(wrong.end).toMatchObject({ type: 'call.failed.v1', reason: 'invalid_destination' });
    expect(carrierSaid(wrong)).toEqual([expect.stringMatching(/code (21211|10016)|cause 1 /)]);
    talk.standIn.maxCalls = 0;
    const full = await talk.call({}, { options: { start: { greeting } } });
    talk.standIn.maxCalls = Infinity;
    expect(full.end).toMatchObject({ type: 'call.failed.v1', reason: 'dial_failed' });
    expect(carrierSaid(full)).toEqual([expect.stringMatching(/code (20429|90043)|answered 500/)]);
  });

  test('a voicemail gets the message after its beep, and the agent hangs up', async () => {
    const agent = {
      voicemailConfig: { isEnabled: true, message: 'Please call us back.' },
      callConfig: { ...callConfig, voicemailDetection: { enabled: true, type: 'audio' } },
    };
    const call = await talk.call({ phone: 'voicemail' }, { options: { start: { greeting, agent } } });
    expect(call.end).toMatchObject({ reason: 'voicemail_reached', by: 'agent' });
    expect(call.turns.map(({ text }) => text)).toContain('Please call us back.');
    await isOverAtCarrier(call);
    expect(call.phone).toMatchObject({ endedBy: 'runtime', complaints: [] });
  });

  test('a hang-up over REST ends a call, also while it rings', async () => {
    const options = { start: { greeting }, hangUpAfterMs: 800 };
    const connected = await talk.call({}, { options });
    expect(connected.end).toMatchObject({ type: 'call.ended.v1', reason: 'cancelled', by: 'system' });
    const ringing = await talk.call({ ringMs: 10_000 }, { options });
    expect(ringing.end).toMatchObject({ type: 'call.failed.v1', reason: 'cancelled' });
    await isOverAtCarrier(connected);
    await isOverAtCarrier(ringing);
    expect([connected.phone?.endedBy, ringing.phone?.endedBy]).toEqual(['runtime', 'runtime']);
  });

  test('a person who interrupts stops the agent, and the carrier forgets what was not played', async () => {
    const long = 'Let me tell you everything about our house by the river. '.repeat(20);
    const person = { interrupts: { afterMs: 1_000, forMs: 600 }, hangsUpAfterMs: 3_600 };
    const call = await talk.call(person, { options: { start: { greeting: long } } });
    const { clears = [], talkingFrom = Infinity } = call.phone?.handset ?? {};
    expect((clears[0] ?? Infinity) - talkingFrom).toBeLessThan(1_000);
    expect(call.turns[0]?.text.length).toBeLessThan(long.length / 2);
    expect(call.turns[1]).toMatchObject({ speaker: 'user', text: 'A table for two' });
  });

  test('keys that the person presses are turns', async () => {
    const person = { presses: { afterMs: 1_900, digits: '5' }, hangsUpAfterMs: 2_500 };
    const call = await talk.call(person, { options: { start: { greeting: 'Press five.' } } });
    expect(call.turns.map(({ text }) => text)).toContain('DTMF 5');
  });

  test('the agent presses keys, says goodbye and connects the person with a number', async () => {
    const model = await startModel([
      [{ type: 'tool', name: 'press_keys', arguments: { digits: '12' } }],
      [
        { type: 'text', text: 'I am connecting you now.' },
        { type: 'tool', name: 'sales', arguments: {} },
      ],
    ]);
    const agent = { llmConfig: { ...llmConfig, provider: 'openai' }, actions: ['sales tel:+15559998888'] };
    const call = await talk.call(speaks, {
      options: { start: { greeting: '', agent } },
      parts: { models: new Map([['openai', { baseUrl: model.url, apiKey: 'key' }]]) },
    });
    await model.close();
    expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'call_transfer', by: 'agent' });
    expect(call.phone).toMatchObject({ transferredTo: '+15559998888', complaints: [] });
    expect(call.turns.flatMap(({ tool }) => tool?.name ?? [])).toEqual(['press_keys', 'sales']);
    if (name !== 'twilio') expect(call.phone?.digits).toBe('12');
    await isOverAtCarrier(call);
    expect(call.phone?.endedBy).toBe('person');
  });

  test('a stream that is lost comes back within the call', async () => {
    const person = { losesStreamAfterMs: 700, hangsUpAfterMs: 2_500 };
    const call = await talk.call(person, { options: { start: { greeting } } });
    expect(call.end).toMatchObject({ reason: 'user_hangup', by: 'user' });
    expect(call.phone).toMatchObject({ streams: 2, complaints: [] });
    expect(call.turns[0]).toMatchObject({ speaker: 'agent', text: greeting });
  });

  test('a call to a number of the carrier is answered, with the number of the caller', async () => {
    const call = await talk.ring({ hangsUpAfterMs: 1_500 }, { options: { start: { greeting } } });
    expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'user_hangup', by: 'user' });
    expect(call.turns[0]).toMatchObject({ speaker: 'agent', text: greeting });
    expect(call.phone).toMatchObject({ endedBy: 'person', complaints: [] });
  });

  test('a call that the server refuses is not answered', async () => {
    expect((await talk.ringRefused('do_not_call')).refusedAs).toMatch(/rejected/i);
    expect((await talk.ringRefused('too_many_calls')).refusedAs).toMatch(/busy/i);
  });

  test('a voice that dies in mid-sentence, twice, ends the call with an apology', async () => {
    const [deepgram, elevenlabs] = [await DeepgramStandIn.listen(), await ElevenLabsStandIn.listen()];
    elevenlabs.faults.push({ cutsAt: 0.5 }, { cutsAt: 0.7 });
    const speech = instantSpeech();
    const agent = { voiceConfig: { ...voiceConfig, provider: 'elevenlabs', voiceId: 'voice-1' } };
    const call = await talk.call(speaks, {
      options: { start: { greeting, agent } },
      parts: { speech, accounts: { deepgram, elevenlabs } },
    });
    deepgram.close();
    elevenlabs.close();
    expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'error', by: 'system' });
    expect(speech.spoken.join(' ')).toBe('I am sorry, something does not work here. Goodbye.');
    await isOverAtCarrier(call);
    expect(call.phone?.endedBy).toBe('runtime');
    expect(talk.problems.splice(0)).toHaveLength(1);
  });
}
