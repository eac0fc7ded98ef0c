import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { statement } from '../database/statement';

export const PING = statement('ping', 'SELECT 1 AS up');

@Injectable()
export class HealthRepository {
  constructor(private readonly database: Database) {}

  /** Rejects if the database does not answer. */
  async ping(): Promise<void> {
    await this.database.query(PING, {});
  }
}
