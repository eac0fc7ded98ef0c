import { randomBytes } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { Service } from '../../agent/services';
import { decodeAudio, getDuration, encodeAudio, type MediaFormat } from '../../audio/media-format';
import type { Clock } from '../../clock';
import { isSameSecret } from '../../same-secret';
import { HUNG_UP, RETURN_MS, type Session, type SessionListener } from '../session';
import { CLOSE, type ClientFrame, MAX_FRAMES_PER_SECOND, readFrame } from './protocol';

/** The time for which the address waits for a client. */
export const JOIN_MS = 120_000;
/** The time within which a connection must send its first frame, and answer a ping. */
const SILENT_MS = 10_000;
/** The time within which the present client must answer a ping when a second one comes. */
const PRESENT_MS = 1_000;
/** The audio that may come at once, such as after a delay of the network. */
const MAX_AUDIO_AHEAD_MS = 10_000;
/** A client that reads slower than it hears is cut off. */
const MAX_BUFFERED = 1024 * 1024;

/** The client of one call, across its connections. */
export class ClientSession implements Session {
  readonly secret = randomBytes(24).toString('base64url');
  /** The format that the client chose, null for a conversation in writing; undefined: nobody came. */
  readonly joined: Promise<MediaFormat | null | undefined>;
  sampleRate?: number;
  private format?: MediaFormat | null;
  private socket?: WebSocket;
  private listener?: SessionListener;
  private resolveJoined: (format: MediaFormat | null | undefined) => void = () => undefined;
  private cancelTimer: () => void;
  private closed = false;
  /** Whether the present client has sent its first frame. */
  private hasStarted = false;
  /** When the audio that came will have been spoken. */
  private spokenUntil = 0;
  /** Whether a second client waits for the present one to answer. */
  private isContested = false;

  constructor(
    private readonly callId: string,
    private readonly services: Service[],
    /** Whether the agent speaks. Without that, each conversation is in writing. */
    private readonly isSpoken: boolean,
    private readonly clock: Clock,
    private readonly whenClosed: () => void,
    joinMs = JOIN_MS,
  ) {
    this.joined = new Promise((resolve) => (this.resolveJoined = resolve));
    this.cancelTimer = clock.after(joinMs, () => this.resolveJoined(undefined));
  }

  listen(listener: SessionListener): void {
    this.listener = listener;
    if (!this.socket) this.listener.lost();
  }

  accepts(secret: string): boolean {
    return !this.closed && isSameSecret(secret, this.secret);
  }

  /** A client came, or came back. It replaces one whose connection is lost without a sign. */
  async connect(socket: WebSocket): Promise<void> {
    const refuse = ({ code, reason }: { code: number; reason: string }) => socket.close(code, reason);
    if (this.socket) {
      if (this.isContested) return refuse(CLOSE.secondClient);
      this.isContested = true;
      socket.pause();
      const isPresent = await answers(this.socket, this.clock);
      this.isContested = false;
      socket.resume();
      if (socket.readyState !== socket.OPEN) return;
      // The call may have ended meanwhile, and its address with it.
      if (this.closed) return refuse(CLOSE.wrongSecret);
      if (isPresent) return refuse(CLOSE.secondClient);
      this.socket?.terminate();
      this.disconnected();
    }
    this.attach(socket);
  }

