import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Service } from '../../agent/services';
import { type Clock, systemClock } from '../../clock';
import { ClientSession } from './client-session';
import { CLOSE, MAX_FRAME_BYTES } from './protocol';

const REFUSED_MS = 2_000;
const PATH = /^\/voice\/([\w-]{1,100})\/([\w-]{1,100})$/;

/** The address at which browsers, and other clients of the protocol, reach their calls. */
export class BrowserDoor {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  });
  private readonly sessions = new Map<string, ClientSession>();

  constructor(private readonly clock: Clock = systemClock) {}

  /** Expects the client of a call. @param isSpoken whether its agent speaks */
  open(callId: string, services: Service[], isSpoken: boolean, joinMs?: number): ClientSession {
    const forget = () => this.sessions.delete(callId);
    const session = new ClientSession(callId, services, isSpoken, this.clock, forget, joinMs);
    this.sessions.set(callId, session);
    return session;
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
    const [, callId = '', secret = ''] = PATH.exec(path) ?? [];
    this.sockets.handleUpgrade(request, socket, head, (client) => {
      // A frame that is no frame closes the connection after an error, also of a client that is refused.
      client.on('error', () => undefined);
      const session = this.sessions.get(callId);
      if (session?.accepts(secret)) void session.connect(client);
      else this.refuse(client);
    });
    return true;
  }
}

/** @param publicUrl where the door is reached, such as `ws://localhost:3010` */
export function joinUrl(publicUrl: string, callId: string, secret: string): string {
  const url = new URL(publicUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/voice/${callId}/${secret}`;
  return url.href;
}
