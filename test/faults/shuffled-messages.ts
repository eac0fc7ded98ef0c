import { connect, type ConfirmChannel, type ConsumeMessage } from 'amqplib';
import type { Installation } from './installation';

/** How many messages are shuffled together. */
const BATCH = 8;
/** A batch that does not fill is let go then. */
const LET_GO_MS = 50;

/** While every call start and every event comes twice, and in another order. */
export interface Shuffling {
  /** How many did so far, of the kind that fewer did of. */
  readonly doubled: number;
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
    get doubled() {
      return Math.min(callsTap.doubled, eventsTap.doubled);
    },
    async stop() {
      await channel.bindQueue(eventsQueue, events, 'call.#');
      for (const tap of [callsTap, eventsTap]) await tap.stop();
      // The end of a connection may overtake what was sent on it.
      await channel.waitForConfirms();
      await connection.close();
    },
  };
}

/** Takes what an exchange has for these keys, and gives it to the queue twice and shuffled. */
async function divert(channel: ConfirmChannel, exchange: string, keys: string, queue: string) {
  const { queue: tap } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(tap, exchange, keys);
  let held: ConsumeMessage[] = [];
  let doubled = 0;
  const letGo = () => {
    for (const { content, properties } of shuffled([...held, ...held])) {
      channel.sendToQueue(queue, content, properties);
    }
    doubled += held.length;
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
    get doubled() {
      return doubled;
    },
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
