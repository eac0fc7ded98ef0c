import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { jsonRows } from '../../platform/database/statement';
import { NOTE_KEYS, NOTE_PEOPLE, NOTE_SESSIONS, type Use } from './last-uses.sql';

export type { Use };

@Injectable()
export class LastUsesRepository {
  constructor(private readonly database: Database) {}

  async noteKeys(uses: Use[]): Promise<void> {
    await this.database.query(NOTE_KEYS, { uses: jsonRows(uses) });
  }

  async notePeople(uses: Use[]): Promise<void> {
    await this.database.query(NOTE_PEOPLE, { uses: jsonRows(uses) });
  }

  async noteSessions(uses: Use[]): Promise<void> {
    await this.database.query(NOTE_SESSIONS, { uses: jsonRows(uses) });
  }
}
