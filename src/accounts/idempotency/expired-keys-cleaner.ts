import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoops } from '../../platform/background/background-loops';
import { IdempotencyRepository } from './idempotency.repository';

const PAUSE_MS = 60_000;

const BATCH = 1_000;

/** Deletes the keys past their retention, in batches, so that no lock lasts. */
@Injectable()
export class ExpiredKeysCleaner implements OnApplicationBootstrap {
  constructor(
    private readonly keys: IdempotencyRepository,
    private readonly loops: BackgroundLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(() => this.clean(), PAUSE_MS, 'Expired idempotency keys could not be deleted');
  }

  clean(): Promise<void> {
    return this.loops.inBatches(BATCH, () => this.keys.deleteExpired(BATCH));
  }
}
