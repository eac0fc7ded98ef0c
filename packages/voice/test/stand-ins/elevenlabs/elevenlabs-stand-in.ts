import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A fault of one request. Each is used once. */
export type ElevenLabsFault =
  | { refuses: number; status: string; retryAfter?: string; message?: string }
  /** The connection is cut after this share of the audio. */
  | { cutsAt: number }
  /** Sends nothing more after this share of the audio. */
  | { stallsAt: number }
  /** Waits for this long before each part after this share of the audio. */
  | { slowsAt: number; pauseMs: number }
  /** Sends something else after this share of the audio. */
  | { breaksAt: number; sends: string }
  /** Does not answer at all. */
  | { isSilent: true }
  | { sendsNonsense: true };

const MODELS = ['eleven_flash_v2_5', 'eleven_turbo_v2_5', 'eleven_multilingual_v2', 'eleven_v3'];
const FORMATS = new Map([
  ['pcm_16000', 32],
  ['pcm_8000', 16],
  ['ulaw_8000', 8],
]);
const LETTER_MS = 10;
const PART_MS = 100;
/** The time until the first audio. The documents say 75 ms for Flash models, and that others are slower. */
const FIRST_AUDIO_MS = (model: string) => (model.startsWith('eleven_flash') ? 75 : 250);
/** Audio comes this many times faster than it is played. The documents say no number. */
const TIMES_FASTER = 8;

interface Body {
  text?: unknown;
  model_id?: string;
  language_code?: string;
  voice_settings?: Record<string, unknown>;
}

/** Synthesis of ElevenLabs over HTTP, as its documents say. A letter is 10 ms of a tone. */
export class ElevenLabsStandIn {
  readonly apiKey = 'el-key-1';
  readonly requests: { path: string; query: URLSearchParams; body: Body }[] = [];
  readonly faults: ElevenLabsFault[] = [];
  readonly voices = new Set(['21m00Tcm4TlvDq8ikWAM', 'EXAVITQu4vr4xnSDxMaL', 'voice-1']);
  /** The characters of the requests that it has begun to answer. */
  characters = 0;
  /** Requests that the client ended before their end. */
  aborted = 0;
  maxConcurrent = 10;
  /** The loudest sample of its voice. */
  level = 9_000;
  /** Whether it says the times of letters. */
  hasTimes = true;
  /** Requests beyond it. */
  refused = 0;
  /** The most requests at once. */
  most = 0;
  /** Nothing is answered until this many requests are under way for the first time. */
  waitsFor = 0;
  /** Requests that are under way. */
  concurrent = 0;
  private waiting: (() => void)[] = [];
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    });
  }

  static async listen(): Promise<ElevenLabsStandIn> {
    const elevenLabs = new ElevenLabsStandIn();
    elevenLabs.server.listen(0, '127.0.0.1');
    await once(elevenLabs.server, 'listening');
    return elevenLabs;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
    const url = new URL(request.url ?? '', this.baseUrl);
    const repeatsKey = `Part of the key: ${this.apiKey.slice(0, 4)}`;
    const refuse = (status: number, word: string, message = repeatsKey, retryAfter?: string) =>
      void response
        .writeHead(status, {
          'content-type': 'application/json',
          ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
        })
        .end(JSON.stringify({ detail: { status: word, message } }));
    const fault = this.faults.shift();
    if (fault && 'refuses' in fault)
      return refuse(fault.refuses, fault.status, fault.message, fault.retryAfter);
    if (request.headers['xi-api-key'] !== this.apiKey) return refuse(401, 'invalid_api_key');
    const [, voice, times] =
      /^\/v1\/text-to-speech\/([^/]+)\/stream(\/with-timestamps)?$/.exec(url.pathname) ?? [];
    if (voice === undefined || request.method !== 'POST') return refuse(404, 'not_found');
    if (times !== undefined && !this.hasTimes) return refuse(404, 'not_found');
    if (!this.voices.has(voice))
      return refuse(404, 'voice_not_found', `A voice with the voice_id ${voice} was not found.`);
    const body = JSON.parse(text) as Body;
    const wrong = findWrong(url.searchParams, body);
    if (wrong) return refuse(422, wrong);
    if (this.concurrent >= this.maxConcurrent) {
      this.refused++;
      return refuse(429, 'too_many_concurrent_requests');
    }
    this.requests.push({ path: url.pathname, query: url.searchParams, body });
    if (fault && 'sendsNonsense' in fault) {
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>');
    }
    if (fault && 'isSilent' in fault) return;
    this.concurrent++;
    this.most = Math.max(this.most, this.concurrent);
    response.once('close', () => {
      this.concurrent--;
      if (!response.writableFinished) this.aborted++;
    });
    if (this.most < this.waitsFor) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else for (const go of this.waiting.splice(0)) go();
    this.characters += String(body.text).length;
    const type = times === undefined ? 'audio/pcm' : 'application/json';
    response.writeHead(200, { 'content-type': type, 'request-id': 'request-1' });
    response.flushHeaders();
    await pause(FIRST_AUDIO_MS(String(body.model_id)));
    await this.speak(
      String(body.text),
      FORMATS.get(url.searchParams.get('output_format') ?? '') ?? 32,
      response,
      { fault, saysTimes: times !== undefined },
    );
  }

  private async speak(
    text: string,
    bytesPerMs: number,
    response: ServerResponse,
    { fault, saysTimes }: { fault: ElevenLabsFault | undefined; saysTimes: boolean },
  ): Promise<void> {
    const total = text.length * LETTER_MS;
    const faultyMs = total * findShare(fault);
    const ends = fault && !('slowsAt' in fault);
    const until = ends ? faultyMs : total;
    for (let ms = 0; ms < until && !response.destroyed; ms += PART_MS) {
      if (fault && 'slowsAt' in fault && ms >= faultyMs) await pause(fault.pauseMs);
      const lengthMs = Math.min(PART_MS, until - ms);
      const part = tone(lengthMs * bytesPerMs, this.level);
      const sent = saysTimes ? toLine(text, ms, lengthMs, part) : part;
      // An odd number of bytes, as networks cut them.
      response.write(sent.subarray(0, 7));
      await pause(PART_MS / TIMES_FASTER);
      response.write(sent.subarray(7));
    }
    if (fault && 'breaksAt' in fault) return void response.end(fault.sends);
    if (fault && 'cutsAt' in fault) return void response.socket?.destroy();
    if (!fault || !('stallsAt' in fault)) response.end();
  }
}

