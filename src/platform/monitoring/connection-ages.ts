import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { MessageBroker } from '../messaging/message-broker';
import { HealthRepository } from './health.repository';
import { Metrics } from './metrics';

const CHECK_EVERY_MS = 5_000;

const GAUGES = {
  database: ['database_seconds_since_answer', 'the database last committed a write of this process'],
  broker: ['broker_seconds_since_answer', 'the broker last answered this process'],
  delivery: [
    'broker_seconds_since_delivery',
    'all queues that this process consumes last delivered, or had nothing to deliver',
  ],
} as const;

type Part = keyof typeof GAUGES;

/**
 * Checks in each process when the database has last committed, and when the broker has last answered it and delivered to
 * it.
 */
@Injectable()
export class ConnectionAges implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly answeredAt: Record<Part, number>;
  private isWriting = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: HealthRepository,
    private readonly broker: MessageBroker,
    { registry }: Metrics,
  ) {
    const now = Date.now();
    const answeredAt = (this.answeredAt = { database: now, broker: now, delivery: now });
    for (const part of Object.keys(GAUGES) as Part[]) {
      const [name, event] = GAUGES[part];
      new Gauge({
        name,
        help: `Seconds since ${event}. It is checked every 5 s.`,
        registers: [registry],
        aggregator: 'max',
        collect() {
          this.set((Date.now() - answeredAt[part]) / 1_000);
        },
      });
    }
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.check(), CHECK_EVERY_MS);
    this.timer.unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** A failure shows in the metric, and the probe of readiness logs its reason. */
  private check(): void {
    const note = (part: Part) => () => void (this.answeredAt[part] = Date.now());
    if (!this.isWriting) void this.write(note('database'));
    this.broker.check().then(note('broker'), () => undefined);
    if (this.broker.isReceiving()) note('delivery')();
  }

  /** A commit that waits for a standby keeps its connection, so writes must not pile up. */
  private async write(note: () => void): Promise<void> {
    this.isWriting = true;
    await this.repository.commit().then(note, () => undefined);
    this.isWriting = false;
  }
}
