import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { channelError } from './amqp-errors';
import { inTime } from './deferred';
import {
  type Consumer,
  type ConsumerListener,
  type Delivery,
  type IncomingMessage,
  TransportError,
} from './transport';

/** A channel that asks for a queue whose leader was lost may wait for that node for 7 s. The next one finds the new leader. */
const SUBSCRIBE_MS = 2_000;

/** A consumer with a channel of its own, which closes when the last delivery of a cancelled consumer is settled. */
export class AmqpConsumer implements Consumer {
  private open = 0;
  private isCancelled = false;

  private constructor(
    private readonly channel: Channel,
    private readonly listener: ConsumerListener,
    private readonly consumerTag: string,
  ) {}

  /** @throws TransportError */
  static async on(
    model: ChannelModel,
    { queue, prefetch }: { queue: string; prefetch: number },
    listener: ConsumerListener,
  ): Promise<AmqpConsumer> {
    let closedBy: unknown;
    try {
      const channel = await model.createChannel();
      channel.on('error', (error) => (closedBy = error));
      channel.once('close', () => listener.ended());
      await channel.prefetch(prefetch);
      const early: ConsumeMessage[] = [];
      let receive = (message: ConsumeMessage): void => void early.push(message);
      const subscribed = channel.consume(queue, (message) => {
        // A missing message means that the queue was deleted.
        if (!message) void channel.close().catch(() => undefined);
        else receive(message);
      });
      const { consumerTag } = await inTime(SUBSCRIBE_MS, subscribed, () => {
        channel.close().catch(() => undefined);
        return new TransportError('unavailable', `RabbitMQ did not answer the subscription to ${queue}.`);
      });
      const consumer = new AmqpConsumer(channel, listener, consumerTag);
      receive = (message) => consumer.deliver(message);
      early.forEach(receive);
      return consumer;
    } catch (error) {
      throw channelError(closedBy ?? error);
    }
  }

  async cancel(): Promise<void> {
    await this.channel.cancel(this.consumerTag).catch(() => undefined);
    this.isCancelled = true;
    this.closeIfDone();
  }

  private deliver(message: ConsumeMessage): void {
    this.open += 1;
    const settle = (settlement: () => void) => {
      this.open -= 1;
      try {
        settlement();
      } catch {
        // The channel is closed, and RabbitMQ delivers the message again.
      }
      this.closeIfDone();
    };
    const delivery: Delivery = {
      ...incomingMessage(message),
      ack: () => settle(() => this.channel.ack(message)),
      requeue: () => settle(() => this.channel.nack(message, false, true)),
      reject: () => settle(() => this.channel.nack(message, false, false)),
    };
    this.listener.delivered(delivery);
  }

  private closeIfDone(): void {
    if (this.isCancelled && this.open === 0) void this.channel.close().catch(() => undefined);
  }
}

export function incomingMessage({ properties, content }: ConsumeMessage): IncomingMessage {
  return { type: String(properties.type), body: content };
}
