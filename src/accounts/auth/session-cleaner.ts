import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoops } from '../../platform/background/background-loops';
import { SessionsRepository } from './sessions.repository';

const PAUSE_MS = 600_000;

const BATCH = 1_000;

/** Deletes sessions and one-time links that have ended, in batches, so that no lock lasts. */
@Injectable()
export class SessionCleaner implements OnApplicationBootstrap {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly loops: BackgroundLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(() => this.clean(), PAUSE_MS, 'Ended sessions could not be deleted');
  }

  async clean(): Promise<void> {
    await this.loops.inBatches(BATCH, () => this.sessions.deleteEnded(BATCH));
    await this.loops.inBatches(BATCH, () => this.sessions.deleteExpiredLinks(BATCH));
  }
}
