import type { Message, MessageProperties } from 'amqplib';
import { IncomingMessage } from './message-broker';

export function incomingMessage({ fields, properties }: Message, body: unknown): IncomingMessage {
  const { type, messageId, correlationId, replyTo } = properties as Record<
    keyof MessageProperties,
    string | undefined
  >;
  const traceparent: unknown = properties.headers?.traceparent;
  return {
    type: type ?? '',
    messageId: messageId ?? '',
    routingKey: fields.routingKey,
    correlationId,
    replyTo,
    redelivered: fields.redelivered,
    ...(typeof traceparent === 'string' && { traceparent }),
    body,
  };
}
