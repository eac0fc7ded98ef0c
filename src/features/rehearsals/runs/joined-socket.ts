import type { Socket } from 'node:net';
import { WebSocket } from 'undici';
import { outboundAgent } from '../../../platform/outbound-http/outbound-agent';
import type { AddressRule } from '../../../platform/outbound-http/public-address';

const HANDSHAKE_MS = 5_000;
const MAX_MESSAGE_BYTES = 65_536;
/** The time for the other side to close the connection, too. */
const CLOSE_MS = 2_000;

/** The address cannot be joined, or the connection was cut, or a frame made no sense. */
export class JoinFailed extends Error {}

export interface SocketListener {
  message(data: unknown): void;
  /** The connection is over. It comes once. */
  closed(): void;
}

/** A connection to an address that a runtime has reported. */
export class JoinedSocket {
  private readonly socket: WebSocket;
  private connection?: Socket;

  /** @param isAddressAllowed is asked about the address of the connected socket */
  constructor(url: string, isAddressAllowed: AddressRule, listener: SocketListener) {
    const dispatcher = outboundAgent({
      isAddressAllowed,
      connectTimeoutMs: HANDSHAKE_MS,
      onConnected: (connection) => (this.connection = connection),
      maxMessageBytes: MAX_MESSAGE_BYTES,
    });
    this.socket = new WebSocket(url, { dispatcher });
    this.opened = new Promise((resolve, reject) => {
      const fail = () => reject(new JoinFailed('The address cannot be joined.'));
      const timer = setTimeout(() => {
        fail();
        this.close();
      }, HANDSHAKE_MS);
      this.socket.addEventListener('open', () => {
        clearTimeout(timer);
        resolve();
      });
      this.socket.addEventListener('close', () => {
        clearTimeout(timer);
        fail();
        listener.closed();
        void dispatcher.destroy();
      });
    });
    // The address is in the event, so it is not read. The connection closes after it.
    this.socket.addEventListener('error', () => undefined);
    this.socket.addEventListener('message', ({ data }: { data: unknown }) => listener.message(data));
  }

  /** Rejects if there is no connection in time. */
  readonly opened: Promise<void>;

  send(frame: object): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  close(): void {
    this.socket.close(1000);
    const timer = setTimeout(() => this.connection?.destroy(), CLOSE_MS);
    this.socket.addEventListener('close', () => clearTimeout(timer));
  }
}
