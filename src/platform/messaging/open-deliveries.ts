import { Logger } from '@nestjs/common';
import { IncomingDelivery, IncomingMessage } from './message-broker';

export type Settlement = 'ack' | 'requeue' | 'reject';

/** The deliveries of one subscription that are not settled yet. */
export class OpenDeliveries {
  private readonly logger = new Logger(OpenDeliveries.name);
  private readonly open = new Set<IncomingDelivery>();
  private waiting: (() => void)[] = [];

  constructor(private readonly handler: (delivery: IncomingDelivery) => Promise<void> | void) {}

  get size(): number {
    return this.open.size;
  }

  /** Passes a message to the handler. `onSettled` gets the first settlement only. */
  add(message: IncomingMessage, onSettled: (settlement: Settlement) => void): void {
    const settle = (settlement: Settlement) => {
      if (!this.open.delete(delivery)) return;
      onSettled(settlement);
      if (this.open.size === 0) for (const resolve of this.waiting.splice(0)) resolve();
    };
    const delivery: IncomingDelivery = {
      message,
      ack: () => settle('ack'),
      requeue: () => settle('requeue'),
      reject: () => settle('reject'),
    };
    this.open.add(delivery);
    void this.handle(delivery);
  }

  /** Resolves when no delivery is open. */
  settled(): Promise<void> {
    if (this.open.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private async handle(delivery: IncomingDelivery): Promise<void> {
    try {
      await this.handler(delivery);
    } catch (error) {
      if (this.open.has(delivery)) this.logger.error({ err: error }, 'A delivery could not be handled');
      delivery.requeue();
    }
  }
}
