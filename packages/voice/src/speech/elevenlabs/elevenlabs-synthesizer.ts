import type { IncomingMessage } from 'node:http';
import { shorten } from '@parley/worker';
import { systemClock } from '../../clock';
import { decodeAudio } from '../../audio/media-format';
import { toMembers, parseFrame } from '../../json-frames';
import { describeError } from '../../errors';
import { postStream } from '../../net/post-stream';
import { BusyError } from '../../retries';
import { listElevenLabsLanguages } from '../languages';
import {
  type Account,
  createRefusal,
  SpeechError,
  type SpokenAudio,
  type Synthesizer,
  type VoiceSettings,
} from '../speech';
import { TimedSpeech } from './timed-speech';

const MODEL = 'eleven_flash_v2_5';
const RATE = 16_000;
const FORMAT = { encoding: 'audio/l16', sampleRate: RATE, channels: 1 } as const;
const FIRST_AUDIO_MS = 5_000;
const NEXT_AUDIO_MS = 3_000;
/** A sentence has at most 240 characters, which take less than a minute. */
const MAX_BYTES = 60 * RATE * 2;
/** Audio in Base64 takes a third more, and each letter has two times. */
const MAX_TIMED_BYTES = 2 * MAX_BYTES;
const MAX_REFUSAL_BYTES = 4_096;
const MAX_MESSAGE_LETTERS = 200;
/** Fewer letters of a key could stand in any sentence. */
const SECRET_PART = 4;

/** The accounts whose server has no times. */
const WITHOUT_TIMES = new WeakSet<Account>();

const isTimed = ({ headers }: IncomingMessage) =>
  !/^(audio\/|application\/octet-stream)/.test(headers['content-type'] ?? '');

/** Speaks with ElevenLabs, one request for each sentence. An interruption ends the request. */
export class ElevenLabsSynthesizer implements Synthesizer {
  constructor(
    private readonly account: Account,
    readonly provider = 'elevenlabs',
    /** Whether each part of the sound says to which word it goes. */
    private readonly saysTimes = false,
  ) {}

  async *speak(text: string, settings: VoiceSettings, signal: AbortSignal): AsyncIterable<SpokenAudio> {
    const place = this.account.limit?.enter();
    try {
      await place?.within(signal);
      yield* this.stream(text, settings, signal);
    } finally {
      place?.leave();
    }
  }

  private async *stream(
    text: string,
    settings: VoiceSettings,
    signal: AbortSignal,
  ): AsyncIterable<SpokenAudio> {
    const late = new AbortController();
    const expectWithin = (ms: number) =>
      systemClock.after(ms, () =>
        late.abort(new SpeechError(`ElevenLabs sent no audio for ${ms / 1_000} s`)),
      );
    let stopTimer = expectWithin(FIRST_AUDIO_MS);
    let response: IncomingMessage | undefined;
    try {
      response = await this.request(text, settings, AbortSignal.any([signal, late.signal]));
      const timed = isTimed(response) ? new TimedSpeech(text, RATE) : undefined;
      let [received, rest] = [0, Buffer.alloc(0)];
      for await (const part of response as AsyncIterable<Buffer>) {
        stopTimer();
        stopTimer = expectWithin(NEXT_AUDIO_MS);
        received += part.length;
        if (timed && received <= MAX_TIMED_BYTES) {
          yield* timed.push(part);
          continue;
        }
        if (received > MAX_BYTES) throw new SpeechError('ElevenLabs sent too much audio');
        const all = Buffer.concat([rest, part]);
        const whole = all.length - (all.length % 2);
        rest = all.subarray(whole);
        const samples = decodeAudio(all.subarray(0, whole), FORMAT);
        if (samples && samples.length > 0) yield { samples, sampleRate: RATE };
      }
      if (timed) yield* timed.flush();
      if (received === 0 || timed?.isEmpty) throw new SpeechError('ElevenLabs sent no audio');
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (late.signal.aborted) throw late.signal.reason;
      const isNamed = error instanceof SpeechError || error instanceof BusyError;
      throw isNamed ? error : new SpeechError(`ElevenLabs: ${describeError(error)}`);
    } finally {
      stopTimer();
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
    const isTimed = this.saysTimes && !WITHOUT_TIMES.has(this.account);
    const path = `/v1/text-to-speech/${encodeURIComponent(voice)}/stream${isTimed ? '/with-timestamps' : ''}`;
    const response = await postStream(
      `${baseUrl.replace(/\/$/, '')}${path}?${this.query(settings)}`,
      { 'xi-api-key': apiKey, accept: 'audio/*' },
      {
        text,
        model_id: model,
        ...(language && listElevenLabsLanguages(model) ? { language_code: language } : {}),
        voice_settings: {
          ...{ stability, similarity_boost: similarity, style },
          ...{ use_speaker_boost: boost, speed },
        },
      },
      signal,
    );
    const type = response.headers['content-type'] ?? '';
    const known = isTimed
      ? /^(audio\/|application\/|text\/event-stream)/
      : /^(audio\/|application\/octet-stream)/;
    if (response.statusCode === 200 && known.test(type)) return response;
    const { word, message } = await readReason(response);
    if (isTimed && response.statusCode === 404 && !isAboutVoice(word)) {
      // Not every server with this interface says times.
      WITHOUT_TIMES.add(this.account);
      return this.request(text, settings, signal);
    }
    const reason = [word, describeRefused(word, { ...settings, model })];
    // The message about an agent's field has no words of the conversation. It may have a part of the key.
    if (isAboutVoice(word) && !repeatsPart(message, apiKey)) reason.push(message);
    const parts = [`ElevenLabs answered ${response.statusCode}`, ...reason];
    throw createRefusal(response, parts.filter((part) => part !== '').join(': '));
  }

  private query({ latency }: VoiceSettings): string {
    const query = new URLSearchParams({ output_format: `pcm_${RATE}` });
    if (latency !== undefined) query.set('optimize_streaming_latency', String(latency));
    return query.toString();
  }
}

interface Reason {
  /** The provider's word for it, such as `voice_not_found`. */
  word: string;
  message: string;
}

async function readReason(response: IncomingMessage): Promise<Reason> {
  let body = '';
  for await (const part of response as AsyncIterable<Buffer>) {
    body += part.toString();
    if (body.length > MAX_REFUSAL_BYTES) break;
  }
  const { status, message } = toMembers(parseFrame(body)?.detail);
  return {
    word: typeof status === 'string' ? status.replace(/[^\w -]/g, '').slice(0, 100) : '',
    message: typeof message === 'string' ? shorten(message.replace(/\s+/g, ' '), MAX_MESSAGE_LETTERS) : '',
  };
}

const isAboutVoice = (word: string) => /voice|^invalid_uid$/.test(word) && word !== 'invalid_voice_settings';

/** The field of the agent that was refused, with its value. '': another one, or none. */
function describeRefused(word: string, { voice, model, language }: VoiceSettings): string {
  if (isAboutVoice(word)) return `voiceConfig.voiceId is ${shorten(voice, 100)}`;
  if (/model/.test(word)) return `voiceConfig.model is ${shorten(String(model), 100)}`;
  return /language/.test(word) ? `voiceConfig.language is ${language}` : '';
}

/** Whether a text has some letters of a secret, in their order. */
function repeatsPart(text: string, secret: string): boolean {
  for (let at = 0; at + SECRET_PART <= secret.length; at++)
    if (text.includes(secret.slice(at, at + SECRET_PART))) return true;
  return false;
}
