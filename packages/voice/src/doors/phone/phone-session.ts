import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { Clock } from '../../clock';
import { RETURN_MS, type Session, type SessionListener } from '../session';
import type { CarrierEnd } from './carrier-end';

/** A carrier that reads slower than it is sent to is cut off. */
const MAX_BUFFERED = 1024 * 1024;

/** The acts of the carrier for a call, beside its stream. */
export interface PhoneControls {
  /** Nobody needs the session any more; `isOver`: the call has ended at the carrier, too. */
  ended(isOver: boolean): void;
  /** The media stream was cut. undefined: the carrier connects again by itself. */
  lost?(): void;
  /** Connects the person with another number. The media stream ends then. @throws if the carrier refuses */
  transfer?(to: string): Promise<void>;
  /** Sends keys of a telephone. undefined: they are sent as tones in the audio. */
  press?(digits: string): Promise<void>;
}

/** One phone call, across the connections of its stream. */
export abstract class PhoneSession implements Session {
  abstract readonly sampleRate?: number;
  /** The stream of the call names it. */
  readonly key = randomBytes(24).toString('base64url');
  /** Resolves with undefined when the call was answered, else with why it was not. */
  readonly answered: Promise<CarrierEnd | undefined>;
  readonly press?: (digits: string) => Promise<void>;
  private resolveAnswered: (end: CarrierEnd | undefined) => void = () => undefined;
  private socket?: WebSocket;
  protected streamId?: string;
  protected listener?: SessionListener;
  private machine?: { greetingIsOver: boolean };
  private isOver = false;
  private hasEnded = false;
  private isTransferred = false;
  private cancelReturn: () => void = () => undefined;

  constructor(
    protected readonly clock: Clock,
    private readonly controls: PhoneControls,
  ) {
    this.answered = new Promise((resolve) => (this.resolveAnswered = resolve));
    if (controls.press) this.press = (digits) => controls.press?.(digits) ?? Promise.resolve();
  }

  accepts(key: unknown): boolean {
    const [given, own] = [Buffer.from(typeof key === 'string' ? key : ''), Buffer.from(this.key)];
    return !this.isOver && !this.socket && given.length === own.length && timingSafeEqual(given, own);
  }

  /** The stream of the call began, or began again. */
  connect(socket: WebSocket, streamId: string): void {
    const isFirst = this.streamId === undefined;
    this.socket = socket;
    this.streamId = streamId;
    this.opened();
    this.cancelReturn();
    socket.on('message', (data: Buffer, isBinary) => {
      if (socket === this.socket) this.received(data, isBinary);
    });
    socket.on('close', () => {
      if (socket === this.socket) this.disconnected();
    });
    if (isFirst) this.resolveAnswered(undefined);
    else this.listener?.returned();
  }

  /** The call is over at the carrier. */
  carrierEnded(end: CarrierEnd): void {
    this.isOver = true;
    this.cancelReturn();
    this.resolveAnswered(end);
    if (!this.isTransferred) this.listener?.stop();
  }

  machineAnswered(machine: { greetingIsOver: boolean }): void {
    this.machine = machine;
    this.listener?.machine(machine.greetingIsOver);
  }

  /** A key that the carrier reports beside the stream. */
  dtmf(digit: string): void {
    this.listener?.dtmf(digit);
  }

  listen(listener: SessionListener): void {
    this.listener = listener;
    if (this.isOver) return listener.stop();
    if (!this.socket) listener.lost();
    if (this.machine) listener.machine(this.machine.greetingIsOver);
  }

  async transfer(to: string): Promise<void> {
    if (!this.controls.transfer) throw new Error('The carrier connects no calls with other numbers');
    if (this.isOver) throw new Error('The call is over');
    this.isTransferred = true;
    try {
      await this.controls.transfer(to);
      // From now on the carrier conducts the call.
      this.isOver = true;
    } finally {
      this.isTransferred = this.isOver;
    }
  }

  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.cancelReturn();
    this.controls.ended(this.isOver);
    this.isOver = true;
    this.socket?.close(1000);
  }

  abstract frame(samples: Int16Array): void;
  abstract mark(name: string): void;
  abstract clear(): void;

  /** A phone shows nothing. */
  transcript(): void {}
  state(): void {}
  metrics(): void {}

  /** The stream began, or began again. */
  protected abstract opened(): void;
  protected abstract received(data: Buffer, isBinary: boolean): void;

  /** The stream ended because the call did. */
  protected stopped(): void {
    if (this.isTransferred) return;
    this.isOver = true;
    this.listener?.stop();
  }

  private disconnected(): void {
    this.socket = undefined;
    if (this.isOver || this.isTransferred) return;
    this.listener?.lost();
    this.controls.lost?.();
    this.cancelReturn = this.clock.after(RETURN_MS, () => this.listener?.gone());
  }

  protected send(frame: string | Uint8Array): void {
    const { socket } = this;
    if (socket?.readyState !== 1) return;
    if (socket.bufferedAmount > MAX_BUFFERED) return socket.terminate();
    socket.send(frame);
  }
}
