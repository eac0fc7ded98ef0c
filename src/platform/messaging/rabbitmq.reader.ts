import { type Channel, type ChannelModel, connect, type Message } from 'amqplib';
import type { ConnectOptions } from './rabbitmq.addresses';
import { connectionOptions, endConnection } from './rabbitmq.connection';

/** A queue that has a majority and is not overloaded answers a read sooner. */
const ANSWER_MS = 2_000;
const LEFT = 'The consumers have left the node';

/**
 * Reads queues over a connection of its own, to the node of the consumers. A read of a queue whose leader was lost waits for
 * that leader, and RabbitMQ ends the whole connection when it gives up: the consumers must go on meanwhile.
 */
export class RabbitmqReader {
  private model: Promise<ChannelModel> | undefined;

  /** @param disconnected aborted when the consumers have lost their connection */
  constructor(
    private readonly address: ConnectOptions,
    private readonly disconnected: AbortSignal,
  ) {
    disconnected.addEventListener('abort', () => this.leave(LEFT), { once: true });
  }

  async createChannel(): Promise<Channel> {
    this.model ??= this.connect();
    const channel = await (await this.model).createChannel();
    channel.on('error', () => undefined);
    return channel;
  }

  /**
   * Reads a queue once.
   * @returns false if it is empty
   * @throws if it does not answer: then the next channel is one of a new connection
   */
  async get(channel: Channel, queue: string, noAck = false): Promise<Message | false> {
    const timer = setTimeout(() => this.leave(`${queue} does not answer`), ANSWER_MS).unref();
    try {
      return await channel.get(queue, { noAck });
    } finally {
      clearTimeout(timer);
    }
  }

  private connect(): Promise<ChannelModel> {
    const forget = () => {
      if (this.model === model) this.model = undefined;
    };
    const model = connect(this.address, connectionOptions('reader')).then((connected) => {
      connected.on('error', () => undefined);
      connected.once('close', forget);
      if (this.disconnected.aborted) endConnection(connected, LEFT);
      return connected;
    });
    model.catch(forget);
    return model;
  }

  private leave(reason: string): void {
    this.model?.then((model) => endConnection(model, reason)).catch(() => undefined);
  }
}
