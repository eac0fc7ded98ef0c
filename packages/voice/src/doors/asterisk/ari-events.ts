import { WebSocket } from 'ws';
import { parseFrame } from '../../json-frames';
import type { AriAccount } from './ari-client';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;
const PING_MS = 15_000;

export interface AriEventsOptions {
  account: AriAccount;
  /** The names of the Stasis applications. Asterisk sends the events of each to the last one who asks for them. */
  apps: string[];
  authorization: string;
  event: (event: Record<string, unknown>) => void;
  /** The connection is there, for the first time or again. */
  opened: () => void;
  /** Another program gets the events of this application from now on. */
  replaced: (app: string) => void;
  warn: (sentence: string) => void;
}

/** The events of applications of Asterisk, over a connection that is made again if it is lost. */
export class AriEvents {
  private socket?: WebSocket;
  private timer?: NodeJS.Timeout;
  private ping?: NodeJS.Timeout;
  private pauseMs = FIRST_PAUSE_MS;
  private isClosed = false;
  private isBroken = false;
  private apps: string[];
  /** Resolves when the connection is there. */
  connected: Promise<void>;
  private resolveConnected: () => void = () => undefined;
  private wasConnected = false;

  constructor(private readonly options: AriEventsOptions) {
    this.apps = options.apps;
    this.connected = this.disconnected();
    this.connect();
  }

  get isConnected(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    clearInterval(this.ping);
    this.socket?.terminate();
  }

  private disconnected(): Promise<void> {
    return new Promise((resolve) => (this.resolveConnected = resolve));
  }

  private connect(): void {
    const { account, authorization, opened, event } = this.options;
    const url = new URL(`${account.apiUrl.replace(/^http/, 'ws')}/ari/events`);
    url.searchParams.set('app', this.apps.join(','));
    const socket = new WebSocket(url, { headers: { authorization }, handshakeTimeout: 10_000 });
    this.socket = socket;
    let isAnswering = true;
    socket.on('open', () => {
      this.pauseMs = FIRST_PAUSE_MS;
      this.isBroken = false;
      this.ping = setInterval(() => {
        if (!isAnswering) return socket.terminate();
        isAnswering = false;
        socket.ping();
      }, PING_MS);
      this.wasConnected = true;
      this.resolveConnected();
      opened();
    });
    socket.on('pong', () => (isAnswering = true));
    socket.on('message', (data: Buffer) => {
      const frame = parseFrame(data.toString());
      if (frame?.type === 'ApplicationReplaced') return this.replaced(frame.application);
      if (frame) event(frame);
    });
    socket.on('error', (error) => this.complain(error.message));
    socket.on('close', () => this.again());
  }

  private again(): void {
    clearInterval(this.ping);
    // Callers that wait since an earlier attempt wait on.
    if (this.wasConnected) this.connected = this.disconnected();
    this.wasConnected = false;
    if (this.isClosed) return;
    this.complain('the connection was closed');
    this.timer = setTimeout(() => this.connect(), this.pauseMs);
    this.pauseMs = Math.min(MAX_PAUSE_MS, this.pauseMs * 2);
  }

  /** Once for each time that the connection is lost. */
  private complain(reason: string): void {
    if (this.isBroken || this.isClosed) return;
    this.isBroken = true;
    this.options.warn(`No events come from Asterisk: ${reason}`);
  }

  /** A new connection would take the application back, again and again. */
  private replaced(app: unknown): void {
    if (typeof app !== 'string' || !this.apps.includes(app)) return;
    this.apps = this.apps.filter((each) => each !== app);
    this.options.replaced(app);
  }
}
