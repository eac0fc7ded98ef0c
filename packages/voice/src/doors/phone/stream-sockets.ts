import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../../clock';
import type { PhoneSession } from './phone-session';
import type { StreamFrame, StreamProtocol } from './stream-protocol';

const MAX_FRAME_BYTES = 64 * 1024;
/** The time within which a stream must name its call. */
const START_MS = 3_000;
/** Streams that have not named their call yet. Those that have are not among them. */
const MAX_UNNAMED = 1_000;

export interface StreamSocketsOptions {
  clock: Clock;
  protocol: Pick<StreamProtocol, 'read'>;
  /** The call of a stream, by its first frame. undefined: none that expects it. */
  find: (start: StreamFrame & { event: 'start' }, request: IncomingMessage) => PhoneSession | undefined;
}

interface Unnamed {
  socket: WebSocket;
  address: string;
}

/** The WebSockets of media streams. Until its first frames say which call it is, a stream is nobody's. */
export class StreamSockets {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  });
  /** The oldest one is the first. */
  private readonly unnamed = new Set<Unnamed>();

  constructor(private readonly options: StreamSocketsOptions) {}

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.sockets.handleUpgrade(request, socket, head, (client) => this.opened(client, request));
  }

  private opened(socket: WebSocket, request: IncomingMessage): void {
    const { clock, protocol, find } = this.options;
    if (this.unnamed.size >= MAX_UNNAMED) this.dropOne();
    const unnamed = { socket, address: request.socket.remoteAddress ?? '' };
    this.unnamed.add(unnamed);
    const cancel = clock.after(START_MS, () => socket.terminate());
    const settle = () => {
      cancel();
      this.unnamed.delete(unnamed);
      socket.off('message', first);
    };
    // A frame that is too large closes the connection, after an error.
    socket.on('error', () => undefined);
    socket.once('close', settle);
    const first = (data: Buffer, isBinary: boolean) => {
      const frame = protocol.read(data, isBinary);
      if (frame?.event === 'connected') return;
      const session = frame?.event === 'start' ? find(frame, request) : undefined;
      if (frame?.event === 'start' && session) {
        settle();
        return session.connect(socket, frame.streamId);
      }
      // It counts until it has closed, which is at the time limit if the other side does not answer.
      socket.off('message', first);
      socket.close(1008);
    };
    socket.on('message', first);
  }

  /** A carrier names the call at once. The address with the most streams loses its oldest one, so others get in. */
  private dropOne(): void {
    const counts = new Map<string, number>();
    for (const { address } of this.unnamed) counts.set(address, (counts.get(address) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const victim = [...this.unnamed].find(({ address }) => counts.get(address) === most);
    if (!victim) return;
    this.unnamed.delete(victim);
    victim.socket.terminate();
  }
}

/** Ends a connection that asks for a WebSocket. */
export const refuse = (socket: Duplex, status: string) =>
  void socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
