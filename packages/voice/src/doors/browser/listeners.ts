import { randomBytes } from 'node:crypto';
import type { WebSocket } from 'ws';
import { encodeAudio, type MediaFormat } from '../../audio/media-format';
import { Resampler } from '../../audio/resampler';
import { RECORDING_RATE, type Tap, TwoSides } from '../../audio/two-sides';
import { FRAME_MS } from '../../audio/voice-activity';
import { type Clock, systemClock } from '../../clock';
import { isSameSecret } from '../../same-secret';
import { CLOSE } from './protocol';

/** The number of listeners of a call at once. */
export const MAX_LISTENERS = 5;
/** The audio is sent this much later: an interruption may take it back until then, and networks delay it. */
const DELAY_MS = 200;
const PING_MS = 10_000;
/** A listener who reads slower than the call is spoken is cut off. */
const MAX_BUFFERED = 256 * 1024;
const FORMAT: MediaFormat = { encoding: 'audio/l16', sampleRate: 16_000, channels: 1 };

/** The users who hear a call, and are not heard. */
export class Listeners implements Tap {
  readonly secret = randomBytes(24).toString('base64url');
  private readonly sockets = new Set<WebSocket>();
  private readonly resampler = new Resampler(RECORDING_RATE, FORMAT.sampleRate);
  private sides?: TwoSides;
  private cancelTimer: () => void = () => undefined;
  private isOver = false;

  constructor(
    private readonly callId: string,
    private readonly expiresAt: Date,
    private readonly whenOver: () => void,
    private readonly clock: Clock = systemClock,
  ) {}

  /** Without a listener, no audio is converted. */
  get isOpen(): boolean {
    return this.sockets.size > 0;
  }

  accepts(secret: string): boolean {
    const isInTime = !this.isOver && Date.now() < this.expiresAt.getTime();
    return isInTime && isSameSecret(secret, this.secret);
  }

  connect(socket: WebSocket): void {
    const refuse = ({ code, reason }: { code: number; reason: string }) => socket.close(code, reason);
    if (this.sockets.size >= MAX_LISTENERS) return refuse(CLOSE.manyListeners);
    let answered = true;
    const ping = setInterval(() => {
      if (!answered) return socket.terminate();
      answered = false;
      socket.ping();
    }, PING_MS);
    socket.on('pong', () => (answered = true));
    socket.on('message', () => refuse(CLOSE.listenerSpeaks));
    socket.on('close', () => {
      clearInterval(ping);
      this.sockets.delete(socket);
      if (!this.isOpen) this.stop();
    });
    this.sockets.add(socket);
    socket.send(JSON.stringify({ event: 'ready', call_id: this.callId, mediaFormat: FORMAT }));
    this.sides ??= this.begin();
  }

  hear(frame: Int16Array): void {
    this.sides?.hear(frame);
  }

  say(frame: Int16Array, playedAt: number): void {
    this.sides?.say(frame, playedAt);
  }

  clear(): void {
    this.sides?.clear();
  }

  /** Tells the listeners that the call is over. */
  end(reason: string): void {
    if (this.isOver) return;
    this.isOver = true;
    this.send({ event: 'ended', reason });
    for (const socket of this.sockets) socket.close(CLOSE.ended.code, CLOSE.ended.reason);
    this.stop();
    this.whenOver();
  }

  private begin(): TwoSides {
    const sides = new TwoSides(this.clock, DELAY_MS, (person, agent) => this.sendAudio(mix(person, agent)));
    const tick = () => {
      sides.advance();
      this.cancelTimer = this.clock.after(FRAME_MS, tick);
    };
    tick();
    return sides;
  }

  private stop(): void {
    this.cancelTimer();
    this.sides = undefined;
  }

  private sendAudio(samples: Int16Array): void {
    const payload = Buffer.from(encodeAudio(this.resampler.process(samples), FORMAT)).toString('base64');
    this.send({ event: 'media', media: { payload } });
  }

  private send(frame: object): void {
    const data = JSON.stringify(frame);
    for (const socket of this.sockets) {
      if (socket.bufferedAmount > MAX_BUFFERED) socket.terminate();
      else if (socket.readyState === socket.OPEN) socket.send(data);
    }
  }
}

/** Both sides at once; what is louder than possible is cut. */
export const mix = (person: Int16Array, agent: Int16Array): Int16Array =>
  person.map((sample, index) => Math.max(-32_768, Math.min(32_767, sample + (agent[index] ?? 0))));
