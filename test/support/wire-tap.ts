import { randomUUID } from 'node:crypto';
import { connect, type Message, type MessageProperties } from 'amqplib';
import type { TestParley } from './parley';
import { rabbitmqUrl } from './rabbitmq';

/** A message as it was sent to the broker. */
export interface WireMessage {
  type: string;
  routingKey: string;
  /** The properties with their AMQP names; only on RabbitMQ. */
  properties?: Record<string, unknown>;
  body: { conversation_id: string } & Record<string, unknown>;
}

const AMQP_NAMES = {
  contentType: 'content_type',
  contentEncoding: 'content_encoding',
  deliveryMode: 'delivery_mode',
  priority: 'priority',
  correlationId: 'correlation_id',
  replyTo: 'reply_to',
  expiration: 'expiration',
  messageId: 'message_id',
  timestamp: 'timestamp',
  type: 'type',
  userId: 'user_id',
  appId: 'app_id',
  clusterId: 'cluster_id',
} as const;

function amqpProperties(properties: MessageProperties): Record<string, unknown> {
  const named = Object.entries(AMQP_NAMES).map(([ours, theirs]) => [
    theirs,
    properties[ours as keyof MessageProperties] as unknown,
  ]);
  const { headers = {} } = properties;
  return Object.fromEntries([
    ...named.filter(([, value]) => value !== undefined),
    ...(Object.keys(headers).length > 0 ? [['headers', headers]] : []),
  ]) as Record<string, unknown>;
}

export const wireMessage = ({ fields, properties, content }: Message): WireMessage => ({
  type: String(properties.type),
  routingKey: fields.routingKey,
  properties: amqpProperties(properties),
  body: JSON.parse(content.toString()) as WireMessage['body'],
});

/** Records copies of the messages of exchanges. */
export class WireTap {
  private constructor(
    private readonly messages: WireMessage[],
    readonly close: () => Promise<void>,
  ) {}

  static async on(
    parley: TestParley,
    exchanges: { exchange: string; routingKey: string }[],
  ): Promise<WireTap> {
    const messages: WireMessage[] = [];
    if (parley.broker.kind === 'in-process') {
      const queue = `tap.${randomUUID()}`;
      const subscription = await parley.broker.consume(
        { queue, prefetch: 1_000, bindings: exchanges },
        (delivery) => {
          const { type, routingKey, body } = delivery.message;
          messages.push({ type, routingKey, body: body as WireMessage['body'] });
          delivery.ack();
        },
      );
      return new WireTap(messages, () => subscription.cancel());
    }
    const connection = await connect(rabbitmqUrl ?? '');
    const channel = await connection.createChannel();
    const { queue } = await channel.assertQueue('', { exclusive: true });
    for (const { exchange, routingKey } of exchanges) await channel.bindQueue(queue, exchange, routingKey);
    await channel.consume(queue, (message) => message && messages.push(wireMessage(message)), {
      noAck: true,
    });
    return new WireTap(messages, () => connection.close());
  }

  /** The messages about a call so far, of all types or of one. */
  of(conversationId: string, type?: string): WireMessage[] {
    return this.messages.filter(
      (message) =>
        message.body.conversation_id === conversationId && (type === undefined || message.type === type),
    );
  }
}
