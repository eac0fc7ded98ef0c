import type { IncomingMessage } from 'node:http';
import { decodeAudio } from '../../audio/media-format';
import { toMembers, parseFrame } from '../../doors/json-frames';
import { describeError } from '../../errors';
import { postStream } from '../../net/post-stream';
import { type Account, type Audio, SpeechError, type Synthesizer, type VoiceSettings } from '../speech';

const MODEL = 'eleven_flash_v2_5';
const RATE = 16_000;
const FORMAT = { encoding: 'audio/l16', sampleRate: RATE, channels: 1 } as const;
const FIRST_AUDIO_MS = 5_000;
const NEXT_AUDIO_MS = 3_000;
/** A sentence has at most 240 characters, which take less than a minute. */
const MAX_BYTES = 60 * RATE * 2;
const MAX_REFUSAL_BYTES = 4_096;
/** These models are told the language; others find it in the text. */
const TAKES_LANGUAGE = /^eleven_(flash|turbo)_v2_5$|^eleven_v3/;

/** Speaks with ElevenLabs, one request for each sentence. An interruption ends the request. */
export class ElevenLabsSynthesizer implements Synthesizer {
  readonly provider = 'elevenlabs';

  constructor(private readonly account: Account) {}

  async *speak(text: string, settings: VoiceSettings, signal: AbortSignal): AsyncIterable<Audio> {
    const late = new AbortController();
    const expectWithin = (ms: number) =>
      setTimeout(() => late.abort(new SpeechError(`ElevenLabs sent no audio for ${ms / 1_000} s`)), ms);
    let timer = expectWithin(FIRST_AUDIO_MS);
    let response: IncomingMessage | undefined;
    try {
      response = await this.request(text, settings, AbortSignal.any([signal, late.signal]));
      let [received, rest] = [0, Buffer.alloc(0)];
      for await (const part of response as AsyncIterable<Buffer>) {
        clearTimeout(timer);
        timer = expectWithin(NEXT_AUDIO_MS);
        received += part.length;
        if (received > MAX_BYTES) throw new SpeechError('ElevenLabs sent too much audio');
        const all = Buffer.concat([rest, part]);
        const whole = all.length - (all.length % 2);
        rest = all.subarray(whole);
        const samples = decodeAudio(all.subarray(0, whole), FORMAT);
        if (samples && samples.length > 0) yield { samples, sampleRate: RATE };
      }
      if (received === 0) throw new SpeechError('ElevenLabs sent no audio');
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (late.signal.aborted) throw late.signal.reason;
      throw error instanceof SpeechError ? error : new SpeechError(`ElevenLabs: ${describeError(error)}`);
    } finally {
      clearTimeout(timer);
      if (response && !response.complete) response.destroy();
    }
  }

  private async request(
    text: string,
    settings: VoiceSettings,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const { voice, speed, model = MODEL, language, stability, similarity, style, boost } = settings;
    const { baseUrl, apiKey } = this.account;
    const path = `/v1/text-to-speech/${encodeURIComponent(voice)}/stream`;
    const response = await postStream(
      `${baseUrl.replace(/\/$/, '')}${path}?${this.query(settings)}`,
      { 'xi-api-key': apiKey, accept: 'audio/*' },
      {
        text,
        model_id: model,
        ...(language && TAKES_LANGUAGE.test(model) ? { language_code: language } : {}),
        voice_settings: {
          ...{ stability, similarity_boost: similarity, style },
          ...{ use_speaker_boost: boost, speed },
        },
      },
      signal,
    );
    const type = response.headers['content-type'] ?? '';
    if (response.statusCode === 200 && /^(audio\/|application\/octet-stream)/.test(type)) return response;
    const reason = await readReason(response);
    throw new SpeechError(`ElevenLabs answered ${response.statusCode}${reason && `: ${reason}`}`);
  }

  private query({ latency }: VoiceSettings): string {
    const query = new URLSearchParams({ output_format: `pcm_${RATE}` });
    if (latency !== undefined) query.set('optimize_streaming_latency', String(latency));
    return query.toString();
  }
}

/** Its message may have a part of the key or of the text, so the word for the reason is enough. */
async function readReason(response: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of response as AsyncIterable<Buffer>) {
    body += part.toString();
    if (body.length > MAX_REFUSAL_BYTES) break;
  }
  const { status } = toMembers(parseFrame(body)?.detail);
  return typeof status === 'string' ? status.replace(/[^\w -]/g, '').slice(0, 100) : '';
}
