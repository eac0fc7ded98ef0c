import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { type Clock, systemClock } from '../../clock';
import { ClientSession } from './client-session';
import { CLOSE, MAX_FRAME_BYTES } from './protocol';

const PATH = /^\/voice\/([\w-]{1,100})\/([\w-]{1,100})$/;

/** Where browsers, and other clients of the protocol, reach their calls. */
export class BrowserDoor {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  });
  private readonly sessions = new Map<string, ClientSession>();

  constructor(private readonly clock: Clock = systemClock) {}

  /** Expects the client of a call. */
  open(callId: string): ClientSession {
    const session = new ClientSession(callId, this.clock, () => this.sessions.delete(callId));
    this.sessions.set(callId, session);
    return session;
  }

  /** For the `upgrade` event of an HTTP server. @returns whether the path is one of this door */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const path = (request.url ?? '').split('?')[0] ?? '';
    if (!path.startsWith('/voice/')) return false;
    const [, callId = '', secret = ''] = PATH.exec(path) ?? [];
    this.sockets.handleUpgrade(request, socket, head, (client) => {
      const session = this.sessions.get(callId);
      if (session?.accepts(secret)) session.connect(client);
      else client.close(CLOSE.wrongSecret.code, CLOSE.wrongSecret.reason);
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
