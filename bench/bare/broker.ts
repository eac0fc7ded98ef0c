import { connect, type ConsumeMessage } from 'amqplib';
import { topologyNames } from '../../src/platform/messaging/topology';

const QUORUM = { durable: true, arguments: { 'x-queue-type': 'quorum' } };

/** The queues of the wire contract that the reference uses. */
export async function openBroker(url: string, prefix: string) {
  const topology = topologyNames(prefix);
  // Acknowledgements and publishes have a connection each, as in Parley.
  const [publishing, consuming] = await Promise.all([connect(url), connect(url)]);
  const channel = await publishing.createConfirmChannel();
  // RabbitMQ also returns what it delivers to a direct reply address.
  channel.on('return', ({ fields }) => {
    if (fields.exchange !== '') throw new Error(`${fields.exchange} has no queue for ${fields.routingKey}.`);
  });
  for (const queue of [topology.callsQueue, topology.claimsQueue, topology.eventsQueue]) {
    await channel.assertQueue(queue, QUORUM);
  }
  await channel.assertExchange(topology.calls, 'topic', { durable: true });
  await channel.bindQueue(topology.callsQueue, topology.calls, '#');
  await channel.assertExchange(topology.events, 'topic', { durable: true });
  await channel.bindQueue(topology.eventsQueue, topology.events, 'call.#');

  return {
    topology,
    /** Sends a persistent and mandatory message. Resolves when the broker has confirmed it. */
    publish: (exchange: string, routingKey: string, type: string, body: object, properties: object = {}) =>
      new Promise<void>((resolve, reject) => {
        const options = {
          type,
          persistent: true,
          mandatory: true,
          contentType: 'application/json',
          ...properties,
        };
        channel.publish(exchange, routingKey, Buffer.from(JSON.stringify(body)), options, (error) =>
          error ? reject(error as Error) : resolve(),
        );
      }),

    /** Acknowledges each message when its work is done. */
    async consume(queue: string, prefetch: number, work: (message: ConsumeMessage) => Promise<void>) {
      const consumer = await consuming.createChannel();
      await consumer.prefetch(prefetch);
      await consumer.consume(queue, (message) => {
        if (message) void work(message).then(() => consumer.ack(message));
      });
    },
  };
}

export type Broker = Awaited<ReturnType<typeof openBroker>>;

export const parseBody = <Body>(message: ConsumeMessage) => JSON.parse(message.content.toString()) as Body;
