import { backoffMs } from './backoff';
import type { Gate } from './gate';
import { pause } from './pause';
import { type Delivery, failureKind, type Transport, type TransportFailure } from './transport';

const LONGEST_PAUSE_MS = 5_000;

export interface SubscriptionOptions {
  transport: Transport;
  connection: Gate;
  queue: string;
  delivered: (delivery: Delivery) => void;
  subscribed: () => void;
  /** Called when an attempt failed. Another one follows. */
  failed: (kind: TransportFailure, message: string) => void;
}

/** One consumer of the queue of calls: it is created as soon as that is possible, and ends with its connection. */
export class Subscription {
  /** Resolves when there will be no further delivery. */
  readonly ended: Promise<void>;
  private readonly cancelling = new AbortController();

  constructor(
    private readonly options: SubscriptionOptions,
    readonly prefetch: number,
  ) {
    this.ended = this.consume();
  }

  async cancel(): Promise<void> {
    this.cancelling.abort();
    await this.ended;
  }

  private async consume(): Promise<void> {
    const { connection, failed } = this.options;
    const { signal } = this.cancelling;
    for (let failures = 1; !signal.aborted; failures++) {
      await connection.passed(signal);
      if (signal.aborted) return;
      try {
        return await this.consumeOnce(signal);
      } catch (error) {
        failed(failureKind(error), (error as Error).message);
      }
      await pause(backoffMs(failures, LONGEST_PAUSE_MS), signal);
    }
  }

  private async consumeOnce(signal: AbortSignal): Promise<void> {
    const { transport, queue, delivered, subscribed } = this.options;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const consumer = await transport.consume(queue, this.prefetch, { delivered, ended: end });
    subscribed();
    const cancelled = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([ended, cancelled]);
    // A consumer whose connection is lost needs no cancellation, and cannot confirm it.
    if (signal.aborted) await Promise.race([ended, consumer.cancel()]);
  }
}
