import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Broker, type Consumer, type ConsumeMessage, type Queue } from 'smqp';
import { MalformedMessageError } from './malformed-message.error';
import { encodeBody, readBody, REPORT_LIMITS } from './message-body';
import {
  type BodyLimits,
  ConsumeOptions,
  IncomingDelivery,
  IncomingMessage,
  MessageBroker,
  OutgoingMessage,
  PublishError,
  type QueueFigures,
  Subscription,
} from './message-broker';
import { OpenDeliveries } from './open-deliveries';
import { PendingRequests } from './pending-requests';
import { Topology } from './topology';
import { callsQueue, QueueDeclaration, topologyDeclarations } from './topology-declarations';

const REPLY_TO = 'in-process.reply-to.';
/** Routes dead letters to their queue. The default exchange of AMQP has no name, which smqp does not allow. */
const DEFAULT_EXCHANGE = 'default';
const SWEEP_INTERVAL_MS = 250;
const BACKLOG_TIMEOUT_MS = 3_000;
const BACKLOG_POLL_MS = 5;

interface Envelope {
  type: string;
  messageId: string;
  correlationId: string | undefined;
  replyTo: string | undefined;
  traceparent: string | undefined;
  /** The body as JSON, so that sender and consumers share no objects. */
  body: Buffer;
}

/** Replaces RabbitMQ in a single process: the same topology and settlements, in memory. */
export class InProcessBroker extends MessageBroker {
  readonly kind = 'in-process';
  readonly losesMessagesOnExit = true;

  private readonly logger = new Logger(InProcessBroker.name);
  private readonly broker = new Broker();
  private readonly queues = new Map<string, Queue>();
  private readonly alternates = new Map<string, string>();
  private readonly requests = new PendingRequests();
  private readonly consumers = new Set<Consumer>();
  private readonly sweeper: NodeJS.Timeout;
  /** The queues of the topology. */
  private readonly declared: string[];
  private closed = false;

  constructor(topology: Topology) {
    super(topology);
    const { exchanges, queues, bindings } = topologyDeclarations(topology);
    this.broker.assertExchange(DEFAULT_EXCHANGE, 'direct', { autoDelete: false });
    for (const { name, type, alternateExchange } of exchanges) {
      this.broker.assertExchange(name, type, { autoDelete: false });
      if (alternateExchange) this.alternates.set(name, alternateExchange);
    }
    this.declared = queues.map(({ name }) => name);
    for (const queue of queues) this.declare(queue);
    for (const { queue, exchange, routingKey } of bindings)
      this.broker.bindQueue(queue, exchange, routingKey);
    // smqp 15 removes expired messages only when a consumer is added; patches.test.ts checks that it does.
    this.sweeper = setInterval(() => {
      for (const queue of this.queues.values()) queue.evictExpired();
    }, SWEEP_INTERVAL_MS).unref();
  }

  async open(): Promise<void> {}

  // eslint-disable-next-line @typescript-eslint/require-await -- so that a failure is a rejection
  async publish(message: OutgoingMessage): Promise<void> {
    this.send(message, undefined);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- so that a failure is a rejection
  async consume(
    options: ConsumeOptions,
    handler: (delivery: IncomingDelivery) => Promise<void> | void,
  ): Promise<Subscription> {
    const { queue: name, prefetch, bindings, lifetime } = options;
    if (bindings && !this.queues.has(name)) this.declare(callsQueue(name, this.topology));
    for (const { exchange, routingKey } of bindings ?? []) this.broker.bindQueue(name, exchange, routingKey);

    const deliveries = new OpenDeliveries(handler);
    const consumer = this.broker.consume(
      name,
      // The delivery never runs within the call stack of the sender or of another settlement.
      (_, message) => setImmediate(() => this.deliver(consumer, deliveries, message, options)),
      { prefetch },
    ) as Consumer;
    this.consumers.add(consumer);
    return {
      drained: () => this.drained(name),
      cancel: async () => {
        this.stop(consumer);
        await deliveries.settled();
        if (lifetime === 'subscription') this.remove(name);
      },
    };
  }

  request(
    message: OutgoingMessage,
    timeoutMs: number,
    limits: BodyLimits = REPORT_LIMITS,
  ): Promise<IncomingMessage> {
    // eslint-disable-next-line @typescript-eslint/require-await -- so that a failure is a rejection
    return this.requests.send(message.type, { timeoutMs, limits }, async (correlationId) =>
      this.send({ ...message, correlationId }, REPLY_TO + correlationId),
    );
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- the interface is asynchronous
  async queueFigures(): Promise<QueueFigures[]> {
    return this.declared.map((name) => {
      const queue = this.queues.get(name) as Queue;
      const { messageCount, unackedCount, consumerCount } = queue.getStats();
      return { name, ready: messageCount - unackedCount, consumers: consumerCount };
    });
  }

  isReceiving(): boolean {
    return !this.closed;
  }

  /** No queue outlives this process. */
  stopConsuming(): void {}

  // eslint-disable-next-line @typescript-eslint/require-await -- the interface is asynchronous
  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.sweeper);
    for (const consumer of this.consumers) this.stop(consumer);
    this.requests.rejectAll(unavailable());
  }

