import { randomBytes } from 'node:crypto';
import { CallFailed } from '@parley/worker';
import type { WebSocket } from 'ws';
import type { Clock } from '../../clock';
import type { Answerer } from '../../conversation/contract';
import { describeError } from '../../errors';
import { isSameSecret } from '../../same-secret';
import { HUNG_UP, RETURN_MS, type Session, type SessionEnd, type SessionListener } from '../session';
import type { CarrierEnd } from './carrier-end';
import type { HandedOverCall } from './handed-over';
import { MAX_RING_SECONDS, toAnswerMs } from './time-limits';

/** A carrier that reads slower than it is sent to is cut off. */
const MAX_BUFFERED = 1024 * 1024;
/** The stream of a call that is over ends before the carrier reports the end, by no more than this. */
export const REPORT_MS = 3_000;
const ASK_MS = 1_000;
/** A carrier that loses the stream more often within the time is asked for no further one. */
const MAX_LOSSES = 5;
const LOSSES_MS = 60_000;
/** The time in which the carrier reports whether the other number of a transfer has answered. */
const TRANSFER_MS = toAnswerMs(MAX_RING_SECONDS);

/** The acts of the carrier for a call, beside its stream. */
export interface PhoneControls {
  /** Somebody, or a machine, has answered. */
  answered?(at: number): void;
  /** The session is over. `isOver`: so is the call at the carrier, or the carrier conducts it now. */
  ended(isOver: boolean): void;
  /** The carrier conducts the call from now on, for no more than this time. */
  follow?(maximumSeconds: number): HandedOverCall;
  /** The media stream was cut. undefined: the carrier connects again by itself. */
  lost?(): void;
  /** Connects the person with another number. The media stream ends then. @throws if the carrier refuses */
  transfer?(to: string, maximumSeconds: number): Promise<void>;
  /** Whether the carrier reports if the other number has answered. */
  reportsTransfer?: boolean;
  /** Asks the carrier how the call ended. undefined: the carrier reports it. */
  askEnd?(): Promise<CarrierEnd | undefined>;
  /** Asks the same of a call whose stream has stopped, if its end was not reported. undefined: it is taken for a hang-up. */
  askStopped?(): Promise<CarrierEnd | undefined>;
  /** Sends keys of a telephone. undefined: they are sent as tones in the audio. */
  press?(digits: string): Promise<void>;
}

const createKey = () => randomBytes(24).toString('base64url');

/** `failure`: why the other number is not connected. Without it, the person has hung up. */
interface TransferResult {
  isConnected: boolean;
  failure?: string;
}

/** One phone call, across the connections of its stream. */
export abstract class PhoneSession implements Session {
  abstract readonly sampleRate?: number;
  /** The carrier repeats it in what it says about the call. */
  readonly key = createKey();
  /** Resolves with undefined when the call was answered, else with why it was not. */
  readonly answered: Promise<CarrierEnd | undefined>;
  readonly press?: (digits: string) => Promise<void>;
  private resolveAnswered: (end: CarrierEnd | undefined) => void = () => undefined;
  /** Resolves when the carrier reports that the call was answered. */
  readonly pickedUp: Promise<void>;
  private resolvePickedUp: () => void = () => undefined;
  /** Somebody, or a machine, has answered. */
  hasAnswered = false;
  /** The keys of streams that may still come, in their order. */
  private streamKeys: string[] = [];
  private socket?: WebSocket;
  protected streamId?: string;
  protected listener?: SessionListener;
  private answerer?: { answerer: Answerer; detail?: string };
  private isOver = false;
  /** The stream cannot be connected. The call goes on at the carrier until it is hung up. */
  private isCutOff = false;
  private over: SessionEnd = HUNG_UP;
  private hasStopped = false;
  /** The times at which the stream was lost lately. */
  private losses: number[] = [];
  private hasEnded = false;
  /** The carrier connects the person with another number, or has done so. */
  isTransferred = false;
  handedOver?: HandedOverCall;
  private settleTransfer: (result: TransferResult) => void = () => undefined;
  private cancelReturn: () => void = () => undefined;

  constructor(
    protected readonly clock: Clock,
    private readonly controls: PhoneControls,
  ) {
    this.answered = new Promise((resolve) => (this.resolveAnswered = resolve));
    this.pickedUp = new Promise((resolve) => (this.resolvePickedUp = resolve));
    if (controls.press) this.press = (digits) => controls.press?.(digits) ?? Promise.resolve();
  }

