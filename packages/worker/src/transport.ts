/**
 * The connection of a worker to a message broker. The package has an implementation for RabbitMQ and one in memory
 * for tests; another one lets a worker run elsewhere, such as in the process of the server.
 */
export interface Transport {
  /** The name of the broker in spans, which is their `messaging.system`. Default: `rabbitmq`. */
  readonly system?: string;

  /**
   * Connects, and stays connected until it is closed. Resolves with the first connection.
   * @throws TransportError of the kind `refused` if no attempt can succeed, and of no other kind
   */
  open(listener: TransportListener): Promise<void>;

  /** Resolves when the broker has stored the message. @throws TransportError */
  publish(message: OutgoingMessage): Promise<void>;

  /**
   * Publishes a message with a reply address, and resolves with the reply that has the same `correlationId`.
   * @throws TransportError, of the kind `unavailable` if no reply came in time
   */
  request(message: OutgoingMessage & { correlationId: string }, timeoutMs: number): Promise<IncomingMessage>;

  /**
   * Receives from a queue until it is cancelled, or the connection is lost.
   * @param prefetch the maximum of its deliveries that are not settled
   * @throws TransportError, of the kind `missing` if the queue does not exist
   */
  consume(queue: string, prefetch: number, listener: ConsumerListener): Promise<Consumer>;

  close(): Promise<void>;
}

export interface TransportListener {
  prefix: string;
  /** The id of the worker. Commands for it on the exchange `<prefix>.commands` are passed to `command`. */
  workerId: string;
  /**
   * Called after each connection; for the first, before the promise of `open` resolves. `where` is for the log.
   */
  connected(where: string): void;
  /** Called after a connection is lost. */
  disconnected(): void;
  /** Called with a problem that prevents the work, in one sentence. Repeated sentences are logged once. */
  problem(sentence: string): void;
  command(message: IncomingMessage): void;
}

export interface ConsumerListener {
  delivered(delivery: Delivery): void;
  /** Called when the broker ended the subscription, or the connection was lost. */
  ended(): void;
}

export interface Consumer {
  /** Resolves when there will be no further delivery. Open deliveries can still be settled. */
  cancel(): Promise<void>;
}

/** `body` is sent as UTF-8 JSON, the rest as AMQP properties. */
export interface OutgoingMessage {
  exchange: string;
  routingKey: string;
  type: string;
  messageId: string;
  body: object;
  expirationMs?: number;
  /** The header of this name (W3C Trace Context), in the trace of the call. */
  traceparent?: string;
  /**
   * Whether the message is worthless later: it is not stored durably, and fails at once while the broker takes
   * none.
   */
  transient?: boolean;
}

export interface IncomingMessage {
  type: string;
  /** The body: JSON in UTF-8. */
  body: Uint8Array;
}

/** A message that must be settled once. On a lost connection a settlement has no effect. */
export interface Delivery extends IncomingMessage {
  ack(): void;
  /** Returns the message to its queue. */
  requeue(): void;
  /** Moves the message to the dead letters. */
  reject(): void;
}

/**
 * `refused`: the broker forbids it. `missing`: the queue or exchange does not exist. `unavailable`: everything else,
 * which passes by itself.
 */
export type TransportFailure = 'unavailable' | 'missing' | 'refused';

export class TransportError extends Error {
  constructor(
    readonly kind: TransportFailure,
    message: string,
  ) {
    super(message);
    this.name = 'TransportError';
  }
}

/** @returns the kind of a TransportError, `unavailable` for any other error */
export function failureKind(error: unknown): TransportFailure {
  return error instanceof TransportError ? error.kind : 'unavailable';
}
