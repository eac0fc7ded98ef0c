import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoops } from '../../platform/background/background-loops';
import { CONFIG, type Config } from '../../config';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository';
import { WebhookSecretsRepository } from './webhook-secrets.repository';

const HOUR_MS = 3_600_000;

/** The batch is small, so that no statement locks its rows for long. */
const BATCH_SIZE = 1_000;

/** Every hour, deletes settled deliveries after their retention, events without deliveries, and expired secrets. */
@Injectable()
export class WebhookCleaner implements OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly secrets: WebhookSecretsRepository,
    private readonly loops: BackgroundLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(
      () => this.clean(),
      HOUR_MS,
      'Old webhook deliveries and expired secrets could not be deleted',
    );
  }

  async clean(): Promise<void> {
    await this.secrets.deleteExpired();
    const retentionDays = this.config.WEBHOOK_RETENTION_DAYS;
    await this.loops.inBatches(BATCH_SIZE, () => this.deliveries.deleteOld(retentionDays, BATCH_SIZE));
    await this.loops.inBatches(BATCH_SIZE, () => this.deliveries.deleteOldEvents(retentionDays, BATCH_SIZE));
  }
}