  private attach(socket: WebSocket): void {
    this.socket = socket;
    let frames: number[] = [];
    let answered = true;
    const startTimer = this.clock.after(SILENT_MS, () => {
      if (!this.hasStarted) refuse(CLOSE.nonsense);
    });
    const ping = setInterval(() => {
      if (!answered) return socket.terminate();
      answered = false;
      socket.ping();
    }, SILENT_MS);
    const refuse = ({ code, reason }: { code: number; reason: string }) => socket.close(code, reason);
    socket.on('pong', () => (answered = true));
    socket.on('message', (data: Buffer, isBinary) => {
      if (socket !== this.socket || socket.readyState !== socket.OPEN) return;
      const now = this.clock.now();
      frames = [...frames.filter((at) => now - at < 1_000), now];
      if (frames.length > MAX_FRAMES_PER_SECOND) return refuse(CLOSE.tooFast);
      const frame = isBinary ? undefined : readFrame(data.toString());
      if (!frame) return refuse(CLOSE.nonsense);
      if (frame.event === 'media' && !this.isSpokenInTime(frame.payload, now))
        return refuse(CLOSE.tooMuchAudio);
      if (!this.hasStarted) {
        this.hasStarted = frame.event === 'start' && this.start(frame.mediaFormat);
        if (!this.hasStarted) refuse(CLOSE.nonsense);
        return;
      }
      const refusal = this.receive(frame);
      if (refusal) refuse(CLOSE[refusal]);
    });
    // A frame that is too large closes the connection with 1009, after an error.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      startTimer();
      clearInterval(ping);
      if (socket === this.socket) this.disconnected();
    });
  }

  /** Sends the client the end of the call, and removes the session. */
  end(reason: string): void {
    if (this.closed) return;
    this.send({ event: 'ended', reason });
    this.closed = true;
    this.cancelTimer();
    this.resolveJoined(undefined);
    const { socket } = this;
    this.socket = undefined;
    socket?.close(CLOSE.ended.code, CLOSE.ended.reason);
    this.whenClosed();
  }

  frame(samples: Int16Array): void {
    if (!this.format) return;
    const payload = Buffer.from(encodeAudio(samples, this.format)).toString('base64');
    this.send({ event: 'media', media: { payload } });
  }

  mark(name: string): void {
    this.send({ event: 'mark', mark: { name } });
  }

  clear(): void {
    this.send({ event: 'clear' });
  }

  transcript(speaker: 'agent' | 'user', text: string, final: boolean): void {
    this.send({ event: 'transcript', speaker, text, final });
  }

  state(state: 'listening' | 'thinking' | 'speaking'): void {
    this.send({ event: 'state', state });
  }

  metrics(turnGapMs: number): void {
    this.send({ event: 'metrics', turn_gap_ms: turnGapMs });
  }

  /** @returns false if a client that comes back wants something else than before */
  private start(wanted: MediaFormat | null): boolean {
    const format = this.isSpoken ? wanted : null;
    const isFirst = this.format === undefined;
    if (!isFirst && JSON.stringify(format) !== JSON.stringify(this.format)) return false;
    this.cancelTimer();
    this.format = format;
    this.sampleRate = format?.sampleRate;
    // Nobody hears or makes speech in a conversation in writing.
    const services = format ? this.services : this.services.filter(({ part }) => part === 'language');
    this.send({ event: 'ready', call_id: this.callId, mediaFormat: format, services });
    if (isFirst) this.resolveJoined(format);
    else this.listener?.returned();
    return true;
  }

  /** Live audio is never ahead of real time. Without this limit, one call could occupy the recognition of all calls. */
  private isSpokenInTime(audio: Uint8Array, now: number): boolean {
    if (!this.format) return true;
    this.spokenUntil = Math.max(this.spokenUntil, now) + getDuration(audio, this.format);
    return this.spokenUntil - now <= MAX_AUDIO_AHEAD_MS;
  }

  /** @returns why the frame closes the connection, or undefined */
  private receive(frame: ClientFrame): keyof typeof CLOSE | undefined {
    const { listener, format } = this;
    switch (frame.event) {
      case 'media': {
        const samples = format ? decodeAudio(frame.payload, format) : undefined;
        if (!samples) return 'nonsense';
        listener?.media(samples);
        return undefined;
      }
      case 'text':
        return listener?.text(frame.text);
      case 'dtmf':
        return listener?.dtmf(frame.digit);
      case 'stop':
        listener?.stop(HUNG_UP);
        return undefined;
      case 'mark':
        return undefined;
      case 'start':
        return 'nonsense';
    }
  }

  private disconnected(): void {
    this.socket = undefined;
    // A client that left before its first frame changes nothing: the time to come back runs since the cut.
    if (this.closed || !this.hasStarted) return;
    this.hasStarted = false;
    this.listener?.lost();
    this.cancelTimer = this.clock.after(RETURN_MS, () => this.listener?.stop(HUNG_UP));
  }

  private send(frame: object): void {
    const { socket } = this;
    if (socket?.readyState !== 1) return;
    if (socket.bufferedAmount > MAX_BUFFERED) return socket.terminate();
    socket.send(JSON.stringify(frame));
  }
}

/** Whether a client answers a ping in time. */
function answers(client: WebSocket, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    if (client.readyState !== client.OPEN) return resolve(false);
    const settle = (isPresent: boolean) => {
      cancel();
      client.off('pong', present).off('close', gone);
      resolve(isPresent);
    };
    const present = () => settle(true);
    const gone = () => settle(false);
    const cancel = clock.after(PRESENT_MS, gone);
    client.on('pong', present).on('close', gone);
    client.ping();
  });
}
