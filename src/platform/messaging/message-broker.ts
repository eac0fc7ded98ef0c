import { randomUUID } from 'node:crypto';
import type { Topology } from './topology';

/** A message as it is published. `body` is sent as UTF-8 JSON, the rest as AMQP properties. */
export interface OutgoingMessage {
  /** '' is the default exchange, for which the routing key is the name of a queue. */
  exchange: string;
  routingKey: string;
  /**
   * Further routing keys. A queue that any of them matches gets the message once. Consumers see only the first
   * key.
   */
  ccRoutingKeys?: string[];
  /** AMQP `type`: the message's name and version, such as `call.start.v1`. */
  type: string;
  messageId: string;
  body: object;
  correlationId?: string;
  /** Milliseconds after which a queue drops the message. */
  expirationMs?: number;
  /** The header of this name. */
  traceparent?: string;
  /** Whether the message survives a restart of the broker. Default: true. */
  persistent?: boolean;
}

/** A message as it is consumed. */
export interface IncomingMessage {
  type: string;
  messageId: string;
  routingKey: string;
  correlationId: string | undefined;
  replyTo: string | undefined;
  redelivered: boolean;
  /** The header of this name, which a runtime with tracing sends. */
  traceparent?: string;
  /**
   * The body, or a {@link MalformedMessageError} if it is unreadable and the consumer subscribed to such messages.
   */
  body: unknown;
}

/** A message that the consumer must settle, once, by one of the three. */
export interface IncomingDelivery {
  message: IncomingMessage;
  ack(): void;
  /** Returns it to its queue. Beyond the delivery limit of the queue it is dead-lettered instead. */
  requeue(): void;
  /** Moves it to the dead-letter queue, or drops it if the queue has none. */
  reject(): void;
}

export interface Subscription {
  /**
   * Resolves when the queue is empty, or after seconds. Resolves immediately if the queue outlives this process.
   */
  drained(): Promise<void>;
  /** Stops deliveries, and resolves when the open ones are settled. */
  cancel(): Promise<void>;
}

export interface BodyLimits {
  maxBytes: number;
  /** The number of objects, arrays, texts, numbers and so on, on all levels together. */
  maxValues: number;
  maxDepth: number;
}

export interface ConsumeOptions {
  /** A queue of the topology, or one to be declared with `bindings`. */
  queue: string;
  /** The maximum of deliveries that are not settled. */
  prefetch: number;
  /** Declares `queue` and binds it first. */
  bindings?: { exchange: string; routingKey: string }[];
  /** The lifetime of a queue with `bindings`: durable, for a runtime pool, or deleted with this subscription. */
  lifetime?: 'durable' | 'subscription';
  /** The limits of a body; beyond them it is malformed. Without them, bodies of any size are parsed. */
  limits?: BodyLimits;
  /** Whether {@link MessageBroker.isReceiving} covers this queue. Default: false. */
  watched?: boolean;
  /** The treatment of a message whose body is unreadable. Default: it is rejected. */
  malformed?: 'reject' | 'deliver';
}

export type PublishFailure = 'unavailable' | 'unroutable' | 'nacked' | 'timeout' | 'too_large';

/**
 * The broker did not confirm a message. After `timeout` and `unavailable` it may have the message nevertheless; after
 * the other reasons it does not.
 */
export class PublishError extends Error {
  constructor(
    readonly reason: PublishFailure,
    message: string,
  ) {
    super(message);
  }
}

export interface QueueFigures {
  /** The name of the queue. */
  name: string;
  /** The number of messages that wait for a consumer. */
  ready: number;
  consumers: number;
}

/** No reply arrived in time. The request may have been handled. */
export class RequestTimeoutError extends Error {}

/**
 * The interface between Parley and its message broker, and the injection token of the broker in use.
 * Both implementations provide the topology of `topology.ts`, and the same tests run against both.
 */
export abstract class MessageBroker {
  abstract readonly kind: 'rabbitmq' | 'in-process';

  /** Whether the messages in the queues are lost when this process ends. */
  abstract readonly losesMessagesOnExit: boolean;

  constructor(protected readonly topology: Topology) {}

  /** Connects. If the broker does not answer within seconds, it resolves, and continues to try in the background. */
  abstract open(): Promise<void>;

  /**
   * Resolves when a queue has stored the message (durably, if it is persistent).
   * @throws PublishError within PUBLISH_TIMEOUT_MS, immediately while the connection is closed or blocked
   */
  abstract publish(message: OutgoingMessage): Promise<void>;

  /**
   * Calls `handler` for each delivery, also after a reconnection. If the handler throws before it has settled the
   * delivery, this is requeued.
   */
  abstract consume(
    options: ConsumeOptions,
    handler: (delivery: IncomingDelivery) => Promise<void> | void,
  ): Promise<Subscription>;

  /**
   * Publishes with a reply address, and resolves with the reply.
   * @param limits a larger reply is dropped. Default: {@link REPORT_LIMITS}
   * @throws PublishError, RequestTimeoutError
   */
  abstract request(
    message: OutgoingMessage,
    timeoutMs: number,
    limits?: BodyLimits,
  ): Promise<IncomingMessage>;

  /**
   * The figures of all queues of the topology, up to a second old. The queues of runtime pools are not known.
   * @throws if the broker does not answer in time, or a queue was deleted
   */
  abstract queueFigures(): Promise<QueueFigures[]>;

  /** Whether all watched queues deliver to this process. A broker may accept what it publishes and deliver nothing. */
  abstract isReceiving(): boolean;

  /** Publishes a test message to a queue of the same type as that of calls. @throws PublishError */
  check(): Promise<void> {
    return this.publish({
      exchange: '',
      routingKey: this.topology.canaryQueue,
      type: 'canary',
      messageId: randomUUID(),
      body: {},
    });
  }

  /**
   * Stops deliveries, as the first step of a shutdown, without waiting. A broker that outlives this process stops
   * all subscriptions and requeues deliveries that no handler has started. The in-process broker continues.
   * Replies to requests arrive in both.
   */
  abstract stopConsuming(): void;

  /** Waits for the confirmation of published messages, requeues open deliveries, and disconnects. */
  abstract close(): Promise<void>;
}
