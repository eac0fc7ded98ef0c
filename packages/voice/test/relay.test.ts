import { exampleCall } from '../../worker/src/example-call';
import { CarrierTalk } from './support/carriers';
import { startModel } from './support/scripted-model';
import type { TwilioCall } from './stand-ins/twilio/call';

jest.setTimeout(60_000);

const { llmConfig, voiceConfig, callConfig } = exampleCall().agent;
const agent = {
  llmConfig: { ...llmConfig, provider: 'openai' },
  voiceConfig: { ...voiceConfig, provider: 'elevenlabs', voiceId: 'voice-1' },
  customVocabulary: ['Parley'],
};

describe('With a carrier that hears and speaks', () => {
  let talk: CarrierTalk;
  beforeAll(async () => {
    talk = await CarrierTalk.start('twilio that speaks');
  });
  afterAll(() => talk.close());
  afterEach(() => expect(talk.problems.splice(0)).toEqual([]));

  async function call(
    person: Parameters<CarrierTalk['call']>[0],
    answers: Parameters<typeof startModel>[0] = [],
    start: object = {},
  ) {
    const model = await startModel(answers);
    const carried = await talk.call(person, {
      options: { start: { greeting: '', agent, ...start } },
      parts: { models: new Map([['openai', { baseUrl: model.url, apiKey: 'key' }]]) },
    });
    await model.close();
    const phone = carried.phone as TwilioCall | undefined;
    return { ...carried, phone, said: phone?.spoken.join(' '), turns: carried.turns.map(({ text }) => text) };
  }

  test('only text comes and goes, in the language and with the voice of the agent', async () => {
    const person = { says: ['A table for two.', 'Thank you.'], hangsUpAfterMs: 3_000 };
    const carried = await call(person, [
      [{ type: 'text', text: 'We have a table for you. On Friday at eight.' }],
      [{ type: 'text', text: 'You are welcome.' }],
    ]);
    expect(carried.turns).toEqual([
      ...[
        'A table for two.',
        'We have a table for you. On Friday at eight.',
        'Thank you.',
        'You are welcome.',
      ],
    ]);
    expect(carried.said).toBe('We have a table for you. On Friday at eight. You are welcome.');
    expect(carried.phone?.relay).toMatchObject({ language: 'en', voice: 'voice-1', hints: 'Parley' });
    expect(carried.phone).toMatchObject({ complaints: [], endedBy: 'person' });
    expect(carried.end).toMatchObject({ reason: 'user_hangup' });
    expect(carried.warnings).toEqual([]);
    expect(carried.analysis).toMatchObject({
      stt_provider: 'carrier',
      tts_provider: 'carrier',
      carrier: 'twilio',
    });
  });

  test('the greeting is said at once, or after the hello of the person', async () => {
    const greeting = 'Hello, this is the front desk.';
    const silent = await call({ says: [], hangsUpAfterMs: 3_000 }, [], { greeting });
    expect(silent.turns).toEqual([greeting]);
    const polite = await call({ says: ['Hello?'], hangsUpAfterMs: 2_500 }, [], { greeting });
    expect(polite.turns).toEqual(['Hello?', greeting]);
  });

  test('what the person did not hear is not in the transcript', async () => {
    const person = { says: ['A table.', 'Stop.'], interruptsAfterWords: 5, hangsUpAfterMs: 2_500 };
    const carried = await call(person, [
      [{ type: 'text', text: 'Life is a complex set of events that nobody has understood so far.' }],
      [{ type: 'text', text: 'Yes?' }],
    ]);
    expect(carried.turns).toEqual(['A table.', 'Life is a complex set', 'Stop.', 'Yes?']);
    expect(carried.said).not.toContain('nobody');
  });

  test('keys go both ways, and the agent connects the person with a number', async () => {
    const person = { says: [], presses: { afterMs: 400, digits: '5' } };
    const carried = await call(
      person,
      [
        [{ type: 'tool', name: 'press_keys', arguments: { digits: '12' } }],
        [
          { type: 'text', text: 'I am connecting you.' },
          { type: 'tool', name: 'sales', arguments: {} },
        ],
      ],
      { agent: { ...agent, actions: ['sales tel:+15559998888'] } },
    );
    expect(carried.turns).toContain('DTMF 5');
    expect(carried.phone).toMatchObject({ digits: '12', transferredTo: '+15559998888', complaints: [] });
    expect(carried.end).toMatchObject({ reason: 'call_transfer', by: 'agent' });
  });

  test('a voicemail gets the message, and the agent hangs up', async () => {
    const carried = await call({ phone: 'voicemail', says: [] }, [], {
      agent: {
        ...agent,
        voicemailConfig: { isEnabled: true, message: 'Please call us back.' },
        callConfig: { ...callConfig, voicemailDetection: { enabled: true, type: 'audio' } },
      },
    });
    expect(carried.said).toBe('Please call us back.');
    expect(carried.end).toMatchObject({ reason: 'voicemail_reached', by: 'agent' });
    expect(carried.phone?.endedBy).toBe('runtime');
  });
});
