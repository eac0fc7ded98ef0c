import { hostname } from 'node:os';
import { Logger } from '@nestjs/common';
import { type ChannelModel, connect, type RecoveringChannelModel } from 'amqplib';
import { settleWithin } from './settle-within';

/** A peer that is silent for two of these intervals is considered dead. */
const HEARTBEAT_SECONDS = 10;
const HANDSHAKE_TIMEOUT_MS = 5_000;
const LONGEST_RECONNECT_PAUSE_MS = 2_000;
const CLOSE_TIMEOUT_MS = 1_000;

/** A connection to RabbitMQ that reconnects until it is closed. */
export class RabbitmqConnection {
  private readonly logger = new Logger(RabbitmqConnection.name);
  private recovering: RecoveringChannelModel | undefined;
  private lastFailure = '';

  /**
   * @param purpose identifies the connection in the broker's management page
   * @param setUp creates the channels of each new connection. If it fails, another connection is made after a pause.
   *   `disconnected` is aborted when that connection is lost.
   */
  constructor(
    private readonly url: string,
    private readonly purpose: string,
    private readonly setUp: (model: ChannelModel, disconnected: AbortSignal) => Promise<void>,
  ) {}

  /** Resolves with the first connection, or after `waitMs`: then the attempts continue in the background. */
  async open(waitMs: number): Promise<void> {
    this.recovering = await connect(withHeartbeat(this.url), {
      clientProperties: { connection_name: `parley ${this.purpose} ${hostname()}:${process.pid}` },
      noDelay: true,
      timeout: HANDSHAKE_TIMEOUT_MS,
      recovery: {
        waitForConnect: false,
        maxDelay: LONGEST_RECONNECT_PAUSE_MS,
        setup: async (model: ChannelModel) => {
          // The library listens only after the setup, and an error event without a listener ends the process.
          model.on('error', () => undefined);
          const lifetime = new AbortController();
          model.once('close', () => lifetime.abort());
          await this.setUp(model, lifetime.signal);
        },
      },
    });
    this.recovering.on('error', () => undefined);
    this.recovering.on('connect', () => {
      this.lastFailure = '';
      this.logger.log(`Connected to RabbitMQ (${this.purpose})`);
    });
    this.recovering.on('disconnect', (error) => this.warnOnce('Lost the connection to RabbitMQ', error));
    this.recovering.on('connect-failed', (error) => this.warnOnce('Could not connect to RabbitMQ', error));
    await settleWithin(waitMs, this.recovering.waitForConnect());
  }

  async close(): Promise<void> {
    // A frozen broker never confirms it.
    if (this.recovering) await settleWithin(CLOSE_TIMEOUT_MS, this.recovering.close());
  }

  /** During an outage each attempt fails in the same way: the log gets it once. */
  private warnOnce(sentence: string, error: NodeJS.ErrnoException): void {
    // The AggregateError of a host with two addresses has a code and no message.
    const failure = `${sentence} (${this.purpose}): ${error.message || error.code}`;
    if (failure !== this.lastFailure) this.logger.warn(failure);
    this.lastFailure = failure;
  }
}

function withHeartbeat(address: string): string {
  const url = new URL(address);
  if (!url.searchParams.has('heartbeat')) url.searchParams.set('heartbeat', `${HEARTBEAT_SECONDS}`);
  return url.toString();
}
