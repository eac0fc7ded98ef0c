import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Counter } from 'prom-client';
import { InstallationGauges } from '../../platform/background/installation-gauges';
import { Metrics } from '../../platform/monitoring/metrics';
import type { Verdict } from './verdict';
import { MAX_COUNTED_DELIVERIES, WebhookDeliveriesRepository } from './webhook-deliveries.repository';

/** The metrics of webhooks. The counter has the attempts of this process. */
@Injectable()
export class WebhookMetrics implements OnApplicationBootstrap {
  private readonly attempts: Counter<'result'>;

  constructor(
    { registry }: Metrics,
    private readonly gauges: InstallationGauges,
    private readonly deliveries: WebhookDeliveriesRepository,
  ) {
    this.attempts = new Counter({
      name: 'webhook_attempts_total',
      help: 'Attempts to deliver a webhook, by result: delivered, retry, or failed, after which the webhook is given up.',
      labelNames: ['result'],
      registers: [registry],
    });
  }

  onApplicationBootstrap(): void {
    this.gauges.add({
      name: 'webhooks_pending',
      help: `Webhooks that are not delivered and not given up, up to ${MAX_COUNTED_DELIVERIES}.`,
      read: () => this.deliveries.countPending(),
    });
  }

  countAttempt(result: Verdict): void {
    this.attempts.inc({ result });
  }
}
