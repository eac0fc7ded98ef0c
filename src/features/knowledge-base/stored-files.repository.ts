import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { ADD_FILE, DELETE_FILES, FIND_ORPHANED_FILES } from './stored-files.sql';

/** Reads and writes the rows of stored files. */
@Injectable()
export class StoredFilesRepository {
  constructor(private readonly database: Database) {}

  async insert(key: string): Promise<void> {
    await this.database.query(ADD_FILE, { key });
  }

  async delete(keys: string[]): Promise<void> {
    await this.database.query(DELETE_FILES, { keys });
  }

  /** Finds the keys of files that have no source and are older than this. */
  async findOrphans(graceMs: number): Promise<string[]> {
    const rows = await this.database.query(FIND_ORPHANED_FILES, { graceMs });
    return rows.map(({ key }) => key);
  }
}
