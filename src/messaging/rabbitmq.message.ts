import type { Message, MessageProperties } from 'amqplib';
import { decodeBody } from './message-body';
import { IncomingMessage } from './message-broker';

/** @throws where the body is not JSON. */
export function incomingMessage({ fields, properties, content }: Message): IncomingMessage {
  const { type, messageId, correlationId, replyTo } = properties as Record<
    keyof MessageProperties,
    string | undefined
  >;
  return {
    type: type ?? '',
    messageId: messageId ?? '',
    routingKey: fields.routingKey,
    correlationId,
    replyTo,
    redelivered: fields.redelivered,
    body: decodeBody(content),
  };
}
