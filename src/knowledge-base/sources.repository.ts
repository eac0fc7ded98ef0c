import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { Database, type Queryable, type Transaction } from '../database/database';
import {
  BEGIN_INDEXING,
  COMPLETE_INDEXING,
  FAIL_INDEXING,
  type IndexedSource,
  type IndexingRun,
} from './indexing.sql';
import { KnowledgeBaseSource } from './knowledge-base-source.entity';

export type { IndexedSource, IndexingRun };

export type NewSource = Pick<
  KnowledgeBaseSource,
  'type' | 'name' | 'url' | 'fileName' | 'fileType' | 'text'
> & {
  bytes: number;
};

/** The sources of knowledge bases. */
@Injectable()
export class SourcesRepository {
  constructor(private readonly database: Database) {}

  /** In their order within each knowledge base. */
  list(workspaceId: string, knowledgeBaseIds: string[]): Promise<KnowledgeBaseSource[]> {
    return this.database.manager.find(KnowledgeBaseSource, {
      where: { workspaceId, knowledgeBaseId: In(knowledgeBaseIds) },
      order: { position: 'ASC' },
    });
  }

  /** The keys of the uploaded files. */
  async listFileKeys(
    workspaceId: string,
    knowledgeBaseId: string,
    { manager }: Queryable = this.database,
  ): Promise<string[]> {
    const sources = await manager.find(KnowledgeBaseSource, {
      select: { id: true, fileKey: true },
      where: { workspaceId, knowledgeBaseId },
    });
    return sources.flatMap(({ fileKey }) => fileKey ?? []);
  }

  /** @returns their ids */
  async insert(
    workspaceId: string,
    { knowledgeBaseId, fileKey }: Pick<KnowledgeBaseSource, 'knowledgeBaseId' | 'fileKey'>,
    sources: NewSource[],
    { manager }: Transaction,
  ): Promise<string[]> {
    const rows = sources.map(({ bytes, ...source }, position) => ({
      id: uuidv7(),
      workspaceId,
      knowledgeBaseId,
      fileKey,
      ...source,
      bytes: String(bytes),
      position,
    }));
    await manager.insert(KnowledgeBaseSource, rows);
    return rows.map(({ id }) => id);
  }

  /** @returns undefined if there is nothing to index */
  async beginIndexing(run: IndexingRun): Promise<IndexedSource | undefined> {
    const [source] = await this.database.query(BEGIN_INDEXING, run);
    return source;
  }

  /** Does nothing if the run has ended. */
  async completeIndexing(
    run: IndexingRun,
    result: { fileType: string; passages: number; addedBytes: number },
    transaction: Transaction,
  ): Promise<void> {
    await transaction.query(COMPLETE_INDEXING, { ...run, ...result });
  }

  /** Does nothing if the run has ended. */
  async failIndexing(run: IndexingRun, reason: string): Promise<void> {
    await this.database.query(FAIL_INDEXING, { ...run, reason });
  }
}
