import { Logger } from '@nestjs/common';
import { IncomingDelivery, IncomingMessage } from './message-broker';

type Verdict = 'ack' | 'requeue' | 'reject';

/** The deliveries of one subscription that wait for their verdict. */
export class OpenDeliveries {
  private readonly logger = new Logger(OpenDeliveries.name);
  private readonly open = new Set<IncomingDelivery>();
  private waiting: (() => void)[] = [];

  constructor(private readonly handler: (delivery: IncomingDelivery) => Promise<void> | void) {}

  /** Hands a message to the handler; `onVerdict` gets the first verdict and no other. */
  take(message: IncomingMessage, onVerdict: (verdict: Verdict) => void): void {
    const settle = (verdict: Verdict) => {
      if (!this.open.delete(delivery)) return;
      onVerdict(verdict);
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
