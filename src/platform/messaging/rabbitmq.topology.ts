import type { Channel } from 'amqplib';
import { QueueDeclaration, topologyDeclarations } from './topology-declarations';
import { Topology } from './topology';

/** Declares what a process is responsible for, on a channel. */
export type Declare = (channel: Channel) => Promise<void>;

/** Declares all of `topologyDeclarations`. Existing queues and exchanges are not changed. */
export async function declareTopology(channel: Channel, topology: Topology): Promise<void> {
  const { exchanges, queues, bindings } = topologyDeclarations(topology);
  for (const { name, type, alternateExchange } of exchanges) {
    await channel.assertExchange(name, type, { durable: true, alternateExchange });
  }
  for (const queue of queues) await declareQueue(channel, queue);
  for (const { queue, exchange, routingKey } of bindings)
    await channel.bindQueue(queue, exchange, routingKey);
}

export async function declareQueue(channel: Channel, queue: QueueDeclaration): Promise<void> {
  await channel.assertQueue(queue.name, {
    durable: true,
    messageTtl: queue.messageTtlMs,
    maxLength: queue.maxLength,
    ...(queue.deadLetterQueue && { deadLetterExchange: '', deadLetterRoutingKey: queue.deadLetterQueue }),
    arguments: {
      'x-queue-type': 'quorum',
      ...(queue.deliveryLimit && { 'x-delivery-limit': queue.deliveryLimit }),
    },
  });
}
