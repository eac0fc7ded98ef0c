import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoops } from '../background/background-loops';
import { Sql } from '../database/sql';
import { REMOVE_EXPIRED } from './idempotency.sql';

const PAUSE_MS = 60_000;

const BATCH = 1_000;

/** Removes the records that are kept no longer; a batch at a time, so that none of its locks lasts. */
@Injectable()
export class ExpiredKeys implements OnApplicationBootstrap {
  constructor(
    private readonly sql: Sql,
    private readonly loops: BackgroundLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(() => this.remove(), PAUSE_MS, 'Expired idempotency keys could not be removed');
  }

  remove(): Promise<void> {
    return this.loops.inBatches(BATCH, async () => (await this.sql.run(REMOVE_EXPIRED, [BATCH])).length);
  }
}