  private declare({ name, deadLetterQueue, messageTtlMs, maxLength, deliveryLimit }: QueueDeclaration): void {
    const queue = this.broker.assertQueue(name, {
      autoDelete: false,
      messageTtl: messageTtlMs,
      deliveryLimit,
      // smqp 15 takes an undefined limit for 0; patches.test.ts checks that it does.
      ...(maxLength && { maxLength }),
      ...(deadLetterQueue && { deadLetterExchange: DEFAULT_EXCHANGE, deadLetterRoutingKey: deadLetterQueue }),
    });
    this.broker.bindQueue(name, DEFAULT_EXCHANGE, name);
    this.queues.set(name, queue);
  }

  private remove(name: string): void {
    this.queues.delete(name);
    this.broker.deleteQueue(name);
  }

  private send(message: OutgoingMessage, replyTo: string | undefined): void {
    if (this.closed) throw unavailable();
    const { exchange, routingKey, type, messageId, correlationId, traceparent } = message;
    const { expirationMs = Infinity } = message;
    const body = encodeBody(message.body);
    const envelope: Envelope = { type, messageId, correlationId, replyTo, traceparent, body };

    if (exchange === '' && routingKey.startsWith(REPLY_TO)) return this.reply(envelope, routingKey);
    const queues = this.route(exchange, [routingKey, ...(message.ccRoutingKeys ?? [])]);
    if (queues.size === 0) {
      throw new PublishError(
        'unroutable',
        `No queue is bound for ${type} on ${exchange || 'the default exchange'}.`,
      );
    }
    for (const queue of queues) {
      const expiration = Math.min(expirationMs, queue.options.messageTtl ?? Infinity);
      queue.queueMessage(
        { exchange, routingKey },
        envelope,
        expiration === Infinity ? {} : { expiration: Math.max(1, Math.ceil(expiration)) },
      );
    }
  }

  private reply(envelope: Envelope, routingKey: string): void {
    const id = routingKey.slice(REPLY_TO.length);
    const toReply = (body: unknown) => incomingMessage(envelope, { routingKey, redelivered: false, body });
    setImmediate(() => {
      const problem = this.requests.resolve(id, envelope.body, toReply);
      if (problem) this.logger.warn(`Dropped a reply: ${problem.message}`);
    });
  }

  /**
   * Routes a message. smqp's own routing has no alternate exchanges, and adds a message to a queue once for each
   * binding.
   */
  private route(exchange: string, routingKeys: string[]): Set<Queue> {
    if (exchange === '') return new Set(routingKeys.flatMap((key) => this.queues.get(key) ?? []));
    const known = this.broker.getExchange(exchange);
    if (!known) throw new PublishError('unavailable', `There is no exchange ${exchange}.`);
    const matching = known.bindings.filter(
      (binding) => known.type === 'fanout' || routingKeys.some((key) => binding.testPattern(key)),
    );
    const alternate = this.alternates.get(exchange);
    if (matching.length === 0 && alternate) return this.route(alternate, routingKeys);
    return new Set(matching.map(({ queue }) => queue));
  }

  private async drained(name: string): Promise<void> {
    const deadline = Date.now() + BACKLOG_TIMEOUT_MS;
    while (Date.now() < deadline && (this.queues.get(name)?.messageCount ?? 0) > 0)
      await pause(BACKLOG_POLL_MS);
  }

  private deliver(
    consumer: Consumer,
    deliveries: OpenDeliveries,
    message: ConsumeMessage,
    { queue, limits, malformed }: ConsumeOptions,
  ): void {
    if (consumer.stopped) return message.nack(false, true);
    const { routingKey, redelivered = false } = message.fields;
    const envelope = message.content as Envelope;
    const body = readBody(envelope.body, limits);
    if (body instanceof MalformedMessageError && malformed !== 'deliver') {
      this.logger.warn(`Rejected a message from ${queue}: ${body.message}`);
      return message.nack(false, false);
    }
    deliveries.add(incomingMessage(envelope, { routingKey, redelivered, body }), (settlement) => {
      if (settlement === 'ack') message.ack();
      else message.nack(false, settlement === 'requeue' && this.mayRedeliver(consumer, message));
    });
  }

  private mayRedeliver(consumer: Consumer, { properties }: ConsumeMessage): boolean {
    // smqp copies these properties to the redelivered message.
    properties.requeues = ((properties.requeues as number | undefined) ?? 0) + 1;
    return properties.requeues <= ((consumer.queue.options.deliveryLimit as number | undefined) ?? Infinity);
  }

  private stop(consumer: Consumer): void {
    this.consumers.delete(consumer);
    consumer.cancel({ keepPending: true });
  }
}

function incomingMessage(
  envelope: Envelope,
  delivered: Pick<IncomingMessage, 'routingKey' | 'redelivered' | 'body'>,
): IncomingMessage {
  return { ...envelope, ...delivered };
}

function unavailable(): PublishError {
  return new PublishError('unavailable', 'The in-process broker is closed.');
}
