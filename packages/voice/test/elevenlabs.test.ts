import { until } from '../../../test/support/until';
import { ElevenLabsSynthesizer } from '../src/speech/elevenlabs/elevenlabs-synthesizer';
import type { VoiceSettings } from '../src/speech/speech';
import { ElevenLabsStandIn } from './stand-ins/elevenlabs/elevenlabs-stand-in';
import { isLive, liveSetting } from './support/live';

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

describe('The synthesizer of ElevenLabs', () => {
  let elevenLabs: ElevenLabsStandIn;
  let synthesizer: ElevenLabsSynthesizer;
  beforeEach(async () => {
    elevenLabs = await ElevenLabsStandIn.listen();
    synthesizer = new ElevenLabsSynthesizer(elevenLabs);
  });
  afterEach(() => elevenLabs.close());

  test('speaks a sentence with the manner of the agent, however the network cuts it', async () => {
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

  test('says that a voice is unknown, and nothing of the key', async () => {
    const error = await listen(synthesizer, { ...settings, voice: 'nobody' }).catch(
      (caught: Error) => caught,
    );
    expect(String(error)).toContain('ElevenLabs answered 404: voice_not_found');
    expect(String(error)).not.toContain(elevenLabs.apiKey.slice(0, 4));
  });

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

(isLive('elevenlabs') ? test : test.skip)('ElevenLabs itself speaks a sentence', async () => {
  const account = { baseUrl: 'https://api.elevenlabs.io', apiKey: liveSetting('ELEVENLABS_API_KEY') };
  const voice = process.env.ELEVENLABS_VOICE ?? '21m00Tcm4TlvDq8ikWAM';
  expect(await listen(new ElevenLabsSynthesizer(account), { ...settings, voice })).toBeGreaterThan(500);
});
