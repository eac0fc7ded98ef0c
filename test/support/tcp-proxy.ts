import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy between a client and a server, with which a test can interrupt their connections. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((client) => this.accept(client));
  private port = 0;
  private isFrozen = false;
  /** The connections that wait, if new ones do. */
  private held: Socket[] | undefined;
  private interruption: { text: string; at: 'request' | 'answer' | 'silence' } | undefined;

  /** @param target the server's URL */
  static async to(target: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(target));
    await proxy.restore();
    return proxy;
  }

  private constructor(private target: URL) {}

  /** The server's URL with the address of the proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = `${this.port}`;
    return url.href;
  }

  /** New connections go to this server. */
  aimAt(target: string): void {
    this.target = new URL(target);
  }

  /** The number of connected clients. */
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
   * Closes the connection of the next client that sends this text: before the text reaches the server, or before the
   * answer reaches the client.
   */
  cutOnce(text: string, at: 'request' | 'answer'): void {
    this.interruption = { text, at };
  }

  /** The connection of the next client that sends this text stays open, and gets no answer. */
  silenceOnce(text: string): void {
    this.interruption = { text, at: 'silence' };
  }

  /** Whether the client of {@link cutOnce} or {@link silenceOnce} is still to come. */
  get awaitsCut(): boolean {
    return this.interruption !== undefined;
  }

  /** Stops forwarding in both directions, and leaves all connections open. `newToo`: also those that are made later. */
  freeze({ newToo = false } = {}): void {
    this.isFrozen = newToo;
    for (const socket of this.sockets) socket.unpipe();
  }

  /** Accepts new connections, and forwards nothing of them before {@link release}. */
  hold(): void {
    this.held = [];
  }

  /** The number of new connections that wait. */
  get holds(): number {
    return this.held?.length ?? 0;
  }

  release(): void {
    const held = this.held ?? [];
    this.held = undefined;
    for (const client of held) this.join(client);
  }

  /** Accepts connections again at the same address, and forwards what they send. */
  async restore(): Promise<void> {
    this.isFrozen = false;
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  private accept(client: Socket): void {
    if (this.held) this.held.push(client);
    else this.join(client);
  }

  private join(client: Socket): void {
    const upstream = connect(Number(this.target.port || 5672), this.target.hostname);
    // The listener is registered before the pipe, so that an interrupted request is not forwarded.
    client.on('data', (sent: Buffer) => {
      if (!this.interruption || !sent.includes(this.interruption.text)) return;
      const { at } = this.interruption;
      this.interruption = undefined;
      if (at === 'request') return void upstream.destroy();
      upstream.unpipe(client);
      if (at === 'answer') upstream.once('data', () => upstream.destroy());
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
      if (!this.isFrozen) from.pipe(to);
    }
  }
}
