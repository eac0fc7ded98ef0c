import { once } from 'node:events';
import type { Recognizer, Synthesizer } from '@parley/voice';
import { WebSocket } from 'ws';
import { decodeMulaw, encodeMulaw } from '../../src/audio/mulaw';
import { resample } from '../../src/audio/resampler';
import { until } from '../../../../test/support/until';

const FRAME = 160;
const SILENCE = new Uint8Array(FRAME).fill(0xff);
/** The machine of the tests may be busy. */
export const PATIENCE = 45_000;
export const MULAW = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };

interface Frame {
  event: string;
  speaker?: string;
  text?: string;
  final?: boolean;
  state?: string;
  reason?: string;
  turn_gap_ms?: number;
  media?: { payload: string };
  at: number;
}

export interface CallerSpeech {
  recognizer: Recognizer;
  synthesizer: Synthesizer;
}

/** A person at a browser: speaks through μ-law at the pace of speech, and listens. */
export class Caller {
  readonly frames: Frame[] = [];
  closed?: { code: number; reason: string };
  private readonly queue: Uint8Array[] = [];
  private sent = 0;
  private recent: number[] = [];
  private startedAt = 0;
  private timer?: NodeJS.Timeout;

  private constructor(
    private readonly socket: WebSocket,
    private readonly speech: CallerSpeech,
  ) {
    socket.on('message', (data: Buffer) =>
      this.frames.push({ ...(JSON.parse(data.toString()) as Omit<Frame, 'at'>), at: Date.now() }),
    );
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
      clearInterval(this.timer);
    });
  }

  static async connect(url: string, speech: CallerSpeech): Promise<Caller> {
    const socket = new WebSocket(url);
    const caller = new Caller(socket, speech);
    await once(socket, 'open');
    return caller;
  }

  /** Opens the microphone. */
  async start(mediaFormat: object | null = MULAW): Promise<void> {
    this.send({ event: 'start', mediaFormat });
    await until(() => this.frames.some(({ event }) => event === 'ready'), PATIENCE);
    if (mediaFormat === null || this.closed) return;
    this.startedAt = Date.now();
    this.timer = setInterval(() => this.speakDue(), 20);
  }

  /** Resolves when it was said. */
  async say(text: string, voice = 'rms'): Promise<void> {
    for await (const { samples, sampleRate } of this.speech.synthesizer.speak(
      text,
      { voice, speed: 1, pitch: 1 },
      new AbortController().signal,
    )) {
      const bytes = encodeMulaw(resample(samples, sampleRate, 8_000));
      for (let at = 0; at < bytes.length; at += FRAME) this.queue.push(bytes.subarray(at, at + FRAME));
    }
    await until(() => this.queue.length === 0, PATIENCE);
  }

  send(frame: object): void {
    this.socket.send(JSON.stringify(frame));
  }

  sendRaw(data: string | Buffer): void {
    this.socket.send(data);
  }

  /** The connection is lost. */
  cut(): void {
    this.socket.terminate();
  }

  /** The connection is lost without a sign: nothing is read, and no ping is answered. */
  fallSilent(): void {
    this.socket.pause();
  }

  close(): void {
    this.socket.close();
  }

  /** The words of the agent, as they are written. */
  agentSaid(): string {
    return this.finals('agent').join(' ');
  }

  finals(speaker: 'agent' | 'user'): string[] {
    return this.frames
      .filter((frame) => frame.event === 'transcript' && frame.speaker === speaker && frame.final)
      .map(({ text }) => text ?? '');
  }

  get state(): string | undefined {
    return this.frames.findLast(({ event }) => event === 'state')?.state;
  }

  audio(): { seconds: number; samples: Int16Array } {
    const bytes = Buffer.concat(
      this.frames.flatMap(({ media }) => (media ? [Buffer.from(media.payload, 'base64')] : [])),
    );
    return { seconds: bytes.length / 8_000, samples: decodeMulaw(bytes) };
  }

  /** Recognises the words in the agent's audio. */
  understood(): Promise<string> {
    return understand(this.audio().samples, this.speech.recognizer);
  }

  /** A delayed timer catches up, and stays below the limit of frames a second. */
  private speakDue(): void {
    const now = Date.now();
    const due = Math.floor((now - this.startedAt) / 20);
    this.recent = this.recent.filter((at) => now - at < 1_100);
    for (; this.sent < due && this.recent.length < 90; this.sent++) {
      const payload = Buffer.from(this.queue.shift() ?? SILENCE).toString('base64');
      this.send({ event: 'media', media: { payload } });
      this.recent.push(now);
    }
  }
}

/** The words in audio of 8,000 Hz, without the silence before them. */
export async function understand(samples: Int16Array, recognizer: Recognizer): Promise<string> {
  const first = samples.findIndex((sample) => Math.abs(sample) > 500);
  const heard = samples.subarray(Math.max(0, first - 1_600));
  const recognition = recognizer.open({ interim: () => undefined });
  recognition.write(resample(heard, 8_000, 16_000));
  const text = await recognition.text(new AbortController().signal);
  recognition.close();
  return text;
}
