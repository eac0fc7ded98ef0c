import { type Channel, connect } from 'amqplib';
import { topologyNames } from '../../src/messaging/topology';

/** The RabbitMQ that tests may share; each must use a prefix of its own. */
export const rabbitmqUrl = process.env.TEST_RABBITMQ_URL;
/** Whether this is the Jest project `rabbitmq`; a file that uses this name is in no other than the broker projects. */
export const rabbitmqAvailable = globalThis.BROKER === 'rabbitmq';

/** Talks to RabbitMQ past the application. */
export async function withChannel<T>(use: (channel: Channel) => Promise<T>, url = rabbitmqUrl): Promise<T> {
  const connection = await connect(url ?? '');
  try {
    return await use(await connection.createChannel());
  } finally {
    await connection.close();
  }
}

/** @param poolQueues the names of queues that workers declared for themselves. */
export function deleteTopology(prefix: string, poolQueues: string[] = [], url = rabbitmqUrl): Promise<void> {
  const { calls, unroutedCalls, events, ...queues } = topologyNames(prefix);
  return withChannel(async (channel) => {
    for (const queue of [...Object.values(queues), ...poolQueues]) await channel.deleteQueue(queue);
    for (const exchange of [calls, unroutedCalls, events]) await channel.deleteExchange(exchange);
  }, url);
}
