import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import {
  ARE_SNAPSHOTS_MOVED,
  EXTEND_VALIDATION_TIMEOUT,
  MOVE_SNAPSHOTS,
  type MovedBatch,
  VALIDATE_VERSIONS,
} from './move-snapshots.sql';

/** Snapshots of agents in the rows of calls, as earlier releases stored them. */
@Injectable()
export class SnapshotsRepository {
  constructor(private readonly database: Database) {}

  async areMoved(): Promise<boolean> {
    const [constraint] = await this.database.query(ARE_SNAPSHOTS_MOVED, {});
    return constraint?.areMoved ?? true;
  }

  /** Moves the snapshots of the calls that come after this id. */
  async moveNext(after: string): Promise<MovedBatch> {
    const [moved] = await this.database.query(MOVE_SNAPSHOTS, { after });
    return moved as MovedBatch;
  }

  /** Marks the snapshots as moved: from then on, {@link areMoved} is true. */
  finish(): Promise<void> {
    return this.database.transaction(async (transaction) => {
      await transaction.query(EXTEND_VALIDATION_TIMEOUT, {});
      await transaction.query(VALIDATE_VERSIONS, {});
    });
  }
}