function findShare(fault: ElevenLabsFault | undefined): number {
  if (fault && 'cutsAt' in fault) return fault.cutsAt;
  if (fault && 'stallsAt' in fault) return fault.stallsAt;
  if (fault && 'slowsAt' in fault) return fault.slowsAt;
  return fault && 'breaksAt' in fault ? fault.breaksAt : 1;
}

/** A part of the audio with the times of its letters, which count from the beginning of the text. */
function toLine(text: string, fromMs: number, lengthMs: number, audio: Buffer): Buffer {
  const letters = [...text.slice(fromMs / LETTER_MS, Math.ceil((fromMs + lengthMs) / LETTER_MS))];
  const starts = letters.map((_, index) => (fromMs + index * LETTER_MS) / 1_000);
  const alignment = {
    characters: letters,
    character_start_times_seconds: starts,
    character_end_times_seconds: starts.map((start) => start + LETTER_MS / 1_000),
  };
  const line = { audio_base64: audio.toString('base64'), alignment, normalized_alignment: alignment };
  return Buffer.from(`${JSON.stringify(line)}\n`);
}

function tone(length: number, level: number): Buffer {
  const bytes = Buffer.alloc(Math.floor(length / 2) * 2);
  for (let at = 0; at < bytes.length; at += 2) bytes.writeInt16LE(Math.round(level * Math.sin(at / 6)), at);
  return bytes;
}

/** @returns the word for what the documents do not allow */
function findWrong(
  query: URLSearchParams,
  { text, model_id: model, language_code: language, voice_settings }: Body,
) {
  if (!FORMATS.has(query.get('output_format') ?? '')) return 'invalid_output_format';
  const latency = query.get('optimize_streaming_latency');
  if (latency !== null && !/^[0-4]$/.test(latency)) return 'invalid_latency';
  if (typeof text !== 'string' || text === '') return 'missing_text';
  if (text.length > 40_000) return 'max_character_limit_exceeded';
  if (!model || !MODELS.includes(model)) return 'model_not_found';
  if (language !== undefined && model === 'eleven_multilingual_v2') return 'language_not_supported';
  const { stability, similarity_boost, style, speed } = voice_settings ?? {};
  const isShare = (value: unknown) =>
    value === undefined || (typeof value === 'number' && value >= 0 && value <= 1);
  if (![stability, similarity_boost, style].every(isShare)) return 'invalid_voice_settings';
  if (speed !== undefined && !(Number(speed) >= 0.7 && Number(speed) <= 1.2)) return 'invalid_voice_settings';
  return undefined;
}
