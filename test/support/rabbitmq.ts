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

/** @param poolQueues the names of queues that workers declared */
export function deleteTopology(prefix: string, poolQueues: string[] = [], url = rabbitmqUrl): Promise<void> {
  const { calls, unroutedCalls, events, ...queues } = topologyNames(prefix);
  return withChannel(async (channel) => {
    for (const queue of [...Object.values(queues), ...poolQueues]) await channel.deleteQueue(queue);
    for (const exchange of [calls, unroutedCalls, events]) await channel.deleteExchange(exchange);
  }, url);
}
