import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoops } from '../background/background-loops';
import { CONFIG, type Config } from '../config';
import { type Statement, Sql } from '../database/sql';
import { FORGET_EXPIRED_SECRETS } from './webhook-secrets.sql';

const HOUR_MS = 3_600_000;

/** One statement's worth, so that none holds its rows for long. */
const BATCH = 1_000;

/** $1 days. Cleaners that run at once take different rows. */
const REMOVE_OLD: Statement = {
  name: 'remove-old-webhook-deliveries',
  text: `
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT id FROM webhook_deliveries
      WHERE status <> 'pending' AND created_at < now() - $1 * interval '1 day'
      ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING id`,
};

/** Removes, every hour, settled deliveries that are older than they are kept for, and secrets that have expired. */
@Injectable()
export class WebhookCleaner implements OnApplicationBootstrap {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly sql: Sql,
    private readonly loops: BackgroundLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(() => this.clean(), HOUR_MS, 'Old webhook deliveries and secrets could not be removed');
  }

  async clean(): Promise<void> {
    await this.sql.run(FORGET_EXPIRED_SECRETS);
    const days = this.config.WEBHOOK_RETENTION_DAYS;
    await this.loops.inBatches(BATCH, async () => (await this.sql.run(REMOVE_OLD, [days])).length);
  }
}
