import { WebSocket } from 'ws';
import { decodeMulaw, encodeMulaw } from '../../audio/mulaw';
import { FRAME_MS } from '../../audio/voice-activity';

const FRAME = 160;
const SILENCE = new Uint8Array(FRAME).fill(0xff);
/** More audio than a runtime may send ahead. What does not fit is dropped. */
const MAX_WAITING_FRAMES = 60_000 / FRAME_MS;
/** After a longer stop of this process, the missing frames are not made up for. */
const MAX_LATE_FRAMES = 25;
const CONNECT_MS = 5_000;

export interface StreamStart {
  accountSid: string;
  callSid: string;
  streamSid: string;
  parameters: Record<string, string>;
  /** The signature of the address. */
  signature: string;
}

export interface StreamListener {
  /** 20 ms of what the person hears, at the time at which it is heard. */
  played(samples: Int16Array): void;
  /** The runtime took back what was not played. */
  cleared(): void;
  /** The runtime closed the stream, or did not take it. */
  closed(): void;
}

/**
 * The media stream of a call, as Twilio has it: a frame of the person's audio each 20 ms, and a playout clock for the
 * runtime's audio. A mark is echoed when everything before it was played, or taken back.
 */
export class MediaStream {
  private readonly socket: WebSocket;
  private readonly waiting: (Uint8Array | { mark: string })[] = [];
  private readonly speech: Uint8Array[] = [];
  private rest = Buffer.alloc(0);
  private sequence = 0;
  private chunk = 0;
  private startedAt = 0;
  private timer?: NodeJS.Timeout;
  private isClosed = false;
  /** Is mixed into the person's audio, such as the noise of a street. */
  background?: (frame: Int16Array) => Int16Array;

  constructor(
    url: string,
    private readonly start: StreamStart,
    private readonly listener: StreamListener,
  ) {
    this.socket = new WebSocket(url, {
      handshakeTimeout: CONNECT_MS,
      perMessageDeflate: false,
      headers: { 'x-twilio-signature': start.signature },
    });
    this.socket.on('open', () => this.opened());
    this.socket.on('message', (data: Buffer) => this.receive(data));
    // The close that follows is what counts.
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      clearInterval(this.timer);
      if (!this.isClosed) this.listener.closed();
      this.isClosed = true;
    });
  }

  /** Audio of the person at 8,000 Hz, after what it is already saying. */
  say(samples: Int16Array): void {
    const bytes = encodeMulaw(samples);
    for (let at = 0; at < bytes.length; at += FRAME) {
      const frame = Uint8Array.from(SILENCE);
      frame.set(bytes.subarray(at, at + FRAME));
      this.speech.push(frame);
    }
  }

  get isSaying(): boolean {
    return this.speech.length > 0;
  }

  press(digit: string): void {
    this.send({ event: 'dtmf', dtmf: { track: 'inbound_track', digit } });
  }

  /** The call is over. */
  stop(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearInterval(this.timer);
    const { accountSid, callSid } = this.start;
    this.send({ event: 'stop', stop: { accountSid, callSid } });
    this.socket.close(1000);
  }

  private opened(): void {
    const { parameters, accountSid, callSid, streamSid } = this.start;
    this.socket.send(JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }));
    this.send({
      event: 'start',
      start: {
        ...{ accountSid, callSid, streamSid },
        tracks: ['inbound'],
        customParameters: parameters,
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 },
      },
    });
    this.startedAt = performance.now();
    this.timer = setInterval(() => this.tick(), FRAME_MS);
  }

  /** All frames that are due: a timer may be late. */
  private tick(): void {
    const due = Math.floor((performance.now() - this.startedAt) / FRAME_MS);
    if (due - this.chunk > MAX_LATE_FRAMES) {
      this.startedAt += (due - this.chunk - MAX_LATE_FRAMES) * FRAME_MS;
    }
    for (let count = Math.min(due - this.chunk, MAX_LATE_FRAMES); count > 0; count--) {
      this.sendFrame();
      this.playFrame();
    }
  }

  private sendFrame(): void {
    const spoken = this.speech.shift() ?? SILENCE;
    const frame = this.background ? encodeMulaw(this.background(decodeMulaw(spoken))) : spoken;
    this.chunk++;
    this.send({
      event: 'media',
      media: {
        track: 'inbound',
        chunk: String(this.chunk),
        timestamp: String(this.chunk * FRAME_MS),
        payload: Buffer.from(frame).toString('base64'),
      },
    });
  }

  private playFrame(): void {
    this.echoMarks();
    const next = this.waiting[0] as Uint8Array | undefined;
    if (next) this.waiting.shift();
    this.listener.played(decodeMulaw(next ?? SILENCE));
    this.echoMarks();
  }

  /** Echoes the marks before which everything has been played. */
  private echoMarks(): void {
    for (let first = this.waiting[0]; first && 'mark' in first; first = this.waiting[0]) {
      this.waiting.shift();
      this.send({ event: 'mark', mark: { name: first.mark } });
    }
  }

  private receive(data: Buffer): void {
    let frame: { event?: string; media?: { payload?: string }; mark?: { name?: string } };
    try {
      frame = JSON.parse(data.toString()) as typeof frame;
    } catch {
      return this.socket.terminate();
    }
    if (frame.event === 'media') this.add(Buffer.from(frame.media?.payload ?? '', 'base64'));
    if (frame.event === 'mark') this.waiting.push({ mark: frame.mark?.name ?? '' });
    if (frame.event === 'clear') {
      const marks = this.waiting.splice(0).filter((item) => 'mark' in item);
      this.rest = Buffer.alloc(0);
      this.waiting.push(...marks);
      this.echoMarks();
      this.listener.cleared();
    }
  }

  private add(audio: Buffer): void {
    const all = Buffer.concat([this.rest, audio]);
    let at = 0;
    for (; at + FRAME <= all.length && this.waiting.length < MAX_WAITING_FRAMES; at += FRAME) {
      this.waiting.push(all.subarray(at, at + FRAME));
    }
    this.rest = all.subarray(all.length - (all.length % FRAME));
  }

  private send(frame: object): void {
    if (this.socket.readyState !== WebSocket.OPEN) return;
    this.sequence++;
    const { streamSid } = this.start;
    this.socket.send(JSON.stringify({ ...frame, sequenceNumber: String(this.sequence), streamSid }));
  }
}
