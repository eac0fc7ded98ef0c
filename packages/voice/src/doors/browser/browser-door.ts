import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Service } from '../../agent/services';
import { type Clock, systemClock } from '../../clock';
import { ClientSession } from './client-session';
import { Listeners } from './listeners';
import { CLOSE, MAX_FRAME_BYTES } from './protocol';

const REFUSED_MS = 2_000;
const LISTEN_PATH = /^\/voice\/listen\/([\w-]{1,100})\/([\w-]{1,100})$/;
const PATH = /^\/voice\/([\w-]{1,100})\/([\w-]{1,100})$/;

/** The address at which browsers, and other clients of the protocol, reach their calls. */
export class BrowserDoor {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  });
  private readonly sessions = new Map<string, ClientSession>();
  private readonly listeners = new Map<string, Listeners>();

  constructor(private readonly clock: Clock = systemClock) {}

  /** Expects the client of a call. @param isSpoken whether its agent speaks */
  open(callId: string, services: Service[], isSpoken: boolean, joinMs?: number): ClientSession {
    const forget = () => this.sessions.delete(callId);
    const session = new ClientSession(callId, services, isSpoken, this.clock, forget, joinMs);
    this.sessions.set(callId, session);
    return session;
  }

  /** Expects users who listen to a call, until its end. */
  openForListeners(callId: string, expiresAt: Date): Listeners {
    const listeners = new Listeners(callId, expiresAt, () => this.listeners.delete(callId));
    this.listeners.set(callId, listeners);
    return listeners;
  }

  /** A client that does not answer is not waited for. */
  private refuse(client: WebSocket): void {
    client.close(CLOSE.wrongSecret.code, CLOSE.wrongSecret.reason);
    const timer = setTimeout(() => client.terminate(), REFUSED_MS);
    client.once('close', () => clearTimeout(timer));
  }

  /** Whether the path of a request is one of this door. */
  isFor({ url = '' }: IncomingMessage): boolean {
    return url.startsWith('/voice/');
  }

  /** For the `upgrade` event of an HTTP server. @returns whether the request is for this door */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    if (!this.isFor(request)) return false;
    const [path = ''] = (request.url ?? '').split('?');
    const [, heardId = '', heardSecret = ''] = LISTEN_PATH.exec(path) ?? [];
    const [, callId = '', secret = ''] = PATH.exec(path) ?? [];
    this.sockets.handleUpgrade(request, socket, head, (client) => {
      // A frame that is no frame closes the connection after an error, also of a client that is refused.
      client.on('error', () => undefined);
      const listeners = this.listeners.get(heardId);
      if (listeners?.accepts(heardSecret)) return listeners.connect(client);
      const session = this.sessions.get(callId);
      if (session?.accepts(secret)) void session.connect(client);
      else this.refuse(client);
    });
    return true;
  }
}

/** @param publicUrl where the door is reached, such as `ws://localhost:3010` */
export const joinUrl = (publicUrl: string, callId: string, secret: string): string =>
  addPath(publicUrl, `/voice/${callId}/${secret}`);

/** The address at which users hear a call. */
export const listenUrl = (publicUrl: string, callId: string, secret: string): string =>
  addPath(publicUrl, `/voice/listen/${callId}/${secret}`);

function addPath(publicUrl: string, path: string): string {
  const url = new URL(publicUrl);
  url.pathname = url.pathname.replace(/\/$/, '') + path;
  return url.href;
}
