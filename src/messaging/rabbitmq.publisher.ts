import { Logger } from '@nestjs/common';
import { type ChannelModel, type ConfirmChannel, IllegalOperationError, type Message } from 'amqplib';
import { MalformedMessage } from './malformed-message';
import { IncomingMessage, OutgoingMessage, PublishFailed, PublishFailure } from './message-broker';
import { PendingRequests } from './pending-requests';
import { encodeBody, readBody, REPORT_LIMITS } from './message-body';
import { RabbitmqConnection } from './rabbitmq.connection';
import { incomingMessage } from './rabbitmq.message';
import { declareTopology } from './rabbitmq.topology';
import { Topology } from './topology';

const REPLY_TO = 'amq.rabbitmq.reply-to';
const REDECLARE_AFTER_MS = 1_000;

interface Publish {
  message: OutgoingMessage;
  replyTo: string | undefined;
  returned: boolean;
  confirmed: () => void;
  fail: (reason: PublishFailure, sentence: string) => void;
  reject: (error: Error) => void;
}

/**
 * Publishes on a connection of its own, since a broker short of memory or disk stops reading from a connection that
 * publishes, and acknowledgements must go on then.
 */
export class RabbitmqPublisher {
  private readonly logger = new Logger(RabbitmqPublisher.name);
  private readonly connection: RabbitmqConnection;
  private channel: ConfirmChannel | undefined;
  private blocked: string | undefined;
  /** Sent and not confirmed yet, also those whose sender has given up, in the order of sending. */
  private readonly unconfirmed = new Map<string, Publish[]>();
  /** Not sent yet: the write buffer is full. */
  private readonly unsent = new Set<Publish>();
  private bufferFull = false;
  private readonly underWay = new Set<Promise<void>>();
  private readonly requests = new PendingRequests();
  private redeclaring: NodeJS.Timeout | undefined;

  constructor(
    url: string,
    private readonly topology: Topology,
    private readonly timeoutMs: number,
  ) {
    this.connection = new RabbitmqConnection(url, 'publisher', (model) => this.setUp(model));
  }

  open(waitMs: number): Promise<void> {
    return this.connection.open(waitMs);
  }

