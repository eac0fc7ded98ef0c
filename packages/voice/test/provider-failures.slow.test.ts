import { exampleCall } from '../../worker/src/example-call';
import { until } from '../../../test/support/until';
import { type CarriedCall, CarrierTalk } from './support/carriers';
import { instantSpeech } from './support/instant-speech';
import { DeepgramStandIn } from './stand-ins/deepgram/deepgram-stand-in';
import { ElevenLabsStandIn } from './stand-ins/elevenlabs/elevenlabs-stand-in';
import { type ModelPart, OpenAiChatStandIn } from './stand-ins/openai-chat/openai-chat-stand-in';

jest.setTimeout(60_000);

const APOLOGY = 'I am sorry, something does not work here. Goodbye.';
const { llmConfig, voiceConfig } = exampleCall().agent;
const agent = {
  llmConfig: { ...llmConfig, provider: 'openai' },
  voiceConfig: { ...voiceConfig, provider: 'elevenlabs', voiceId: 'voice-1' },
};
const speaks = { talks: [{ afterMs: 200, forMs: 400 }] };
const FRAME_SECONDS = 0.02;

interface ProvidedCall extends CarriedCall {
  apologies: string[];
  /** The quantities of the model and of the voice, as they count them. */
  charged: { read: number; written: number; characters: number };
}

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
  afterEach(() => {
    talk.problems.splice(0);
    expect(deepgram.complaints).toEqual([]);
  });

  async function call(
    person: Parameters<CarrierTalk['call']>[0],
    answers: (string | ModelPart[])[] = [],
    voiceId = agent.voiceConfig.voiceId,
  ): Promise<ProvidedCall> {
    const spoken = elevenlabs.characters;
    const model = await OpenAiChatStandIn.listen(
      answers.map((answer) => (typeof answer === 'string' ? [{ type: 'text', text: answer }] : answer)),
    );
    const speech = instantSpeech();
    const carried = await talk.call(person, {
      options: {
        start: { greeting: '', agent: { ...agent, voiceConfig: { ...agent.voiceConfig, voiceId } } },
      },
      parts: {
        ...{ speech, accounts: { deepgram, elevenlabs } },
        models: model.models,
      },
    });
    model.close();
    expect(model.complaints).toEqual([]);
    const characters = elevenlabs.characters - spoken;
    return { ...carried, apologies: speech.spoken, charged: { ...model.charged, characters } };
  }

  test('a conversation is heard by Deepgram and spoken by ElevenLabs, and the call says what each did', async () => {
    const [streams, seconds] = [deepgram.closedByClients, deepgram.seconds];
    const person = { talks: [{ afterMs: 200, forMs: 2_600 }], hangsUpAfterMs: 4_500 };
    const heard = await call(person, ['We have a table for you.']);
    expect(heard.turns.map(({ text }) => text)).toEqual(['A table for two.', 'We have a table for you.']);
    expect(heard.phone?.handset?.heardSound).toBe(true);
    expect(heard.apologies).toEqual([]);
    const { charged } = heard;
    expect(heard.analysis).toMatchObject({
      ...{ carrier: 'twilio', stt_provider: 'deepgram', tts_provider: 'elevenlabs', llm_provider: 'openai' },
      ...{ tts_characters: 24, llm_tokens_read: charged.read, llm_tokens_written: charged.written },
      llm_tokens: charged.read + charged.written,
    });
    expect(charged.characters).toBe(24);
    expect(heard.analysis).not.toHaveProperty('llm_tokens_estimated');
    await until(() => deepgram.closedByClients > streams);
    const difference = Math.abs((heard.analysis.stt_seconds as number) - (deepgram.seconds - seconds));
    expect(deepgram.seconds - seconds).toBeGreaterThan(2.6);
    expect(difference).toBeLessThanOrEqual(0.5 + FRAME_SECONDS);
  });

  test('a call that ends while the model writes has the tokens of this answer as an estimate', async () => {
    const { end, analysis, charged } = await call({ ...speaks, hangsUpAfterMs: 2_000 }, [
      [{ type: 'text', text: 'We have a table.' }, { type: 'stall' }],
    ]);
    expect(end.reason).toBe('user_hangup');
    const estimated = analysis.llm_tokens_estimated as number;
    expect(estimated).toBeGreaterThan(4);
    // The provider has reported the tokens of the summary only.
    expect(analysis).toMatchObject({
      ...{ llm_tokens: estimated + charged.read + charged.written, llm_tokens_written: 4 + charged.written },
    });
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
    // The provider charges for both requests.
    expect(heard.analysis).toMatchObject({ tts_characters: 2 * 38 });
    expect(heard.charged.characters).toBe(2 * 38);
    expect(heard.end).toMatchObject({ reason: 'user_hangup' });
  });

  test('providers that are busy are waited for', async () => {
    const busy = { refuses: 429, status: 'system_busy' };
    deepgram.faults.push(...Array.from({ length: 3 }, () => ({ refuses: 429 })));
    elevenlabs.faults.push(busy, { ...busy, retryAfter: '1' });
    const heard = await call({ ...speaks, hangsUpAfterMs: 6_000 }, ['We have a table for you.']);
    expect(heard.turns.map(({ text }) => text)).toEqual(['A table for two.', 'We have a table for you.']);
    expect(heard.end).toMatchObject({ reason: 'user_hangup' });
    expect(heard.warnings).toEqual([]);
    expect(heard.analysis.tts_characters).toBe(heard.charged.characters);
    expect([deepgram.faults, elevenlabs.faults]).toEqual([[], []]);
  });

  test.each([
    [
      'is busy for longer than a turn',
      [{ refuses: 429, status: 'too_many_concurrent_requests', retryAfter: '60' }],
    ],
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

  test('a voice that ElevenLabs does not know is named in the timeline and in the log, with the field', async () => {
    const failed = await call(speaks, ['We have a table for you.'], 'unknown-voice');
    expect(failed.end).toMatchObject({ type: 'call.ended.v1', reason: 'error', by: 'system' });
    const said =
      'ElevenLabs answered 404: voice_not_found: voiceConfig.voiceId is unknown-voice: ' +
      'A voice with the voice_id unknown-voice was not found.';
    expect(failed.warnings).toContainEqual({ code: 'service_failed', text: said });
    expect(talk.problems).toEqual([expect.stringContaining(said)]);
    expect(failed.apologies.join(' ')).toBe(APOLOGY);
  });

  test.each([
    // A stream that ends while nobody waits for its text is replaced at once.
    ['ends its stream', [{ closesAfter: 0.1 }, { closesAfter: 0.1 }, { closesAfter: 0.1 }]],
    ['refuses', [{ refuses: 503 }, { refuses: 503 }, { refuses: 503 }]],
    ['sends nonsense', [{ sendsNonsense: true as const }, { sendsNonsense: true as const }]],
  ])('a recogniser that %s ends the call with an apology', async (_, faults) => {
    deepgram.faults.splice(0, Infinity, ...faults);
    const failed = await call(speaks);
    expect(failed.end).toMatchObject({ type: 'call.ended.v1', reason: 'error', by: 'system' });
    expect(failed.apologies.join(' ')).toBe(APOLOGY);
  });
});
