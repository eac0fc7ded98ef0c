import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { READ_CLOCK, WRITE_TIMESTAMP } from './replica-timestamp.sql';

/** The row that the replica is measured by, on the primary. */
@Injectable()
export class ReplicaTimestampRepository {
  constructor(private readonly database: Database) {}

  async write(): Promise<void> {
    await this.database.query(WRITE_TIMESTAMP, {});
  }

  /** The time of the primary. */
  async readClock(): Promise<Date> {
    const [clock] = await this.database.query(READ_CLOCK, {});
    if (!clock) throw new Error('The clock of the primary has no row');
    return clock.now;
  }
}
