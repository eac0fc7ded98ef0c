import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { MessageBroker } from '../messaging/message-broker';
import { HealthRepository } from './health.repository';
import { Metrics } from './metrics';

const CHECK_EVERY_MS = 5_000;

/** Checks in each process when the database and the broker have last answered it. */
@Injectable()
export class ConnectionAges implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly answeredAt = { database: Date.now(), broker: Date.now() };
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: HealthRepository,
    private readonly broker: MessageBroker,
    { registry }: Metrics,
  ) {
    for (const part of ['database', 'broker'] as const) {
      const { answeredAt } = this;
      new Gauge({
        name: `${part}_seconds_since_answer`,
        help: `Seconds since the ${part} last answered this process. It is checked every 5 s.`,
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
    const note = (part: keyof typeof this.answeredAt) => () => void (this.answeredAt[part] = Date.now());
    this.repository.ping().then(note('database'), () => undefined);
    this.broker.check().then(note('broker'), () => undefined);
  }
}
