import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { statement } from '../database/statement';

export const PING = statement('ping', 'SELECT 1 AS up');

/** A commit of its own that changes no table: it waits for a synchronous standby as any other. */
export const CANARY = statement(
  'canary',
  `SELECT pg_logical_emit_message(true, 'parley', 'canary'::text) AS position`,
);

@Injectable()
export class HealthRepository {
  constructor(private readonly database: Database) {}

  /** Rejects if the database does not answer. */
  async ping(): Promise<void> {
    await this.database.query(PING, {});
  }

  /** Rejects if the database does not commit. */
  async commit(): Promise<void> {
    await this.database.query(CANARY, {});
  }
}
