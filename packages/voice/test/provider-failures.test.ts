import { exampleCall } from '../../worker/src/example-call';
import { type CarriedCall, CarrierTalk } from './support/carriers';
import { instantSpeech } from './support/instant-speech';
import { startModel } from './support/scripted-model';
import { DeepgramStandIn } from './stand-ins/deepgram/deepgram-stand-in';
import { ElevenLabsStandIn } from './stand-ins/elevenlabs/elevenlabs-stand-in';

jest.setTimeout(60_000);

const APOLOGY = 'I am sorry, something does not work here. Goodbye.';
const { llmConfig, voiceConfig } = exampleCall().agent;
const agent = {
  llmConfig: { ...llmConfig, provider: 'openai' },
  voiceConfig: { ...voiceConfig, provider: 'elevenlabs', voiceId: 'voice-1' },
};
const speaks = { talks: [{ afterMs: 200, forMs: 400 }] };

describe('With providers of speech', () => {
  let talk: CarrierTalk;
  let deepgram: DeepgramStandIn;
  let elevenlabs: ElevenLabsStandIn;
  beforeAll(async () => {
    talk = await CarrierTalk.start('twilio');
    [deepgram, elevenlabs] = [await DeepgramStandIn.listen(), await ElevenLabsStandIn.listen()];
  });
  afterAll(async () => {
    await talk.close();
    deepgram.close();
    elevenlabs.close();
  });
  afterEach(() => talk.problems.splice(0));

  async function call(
    person: Parameters<CarrierTalk['call']>[0],
    answers: string[] = [],
  ): Promise<CarriedCall & { apologies: string[] }> {
    const model = await startModel(answers.map((text) => [{ type: 'text', text }]));
    const speech = instantSpeech();
    const carried = await talk.call(person, {
      options: { start: { greeting: '', agent } },
      parts: {
        ...{ speech, accounts: { deepgram, elevenlabs } },
        models: new Map([['openai', { baseUrl: model.url, apiKey: 'key' }]]),
      },
    });
    await model.close();
    return { ...carried, apologies: speech.spoken };
  }

  test('a conversation is heard by Deepgram and spoken by ElevenLabs, and the call says what each did', async () => {
    const heard = await call({ ...speaks, hangsUpAfterMs: 2_500 }, ['We have a table for you.']);
    expect(heard.turns.map(({ text }) => text)).toEqual(['A table for two.', 'We have a table for you.']);
    expect(heard.phone?.handset?.heardSound).toBe(true);
    expect(heard.apologies).toEqual([]);
    expect(heard.analysis).toMatchObject({
      ...{ carrier: 'twilio', stt_provider: 'deepgram', tts_provider: 'elevenlabs', llm_provider: 'openai' },
      ...{ tts_characters: 24, llm_tokens: 38, llm_tokens_read: 30, llm_tokens_written: 8 },
    });
    expect(heard.analysis.stt_seconds).toBeGreaterThan(0);
  });

  test('a voice that dies in mid-sentence is tried once more, and goes on where it ended', async () => {
    elevenlabs.faults.push({ cutsAt: 0.5 });
    const heard = await call({ ...speaks, hangsUpAfterMs: 3_000 }, [
      'We have a table for you at the window.',
    ]);
    expect(heard.turns[1]?.text).toBe('We have a table for you at the window.');
    const spokenMs = (heard.phone?.handset?.bytes.length ?? 0) * 20;
    expect(spokenMs).toBeGreaterThan(300);
    expect(spokenMs).toBeLessThan(480);
    expect(heard.end).toMatchObject({ reason: 'user_hangup' });
  });

  test.each([
    [
      'refuses',
      [
        { refuses: 500, status: 'error' },
        { refuses: 500, status: 'error' },
      ],
    ],
    ['dies in mid-sentence, twice', [{ cutsAt: 0.5 }, { cutsAt: 0.7 }]],
    ['sends nonsense', [{ sendsNonsense: true as const }, { sendsNonsense: true as const }]],
  ])('a voice that %s ends the call with an apology in the voice of this machine', async (_, faults) => {
    elevenlabs.faults.push(...faults);
    const failed = await call(speaks, ['We have a table for you at the window.']);
    expect(failed.end).toMatchObject({ type: 'call.ended.v1', reason: 'error', by: 'system' });
    expect(failed.apologies.join(' ')).toBe(APOLOGY);
    expect(failed.turns.at(-1)).toMatchObject({ speaker: 'agent', text: APOLOGY });
    expect(failed.warnings.map(({ code }) => code)).toContain('service_failed');
    expect(failed.phone?.endedBy).toBe('runtime');
  });

  test.each([
    // A stream that ends while nobody waits for its text is replaced at once.
    ['ends its stream', [{ closesAfter: 0.1 }, { closesAfter: 0.1 }, { closesAfter: 0.1 }]],
    ['refuses', [{ refuses: 429 }, { refuses: 429 }, { refuses: 429 }]],
    ['sends nonsense', [{ sendsNonsense: true as const }, { sendsNonsense: true as const }]],
  ])('a recogniser that %s ends the call with an apology', async (_, faults) => {
    deepgram.faults.splice(0, Infinity, ...faults);
    const failed = await call(speaks);
    expect(failed.end).toMatchObject({ type: 'call.ended.v1', reason: 'error', by: 'system' });
    expect(failed.apologies.join(' ')).toBe(APOLOGY);
  });
});
