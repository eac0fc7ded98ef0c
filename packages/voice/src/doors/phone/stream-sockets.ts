import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../../clock';
import type { PhoneSession } from './phone-session';
import type { StreamFrame, StreamProtocol } from './stream-protocol';

const MAX_FRAME_BYTES = 64 * 1024;
/** The time within which a stream must name its call. */
const START_MS = 10_000;
/** Streams that have not named their call yet. */
const MAX_UNNAMED = 1_000;

export interface StreamSocketsOptions {
  clock: Clock;
  protocol: Pick<StreamProtocol, 'read'>;
  /** The call of a stream, by its first frame. undefined: none that expects it. */
  find: (start: StreamFrame & { event: 'start' }, request: IncomingMessage) => PhoneSession | undefined;
}

/** The WebSockets of media streams. Until its first frames say which call it is, a stream is nobody's. */
export class StreamSockets {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  });
  private unnamed = 0;

  constructor(private readonly options: StreamSocketsOptions) {}

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.unnamed >= MAX_UNNAMED) return refuse(socket, '503 Service Unavailable');
    this.sockets.handleUpgrade(request, socket, head, (client) => this.opened(client, request));
  }

  private opened(socket: WebSocket, request: IncomingMessage): void {
    const { clock, protocol, find } = this.options;
    this.unnamed++;
    let isNamed = false;
    const named = () => {
      if (isNamed) return;
      isNamed = true;
      this.unnamed--;
      cancel();
      socket.off('message', first);
    };
    const cancel = clock.after(START_MS, () => socket.close(1008));
    // A frame that is too large closes the connection, after an error.
    socket.on('error', () => undefined);
    socket.once('close', named);
    const first = (data: Buffer, isBinary: boolean) => {
      const frame = protocol.read(data, isBinary);
      if (frame?.event === 'connected') return;
      named();
      const session = frame?.event === 'start' ? find(frame, request) : undefined;
      if (frame?.event === 'start' && session) session.connect(socket, frame.streamId);
      else socket.close(1008);
    };
    socket.on('message', first);
  }
}

/** Ends a connection that asks for a WebSocket. */
export const refuse = (socket: Duplex, status: string) =>
  void socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
