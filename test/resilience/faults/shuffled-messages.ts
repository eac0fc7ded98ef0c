import { connect, type ConfirmChannel, type ConsumeMessage } from 'amqplib';
import type { Installation } from './installation';

/** The number of messages that are shuffled together. */
const BATCH = 8;
/** After this time, an incomplete batch is sent too. */
const FLUSH_MS = 50;

/** Delivers every call start and every event twice and in another order, until it is stopped. */
export interface Shuffling {
  /** The lower one of the counts of call starts and of events. */
  readonly duplicated: number;
  stop(): Promise<void>;
}

export async function shuffleMessages({ services, topology }: Installation): Promise<Shuffling> {
  const connection = await connect(services.rabbitmq.url);
  const channel = await connection.createConfirmChannel();
  const { calls, callsQueue, events, eventsQueue } = topology;

  const callsTap = await divert(channel, calls, 'call.start.#', callsQueue);
  const eventsTap = await divert(channel, events, 'call.#', eventsQueue);
  await channel.unbindQueue(eventsQueue, events, 'call.#');

  return {
    get duplicated() {
      return Math.min(callsTap.duplicated, eventsTap.duplicated);
    },
    async stop() {
      await channel.bindQueue(eventsQueue, events, 'call.#');
      for (const tap of [callsTap, eventsTap]) await tap.stop();
      // Closing a connection can discard messages that were just sent.
      await channel.waitForConfirms();
      await connection.close();
    },
  };
}

/** Consumes what an exchange routes by these keys, and sends it to the queue twice and shuffled. */
async function divert(channel: ConfirmChannel, exchange: string, keys: string, queue: string) {
  const { queue: tap } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(tap, exchange, keys);
  let batch: ConsumeMessage[] = [];
  let duplicated = 0;
  const flush = () => {
    for (const { content, properties } of shuffled([...batch, ...batch])) {
      channel.sendToQueue(queue, content, properties);
    }
    duplicated += batch.length;
    batch = [];
  };
  const timer = setInterval(flush, FLUSH_MS);
  await channel.consume(
    tap,
    (message) => {
      if (message) batch.push(message);
      if (batch.length >= BATCH) flush();
    },
    { noAck: true },
  );
  return {
    get duplicated() {
      return duplicated;
    },
    async stop() {
      await channel.unbindQueue(tap, exchange, keys);
      // Messages from before the unbind may still be in the tap.
      while ((await channel.checkQueue(tap)).messageCount > 0) flush();
      clearInterval(timer);
      flush();
    },
  };
}

function shuffled<T>(values: T[]): T[] {
  return values
    .map((value) => ({ value, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
}
