import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { RabbitmqReader } from './rabbitmq.reader';
import type { Declare } from './rabbitmq.topology';

const INTERVAL_MS = 1_000;
/** The interval after the user was refused, which RabbitMQ logs each time. */
const REFUSED_INTERVAL_MS = 60_000;
export const NOT_FOUND = 404;
export const ACCESS_REFUSED = 403;

/**
 * Reads a quorum queue. A node that was cut off from the majority keeps its connections and answers no read. A read is no
 * publish, which RabbitMQ may block.
 */
export class RabbitmqCanary {
  private readonly logger = new Logger(RabbitmqCanary.name);
  private isRefused = false;
  /** The number of answered reads. */
  answers = 0;

  constructor(
    private readonly queue: string,
    private readonly declare: Declare,
  ) {}

  /** Whether the node has to answer. */
  get isAwaited(): boolean {
    return !this.isRefused;
  }

  /** Reads until the connection of the consumers is lost. */
  async watch(reader: RabbitmqReader, disconnected: AbortSignal): Promise<void> {
    for (let isMissing = false; !disconnected.aborted;) {
      try {
        const channel = await reader.createChannel();
        if (isMissing) await this.declare(channel);
        while (!disconnected.aborted) {
          await reader.get(channel, this.queue, true);
          this.answers += 1;
          this.isRefused = false;
          await wait(INTERVAL_MS, disconnected);
        }
      } catch (error) {
        const { code } = error as { code?: number };
        isMissing = code === NOT_FOUND;
        if (!disconnected.aborted) this.warn(error as Error, code === ACCESS_REFUSED);
        await wait(this.isRefused ? REFUSED_INTERVAL_MS : INTERVAL_MS, disconnected);
      }
    }
  }

  /** A refusal is an answer of the node, and stays the same for a long time. */
  private warn({ message }: Error, isRefused: boolean): void {
    if (!isRefused) this.logger.warn(`Could not read ${this.queue}: ${message}`);
    else if (!this.isRefused) {
      this.logger.warn(
        `The user of RABBITMQ_URL may not read ${this.queue}. Allow it, so that the server notices a node that was cut off from the others.`,
      );
    }
    this.isRefused = isRefused;
  }
}

const wait = (ms: number, signal: AbortSignal) =>
  pause(ms, undefined, { signal, ref: false }).catch(() => undefined);