  /** Whether the call has no stream, and needs one. */
  get awaitsStream(): boolean {
    return !this.isOver && !this.socket;
  }

  /** Makes the key of one stream, which counts once: a stream that is sent again is refused. */
  createStreamKey(): string {
    const key = createKey();
    this.streamKeys.push(key);
    return key;
  }

  /** Whether a stream with this key may still come. */
  expects(streamKey: unknown): boolean {
    return this.findKey(streamKey) >= 0;
  }

  /** Uses up the key of a stream, and those of the streams before it. @returns whether it was still to come */
  admit(streamKey: unknown): boolean {
    const place = this.findKey(streamKey);
    this.streamKeys.splice(0, place + 1);
    return place >= 0;
  }

  private findKey(streamKey: unknown): number {
    return this.isOver ? -1 : this.streamKeys.findIndex((key) => isSameSecret(streamKey, key));
  }

  /** The stream of the call began, or began again: the carrier may notice earlier than this process that it was cut. */
  connect(socket: WebSocket, streamId: string): void {
    const isFirst = this.streamId === undefined;
    if (this.socket) this.replace(this.socket);
    this.socket = socket;
    this.streamId = streamId;
    this.markAnswered();
    this.hasStopped = false;
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

  /** The stream comes a moment later. */
  noteAnswer(at = Date.now()): void {
    this.markAnswered(at);
    this.resolvePickedUp();
  }

  /** The failure of a call whose stream did not come. */
  toFailure({ reason, answeredReason, detail }: CarrierEnd): CallFailed {
    return new CallFailed(this.hasAnswered ? answeredReason : reason, detail);
  }

  /** The call is over at the carrier. */
  carrierEnded(end: CarrierEnd): void {
    if (this.isOver) return;
    const { answeredReason: reason, detail } = end;
    this.isOver = true;
    this.over = reason === 'user_hangup' ? HUNG_UP : { reason, detail };
    this.cancelReturn();
    this.resolveAnswered(end);
    this.settleTransfer({ isConnected: false });
    if (!this.isTransferred) this.listener?.stop(this.over);
  }

  /** Whether the call has this stream, or has lost it. */
  hadStream(streamId: unknown): boolean {
    return this.streamId !== undefined && streamId === this.streamId;
  }

  /** The carrier cannot connect the stream of the call. */
  streamFailed(detail: string): void {
    if (!this.awaitsStream || this.isTransferred) return;
    this.cancelReturn();
    this.resolveAnswered({ reason: 'error', answeredReason: 'error', detail });
    this.cutOff(detail);
  }

  /** The other number of a transfer has answered, or `failure`: why it has not. */
  transferEnded(failure?: string): void {
    this.settleTransfer(failure === undefined ? { isConnected: true } : { isConnected: false, failure });
  }

  /** @param detail the carrier and its own word for it, such as `Twilio: answered by machine_end_beep` */
  answeredBy(answerer: Answerer, detail?: string): void {
    this.answerer = { answerer, detail };
    this.listener?.answeredBy(answerer, detail);
  }

  /** A key that the carrier reports beside the stream. */
  dtmf(digit: string): void {
    this.listener?.dtmf(digit);
  }

  listen(listener: SessionListener): void {
    this.listener = listener;
    if (this.isOver || this.isCutOff) return listener.stop(this.over);
    if (!this.socket) listener.lost();
    if (this.answerer) listener.answeredBy(this.answerer.answerer, this.answerer.detail);
  }

  async transfer(to: string, maximumSeconds: number): Promise<boolean> {
    if (!this.controls.transfer) throw new Error('The carrier connects no calls with other numbers');
    if (this.isOver) return false;
    this.isTransferred = true;
    this.cancelReturn();
    const result = new Promise<TransferResult>((resolve) => (this.settleTransfer = resolve));
    let cancel = () => undefined as void;
    let isSettled = false;
    try {
      const requested = this.controls.transfer(to, maximumSeconds).then(() => {
        if (!this.controls.reportsTransfer) this.transferEnded();
        // A carrier that reports nothing has connected both, or ends the call by itself.
        if (!isSettled) cancel = this.clock.after(TRANSFER_MS, () => this.transferEnded());
        return result;
      });
      // A report counts also if the answer to the request comes later, or never.
      const { isConnected, failure } = await Promise.race([result, requested]);
      if (failure !== undefined) throw new Error(failure);
      // From now on the carrier conducts the call.
      this.isOver = true;
      if (isConnected) this.handedOver = this.controls.follow?.(maximumSeconds);
      return isConnected;
    } finally {
      isSettled = true;
      cancel();
      this.isTransferred = this.isOver;
    }
  }

  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.cancelReturn();
    this.settleTransfer({ isConnected: false });
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

  /** The stream was cut, and may come back. */
  protected missed(): void {
    this.listener?.lost();
  }

  /** The stream ended because the call did. The carrier reports why. */
  protected stopped(): void {
    if (this.isTransferred || this.isOver || this.hasStopped) return;
    this.hasStopped = true;
    this.missed();
    this.waitForCarrier(REPORT_MS, () => this.askStopped());
  }

  /** The carrier has not reported the end of a call whose stream has stopped. The call may go on without it. */
  private askStopped(): void {
    const asked = this.controls.askStopped?.();
    if (!asked) return this.listener?.stop(HUNG_UP);
    let isWaiting = true;
    const settle = (act: () => void) => {
      if (!isWaiting) return;
      this.cancelReturn();
      act();
    };
    const hungUp = (why: string) => {
      const detail = `The carrier did not report the end of the call, and its state is not known: ${why}`;
      settle(() => this.listener?.stop({ ...HUNG_UP, detail }));
    };
    const cancel = this.clock.after(REPORT_MS, () => hungUp('it has not answered'));
    this.cancelReturn = () => {
      isWaiting = false;
      cancel();
    };
    asked.then(
      (end) => settle(() => (end ? this.carrierEnded(end) : this.goneOn())),
      (error: unknown) => hungUp(describeError(error)),
    );
  }

  /** The stream has stopped, and the call has not. */
  private goneOn(): void {
    const { socket } = this;
    this.hasStopped = false;
    this.socket = undefined;
    socket?.close(1000);
    this.requestStream();
  }

  private markAnswered(at = Date.now()): void {
    if (!this.hasAnswered) this.controls.answered?.(at);
    this.hasAnswered = true;
  }

  private replace(socket: WebSocket): void {
    this.socket = undefined;
    socket.terminate();
    this.missed();
  }

  private disconnected(): void {
    this.socket = undefined;
    if (this.isOver || this.isTransferred || this.hasStopped) return;
    this.missed();
    this.requestStream();
  }

  /** Whether the carrier has a further stream, without being asked for it. */
  protected get hasNextStream(): boolean {
    return this.streamKeys.length > 0;
  }

  /** The stream is of no use any more, and the carrier connects the next one. */
  protected leaveStream(): void {
    const { socket } = this;
    this.disconnected();
    socket?.close(1000);
  }

  private requestStream(): void {
    const now = this.clock.now();
    this.losses = [...this.losses.filter((at) => now - at < LOSSES_MS), now];
    if (this.losses.length > MAX_LOSSES)
      return this.cutOff(
        `The media stream of the carrier was lost ${this.losses.length} times within a minute`,
      );
    this.controls.lost?.();
    const detail = 'The media stream of the carrier was lost, and did not come back';
    this.waitForCarrier(RETURN_MS, () => this.listener?.stop({ reason: 'error', detail }));
  }

  /** The call ends, because it gets no stream, or one that is of no use. */
  protected cutOff(detail: string): void {
    this.isCutOff = true;
    this.over = { reason: 'error', detail };
    this.listener?.stop(this.over);
  }

  /** Until the stream is back, or the carrier says how the call ended. */
  private waitForCarrier(ms: number, otherwise: () => void): void {
    let cancelAsking = () => undefined as void;
    let isWaiting = true;
    const cancel = this.clock.after(ms, otherwise);
    this.cancelReturn = () => {
      isWaiting = false;
      cancel();
      cancelAsking();
    };
    const { controls } = this;
    const ask = () => {
      controls.askEnd?.().then(
        (end) => {
          if (!isWaiting) return;
          if (end) this.carrierEnded(end);
          else cancelAsking = this.clock.after(ASK_MS, ask);
        },
        // A carrier that does not answer has the rest of the time.
        () => undefined,
      );
    };
    ask();
  }

  protected send(frame: string | Uint8Array): void {
    const { socket } = this;
    if (socket?.readyState !== 1) return;
    if (socket.bufferedAmount > MAX_BUFFERED) return socket.terminate();
    socket.send(frame);
  }
}
