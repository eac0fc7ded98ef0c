import { randomUUID } from 'node:crypto';
import type { Topology } from './topology';

/** A message as a sender hands it over. `body` travels as UTF-8 JSON, the rest as AMQP properties. */
export interface OutgoingMessage {
  /** '' is the default exchange, where the routing key is a queue's name. */
  exchange: string;
  routingKey: string;
  /** Further keys to route it by: a queue that any of the keys matches gets it, once. Consumers see the first one only. */
  ccRoutingKeys?: string[];
  /** AMQP `type`: the message's name and version, such as `call.start.v1`. */
  type: string;
  messageId: string;
  body: object;
  correlationId?: string;
  /** After this many milliseconds in a queue the message is dropped. */
  expirationMs?: number;
  /** Whether a queue keeps it across a restart of the broker; default true. */
  persistent?: boolean;
}

/** A message as a consumer gets it. */
export interface IncomingMessage {
  type: string;
  messageId: string;
  routingKey: string;
  correlationId: string | undefined;
  replyTo: string | undefined;
  redelivered: boolean;
  /** A {@link MalformedMessage} where it can't be read and the consumer takes such messages. */
  body: unknown;
}

/** A message that waits for its consumer's verdict; exactly one of the three, once. */
export interface IncomingDelivery {
  message: IncomingMessage;
  ack(): void;
  /** Gives it back to its queue; past the queue's delivery limit it is dead-lettered instead. */
  requeue(): void;
  /** Gives it up: to the queue's dead-letter queue, or away where the queue has none. */
  reject(): void;
}

export interface Subscription {
  /** Resolves when nothing waits in the queue, or after seconds; at once where the queue outlives this process. */
  drained(): Promise<void>;
  /** Stops deliveries and resolves when those under way have had their verdict. */
  cancel(): Promise<void>;
}

export interface BodyLimits {
  maxBytes: number;
  /** Of objects, arrays, texts, numbers and so on, all levels together. */
  maxValues: number;
  maxDepth: number;
}

export interface ConsumeOptions {
  /** A queue of the topology, or one that `bindings` declare. */
  queue: string;
  /** How many deliveries may wait for a verdict at once. */
  prefetch: number;
  /** Declares `queue` and binds it first. */
  bindings?: { exchange: string; routingKey: string }[];
  /** What `bindings` declare: a worker pool's own queue (durable, quorum), or one that lives as long as this subscription. */
  lifetime?: 'durable' | 'subscription';
  /** A body beyond them is not parsed, or not handed on. Without them the size of a body is the sender's choice. */
  limits?: BodyLimits;
  /** What becomes of a message whose body can't be read; default: rejected. */
  malformed?: 'reject' | 'deliver';
}

export type PublishFailure = 'unavailable' | 'unroutable' | 'nacked' | 'timeout' | 'too_large';

/**
 * The broker did not confirm a message. After a `timeout` or `unavailable` it may still have it; the other reasons are
 * certain.
 */
export class PublishFailed extends Error {
  constructor(
    readonly reason: PublishFailure,
    message: string,
  ) {
    super(message);
  }
}

/** No reply came in time: the request may or may not have been handled. */
export class RequestTimedOut extends Error {}

/**
 * The seam between Parley and its message broker, and the injection token of whichever is in use.
 * Both implementations give the topology of `topology.ts`, and the contract suite runs against both.
 */
export abstract class MessageBroker {
  abstract readonly kind: 'rabbitmq' | 'in-process';

  /** Whether the messages in its queues are lost when this process ends. */
  abstract readonly losesMessagesOnExit: boolean;

  constructor(protected readonly topology: Topology) {}

  /** Connects. Where the broker does not answer within seconds, resolves too and goes on trying in the background. */
  abstract open(): Promise<void>;

  /**
   * Resolves once a queue has taken the message (durably, where it is persistent).
   * @throws PublishFailed within PUBLISH_TIMEOUT_MS, at once where the connection is known to be closed or blocked.
   */
  abstract publish(message: OutgoingMessage): Promise<void>;

  /**
   * Calls `handler` for each delivery, also after the broker was away and came back.
   * A handler that throws before its verdict has its delivery requeued. A body that can't be read is rejected unseen,
   * unless `malformed` says otherwise.
   */
  abstract consume(
    options: ConsumeOptions,
    handler: (delivery: IncomingDelivery) => Promise<void> | void,
  ): Promise<Subscription>;

  /**
   * Publishes with a reply address and resolves with the reply. A reply beyond {@link REPORT_LIMITS} is dropped.
   * @throws PublishFailed, RequestTimedOut
   */
  abstract request(message: OutgoingMessage, timeoutMs: number): Promise<IncomingMessage>;

  /** Publishes a canary through a queue of the same kind as the calls'. @throws PublishFailed */
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
   * Returns at once: from here on no queue that outlives this process gives it anything, and what it has not begun with
   * goes back. Whatever dies with this process is still delivered, since nobody else would take it.
   */
  abstract stopConsuming(): void;

  /** Waits for publishes under way, gives unfinished deliveries back and disconnects. */
  abstract close(): Promise<void>;
}
