import { hostname } from 'node:os';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { type ChannelModel, connect, type RecoveringChannelModel } from 'amqplib';
import { type ConnectOptions, RabbitmqAddresses } from './rabbitmq.addresses';
import { settleWithin } from './settle-within';

const HANDSHAKE_TIMEOUT_MS = 5_000;
const LONGEST_RECONNECT_PAUSE_MS = 2_000;
const CLOSE_TIMEOUT_MS = 1_000;

/** @param purpose identifies the connection in the broker's management page */
export const connectionOptions = (purpose: string) => ({
  clientProperties: { connection_name: `parley ${purpose} ${hostname()}:${process.pid}` },
  noDelay: true,
  timeout: HANDSHAKE_TIMEOUT_MS,
});

/** A connection to one of the nodes of RabbitMQ that reconnects, to the next node, until it is closed. */
export class RabbitmqConnection {
  private readonly logger = new Logger(RabbitmqConnection.name);
  private readonly addresses: RabbitmqAddresses;
  private recovering: RecoveringChannelModel | undefined;
  private lastFailure = '';

  /**
   * @param urls of the nodes
   * @param purpose identifies the connection in the broker's management page
   * @param setUp creates the channels of each new connection. If it fails, another connection is made after a pause.
   *   `disconnected` is aborted when that connection is lost. `address` is that of its node.
   */
  constructor(
    urls: string[],
    private readonly purpose: string,
    private readonly setUp: (
      model: ChannelModel,
      disconnected: AbortSignal,
      address: ConnectOptions,
    ) => Promise<void>,
  ) {
    this.addresses = new RabbitmqAddresses(urls);
  }

  /** Resolves with the first connection, or after `waitMs`: then the attempts continue in the background. */
  async open(waitMs: number): Promise<void> {
    this.recovering = await connect(this.addresses.current, {
      ...connectionOptions(this.purpose),
      recovery: {
        waitForConnect: false,
        maxDelay: LONGEST_RECONNECT_PAUSE_MS,
        setup: async (model: ChannelModel) => {
          // The library listens only after the setup, and an error event without a listener ends the process.
          model.on('error', () => undefined);
          const lifetime = new AbortController();
          model.once('close', () => lifetime.abort());
          leaveWhenSilent(model, this.addresses.current.heartbeat ?? 0, lifetime.signal);
          await this.setUp(model, lifetime.signal, { ...this.addresses.current });
          // The library would take a connection that was lost meanwhile for a good one, and never replace it.
          if (lifetime.signal.aborted) throw new Error('It was lost while its channels were created');
        },
      },
    });
    this.recovering.on('error', () => undefined);
    this.recovering.on('connect', () => {
      this.lastFailure = '';
      this.logger.log(`Connected to RabbitMQ (${this.purpose})`);
    });
    this.recovering.on('disconnect', (error) => this.onFailure('Lost the connection to RabbitMQ', error));
    this.recovering.on('connect-failed', (error) => this.onFailure('Could not connect to RabbitMQ', error));
    await settleWithin(waitMs, this.recovering.waitForConnect());
  }

  async close(): Promise<void> {
    // A frozen broker never confirms the close.
    if (this.recovering) await settleWithin(CLOSE_TIMEOUT_MS, this.recovering.close());
  }

  private onFailure(sentence: string, error: NodeJS.ErrnoException): void {
    this.addresses.advance();
    // The AggregateError of a host with two addresses has a code and no message.
    const failure = `${sentence} (${this.purpose}): ${error.message || error.code}`;
    // During an outage each attempt fails in the same way: the log gets it once.
    if (failure !== this.lastFailure) this.logger.warn(failure);
    this.lastFailure = failure;
  }
}

interface Progress {
  /** A number that changes when there is progress. */
  count: () => number;
  /** Whether there should be progress now. Left out: always. */
  isAwaited?: () => boolean;
  /** The time without progress after which the connection is ended. */
  seconds: number;
  /** The reason of the end. */
  reason: string;
}

/**
 * Ends a connection when a count has not changed for `seconds`. A process that was busy for longer reads what has arrived
 * before the next second is counted.
 */
export function leaveWithoutProgress(
  model: ChannelModel,
  { count, isAwaited = () => true, seconds, reason }: Progress,
  disconnected: AbortSignal,
): void {
  let last = count();
  let stalledSeconds = 0;
  const timer = setInterval(() => {
    const now = count();
    stalledSeconds = isAwaited() && now === last ? stalledSeconds + 1 : 0;
    last = now;
    if (stalledSeconds >= seconds) endConnection(model, reason);
  }, 1_000).unref();
  disconnected.addEventListener('abort', () => clearInterval(timer), { once: true });
}

/** Leaves a node that has sent nothing for `seconds`, where amqplib would wait for two to three times as long. */
function leaveWhenSilent(model: ChannelModel, seconds: number, disconnected: AbortSignal): void {
  if (seconds === 0) return;
  const socket = getSocket(model);
  leaveWithoutProgress(
    model,
    { count: () => socket.bytesRead, seconds: seconds + 1, reason: `RabbitMQ sent nothing for ${seconds} s` },
    disconnected,
  );
}

/** Ends a connection at once. amqplib can only close it, which waits for the node, and notices its end by an error alone. */
export function endConnection(model: ChannelModel, reason: string): void {
  getSocket(model).destroy(new Error(reason));
}

/** amqplib does not declare it. */
const getSocket = ({ connection }: ChannelModel) => (connection as unknown as { stream: Socket }).stream;
