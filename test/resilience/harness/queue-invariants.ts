import { connect, type GetMessage } from 'amqplib';
import { MESSAGE_TYPES } from '../../../src/platform/messaging/wire';
import { until } from '../../support/until';
import type { Installation } from './installation';
import type { Violation } from './violation';

const DRAIN_TIMEOUT_MS = 10_000;

interface DeathHeader {
  reason: string;
  queue: string;
}

/** The queues are empty, and the dead-letter queues contain only expired call starts and greetings of workers. */
export async function checkQueues({ brokerUrl, topology, workersQueue }: Installation): Promise<Violation[]> {
  const connection = await connect(brokerUrl);
  try {
    const channel = await connection.createChannel();
    const countIn = async (queue: string) => (await channel.checkQueue(queue)).messageCount;
    const { callsQueue, claimsQueue, eventsQueue, deadCallsQueue, deadEventsQueue } = topology;
    const queues = [callsQueue, workersQueue, claimsQueue, eventsQueue];
    const violations: Violation[] = [];
    for (const queue of queues) {
      const isEmpty = async () => (await countIn(queue)) === 0;
      await until(isEmpty, DRAIN_TIMEOUT_MS).catch(async () => {
        violations.push({ message: `${await countIn(queue)} messages remain in ${queue}` });
      });
    }
    for (const queue of [deadCallsQueue, deadEventsQueue]) {
      for (let dead = await channel.get(queue); dead; dead = await channel.get(queue)) {
        const mayExpire = queue === deadCallsQueue || dead.properties.type === MESSAGE_TYPES.hello;
        if (!mayExpire || !hasExpired(dead)) violations.push(describe(dead));
        channel.ack(dead);
      }
    }
    return violations;
  } finally {
    await connection.close();
  }
}

const getDeaths = ({ properties }: GetMessage) => (properties.headers?.['x-death'] ?? []) as DeathHeader[];

const hasExpired = (message: GetMessage) => getDeaths(message).every(({ reason }) => reason === 'expired');

const describe = (message: GetMessage): Violation => ({
  message: `A message was dead-lettered: ${JSON.stringify(getDeaths(message))} ${message.content.toString().slice(0, 300)}`,
  conversationId: (JSON.parse(message.content.toString()) as { conversation_id: string }).conversation_id,
});
