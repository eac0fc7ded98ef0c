import { Logger } from '@nestjs/common';
import { type ChannelModel, type ConfirmChannel, IllegalOperationError, type Message } from 'amqplib';
import {
  type BodyLimits,
  IncomingMessage,
  OutgoingMessage,
  PublishError,
  PublishFailure,
} from './message-broker';
import { PendingRequests } from './pending-requests';
import { encodeBody } from './message-body';
import { leaveWithoutProgress, RabbitmqConnection } from './rabbitmq.connection';
import { incomingMessage } from './rabbitmq.message';
import type { Declare } from './rabbitmq.topology';
import { settleWithin } from './settle-within';
import { Topology } from './topology';

const REPLY_TO = 'amq.rabbitmq.reply-to';
const REDECLARE_AFTER_MS = 1_000;
/**
 * A declaration that is not answered in this time is sent again on a new channel. A channel that looks for the leader of a
 * queue on a lost node waits for that node for up to 7 s, also after the others have elected another leader.
 */
const DECLARE_WAIT_MS = 1_000;
/** After these, a topology that exists is not waited for: a queue without a majority would hold up all others. */
const DECLARE_ATTEMPTS = 3;
/** A node that confirms no message of a queue for this long, while several messages wait for it, is left. */
const CONFIRM_SECONDS = 5;

interface Publish {
  message: OutgoingMessage;
  replyTo: string | undefined;
  returned: boolean;
  confirmed: () => void;
  fail: (reason: PublishFailure, what: string) => void;
  reject: (error: Error) => void;
}

/**
 * Publishes on its own connection: RabbitMQ stops reading from a connection that publishes when it is short of memory
 * or disk space, and acknowledgements must still arrive then.
 */
export class RabbitmqPublisher {
  private readonly logger = new Logger(RabbitmqPublisher.name);
  private readonly connection: RabbitmqConnection;
  private channel: ConfirmChannel | undefined;
  private blocked: string | undefined;
  /**
   * The messages that were sent and not confirmed, in the order of sending. They include those whose sender no
   * longer waits.
   */
  private readonly unconfirmed = new Map<string, Publish[]>();
  /** The messages that were not sent, because the write buffer is full. */
  private readonly unsent = new Set<Publish>();
  private bufferFull = false;
  private readonly publishing = new Set<Promise<void>>();
  private readonly requests = new PendingRequests();
  private redeclaring: NodeJS.Timeout | undefined;
  /**
   * The confirms of messages that went to a queue. A node that was cut off from the others confirms at once what goes to
   * a direct reply address, or to no queue.
   */
  private confirms = 0;

  constructor(
    urls: string[],
    private readonly topology: Topology,
    private readonly timeoutMs: number,
    private readonly declare: Declare,
  ) {
    this.connection = new RabbitmqConnection(urls, 'publisher', (model, disconnected) =>
      this.setUp(model, disconnected),
    );
  }

  open(waitMs: number): Promise<void> {
    return this.connection.open(waitMs);
  }

  /** Accepts no further messages, and waits until those that were sent are confirmed. */
  async finish(): Promise<void> {
    this.channel = undefined;
    clearTimeout(this.redeclaring);
    await Promise.allSettled(this.publishing);
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  publish(message: OutgoingMessage, replyTo?: string): Promise<void> {
    const publish = this.start(message, replyTo);
    this.publishing.add(publish);
    const settled = () => this.publishing.delete(publish);
    publish.then(settled, settled);
    return publish;
  }

  request(message: OutgoingMessage, timeoutMs: number, limits: BodyLimits): Promise<IncomingMessage> {
    return this.requests.send(message.type, { timeoutMs, limits }, (correlationId) =>
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
        fail: (reason, what) => publish.reject(new PublishError(reason, `RabbitMQ ${what}.`)),
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      if (!this.channel) publish.fail('unavailable', 'is not connected');
      else if (this.blocked !== undefined)
        publish.fail('unavailable', `accepts no messages: ${this.blocked}`);
      // Otherwise the backlog of a frozen broker would grow until the heartbeat fails.
      else if (this.bufferFull) this.unsent.add(publish);
      else this.send(this.channel, publish);
    });
  }

