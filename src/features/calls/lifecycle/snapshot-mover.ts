import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoops } from '../../../platform/background/background-loops';
import { SnapshotsRepository } from './snapshots.repository';

const INTERVAL_MS = 60_000;

const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/**
 * Moves the snapshots that earlier releases stored with each call to `agent_versions`, in batches while the server
 * runs. After a restart it begins again, which changes nothing twice.
 */
@Injectable()
export class SnapshotMover implements OnApplicationBootstrap {
  private readonly logger = new Logger(SnapshotMover.name);

  constructor(
    private readonly snapshots: SnapshotsRepository,
    private readonly loops: BackgroundLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start(
      () => this.moveAll(),
      INTERVAL_MS,
      'The snapshots of agents could not be moved; the next attempt follows',
    );
  }

  private async moveAll(): Promise<void> {
    if (await this.snapshots.areMoved()) return;
    let left = 0;
    for (let after: string | null = BEFORE_ALL_IDS; after !== null;) {
      if (this.loops.areStopping) return;
      const moved = await this.snapshots.moveNext(after);
      after = moved.last;
      left += moved.left;
    }
    // Calls in progress change their row; the next run moves their snapshots.
    if (left > 0) return;
    await this.snapshots.finish();
    this.logger.log('The snapshots of agents have been moved to their versions');
  }
}
