import type { Channel } from 'amqplib';

export interface TopologyNames {
  calls: string;
  unrouted: string;
  events: string;
  commands: string;
  defaultQueue: string;
  deadCalls: string;
  claims: string;
  eventsQueue: string;
  deadEvents: string;
}

export const topologyNames = (prefix: string): TopologyNames => ({
  calls: `${prefix}.calls`,
  unrouted: `${prefix}.calls.unrouted`,
  events: `${prefix}.events`,
  commands: `${prefix}.commands`,
  defaultQueue: `${prefix}.calls.default`,
  deadCalls: `${prefix}.calls.dead`,
  claims: `${prefix}.claims`,
  eventsQueue: `${prefix}.events.server`,
  deadEvents: `${prefix}.events.dead`,
});

const quorum = (deadLetterQueue?: string) => ({
  durable: true,
  arguments: {
    'x-queue-type': 'quorum',
    ...(deadLetterQueue !== undefined && {
      'x-delivery-limit': 20,
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': deadLetterQueue,
    }),
  },
});

/** Declares the exchanges and queues of a Parley server. */
export async function declareTopology(channel: Channel, names: TopologyNames): Promise<void> {
  await channel.assertExchange(names.unrouted, 'fanout', { durable: true });
  await channel.assertExchange(names.calls, 'topic', { durable: true, alternateExchange: names.unrouted });
  await channel.assertExchange(names.events, 'topic', { durable: true });
  await channel.assertExchange(names.commands, 'direct', { durable: true });
  await channel.assertQueue(names.deadCalls, quorum());
  await channel.assertQueue(names.deadEvents, quorum());
  await channel.assertQueue(names.defaultQueue, quorum(names.deadCalls));
  await channel.assertQueue(names.claims, quorum());
  await channel.assertQueue(names.eventsQueue, quorum(names.deadEvents));
  await channel.bindQueue(names.defaultQueue, names.unrouted, '');
  for (const key of ['claim', 'claim.*', 'incoming.*'])
    await channel.bindQueue(names.claims, names.events, key);
  for (const key of ['call.#', 'worker.hello']) await channel.bindQueue(names.eventsQueue, names.events, key);
}

export async function deleteTopology(channel: Channel, names: TopologyNames): Promise<void> {
  const { calls, unrouted, events, commands, ...queues } = names;
  for (const queue of Object.values(queues)) await channel.deleteQueue(queue);
  for (const exchange of [calls, unrouted, events, commands]) await channel.deleteExchange(exchange);
}
