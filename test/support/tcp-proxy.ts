import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a client and a server, so that a test can take their connections away. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((client) => this.join(client));
  private port = 0;
  private fault: { text: string; at: 'request' | 'answer' } | undefined;

  /** @param target the server's URL. */
  static async to(target: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(target));
    await proxy.restore();
    return proxy;
  }

  private constructor(private readonly target: URL) {}

  /** The server's URL, by way of the proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = `${this.port}`;
    return url.href;
  }

  /** How many clients there are. */
  get connections(): number {
    return this.sockets.size / 2;
  }

  /** Ends all connections and refuses new ones. */
  async cut(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /**
   * Ends the connection of the next client that sends this text: before it reaches the server, or when the server
   * answers to it, which the client does not hear.
   */
  cutOnce(text: string, at: 'request' | 'answer'): void {
    this.fault = { text, at };
  }

  /** Lets nothing through any more, either way, while all connections stay. */
  freeze(): void {
    for (const socket of this.sockets) socket.unpipe();
  }

  /** Takes connections, again at the same address. */
  async restore(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  private join(client: Socket): void {
    const upstream = connect(Number(this.target.port || 5672), this.target.hostname);
    // Before the pipe, so that what is cut off does not get through.
    client.on('data', (sent: Buffer) => {
      if (!this.fault || !sent.includes(this.fault.text)) return;
      const { at } = this.fault;
      this.fault = undefined;
      if (at === 'request') return void upstream.destroy();
      upstream.unpipe(client).once('data', () => upstream.destroy());
      upstream.resume();
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  }
}
