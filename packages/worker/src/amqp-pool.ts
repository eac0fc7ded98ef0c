import type { ChannelModel } from 'amqplib';
import { channelError } from './amqp-errors';
import { TransportError } from './transport';

/** Longer than a restart of the workers takes. After it, RabbitMQ sends the calls to the default queue again. */
const UNUSED_MS = 300_000;
const DELIVERY_LIMIT = 20;

export interface Pool {
  prefix: string;
  queue: string;
  /** The routing key of the calls for the queue. */
  routingKeys: string[];
}

/**
 * Declares the queue of a worker pool and binds it, as the runtime contract says. RabbitMQ removes it when no worker has
 * used it for five minutes. A queue that the operator has declared is left as it is.
 * @throws TransportError
 */
export async function declarePool(model: ChannelModel, pool: Pool): Promise<void> {
  const { prefix, queue, routingKeys } = pool;
  try {
    await onChannel(model, async (channel) => {
      await channel.assertQueue(queue, {
        durable: true,
        expires: UNUSED_MS,
        deadLetterExchange: '',
        deadLetterRoutingKey: `${prefix}.calls.dead`,
        arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': DELIVERY_LIMIT },
      });
      for (const key of routingKeys) await channel.bindQueue(queue, `${prefix}.calls`, key);
    });
  } catch (error) {
    const isGiven = await onChannel(model, (channel) => channel.checkQueue(queue)).then(
      () => true,
      () => false,
    );
    const mayBeGiven = error instanceof TransportError && error.kind !== 'missing';
    if (!isGiven || !mayBeGiven) throw error;
  }
}

type Channel = Awaited<ReturnType<ChannelModel['createChannel']>>;

/** On a channel of its own, because RabbitMQ closes it for each refusal. @throws TransportError */
async function onChannel(model: ChannelModel, work: (channel: Channel) => Promise<unknown>): Promise<void> {
  let closedBy: unknown;
  try {
    const channel = await model.createChannel();
    channel.on('error', (error) => (closedBy = error));
    await work(channel);
    await channel.close();
  } catch (error) {
    throw channelError(closedBy ?? error);
  }
}
