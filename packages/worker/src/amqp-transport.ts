import { setTimeout as wait } from 'node:timers/promises';
import { type ChannelModel, connect } from 'amqplib';
import { shownAddress, withHeartbeat } from './amqp-address';
import { connectError } from './amqp-errors';
import { AmqpSession } from './amqp-session';
import type { Pool } from './amqp-pool';
import { backoffMs } from './backoff';
import { pause } from './pause';
import {
  type Consumer,
  type ConsumerListener,
  failureKind,
  type IncomingMessage,
  type OutgoingMessage,
  type Transport,
  TransportError,
  type TransportListener,
} from './transport';

const HEARTBEAT_SECONDS = 10;
const HANDSHAKE_MS = 5_000;
const LONGEST_PAUSE_MS = 5_000;
const CLOSE_MS = 1_000;

/**
 * The connection to RabbitMQ:
 *
 *     connecting --session is set up--> open --connection is lost--> connecting
 *        |  ^                            |
 *        |  +--failed: next address,-----+--close()--> closed
 *        |     pause after the last one
 *        +--before the first success, all addresses refuse--> closed
 *
 * What was not confirmed or answered when a connection is lost fails as `unavailable`. The callers repeat it.
 */
export class AmqpTransport implements Transport {
  private session: AmqpSession | undefined;
  /** The index of the next address. A node that was left accepts connections, so that the one after it is tried. */
  private next = 0;
  private readonly closing = new AbortController();

  constructor(
    private readonly urls: string[],
    private readonly connectionName: string,
    private readonly pool: Pool,
  ) {}

  async open(listener: TransportListener): Promise<void> {
    const first = await this.connect(listener, true);
    if (first) void this.stayConnected(first, listener);
  }

  publish(message: OutgoingMessage): Promise<void> {
    return this.session?.publish(message) ?? notConnected();
  }

  request(message: OutgoingMessage & { correlationId: string }, timeoutMs: number): Promise<IncomingMessage> {
    return this.session?.request(message, timeoutMs) ?? notConnected();
  }

  consume(queue: string, prefetch: number, listener: ConsumerListener): Promise<Consumer> {
    return this.session?.consume(queue, prefetch, listener) ?? notConnected();
  }

  async close(): Promise<void> {
    this.closing.abort();
    // A frozen RabbitMQ never confirms the close.
    await Promise.race([this.session?.close(), wait(CLOSE_MS, undefined, { ref: false })]);
  }

  private async stayConnected(first: AmqpSession, listener: TransportListener): Promise<void> {
    for (
      let session: AmqpSession | undefined = first;
      session;
      session = await this.connect(listener, false)
    ) {
      this.session = session;
      listener.connected(session.where);
      const reason = await session.lost;
      this.session = undefined;
      listener.disconnected();
      if (!this.closing.signal.aborted)
        listener.problem(`Lost the connection to ${session.where}: ${reason}`);
    }
  }

  /** @returns undefined if it was closed in the meantime */
  private async connect(listener: TransportListener, isFirst: boolean): Promise<AmqpSession | undefined> {
    const { signal } = this.closing;
    for (let round = 1; !signal.aborted; round++) {
      const errors: TransportError[] = [];
      for (let tried = 0; tried < this.urls.length; tried++) {
        try {
          const session = await this.connectTo(this.takeAddress(), listener);
          if (!signal.aborted) return session;
          await session.close();
        } catch (error) {
          errors.push(error as TransportError);
        }
        if (signal.aborted) return undefined;
      }
      const sentences = [...new Set(errors.map(({ message }) => message))].join(' ');
      if (isFirst && errors.every((error) => failureKind(error) === 'refused')) {
        throw new TransportError('refused', sentences);
      }
      listener.problem(sentences);
      await pause(backoffMs(round, LONGEST_PAUSE_MS), signal);
    }
    return undefined;
  }

  private takeAddress(): string {
    const url = this.urls[this.next] as string;
    this.next = (this.next + 1) % this.urls.length;
    return url;
  }

  private async connectTo(url: string, listener: TransportListener): Promise<AmqpSession> {
    let model: ChannelModel;
    try {
      model = await connect(withHeartbeat(url, HEARTBEAT_SECONDS), {
        clientProperties: { connection_name: this.connectionName },
        noDelay: true,
        timeout: HANDSHAKE_MS,
      });
    } catch (error) {
      throw connectError(error, url);
    }
    return AmqpSession.on(model, shownAddress(url), listener, this.pool);
  }
}

const notConnected = () =>
  Promise.reject(new TransportError('unavailable', 'There is no connection to RabbitMQ.'));
