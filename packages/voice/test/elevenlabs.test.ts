import { until } from '../../../test/support/until';
import type { Environment } from '../src/runtime/environment';
import { readSpeech } from '../src/runtime/speech-settings';
import { AccountLimit } from '../src/speech/account-limit';
import { ElevenLabsSynthesizer } from '../src/speech/elevenlabs/elevenlabs-synthesizer';
import type { VoiceSettings } from '../src/speech/speech';
import { ElevenLabsStandIn } from './stand-ins/elevenlabs/elevenlabs-stand-in';
import { liveRow, liveSettings, type Row, standInRow } from './support/live';

jest.setTimeout(30_000);

const settings: VoiceSettings = { voice: 'voice-1', speed: 1, pitch: 1 };
const text = 'Hello, this is the front desk.';

async function listen(
  synthesizer: ElevenLabsSynthesizer,
  given = settings,
  signal = new AbortController().signal,
) {
  let samples = 0;
  for await (const audio of synthesizer.speak(text, given, signal)) {
    expect(audio.sampleRate).toBe(16_000);
    samples += audio.samples.length;
  }
  return samples / 16;
}

/** A voice that each account had at first. */
const VOICE = '21m00Tcm4TlvDq8ikWAM';

/** The tests of the synthesizer with the stand-in, or with ElevenLabs itself. */
function testSynthesis(row: Row, connect: () => Environment, voice = VOICE): void {
  function open(key?: string) {
    const env = key === undefined ? connect() : { ...connect(), ELEVENLABS_API_KEY: key };
    const account = readSpeech(env).accounts.elevenlabs;
    if (!account) throw new Error('ELEVENLABS_API_KEY is not set');
    return { apiKey: account.apiKey, synthesizer: new ElevenLabsSynthesizer(account) };
  }

  row('speaks a sentence with the manner of the agent', [], async () => {
    const manner = { speed: 1.1, stability: 0.4, similarity: 0.8, style: 0.1, boost: true, latency: 3 };
    const model = { model: 'eleven_turbo_v2_5', language: 'en' };
    const { synthesizer } = open();
    // The stand-in speaks a letter in 10 ms.
    expect(await listen(synthesizer, { ...settings, voice, ...manner, ...model })).toBeGreaterThan(250);
  });

  row('speaks with a model that takes no language', [], async () => {
    const { synthesizer } = open();
    const model = { model: 'eleven_multilingual_v2', language: 'de' };
    expect(await listen(synthesizer, { ...settings, voice, ...model })).toBeGreaterThan(250);
  });

  row('says that a voice or a key is wrong, and nothing of the key', [], async () => {
    const { synthesizer, apiKey } = open();
    const spoken = listen(synthesizer, { ...settings, voice: 'unknown-voice' });
    const error: unknown = await spoken.catch((caught: unknown) => caught);
    expect(String(error)).toMatch(/ElevenLabs answered (404: voice_not_found|400: invalid_uid)/);
    expect(String(error)).not.toContain(apiKey.slice(0, 4));
    const refused = listen(open('wrong-key').synthesizer, { ...settings, voice });
    await expect(refused).rejects.toThrow('ElevenLabs answered 401: invalid_api_key');
  });

  row('is silent as soon as the agent is interrupted', [], async () => {
    const controller = new AbortController();
    const { synthesizer } = open();
    const speaking = synthesizer.speak(text, { ...settings, voice }, controller.signal);
    const parts = speaking[Symbol.asyncIterator]();
    expect((await parts.next()).done).toBe(false);
    controller.abort(new Error('interrupted'));
    const rest = async () => {
      for (let part = await parts.next(); !part.done;) part = await parts.next();
    };
    await expect(rest()).rejects.toThrow('interrupted');
  });
}

describe('The synthesizer of ElevenLabs', () => {
  let elevenLabs: ElevenLabsStandIn;
  beforeAll(async () => {
    elevenLabs = await ElevenLabsStandIn.listen();
  });
  afterAll(() => elevenLabs.close());

  testSynthesis(standInRow, () => ({
    ELEVENLABS_BASE_URL: elevenLabs.baseUrl,
    ELEVENLABS_API_KEY: elevenLabs.apiKey,
  }));
});

describe('The synthesizer of ElevenLabs itself', () =>
  testSynthesis(liveRow('elevenlabs'), () => liveSettings, liveSettings.ELEVENLABS_VOICE));

