import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { isUUID } from 'class-validator';
import { lastValueFrom } from 'rxjs';
import { MalformedMessageError } from './malformed-message.error';
import { REPORT_LIMITS } from './message-body';
import {
  IncomingDelivery,
  type IncomingMessage,
  MessageBroker,
  PublishError,
  Subscription,
} from './message-broker';
import { retry } from './retry';
import { settleWithin } from './settle-within';

/** The reply of a `@MessagePattern` handler. */
export interface Reply {
  type: string;
  body: object;
}

/** Runs the handler of a message within something else. */
export interface AroundHandlers {
  run(message: IncomingMessage, kind: MessageBroker['kind'], work: () => Promise<unknown>): Promise<unknown>;
}

export interface BrokerServerOptions {
  around?: AroundHandlers;
  queues: { queue: string; prefetch: number }[];
}

/**
 * The attempts take minutes in total. A message that is requeued too often is dead-lettered, and an outage may
 * take long.
 */
const MAX_ATTEMPTS = 150;
/** An event that failed for a temporary reason is handled within this time after the reason has gone. */
export const LONGEST_PAUSE_MS = 2_000;
/** The time for running handlers. The messages of handlers that do not finish are requeued. */
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Delivers messages to the `@MessagePattern` and `@EventPattern` handlers for their type. The payload of a handler is
 * the body, and its context the `IncomingMessage`.
 */
export class BrokerServer extends Server implements CustomTransportStrategy {
  protected override readonly logger = new Logger(BrokerServer.name);
  private readonly closing = new AbortController();
  private subscriptions: Subscription[] = [];

  constructor(
    private readonly broker: MessageBroker,
    private readonly options: BrokerServerOptions,
  ) {
    super();
  }

  async listen(callback: (error?: unknown) => void): Promise<void> {
    try {
      // Otherwise the in-process broker would deliver in the async context of the request that published a message.
      const deliver = AsyncResource.bind((delivery: IncomingDelivery) => this.deliver(delivery));
      this.subscriptions = await Promise.all(
        this.options.queues.map((queue) =>
          this.broker.consume(
            { ...queue, limits: REPORT_LIMITS, malformed: 'deliver', watched: true },
            deliver,
          ),
        ),
      );
    } catch (error) {
      return callback(error);
    }
    callback();
  }

  async close(): Promise<void> {
    await Promise.all(this.subscriptions.map((subscription) => subscription.drained()));
    this.closing.abort();
    const cancelled = Promise.all(this.subscriptions.map((subscription) => subscription.cancel()));
    await settleWithin(CLOSE_TIMEOUT_MS, cancelled);
  }

  on(): never {
    throw new Error('A BrokerServer emits no events.');
  }

  unwrap<T>(): T {
    return this.broker as T;
  }

  private async deliver(delivery: IncomingDelivery): Promise<void> {
    const handler = this.messageHandlers.get(delivery.message.type);
    if (!handler)
      this.reject(delivery, new MalformedMessageError('There is no handler for messages of this type.'));
    else if (handler.isEventHandler) await this.deliverEvent(handler, delivery);
    else await this.deliverRequest(handler, delivery);
  }

  private async deliverEvent(handler: MessageHandler, delivery: IncomingDelivery): Promise<void> {
    try {
      // The retries are made here, because a requeued message would reach the delivery limit of the queue within
      // milliseconds.
      await retry(() => this.call(handler, delivery), {
        maxAttempts: MAX_ATTEMPTS,
        longestPauseMs: LONGEST_PAUSE_MS,
        signal: this.closing.signal,
        shouldRetry: (error) => !(error instanceof MalformedMessageError),
      });
      delivery.ack();
    } catch (error) {
      if (error instanceof MalformedMessageError) return this.reject(delivery, error);
      this.log('Requeued a message', delivery, error);
      delivery.requeue();
    }
  }

  private async deliverRequest(handler: MessageHandler, delivery: IncomingDelivery): Promise<void> {
    const { replyTo, correlationId } = delivery.message;
    if (!replyTo) return this.reject(delivery, new MalformedMessageError('It has no reply address.'));
    let reply: Reply;
    try {
      reply = (await this.call(handler, delivery)) as Reply;
    } catch (error) {
      // The requester waits only for seconds, and then repeats the request.
      return this.reject(delivery, error);
    }
    try {
      await this.broker.publish({
        exchange: '',
        routingKey: replyTo,
        messageId: randomUUID(),
        correlationId,
        persistent: false,
        ...reply,
      });
    } catch (error) {
      if (!(error instanceof PublishError)) this.log('Could not send the reply', delivery, error);
      else this.logger.debug(`A reply could not be sent: ${error.message}`);
    }
    delivery.ack();
  }

  private call(handler: MessageHandler, delivery: IncomingDelivery): Promise<unknown> {
    const { around } = this.options;
    if (!around) return this.handle(handler, delivery);
    return around.run(delivery.message, this.broker.kind, () => this.handle(handler, delivery));
  }

  private async handle(handler: MessageHandler, { message }: IncomingDelivery): Promise<unknown> {
    const result: unknown = await handler(message.body, message);
    return lastValueFrom(this.transformToObservable(result), { defaultValue: undefined });
  }

  private reject(delivery: IncomingDelivery, error: unknown): void {
    this.log('Rejected a message', delivery, error);
    delivery.reject();
  }

  private log(msg: string, { message }: IncomingDelivery, error: unknown): void {
    // Anybody on the broker may write anything in the type, such as the number of a person.
    const type = this.messageHandlers.has(message.type) ? message.type : 'unknown';
    const messageId = isUUID(message.messageId) ? message.messageId : undefined;
    if (error instanceof MalformedMessageError) {
      this.logger.warn({ msg, type, messageId, reason: error.message });
    } else {
      this.logger.error({ msg, type, messageId, err: error });
    }
  }
}
