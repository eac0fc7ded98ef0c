import { randomUUID } from 'node:crypto';
import { CALL_START_LIMITS } from '../../src/platform/messaging/message-body';
import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import type { TestParley } from './parley';
import { withChannel } from './rabbitmq';
import { until } from './until';
import { type WireMessage, wireMessage } from './wire-tap';

/** Claims a call as the contract describes. @returns the raw answer */
export const claimOverTheWire = (
  parley: TestParley,
  claim: object,
  routingKey?: string,
): Promise<WireMessage> => ask(parley, MESSAGE_TYPES.claim, claim, routingKey);

/**
 * Claims a call that has reached the worker, as the contract describes.
 * @returns the raw answer
 */
export const incomingOverTheWire = (
  parley: TestParley,
  incoming: object,
  routingKey?: string,
): Promise<WireMessage> => ask(parley, MESSAGE_TYPES.incoming, incoming, routingKey);

async function ask(
  parley: TestParley,
  asked: string,
  claim: object,
  routingKey = 'claim',
): Promise<WireMessage> {
  const { topology, broker } = parley;
  if (broker.kind === 'in-process') {
    const { type, body, ...reply } = await broker.request(
      {
        exchange: topology.events,
        routingKey,
        type: asked,
        messageId: randomUUID(),
        body: claim,
      },
      5_000,
      CALL_START_LIMITS,
    );
    return { type, routingKey: reply.routingKey, body: body as WireMessage['body'] };
  }
  const correlationId = randomUUID();
  const answers: WireMessage[] = [];
  return withChannel(async (channel) => {
    const replyTo = 'amq.rabbitmq.reply-to';
    await channel.consume(replyTo, (message) => message && answers.push(wireMessage(message)), {
      noAck: true,
    });
    const properties = { type: asked, correlationId, replyTo };
    channel.publish(topology.events, routingKey, Buffer.from(JSON.stringify(claim)), properties);
    const answer = await until(() => answers[0]);
    expect(answer.properties?.correlation_id).toBe(correlationId);
    return answer;
  });
}

/** Consumes a claim from the queue; no server may be running. */
export async function takeClaim({ broker, topology }: TestParley): Promise<WireMessage> {
  if (broker.kind === 'rabbitmq') {
    return withChannel((channel) =>
      until(async () => {
        const message = await channel.get(topology.claimsQueue, { noAck: true });
        return message && wireMessage(message);
      }),
    );
  }
  const claims: WireMessage[] = [];
  const subscription = await broker.consume({ queue: topology.claimsQueue, prefetch: 1 }, (delivery) => {
    const { type, routingKey, body } = delivery.message;
    claims.push({ type, routingKey, body: body as WireMessage['body'] });
    delivery.ack();
  });
  const claim = await until(() => claims[0]);
  await subscription.cancel();
  return claim;
}