  /** Takes no further messages, and waits for those under way. */
  async finish(): Promise<void> {
    this.channel = undefined;
    clearTimeout(this.redeclaring);
    await Promise.allSettled(this.underWay);
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  publish(message: OutgoingMessage, replyTo?: string): Promise<void> {
    const publishing = this.start(message, replyTo);
    this.underWay.add(publishing);
    const over = () => this.underWay.delete(publishing);
    publishing.then(over, over);
    return publishing;
  }

  request(message: OutgoingMessage, timeoutMs: number): Promise<IncomingMessage> {
    return this.requests.ask(message.type, timeoutMs, (correlationId) =>
      this.publish({ ...message, correlationId }, REPLY_TO),
    );
  }

  private start(message: OutgoingMessage, replyTo: string | undefined): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.unsent.delete(publish);
        publish.fail('timeout', `did not confirm within ${this.timeoutMs} ms`);
      }, this.timeoutMs);
      const publish: Publish = {
        message,
        replyTo,
        returned: false,
        confirmed: () => {
          clearTimeout(timer);
          resolve();
        },
        fail: (reason, sentence) => publish.reject(new PublishFailed(reason, `RabbitMQ ${sentence}.`)),
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      if (!this.channel) publish.fail('unavailable', 'is not connected');
      else if (this.blocked !== undefined) publish.fail('unavailable', `takes no messages: ${this.blocked}`);
      // Without this a frozen broker's backlog would grow until the heartbeat notices.
      else if (this.bufferFull) this.unsent.add(publish);
      else this.send(this.channel, publish);
    });
  }

  private send(channel: ConfirmChannel, publish: Publish): void {
    const { message, replyTo } = publish;
    const key = publishKey(message.exchange, message.routingKey, message.messageId);
    try {
      const room = channel.publish(
        message.exchange,
        message.routingKey,
        encodeBody(message.body),
        {
          type: message.type,
          messageId: message.messageId,
          correlationId: message.correlationId,
          replyTo,
          CC: message.ccRoutingKeys,
          contentType: 'application/json',
          // RabbitMQ takes whole numbers only, and closes the channel over a negative one.
          expiration:
            message.expirationMs === undefined ? undefined : Math.max(1, Math.ceil(message.expirationMs)),
          persistent: message.persistent ?? true,
          // RabbitMQ "returns" a mandatory message to a direct reply address although it delivers it.
          mandatory: !message.routingKey.startsWith(`${REPLY_TO}.`),
        },
        (error: Error | null) => this.onConfirm(key, publish, error),
      );
      this.bufferFull = !room;
    } catch (error) {
      if (error instanceof IllegalOperationError) publish.fail('unavailable', 'closed the connection');
      else publish.reject(error as Error);
      return;
    }
    const sameKey = this.unconfirmed.get(key);
    if (sameKey) sameKey.push(publish);
    else this.unconfirmed.set(key, [publish]);
  }

  private onConfirm(key: string, publish: Publish, error: Error | null): void {
    const sameKey = this.unconfirmed.get(key) ?? [];
    if (sameKey.length <= 1) this.unconfirmed.delete(key);
    else sameKey.splice(sameKey.indexOf(publish), 1);

    if (error?.message === 'message nacked') publish.fail('nacked', 'refused the message');
    else if (error) publish.fail('unavailable', 'closed the connection before it confirmed');
    else if (publish.returned) publish.fail('unroutable', 'has no queue for the message');
    else publish.confirmed();
  }

  /**
   * Comes before the confirm of the same message and names it by its properties only. Of two publishes of one message
   * at once, the earlier is meant: returns come in the order of sending.
   */
  private onReturn(channel: ConfirmChannel, { fields, properties }: Message): void {
    const key = publishKey(fields.exchange, fields.routingKey, String(properties.messageId));
    const publish = this.unconfirmed.get(key)?.find(({ returned }) => !returned);
    if (publish) publish.returned = true;
    const { commands, canaryQueue } = this.topology;
    // A worker that does not listen, or a reply nobody waits for, is no fault of the topology.
    const isOurs = fields.exchange === '' ? fields.routingKey === canaryQueue : fields.exchange !== commands;
    if (isOurs) this.redeclare(channel);
  }

  /** Somebody has deleted a queue by hand: without this, all calls would fail until the next restart. */
  private redeclare(channel: ConfirmChannel): void {
    // Not at once: a consumer of a quorum queue that is back within milliseconds is never told that it lost its own.
    this.redeclaring ??= setTimeout(() => {
      this.redeclaring = undefined;
      declareTopology(channel, this.topology).catch((error: Error) => {
        this.logger.warn(`Could not declare the topology again: ${error.message}`);
      });
    }, REDECLARE_AFTER_MS).unref();
  }

  private async setUp(model: ChannelModel): Promise<void> {
    this.blocked = undefined;
    model.on('blocked', (reason) => {
      this.blocked = reason;
      this.logger.warn(`RabbitMQ takes no messages: ${reason}`);
    });
    model.on('unblocked', () => {
      this.blocked = undefined;
      this.logger.log('RabbitMQ takes messages again');
    });
    const channel = await model.createConfirmChannel();
    channel.on('error', (error) =>
      this.logger.warn(`RabbitMQ closed the publishing channel: ${error.message}`),
    );
    channel.on('close', () => this.onClose(model, channel));
    channel.on('drain', () => this.onDrain(channel));
    channel.on('return', (message) => this.onReturn(channel, message));
    await declareTopology(channel, this.topology);
    await channel.consume(REPLY_TO, (message) => message && this.onReply(message), { noAck: true });
    this.channel = channel;
  }

  private onReply(message: Message): void {
    const body = readBody(message.content, REPORT_LIMITS);
    if (body instanceof MalformedMessage) return this.logger.warn(`Dropped a reply: ${body.message}`);
    this.requests.resolve(String(message.properties.correlationId), incomingMessage(message, body));
  }

  private onDrain(channel: ConfirmChannel): void {
    this.bufferFull = false;
    for (const publish of this.unsent) {
      if (this.bufferFull) return;
      this.unsent.delete(publish);
      this.send(channel, publish);
    }
  }

  private onClose(model: ChannelModel, channel: ConfirmChannel): void {
    if (this.channel === channel) this.channel = undefined;
    this.bufferFull = false;
    for (const publish of this.unsent) publish.fail('unavailable', 'closed the connection');
    this.unsent.clear();
    this.requests.rejectAll(
      new PublishFailed('unavailable', 'RabbitMQ closed the connection before the reply.'),
    );
    // After an error on the channel alone the connection stays: a new connection gets a new channel. Not within this
    // event, which may be part of the connection's own closing.
    setImmediate(() => void model.close().catch(() => undefined));
  }
}

function publishKey(exchange: string, routingKey: string, messageId: string): string {
  return `${exchange}\n${routingKey}\n${messageId}`;
}
