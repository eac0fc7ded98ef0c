import { encodePcm, RATE } from '../../../domain/audio/pcm';
import { type ClientFrame, MEDIA_FORMAT, readFrame, type RuntimeFrame } from './frames';
import { MediaPace } from './media-pace';

/** The time within which a client may come back. */
const RETURN_MS = 10_000;
/** The runtime notices a cut later than this page, and refuses the return until then. */
const RETURN_WHILE_TAKEN_MS = 30_000;
const RETRY_MS = 500;
const READY_MS = 10_000;
/** The time within which the runtime confirms a hang-up. */
const HANG_UP_MS = 3_000;
/** About six seconds of audio that the network has not taken. */
const MAX_BUFFERED = 256 * 1024;

const REFUSED = 4401;
const TAKEN = 4409;

/** Why the connection is over. */
export type ConnectionEnd =
  /** The runtime has ended the call, or the person has hung up. */
  | 'ended'
  /** The address is wrong or used up, or the call is over. */
  | 'refused'
  /** It was there, and did not come back. */
  | 'lost'
  /** It was never there. */
  | 'unreachable';

export interface ConnectionListener {
  frame(frame: RuntimeFrame): void;
  /** The connection was cut; the client tries to come back. */
  lost(): void;
  over(end: ConnectionEnd): void;
}

/** The person's end of a call with a runtime, across its connections. */
export class VoiceClient {
  private socket?: WebSocket;
  private timer?: number;
  private readonly pace = new MediaPace(RATE);
  private wasReady = false;
  private lostAt?: number;
  private hangingUp = false;
  private isOver = false;

  constructor(
    private readonly url: string,
    private readonly isSpoken: boolean,
    private readonly listener: ConnectionListener,
  ) {
    window.addEventListener('offline', this.onOffline);
    this.connect();
  }

  /** Whether the runtime hears what is sent. */
  get isOpen(): boolean {
    return this.wasReady && this.lostAt === undefined && this.socket?.readyState === WebSocket.OPEN;
  }

  sendAudio(samples: Int16Array): void {
    if (!this.isOpen) return;
    if ((this.socket?.bufferedAmount ?? 0) > MAX_BUFFERED) return this.cut();
    const due = this.pace.add(samples, performance.now());
    if (due) this.send({ event: 'media', media: { payload: encodePcm(due) } });
  }

  sendMark(name: string): void {
    if (this.isOpen) this.send({ event: 'mark', mark: { name } });
  }

  sendText(text: string): void {
    this.send({ event: 'text', text });
  }

  /** Hangs up. The runtime confirms it and closes the connection. */
  hangUp(): void {
    this.hangingUp = true;
    if (!this.isOpen) return this.finish('ended');
    this.send({ event: 'stop' });
    this.timer = window.setTimeout(() => this.finish('ended'), HANG_UP_MS);
  }

  /** Hangs up without waiting for anything, because the page is left. */
  leave(): void {
    if (this.isOver) return;
    if (this.isOpen) this.send({ event: 'stop' });
    this.isOver = true;
    this.release();
  }

  private readonly onOffline = () => this.cut();

  private connect(): void {
    let socket: WebSocket;
    try {
      socket = new WebSocket(this.url);
    } catch {
      // Such as ws: on a page over https.
      return this.finish('unreachable');
    }
    this.socket = socket;
    this.timer = window.setTimeout(() => this.cut(), READY_MS);
    socket.onopen = () => {
      const mediaFormat = this.isSpoken ? MEDIA_FORMAT : null;
      socket.send(JSON.stringify({ event: 'start', mediaFormat } satisfies ClientFrame));
    };
    socket.onmessage = ({ data }: MessageEvent<unknown>) => this.receive(readFrame(data));
    socket.onclose = ({ code }) => this.closed(code);
  }

  private receive(frame: RuntimeFrame | undefined): void {
    if (!frame) return;
    if (frame.event === 'ready') {
      window.clearTimeout(this.timer);
      this.wasReady = true;
      this.lostAt = undefined;
    }
    if (frame.event === 'ended') this.hangingUp = true;
    this.listener.frame(frame);
  }

  private closed(code: number): void {
    if (this.hangingUp) return this.finish('ended');
    if (code === REFUSED) return this.finish('refused');
    this.retry(code === TAKEN ? RETURN_WHILE_TAKEN_MS : RETURN_MS);
  }

  /** A connection that is silent is not waited for: its end may take a minute. */
  private cut(): void {
    if (this.isOver) return;
    this.disconnect();
    if (this.hangingUp) this.finish('ended');
    else this.retry(RETURN_MS);
  }

  private retry(withinMs: number): void {
    this.disconnect();
    const now = performance.now();
    if (this.lostAt === undefined) {
      this.lostAt = now;
      if (this.wasReady) this.listener.lost();
    }
    if (now - this.lostAt > withinMs) this.finish(this.wasReady ? 'lost' : 'unreachable');
    else this.timer = window.setTimeout(() => this.connect(), RETRY_MS);
  }

  private finish(end: ConnectionEnd): void {
    if (this.isOver) return;
    this.isOver = true;
    this.release();
    this.listener.over(end);
  }

  private release(): void {
    window.removeEventListener('offline', this.onOffline);
    this.disconnect();
  }

  private disconnect(): void {
    window.clearTimeout(this.timer);
    const { socket } = this;
    this.socket = undefined;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  private send(frame: ClientFrame): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }
}
