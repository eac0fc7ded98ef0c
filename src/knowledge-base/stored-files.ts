import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { DataSource, In } from 'typeorm';
import { type Statement, Sql } from '../database/sql';
import { FileStorage } from './file-storage';
import { KnowledgeBaseFile } from './knowledge-base-file.entity';

const OF_NOBODY: Statement = {
  name: 'files-of-nobody',
  text: `
    SELECT key FROM knowledge_base_files
    WHERE created_at <= now() - $1 * interval '1 millisecond'
      AND NOT EXISTS (SELECT FROM knowledge_base_sources WHERE file_key = key)`,
};

/** The uploaded files of this database's sources: a row each, written before the file and deleted after it. */
@Injectable()
export class StoredFiles {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sql: Sql,
    private readonly storage: FileStorage,
  ) {}

  /** Takes a file over from its temporary place and returns the key it is kept under. */
  async keep(path: string): Promise<string> {
    const key = randomUUID();
    await this.dataSource.manager.insert(KnowledgeBaseFile, { key });
    await this.storage.keep(key, path);
    return key;
  }

  /** May be done again after a crash at any point. */
  async remove(keys: string[]): Promise<void> {
    for (const key of keys) await this.storage.remove(key);
    await this.dataSource.manager.delete(KnowledgeBaseFile, { key: In(keys) });
  }

  /** Removes what no source has although it has been kept for so long. */
  async removeOrphans(graceMs: number): Promise<void> {
    const rows = await this.sql.run<{ key: string }>(OF_NOBODY, [graceMs]);
    if (rows.length > 0) await this.remove(rows.map(({ key }) => key));
  }
}
