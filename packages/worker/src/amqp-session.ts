import type { Socket } from 'node:net';
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { AmqpConsumer, incomingMessage } from './amqp-consumer';
import { channelError } from './amqp-errors';
import { declarePool, type Pool } from './amqp-pool';
import { AmqpPublishing } from './amqp-publishing';
import {
  type Consumer,
  type ConsumerListener,
  type IncomingMessage,
  type OutgoingMessage,
  TransportError,
  type TransportListener,
} from './transport';

const REPLY_TO = 'amq.rabbitmq.reply-to';
/** A node that confirms nothing for this long, while a message waits, is left. */
const CONFIRM_SECONDS = 5;
/** The time after which the channel of the first request is replaced, as that of a subscription is. */
const FIRST_ANSWER_MS = 2_000;

interface Request {
  resolve: (reply: IncomingMessage) => void;
  reject: (error: TransportError) => void;
}

/**
 * One connection to RabbitMQ. RabbitMQ closes a channel for each mistake, such as a missing permission, so there
 * is one for reports, one for requests to the server and its commands, and one for each consumer. The first two
 * are replaced when they were closed. If that fails, the connection is closed.
 */
export class AmqpSession {
  /** Resolves with the reason when the connection is lost or closed. */
  readonly lost: Promise<string>;
  private publishing!: AmqpPublishing;
  private questions!: Channel;
  private readonly requests = new Map<string, Request>();
  private isBlocked = false;
  private isSetUp = false;
  private firstAnswer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly model: ChannelModel,
    readonly where: string,
    private readonly listener: TransportListener,
    private readonly pool: Pool,
  ) {
    this.lost = new Promise((resolve) => {
      let reason = 'it was closed.';
      // An error event without a listener would end the process.
      model.on('error', (error) => (reason = error.message));
      model.once('close', () => {
        this.isSetUp = false;
        clearTimeout(this.firstAnswer);
        resolve(reason);
      });
    });
    model.on('blocked', () => this.block(true));
    model.on('unblocked', () => this.block(false));
  }

  /** @throws TransportError */
  static async on(
    model: ChannelModel,
    where: string,
    listener: TransportListener,
    pool: Pool,
  ): Promise<AmqpSession> {
    const session = new AmqpSession(model, where, listener, pool);
    try {
      await session.openPublishing();
      await session.openQuestions();
      session.isSetUp = true;
      session.leaveWhenNothingIsConfirmed();
      return session;
    } catch (error) {
      await session.close();
      throw channelError(error);
    }
  }

  publish(message: OutgoingMessage): Promise<void> {
    return this.publishing.publish(message);
  }

  async request(
    message: OutgoingMessage & { correlationId: string },
    timeoutMs: number,
  ): Promise<IncomingMessage> {
    const { correlationId } = message;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<IncomingMessage>((resolve, reject) => {
        if (this.isBlocked) throw new TransportError('unavailable', 'RabbitMQ accepts no messages.');
        this.requests.set(correlationId, { resolve, reject });
        timer = setTimeout(() => reject(new TransportError('unavailable', 'No answer came.')), timeoutMs);
        this.ask(message);
      });
    } catch (error) {
      throw channelError(error);
    } finally {
      clearTimeout(timer);
      this.requests.delete(correlationId);
    }
  }

  /** @throws TransportError */
  async consume(queue: string, prefetch: number, listener: ConsumerListener): Promise<Consumer> {
    if (this.pool.routingKeys.length > 0) await declarePool(this.model, this.pool);
    return AmqpConsumer.on(this.model, { queue, prefetch }, listener);
  }

  async close(): Promise<void> {
    this.isSetUp = false;
    await this.model.close().catch(() => undefined);
  }

  private ask(message: OutgoingMessage & { correlationId: string }): void {
    const { exchange, routingKey, type, messageId, correlationId, expirationMs, body } = message;
    this.questions.publish(exchange, routingKey, Buffer.from(JSON.stringify(body)), {
      ...{ type, messageId, correlationId },
      contentType: 'application/json',
      replyTo: REPLY_TO,
      persistent: false,
      expiration: expirationMs,
    });
    this.firstAnswer ??= setTimeout(() => this.replaceQuestions(), FIRST_ANSWER_MS).unref();
  }

  /** The requests are sent again by those who wait for them. */
  private replaceQuestions(): void {
    const silent = this.questions;
    this.openQuestions().then(
      () => {
        this.rejectRequests(new TransportError('unavailable', 'No answer came.'));
        silent.close().catch(() => undefined);
      },
      () => this.close(),
    );
  }

  private rejectRequests(error: TransportError): void {
    for (const { reject } of this.requests.values()) reject(error);
  }

  private async openPublishing(): Promise<void> {
    const channel = await this.model.createConfirmChannel();
    const publishing = new AmqpPublishing(channel);
    publishing.blocked = this.isBlocked;
    this.publishing = publishing;
    this.handleEnd(channel, {
      failed: (error) => publishing.fail(error),
      replace: () => this.openPublishing(),
    });
  }

  private async openQuestions(): Promise<void> {
    const { prefix, workerId } = this.listener;
    const channel = await this.model.createChannel();
    this.questions = channel;
    let closedBy: TransportError | undefined;
    this.handleEnd(channel, {
      failed: (error) => {
        closedBy = error;
        if (channel === this.questions) this.rejectRequests(error);
      },
      replace: async () => {
        if (channel === this.questions) await this.openQuestions();
      },
    });
    const receive = (queue: string, handle: (message: ConsumeMessage) => void) =>
      channel.consume(queue, (message) => message && handle(message), { noAck: true });
    try {
      await receive(REPLY_TO, (message) => this.reply(message));
      const { queue } = await channel.assertQueue('', { exclusive: true, autoDelete: true });
      await channel.bindQueue(queue, `${prefix}.commands`, workerId);
      await receive(queue, (message) => this.listener.command(incomingMessage(message)));
    } catch (error) {
      throw closedBy ?? error;
    }
  }

  private handleEnd(
    channel: Channel,
    { failed, replace }: { failed: (error: TransportError) => void; replace: () => Promise<void> },
  ): void {
    let error = new TransportError('unavailable', 'The connection to RabbitMQ was lost.');
    channel.on('error', (reason) => (error = channelError(reason)));
    channel.once('close', () => {
      failed(error);
      if (this.isSetUp && error.kind !== 'unavailable') this.listener.problem(error.message);
      // The connection is closed after this event, which may be part of closing it.
      setImmediate(() => {
        if (this.isSetUp) replace().catch(() => this.close());
      });
    });
  }

  /**
   * A node that was cut off from the others keeps its connections, confirms nothing and delivers no calls. amqplib can
   * only close the connection, which waits for the node.
   */
  private leaveWhenNothingIsConfirmed(): void {
    let last: number | undefined;
    let stalledSeconds = 0;
    const timer = setInterval(() => {
      const { confirms, awaitsConfirms } = this.publishing;
      stalledSeconds = awaitsConfirms && confirms === last ? stalledSeconds + 1 : 0;
      last = confirms;
      if (stalledSeconds >= CONFIRM_SECONDS)
        getSocket(this.model).destroy(new Error(`it confirmed nothing for ${CONFIRM_SECONDS} s.`));
    }, 1_000).unref();
    void this.lost.then(() => clearInterval(timer));
  }

  private block(isBlocked: boolean): void {
    this.isBlocked = isBlocked;
    this.publishing.blocked = isBlocked;
    if (isBlocked)
      this.listener.problem('RabbitMQ is short of memory or disk space, and accepts no messages.');
  }

  private reply(message: ConsumeMessage): void {
    clearTimeout(this.firstAnswer);
    this.requests.get(String(message.properties.correlationId))?.resolve(incomingMessage(message));
  }
}

/** amqplib does not declare it. */
const getSocket = ({ connection }: ChannelModel) => (connection as unknown as { stream: Socket }).stream;
