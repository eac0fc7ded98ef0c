import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { DisconnectReason } from '@parley/worker';
import type { WebSocket } from 'ws';
import { decodeMulaw, encodeMulaw } from '../../audio/mulaw';
import type { Clock } from '../../clock';
import { RETURN_MS, type Session, type SessionListener } from '../session';
import { readStreamFrame, type StreamFrame } from './media-frames';
import { readMachine, unansweredReason } from './outcomes';

/** A carrier that reads slower than it is sent to is cut off. */
const MAX_BUFFERED = 1024 * 1024;

/** One phone call, across the connections of its media stream. */
export class PhoneSession implements Session {
  readonly sampleRate = 8_000;
  /** The stream of the call names it. */
  readonly key = randomBytes(24).toString('base64url');
  /** Resolves with undefined when the call was answered, else with the reason why it was not. */
  readonly answered: Promise<DisconnectReason | undefined>;
  private resolveAnswered: (reason: DisconnectReason | undefined) => void = () => undefined;
  private socket?: WebSocket;
  private streamSid = '';
  private listener?: SessionListener;
  private machine?: { greetingIsOver: boolean };
  private isOver = false;
  private hasEnded = false;
  private cancelReturn: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    /** Nobody needs the session any more; `isOver`: the call has ended at the carrier, too. */
    private readonly whenEnded: (isOver: boolean) => void,
  ) {
    this.answered = new Promise((resolve) => (this.resolveAnswered = resolve));
  }

  accepts(key: unknown): boolean {
    const [given, own] = [Buffer.from(typeof key === 'string' ? key : ''), Buffer.from(this.key)];
    return !this.isOver && !this.socket && given.length === own.length && timingSafeEqual(given, own);
  }

  /** The stream of the call began, or began again. */
  connect(socket: WebSocket, streamSid: string): void {
    const isFirst = this.streamSid === '';
    this.socket = socket;
    this.streamSid = streamSid;
    this.cancelReturn();
    socket.on('message', (data: Buffer, isBinary) => {
      if (socket !== this.socket || isBinary) return;
      const frame = readStreamFrame(data.toString());
      if (frame) this.receive(frame);
    });
    socket.on('close', () => {
      if (socket === this.socket) this.disconnected();
    });
    if (isFirst) this.resolveAnswered(undefined);
    else this.listener?.returned();
  }

  /** @param sipCode of the call's end, where the carrier says one */
  statusChanged(status: string, sipCode: string): void {
    const reason = unansweredReason(status, sipCode);
    if (!reason) return;
    this.isOver = true;
    this.cancelReturn();
    this.resolveAnswered(reason);
    this.listener?.stop();
  }

  answeredBy(who: string): void {
    this.machine = readMachine(who);
    if (this.machine) this.listener?.machine(this.machine.greetingIsOver);
  }

  listen(listener: SessionListener): void {
    this.listener = listener;
    if (this.isOver) return listener.stop();
    if (!this.socket) listener.lost();
    if (this.machine) listener.machine(this.machine.greetingIsOver);
  }

  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.cancelReturn();
    this.whenEnded(this.isOver);
    this.isOver = true;
    this.socket?.close(1000);
  }

  frame(samples: Int16Array): void {
    const payload = Buffer.from(encodeMulaw(samples)).toString('base64');
    this.send({ event: 'media', media: { payload } });
  }

  mark(name: string): void {
    this.send({ event: 'mark', mark: { name } });
  }

  clear(): void {
    this.send({ event: 'clear' });
  }

  /** A phone shows nothing. */
  transcript(): void {}
  state(): void {}
  metrics(): void {}

  private receive(frame: StreamFrame): void {
    if (frame.event === 'media') this.listener?.media(decodeMulaw(frame.payload));
    if (frame.event === 'dtmf') this.listener?.dtmf(frame.digit);
    if (frame.event === 'stop') {
      this.isOver = true;
      this.listener?.stop();
    }
  }

  private disconnected(): void {
    this.socket = undefined;
    if (this.isOver) return;
    this.listener?.lost();
    this.cancelReturn = this.clock.after(RETURN_MS, () => this.listener?.gone());
  }

  private send(frame: object): void {
    const { socket, streamSid } = this;
    if (socket?.readyState !== 1) return;
    if (socket.bufferedAmount > MAX_BUFFERED) return socket.terminate();
    socket.send(JSON.stringify({ ...frame, streamSid }));
  }
}
