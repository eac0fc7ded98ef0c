import type { ChannelModel } from 'amqplib';
import type { QueueFigures } from './message-broker';
import type { Topology } from './topology';
import { topologyDeclarations } from './topology-declarations';

/** Asks for the queues of the topology by passive declarations, which need no management plugin. */
export async function readQueueFigures(model: ChannelModel, topology: Topology): Promise<QueueFigures[]> {
  // The channel is its own, because RabbitMQ closes it if a queue does not exist.
  const channel = await model.createChannel();
  channel.on('error', () => undefined);
  const figures: QueueFigures[] = [];
  for (const { name } of topologyDeclarations(topology).queues) {
    const { messageCount, consumerCount } = await channel.checkQueue(name);
    figures.push({ name, ready: messageCount, consumers: consumerCount });
  }
  await channel.close();
  return figures;
}
