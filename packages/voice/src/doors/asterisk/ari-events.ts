import { WebSocket } from 'ws';
import { parseFrame } from '../json-frames';
import type { AriAccount } from './ari-client';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;
const PING_MS = 15_000;

export interface AriEventsOptions {
  account: AriAccount;
  /** The name of the Stasis application. Asterisk sends its events to the last one who asks for them. */
  app: string;
  authorization: string;
  event: (event: Record<string, unknown>) => void;
  /** The connection is there, for the first time or again. */
  opened: () => void;
  warn: (sentence: string) => void;
}

/** The events of an application of Asterisk, over a connection that is made again if it is lost. */
export class AriEvents {
  private socket?: WebSocket;
  private timer?: NodeJS.Timeout;
  private ping?: NodeJS.Timeout;
  private pauseMs = FIRST_PAUSE_MS;
  private isClosed = false;
  private isBroken = false;

  constructor(private readonly options: AriEventsOptions) {
    this.connect();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    clearInterval(this.ping);
    this.socket?.terminate();
  }

  private connect(): void {
    const { account, app, authorization, opened, event } = this.options;
    const url = new URL(`${account.apiUrl.replace(/^http/, 'ws')}/ari/events`);
    url.searchParams.set('app', app);
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
      opened();
    });
    socket.on('pong', () => (isAnswering = true));
    socket.on('message', (data: Buffer) => {
      const frame = parseFrame(data.toString());
      if (frame?.type === 'ApplicationReplaced') return this.replaced();
      if (frame) event(frame);
    });
    socket.on('error', (error) => this.complain(error.message));
    socket.on('close', () => this.again());
  }

  private again(): void {
    clearInterval(this.ping);
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

  private replaced(): void {
    this.options.warn(
      `Another program uses the application ${this.options.app} of Asterisk: give each runtime its own ASTERISK_APP.`,
    );
    this.close();
  }
}
