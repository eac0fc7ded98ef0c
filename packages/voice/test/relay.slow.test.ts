import { until } from '../../../test/support/until';
import { exampleCall } from '../../worker/src/example-call';
import { CarrierTalk } from './support/carriers';
import { type ModelPart, OpenAiChatStandIn } from './stand-ins/openai-chat/openai-chat-stand-in';
import type { TwilioCall } from './stand-ins/twilio/call';
import type { TwilioStandIn } from './stand-ins/twilio/twilio-stand-in';
import type { Way } from './support/phone-talk';

jest.setTimeout(60_000);

const { callConfig, llmConfig, voiceConfig } = exampleCall().agent;
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
    answers: ModelPart[][] = [],
    start: object = {},
    way: Way = 'call',
  ) {
    const model = await OpenAiChatStandIn.listen(answers);
    const carried = await talk[way](person, {
      options: { start: { greeting: '', agent, ...start } },
      parts: { models: model.models },
    });
    model.close();
    expect(model.complaints).toEqual([]);
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
    expect(carried.phone?.relay).toMatchObject({ language: 'en-US', voice: 'voice-1', hints: 'Parley' });
    expect(carried.phone).toMatchObject({ complaints: [], endedBy: 'person' });
    expect(carried.end).toMatchObject({ reason: 'user_hangup' });
    expect(carried.warnings).toEqual([]);
    expect(carried.analysis).toMatchObject({
      stt_provider: 'carrier',
      tts_provider: 'carrier',
      carrier: 'twilio',
    });
  });

  test.each([
    [20, 80, 'x'],
    [100, 40, '&'],
  ])(
    'an agent with %i terms of %i characters "%s" is called, and its first terms are expected',
    async (count, length, letter) => {
      const customVocabulary = Array.from({ length: count }, (_, index) => `${index}`.padEnd(length, letter));
      const carried = await call({ says: [], hangsUpAfterMs: 500 }, [], {
        agent: {
          ...agent,
          ...{ customVocabulary, multiLingual: count === 100, secondaryLanguages: ['es', 'de'] },
          voiceConfig: { ...agent.voiceConfig, voiceId: 'v'.repeat(200) },
        },
      });
      expect(carried.end).toMatchObject({ reason: 'user_hangup' });
      expect(carried.phone).toMatchObject({ complaints: [] });
      const hints = String(carried.phone?.relay?.hints).split(',');
      expect(hints).toEqual(customVocabulary.slice(0, hints.length));
      expect(carried.warnings).toMatchObject([{ code: 'value_out_of_range' }]);
    },
  );

  test.each([
    ['en', 'en-GB', 'en-GB'],
    ['pt', 'pt-BR', 'pt-BR'],
    ['pt-PT', 'pt-BR', 'pt-PT'],
    ['es', 'en-GB', 'es-ES'],
    ['', 'pt_BR', 'pt-BR'],
  ])(
    'an agent of the language "%s" with a voice of the language %s speaks %s',
    async (primaryLanguage, language, spoken) => {
      const voice = { ...agent.voiceConfig, language };
      const carried = await call({ says: [], hangsUpAfterMs: 500 }, [], {
        agent: { ...agent, primaryLanguage, voiceConfig: voice },
      });
      expect(carried.phone?.relay?.language).toBe(spoken);
      expect(carried.phone).toMatchObject({ complaints: [], endedBy: 'person' });
    },
  );

  test('a person who speaks another language of the agent is heard, and answered with the same voice', async () => {
    const person = { says: ['Una mesa para dos.'], speaks: 'es', hangsUpAfterMs: 2_000 };
    const answers = [[{ type: 'text' as const, text: 'Con mucho gusto.' }]];
    const several = { ...agent, multiLingual: true, secondaryLanguages: ['es'] };
    const carried = await call(person, answers, { agent: several });
    expect(carried.turns).toEqual(['Una mesa para dos.', 'Con mucho gusto.']);
    expect(carried.phone?.relay).toMatchObject({
      ...{ language: 'en-US', ttsLanguage: 'multi', transcriptionLanguage: 'multi', voice: 'voice-1' },
    });
    expect(carried.phone?.relayLanguages).toEqual([
      {
        ...{ code: 'multi', ttsProvider: 'ElevenLabs', voice: 'voice-1' },
        ...{ transcriptionProvider: 'Deepgram', speechModel: 'nova-3-general' },
      },
    ]);
    expect(carried.phone).toMatchObject({ complaints: [], endedBy: 'person' });
    expect(carried.warnings).toEqual([]);
  });

  test.each([
    [false, ['es']],
    [true, []],
  ])(
    'an agent that is multilingual: %j, with the languages %j beside its own, has one language',
    async (multiLingual, secondaryLanguages) => {
      const person = { says: ['Una mesa para dos.'], speaks: 'es', hangsUpAfterMs: 1_000 };
      const carried = await call(person, [], { agent: { ...agent, multiLingual, secondaryLanguages } });
      expect(carried.turns).toEqual([]);
      expect(carried.phone?.relay).not.toHaveProperty('transcriptionLanguage');
      expect(carried.phone).toMatchObject({ relayLanguages: [], complaints: [], endedBy: 'person' });
    },
  );

  test('a language that the carrier has not ends the call as an error that names it', async () => {
    const carried = await call({}, [], { agent: { ...agent, primaryLanguage: 'tlh' } });
    expect(carried.end).toMatchObject({ type: 'call.failed.v1', reason: 'error' });
    expect(carried.warnings).toMatchObject([
      { code: 'carrier', text: expect.stringContaining('language tlh with the voice voice-1') as string },
    ]);
    await until(() => carried.phone?.isOver);
    expect(carried.phone?.streams).toBe(0);
    expect(carried.phone?.complaints[0]).toMatch(/^64101 /);
  });

  test('the greeting is said at once, or after the hello of the person', async () => {
    const greeting = 'Hello, this is the front desk.';
    const silent = await call({ says: [], hangsUpAfterMs: 3_000 }, [], { greeting });
    expect(silent.turns).toEqual([greeting]);
    const polite = await call({ says: ['Hello?'], hangsUpAfterMs: 2_500 }, [], { greeting });
    expect(polite.turns).toEqual(['Hello?', greeting]);
  });

  describe('A voicemail', () => {
    const greets = 'You have reached Ada. Please leave a message after the tone.';
    const find = (message: string | null, type = 'audio') => ({
      ...agent,
      voicemailConfig: { isEnabled: message !== null, message },
      callConfig: { ...callConfig, voicemailDetection: { enabled: true, type } },
    });

    test.each(['audio', 'transcript'])(
      'is known by its greeting, is not answered, and gets the message after its beep (%s)',
      async (type) => {
        const start = { agent: find('Please call us back.', type) };
        const carried = await call({ phone: 'voicemail', greets }, [], start);
        expect(carried.end).toMatchObject({ reason: 'voicemail_reached', by: 'agent' });
        expect(carried.turns).toEqual(['Please call us back.']);
        expect(carried.said).toBe('Please call us back.');
        expect(carried.phone?.handset?.heardBeforeBeep).toBe(false);
        expect(carried.phone).toMatchObject({ complaints: [] });
      },
    );

    test('is hung up at its greeting where the agent has no message', async () => {
      const carried = await call({ phone: 'voicemail', greets }, [], { agent: find(null) });
      expect(carried.end).toMatchObject({ reason: 'voicemail_reached', by: 'agent' });
      expect(carried.turns).toEqual([]);
      expect(carried.said).toBe('');
    });

    test('without such words is known by the machine detection of Twilio', async () => {
      const carried = await call({ phone: 'voicemail', greets: 'Hello?' }, [], {
        greeting: 'Hello, this is the front desk. We would like to tell you about our house by the river.',
        agent: find('Please call us back.'),
      });
      expect(carried.end).toMatchObject({ reason: 'voicemail_reached', by: 'agent' });
      expect(carried.turns.at(-1)).toBe('Please call us back.');
    });
  });

  describe.each(['call', 'ring'] as const)('A voice of Twilio that dies in mid-sentence (%s)', (way) => {
    const reported = expect.stringContaining('Text-to-speech provider error') as string;
    const answer = [{ type: 'text' as const, text: 'We have a table for you at the window.' }];
    const ask = (deaths: number, person = {}) => {
      const { speechFaults } = talk.standIn as unknown as TwilioStandIn;
      speechFaults.push(...Array.from({ length: deaths }, () => ({ afterWords: 3 })));
      return call({ says: ['A table for two.'], ...person }, [answer], {}, way);
    };

    test('is tried once more over another connection, which says the sentence again', async () => {
      const carried = await ask(1, { hangsUpAfterMs: 3_000 });
      expect(carried.turns).toEqual(['A table for two.', 'We have a table for you at the window.']);
      expect(carried.said).toBe('We have a table for you at the window.');
      expect(carried.end).toMatchObject({ reason: 'user_hangup', by: 'user' });
      expect(carried.phone).toMatchObject({ streams: 2, complaints: [], endedBy: 'person' });
      expect(talk.problems.splice(0)).toEqual([reported]);
    });

    test('twice ends the call as an error, with the words of Twilio', async () => {
      const carried = await ask(2);
      expect(carried.end).toMatchObject({ type: 'call.ended.v1', reason: 'error', by: 'system' });
      expect(carried.warnings).toContainEqual({ code: 'carrier', text: reported });
      expect(carried.turns).not.toContain('We have a table for you at the window.');
      await until(() => carried.phone?.isOver);
      expect(carried.phone).toMatchObject({ streams: 2, complaints: [], endedBy: 'runtime' });
      expect(talk.problems.splice(0)).toEqual([reported, reported]);
    });
  });

  test('a key that the person presses stops the agent, and what was not heard is not in the transcript', async () => {
    const greeting = 'Please press five if you like our house by the river. '.repeat(8).trim();
    const person = { presses: { afterMs: 2_400, digits: '5' }, hangsUpAfterMs: 3_500 };
    const carried = await call(person, [], { greeting });
    const [spoken = '', key] = carried.turns;
    expect(key).toBe('DTMF 5');
    expect(spoken).not.toBe('');
    expect(greeting.startsWith(spoken)).toBe(true);
    expect(spoken.length).toBeLessThan(greeting.length);
    expect(carried.phone).toMatchObject({ complaints: [] });
  });

  test('the agent hangs up as soon as its last words were played', async () => {
    const text = 'Thank you for your call, and have a nice day at our house by the river. '.repeat(3).trim();
    // The time in which a voice would speak as many letters is longer than the person waits.
    const carried = await call({ says: ['Goodbye.'], hangsUpAfterMs: 8_000 }, [
      [
        { type: 'text', text },
        { type: 'tool', name: 'end_call', arguments: {} },
      ],
    ]);
    expect(carried.end).toMatchObject({ reason: 'agent_hangup', by: 'agent' });
    expect(carried.said).toBe(text);
    expect(carried.phone).toMatchObject({ complaints: [] });
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
});
