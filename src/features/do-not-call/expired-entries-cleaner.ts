import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoops } from '../../platform/background/background-loops';
import { DoNotCallRepository } from './do-not-call.repository';

const HOUR_MS = 3_600_000;

const BATCH = 1_000;

/** Deletes the entries that have expired, which nothing reads. */
@Injectable()
export class ExpiredEntriesCleaner implements OnApplicationBootstrap {
  constructor(
    private readonly entries: DoNotCallRepository,
    private readonly loops: BackgroundLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(() => this.clean(), HOUR_MS, 'Expired do-not-call entries could not be deleted');
  }

  clean(): Promise<void> {
    return this.loops.inBatches(BATCH, () => this.entries.deleteExpired(BATCH));
  }
}
