import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Repetition } from '../common/repetition';
import { CONFIG, type Config } from '../config';
import { Sql } from '../database/sql';
import { REMOVE_EXPIRED } from './idempotency.sql';

const PAUSE_MS = 60_000;

const BATCH = 1_000;

/** Removes the records that are kept no longer; a batch at a time, so that none of its locks lasts. */
@Injectable()
export class ExpiredKeys implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ExpiredKeys.name);
  private readonly rounds = new Repetition();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly sql: Sql,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.config.ROLES.includes('background')) return;
    this.rounds.start(
      () => this.remove(),
      PAUSE_MS,
      (error) => this.logger.warn({ err: error }, 'Expired idempotency keys could not be removed'),
    );
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  remove(): Promise<void> {
    return this.rounds.inBatches(BATCH, async () => (await this.sql.run(REMOVE_EXPIRED, [BATCH])).length);
  }
}
