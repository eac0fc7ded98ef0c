import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type Frame, FrameReader } from './amqp-frames';

/** A settlement of a delivery by the runtime. */
export interface Settlement {
  at: number;
  how: 'ack' | 'nack' | 'reject';
}

export interface Declaration {
  what: 'exchange' | 'queue';
  name: string;
}

interface Connection {
  client: Socket;
  broker: Socket;
}

/**
 * A proxy between the runtime and RabbitMQ. It records settlements and declarations, and cuts or freezes
 * connections.
 */
export class Proxy {
  /** The queues and exchanges that the runtime declared, other than passively. */
  readonly declarations: Declaration[] = [];
  /** The time when the last connection was accepted. */
  connectedAt = 0;
  private readonly connections = new Set<Connection>();
  private readonly settlements = new Map<string, Settlement[]>();
  private readonly deliveries = new Map<string, number>();
  private readonly server = createServer((client) => this.join(client));
  private isFrozen = false;
  private port = 0;

  private constructor(
    private readonly target: URL,
    private readonly now: () => number,
  ) {}

  static async start(target: string, now: () => number): Promise<Proxy> {
    const proxy = new Proxy(new URL(target), now);
    await proxy.open();
    return proxy;
  }

  get url(): string {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = `${this.port}`;
    return url.href;
  }

  get isConnected(): boolean {
    return this.connections.size > 0;
  }

  findSettlements(conversationId: string): Settlement[] {
    return this.settlements.get(conversationId) ?? [];
  }

  countDeliveries(conversationId: string): number {
    return this.deliveries.get(conversationId) ?? 0;
  }

  /** Stops forwarding in both directions. Nothing is lost until the connections are cut. */
  freeze(): void {
    this.isFrozen = true;
  }

  /** Ends all connections. Frozen data is lost. */
  cut(): void {
    for (const { client, broker } of this.connections) {
      client.destroy();
      broker.destroy();
    }
    this.isFrozen = false;
  }

  /** Ends all connections and refuses new ones. */
  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.cut();
    await closed;
  }

  /** Accepts connections, at the same address as before. */
  async open(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  private join(client: Socket): void {
    const broker = connect(Number(this.target.port || 5672), this.target.hostname);
    const connection = { client, broker };
    this.connections.add(connection);
    this.connectedAt = this.now();
    const tags = new Map<string, string>();
    const fromBroker = new FrameReader((frame) => this.seeDelivery(frame, tags));
    const fromClient = new FrameReader((frame) => this.seeRequest(frame, tags));
    client.on('data', (chunk: Buffer) => {
      if (this.isFrozen) return;
      fromClient.read(chunk);
      broker.write(chunk);
    });
    broker.on('data', (chunk: Buffer) => {
      if (this.isFrozen) return;
      fromBroker.read(chunk);
      client.write(chunk);
    });
    for (const [socket, other] of [
      [client, broker],
      [broker, client],
    ] as const) {
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        other.destroy();
        this.connections.delete(connection);
      });
    }
  }

  private seeDelivery(frame: Frame, tags: Map<string, string>): void {
    if (frame.kind !== 'deliver' || frame.messageId === '') return;
    tags.set(`${frame.channel} ${frame.deliveryTag}`, frame.messageId);
    this.deliveries.set(frame.messageId, this.countDeliveries(frame.messageId) + 1);
  }

  private seeRequest(frame: Frame, tags: Map<string, string>): void {
    if (frame.kind === 'declare' && !frame.isPassive)
      this.declarations.push({ what: frame.what, name: frame.name });
    if (frame.kind !== 'settle') return;
    for (const [key, conversationId] of tags) {
      const [channel, tag] = key.split(' ').map(BigInt) as [bigint, bigint];
      const isThis = tag === frame.deliveryTag || (frame.isMultiple && tag < frame.deliveryTag);
      if (channel !== BigInt(frame.channel) || !isThis) continue;
      const settlement = { at: this.now(), how: frame.how };
      this.settlements.set(conversationId, [...this.findSettlements(conversationId), settlement]);
      tags.delete(key);
    }
  }
}
