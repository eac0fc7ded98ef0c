import { type Channel, connect } from 'amqplib';
import { topologyNames } from '../../src/platform/messaging/topology';

/** The RabbitMQ that all tests share; each test uses its own prefix. */
export const rabbitmqUrl = process.env.TEST_RABBITMQ_URL;
/** Whether this is the Jest project `rabbitmq`. Only files of the broker projects use this name. */
export const rabbitmqAvailable = globalThis.BROKER === 'rabbitmq';

/** Connects to RabbitMQ directly, without the application. */
export async function withChannel<T>(use: (channel: Channel) => Promise<T>, url = rabbitmqUrl): Promise<T> {
  const connection = await connect(url ?? '');
  try {
    return await use(await connection.createChannel());
  } finally {
    await connection.close();
  }
}

/** @returns the number of its consumers; 0: there is none, or no such queue */
export function countConsumers(queue: string): Promise<number> {
  return withChannel(async (channel) => {
    // The answer about a queue that is not there closes the channel.
    channel.on('error', () => undefined);
    return channel.checkQueue(queue).then(
      ({ consumerCount }) => consumerCount,
      () => 0,
    );
  });
}

/** @param poolQueues the names of queues that workers declared */
export function deleteTopology(prefix: string, poolQueues: string[] = [], url = rabbitmqUrl): Promise<void> {
  const { calls, unroutedCalls, events, ...queues } = topologyNames(prefix);
  return withChannel(async (channel) => {
    for (const queue of [...Object.values(queues), ...poolQueues]) await channel.deleteQueue(queue);
    for (const exchange of [calls, unroutedCalls, events]) await channel.deleteExchange(exchange);
  }, url);
}
