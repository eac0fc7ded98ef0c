import { connect, type Channel, type ConsumeMessage } from 'amqplib';
import type { Installation } from './installation';

/** How many messages are shuffled together. */
const BATCH = 8;
/** A batch that does not fill is let go then. */
const LET_GO_MS = 50;

/** Brings every call start and every event twice, and in another order, until stopped. */
export async function shuffleMessages({ services, topology }: Installation): Promise<() => Promise<void>> {
  const connection = await connect(services.rabbitmq.url);
  const channel = await connection.createChannel();
  const { calls, callsQueue, events, eventsQueue } = topology;

  const callsTap = await divert(channel, calls, 'call.start.#', callsQueue);
  const eventsTap = await divert(channel, events, 'call.#', eventsQueue);
  await channel.unbindQueue(eventsQueue, events, 'call.#');

  return async () => {
    await channel.bindQueue(eventsQueue, events, 'call.#');
    for (const tap of [callsTap, eventsTap]) await tap.stop();
    await connection.close();
  };
}

/** Takes what an exchange has for these keys, and gives it to the queue twice and shuffled. */
async function divert(channel: Channel, exchange: string, keys: string, queue: string) {
  const { queue: tap } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(tap, exchange, keys);
  let held: ConsumeMessage[] = [];
  const letGo = () => {
    for (const { content, properties } of shuffled([...held, ...held])) {
      channel.sendToQueue(queue, content, properties);
    }
    held = [];
  };
  const timer = setInterval(letGo, LET_GO_MS);
  await channel.consume(
    tap,
    (message) => {
      if (message) held.push(message);
      if (held.length >= BATCH) letGo();
    },
    { noAck: true },
  );
  return {
    async stop() {
      await channel.unbindQueue(tap, exchange, keys);
      // What came before the end of the binding may be in the tap yet.
      while ((await channel.checkQueue(tap)).messageCount > 0) letGo();
      clearInterval(timer);
      letGo();
    },
  };
}

function shuffled<T>(values: T[]): T[] {
  return values
    .map((value) => ({ value, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}