  private send(channel: ConfirmChannel, publish: Publish): void {
    const { message, replyTo } = publish;
    const key = publishKey(message.exchange, message.routingKey, message.messageId);
    try {
      const hasRoom = channel.publish(
        message.exchange,
        message.routingKey,
        encodeBody(message.body),
        {
          type: message.type,
          messageId: message.messageId,
          correlationId: message.correlationId,
          replyTo,
          CC: message.ccRoutingKeys,
          ...(message.traceparent !== undefined && { headers: { traceparent: message.traceparent } }),
          contentType: 'application/json',
          // RabbitMQ accepts only integers, and closes the channel for a negative one.
          expiration:
            message.expirationMs === undefined ? undefined : Math.max(1, Math.ceil(message.expirationMs)),
          persistent: message.persistent ?? true,
          // RabbitMQ "returns" a mandatory message to a direct reply address although it delivers it.
          mandatory: !isReply(message),
        },
        (error: Error | null) => this.onConfirm(key, publish, error),
      );
      this.bufferFull = !hasRoom;
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
    if (!error && !publish.returned && !isReply(publish.message)) this.confirms += 1;
    const sameKey = this.unconfirmed.get(key) ?? [];
    if (sameKey.length <= 1) this.unconfirmed.delete(key);
    else sameKey.splice(sameKey.indexOf(publish), 1);

    if (error?.message === 'message nacked') publish.fail('nacked', 'refused the message');
    else if (error) publish.fail('unavailable', 'closed the connection before it confirmed');
    else if (publish.returned) publish.fail('unroutable', 'has no queue for the message');
    else publish.confirmed();
  }

  /**
   * Handles a returned message. The return precedes the confirm of the message, and identifies it only by its
   * properties. If one message was published twice, the earlier is meant: returns arrive in the order of sending.
   */
  private onReturn(channel: ConfirmChannel, { fields, properties }: Message): void {
    const key = publishKey(fields.exchange, fields.routingKey, String(properties.messageId));
    const publish = this.unconfirmed.get(key)?.find(({ returned }) => !returned);
    if (publish) publish.returned = true;
    const { commands, canaryQueue } = this.topology;
    // A command without a listening runtime, or a late reply, does not mean that the topology is incomplete.
    const isIncomplete =
      fields.exchange === '' ? fields.routingKey === canaryQueue : fields.exchange !== commands;
    if (isIncomplete) this.redeclare(channel);
  }

  /**
   * Declares the topology again after a queue was deleted by hand: otherwise all calls would fail until the next
   * restart.
   */
  private redeclare(channel: ConfirmChannel): void {
    // There is a pause: if a quorum queue exists again within milliseconds, its consumers get no notice of the
    // deletion.
    this.redeclaring ??= setTimeout(() => {
      this.redeclaring = undefined;
      this.declare(channel).catch((error: Error) => {
        this.logger.warn(`Could not declare the topology again: ${error.message}`);
      });
    }, REDECLARE_AFTER_MS).unref();
  }

  private async setUp(model: ChannelModel, disconnected: AbortSignal): Promise<void> {
    this.blocked = undefined;
    model.on('blocked', (reason) => {
      this.blocked = reason;
      this.logger.warn(`RabbitMQ accepts no messages: ${reason}`);
    });
    model.on('unblocked', () => {
      this.blocked = undefined;
      this.logger.log('RabbitMQ accepts messages again');
    });
    const channel = await model.createConfirmChannel();
    channel.on('error', (error) =>
      this.logger.warn(`RabbitMQ closed the publishing channel: ${error.message}`),
    );
    channel.on('close', () => this.onClose(model, channel));
    channel.on('drain', () => this.onDrain(channel));
    channel.on('return', (message) => this.onReturn(channel, message));
    await channel.consume(REPLY_TO, (message) => message && this.onReply(message), { noAck: true });
    for (let attempt = 0, isDeclared = false; attempt < DECLARE_ATTEMPTS && !isDeclared; attempt += 1)
      isDeclared = await this.declareTopology(model);
    this.leaveWhenNothingIsConfirmed(model, disconnected);
    this.channel = channel;
  }

  /**
   * On a channel of its own, because the answers of a channel come in order.
   * @returns whether RabbitMQ has answered in time
   */
  private async declareTopology(model: ChannelModel): Promise<boolean> {
    const channel = await model.createChannel();
    channel.on('error', () => undefined);
    let failure: Error | undefined;
    let isAnswered = false;
    const declared = this.declare(channel).then(
      () => {
        isAnswered = true;
        return channel.close();
      },
      (error: Error) => {
        failure = error;
        this.logger.warn(`Could not declare the topology: ${error.message}`);
      },
    );
    await settleWithin(DECLARE_WAIT_MS, declared);
    if (failure) throw failure;
    return isAnswered;
  }

  /** A frozen node, or one that was cut off from the others, keeps its connections. */
  private leaveWhenNothingIsConfirmed(model: ChannelModel, disconnected: AbortSignal): void {
    leaveWithoutProgress(
      model,
      {
        count: () => this.confirms,
        isAwaited: () => this.unconfirmed.size > 1 && this.blocked === undefined,
        seconds: CONFIRM_SECONDS,
        reason: `RabbitMQ confirmed nothing for ${CONFIRM_SECONDS} s`,
      },
      disconnected,
    );
  }

  private onReply(message: Message): void {
    const toReply = (body: unknown) => incomingMessage(message, body);
    const problem = this.requests.resolve(String(message.properties.correlationId), message.content, toReply);
    if (problem) this.logger.warn(`Dropped a reply: ${problem.message}`);
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
      new PublishError('unavailable', 'RabbitMQ closed the connection before the reply.'),
    );
    // If only the channel failed, closing the connection makes a new one with a new channel. It waits for the end
    // of this event, which may be part of closing the connection.
    setImmediate(() => void model.close().catch(() => undefined));
  }
}

const isReply = ({ routingKey }: OutgoingMessage) => routingKey.startsWith(`${REPLY_TO}.`);

function publishKey(exchange: string, routingKey: string, messageId: string): string {
  return `${exchange}\n${routingKey}\n${messageId}`;
}