describe('The synthesizer of ElevenLabs, where only the stand-in shows it', () => {
  let elevenLabs: ElevenLabsStandIn;
  let synthesizer: ElevenLabsSynthesizer;
  beforeEach(async () => {
    elevenLabs = await ElevenLabsStandIn.listen();
    synthesizer = new ElevenLabsSynthesizer(elevenLabs);
  });
  afterEach(() => elevenLabs.close());

  test('sends the manner of the agent, and plays a sentence however the network cuts it', async () => {
    const ms = await listen(synthesizer, {
      ...{ ...settings, speed: 1.1, model: 'eleven_turbo_v2_5', language: 'de', latency: 3 },
      ...{ stability: 0.4, similarity: 0.8, style: 0.1, boost: true },
    });
    expect(ms).toBe(text.length * 10);
    const [request] = elevenLabs.requests;
    expect(request?.path).toBe('/v1/text-to-speech/voice-1/stream');
    expect(Object.fromEntries(request?.query ?? [])).toEqual({
      ...{ output_format: 'pcm_16000', optimize_streaming_latency: '3' },
    });
    expect(request?.body).toEqual({
      ...{ text, model_id: 'eleven_turbo_v2_5', language_code: 'de' },
      voice_settings: {
        ...{ stability: 0.4, similarity_boost: 0.8, style: 0.1, use_speaker_boost: true, speed: 1.1 },
      },
    });
  });

  test('plays the beginning of a sentence while the rest of it comes', async () => {
    const controller = new AbortController();
    const long = 'Hello, this is the front desk of our house by the river. '.repeat(4);
    const parts = synthesizer.speak(long, settings, controller.signal)[Symbol.asyncIterator]();
    expect((await parts.next()).done).toBe(false);
    expect(elevenLabs.concurrent).toBe(1);
    controller.abort(new Error('interrupted'));
    await expect(parts.next()).rejects.toThrow('interrupted');
    await until(() => elevenLabs.aborted === 1);
  });

  test('tells no language to a model that takes none', async () => {
    await listen(synthesizer, { ...settings, model: 'eleven_multilingual_v2', language: 'de' });
    expect(elevenLabs.requests[0]?.body).not.toHaveProperty('language_code');
  });

  test.each([
    [{ refuses: 401, status: 'invalid_api_key' }, 'ElevenLabs answered 401: invalid_api_key'],
    [{ refuses: 429, status: 'system_busy' }, 'ElevenLabs answered 429: system_busy'],
    [{ sendsNonsense: true as const }, 'ElevenLabs answered 200'],
    [{ cutsAt: 0.5 }, /^ElevenLabs: /],
    [{ cutsAt: 0 }, /^ElevenLabs/],
    [{ stallsAt: 0.5 }, 'ElevenLabs sent no audio for 3 s'],
  ])('says what is wrong with %j', async (fault, sentence) => {
    elevenLabs.faults.push(fault);
    await expect(listen(synthesizer)).rejects.toThrow(sentence);
    expect(await listen(synthesizer)).toBe(text.length * 10);
  });

  test('never asks for more at once than the account allows', async () => {
    [elevenLabs.maxConcurrent, elevenLabs.waitsFor] = [4, 4];
    const limit = new AccountLimit('ELEVENLABS_MAX_CONCURRENT', 4);
    const { baseUrl, apiKey } = elevenLabs;
    const limited = new ElevenLabsSynthesizer({ baseUrl, apiKey, limit });
    const spoken = await Promise.all(Array.from({ length: 40 }, () => listen(limited)));
    expect(new Set(spoken)).toEqual(new Set([text.length * 10]));
    expect(elevenLabs).toMatchObject({ most: 4, refused: 0 });
  });

  test('gives its place back when it fails or is interrupted', async () => {
    const { baseUrl, apiKey } = elevenLabs;
    const limited = new ElevenLabsSynthesizer({ baseUrl, apiKey, limit: new AccountLimit('LIMIT', 1) });
    elevenLabs.faults.push({ refuses: 500, status: 'error' }, { stallsAt: 0.5 });
    await expect(listen(limited)).rejects.toThrow('500');
    const controller = new AbortController();
    const speaking = listen(limited, settings, controller.signal);
    await until(() => elevenLabs.requests.length === 1);
    controller.abort(new Error('interrupted'));
    await expect(speaking).rejects.toThrow('interrupted');
    expect(await listen(limited)).toBe(text.length * 10);
  });

  test('says which voice is unknown, in the words of ElevenLabs', async () => {
    await expect(listen(synthesizer, { ...settings, voice: 'unknown-voice' })).rejects.toThrow(
      'ElevenLabs answered 404: voice_not_found: voiceConfig.voiceId is unknown-voice: ' +
        'A voice with the voice_id unknown-voice was not found.',
    );
  });

  test.each([
    [404, 'voice_not_found', 'voice_not_found: voiceConfig.voiceId is voice-1'],
    [400, 'invalid_uid', 'invalid_uid: voiceConfig.voiceId is voice-1'],
    [400, 'model_not_found', 'model_not_found: voiceConfig.model is eleven_flash_v2_5'],
    [401, 'invalid_api_key', 'invalid_api_key'],
    [422, 'invalid_voice_settings', 'invalid_voice_settings'],
  ])(
    'says which field of the agent a refusal %i %s is about, and nothing of the key',
    async (refuses, status, said) => {
      // Its message repeats a part of the key.
      elevenLabs.faults.push({ refuses, status });
      const error = await listen(synthesizer).catch((caught: Error) => caught);
      expect((error as Error).message).toBe(`ElevenLabs answered ${refuses}: ${said}`);
    },
  );

  test('ends the request when the agent is interrupted', async () => {
    elevenLabs.faults.push({ stallsAt: 0.5 });
    const controller = new AbortController();
    const speaking = listen(synthesizer, settings, controller.signal);
    await until(() => elevenLabs.requests.length === 1);
    controller.abort(new Error('interrupted'));
    await expect(speaking).rejects.toThrow('interrupted');
    await until(() => elevenLabs.aborted === 1);
  });
});
