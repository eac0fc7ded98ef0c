import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { In } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { Database, type Queryable, type Transaction } from '../../platform/database/database';
import {
  BEGIN_INDEXING,
  COMPLETE_INDEXING,
  DELETE_REPLACED,
  FAIL_INDEXING,
  type IndexedSource,
  type IndexingRun,
  LOCK_INDEXING,
} from './indexing.sql';
import { KnowledgeBaseSource } from './knowledge-base-source.entity';
import { COUNT_SOURCES, DELETE_SOURCE, LOCK_SOURCES } from './sources.sql';

export type { IndexedSource, IndexingRun };

export type NewSource = Pick<
  KnowledgeBaseSource,
  'type' | 'name' | 'url' | 'fileName' | 'fileType' | 'text'
> & {
  bytes: number;
};

/** Reads and changes the sources of knowledge bases. */
@Injectable()
export class SourcesRepository {
  constructor(private readonly database: Database) {}

  /** Lists sources in their order within each knowledge base, with their replacements. */
  list(workspaceId: string, knowledgeBaseIds: string[]): Promise<KnowledgeBaseSource[]> {
    return this.database.manager.find(KnowledgeBaseSource, {
      where: { workspaceId, knowledgeBaseId: In(knowledgeBaseIds) },
      order: { position: 'ASC' },
    });
  }

  /** Finds the keys of the uploaded files. */
  async listFileKeys(
    workspaceId: string,
    knowledgeBaseId: string,
    { manager }: Queryable = this.database,
  ): Promise<string[]> {
    const sources = await manager.find(KnowledgeBaseSource, {
      select: { id: true, fileKey: true },
      where: { workspaceId, knowledgeBaseId },
    });
    return getFileKeys(sources);
  }

  /**
   * Locks the sources of a knowledge base until the transaction ends. Every change of the sources begins with it.
   * @returns the name of the knowledge base; undefined if it does not exist
   */
  async lock(
    workspaceId: string,
    knowledgeBaseId: string,
    transaction: Transaction,
  ): Promise<string | undefined> {
    if (!isUUID(knowledgeBaseId)) return undefined;
    const [knowledgeBase] = await transaction.query(LOCK_SOURCES, { workspaceId, knowledgeBaseId });
    return knowledgeBase?.name;
  }

  /** Finds a source, not its replacement. */
  async find(
    workspaceId: string,
    knowledgeBaseId: string,
    publicId: string,
    { manager }: Queryable = this.database,
  ): Promise<KnowledgeBaseSource | null> {
    if (!isUUID(knowledgeBaseId) || !isUUID(publicId)) return null;
    const where = { workspaceId, knowledgeBaseId, publicId, isReplacement: false };
    return manager.findOneBy(KnowledgeBaseSource, where);
  }

  /** Counts the sources of a knowledge base, and finds the position after the last one. */
  async count(
    workspaceId: string,
    knowledgeBaseId: string,
    queryable: Queryable = this.database,
  ): Promise<{ count: number; nextPosition: number }> {
    const [counted] = await queryable.query(COUNT_SOURCES, { workspaceId, knowledgeBaseId });
    return counted ?? { count: 0, nextPosition: 0 };
  }

  async insert(
    workspaceId: string,
    owner: Pick<KnowledgeBaseSource, 'knowledgeBaseId' | 'fileKey'> & { firstPosition?: number },
    sources: NewSource[],
    { manager }: Transaction,
  ): Promise<KnowledgeBaseSource[]> {
    const { firstPosition = 0, ...values } = owner;
    const rows = sources.map(({ bytes, ...source }, index) => {
      const id = uuidv7();
      const position = firstPosition + index;
      const row = { id, publicId: id, workspaceId, ...values, ...source, bytes: String(bytes), position };
      return manager.create(KnowledgeBaseSource, row);
    });
    // TypeORM also copies the values that the database generated into the rows.
    await manager.insert(KnowledgeBaseSource, rows);
    return rows;
  }

  async insertReplacement(
    { workspaceId, knowledgeBaseId, publicId, position }: KnowledgeBaseSource,
    { bytes, ...source }: NewSource,
    fileKey: string | null,
    { manager }: Transaction,
  ): Promise<KnowledgeBaseSource> {
    const row = manager.create(KnowledgeBaseSource, {
      id: uuidv7(),
      publicId,
      isReplacement: true,
      workspaceId,
      knowledgeBaseId,
      position,
      fileKey,
      ...source,
      bytes: String(bytes),
    });
    await manager.insert(KnowledgeBaseSource, row);
    return row;
  }

  /**
   * Deletes a source with its replacement, or the replacement alone.
   * @returns the keys of their files; undefined if none of them exists
   */
  async delete(
    workspaceId: string,
    source: { knowledgeBaseId: string; publicId: string; onlyReplacement: boolean },
    transaction: Transaction,
  ): Promise<string[] | undefined> {
    if (!isUUID(source.publicId)) return undefined;
    const deleted = await transaction.query(DELETE_SOURCE, { workspaceId, ...source });
    return deleted.length === 0 ? undefined : getFileKeys(deleted);
  }

  /** @returns undefined if there is nothing to index */
  async beginIndexing(run: IndexingRun): Promise<IndexedSource | undefined> {
    const [source] = await this.database.query(BEGIN_INDEXING, run);
    return source;
  }

  /**
   * Makes the passages of the run searchable, and deletes those of the source that it replaces.
   * @returns the keys of the files that are not needed any more; none if the run has ended
   */
  async completeIndexing(
    run: IndexingRun,
    result: { fileType: string; passages: number; addedBytes: number },
    transaction: Transaction,
  ): Promise<string[]> {
    if ((await transaction.query(LOCK_INDEXING, run)).length === 0) return [];
    const replaced = await transaction.query(DELETE_REPLACED, run);
    await transaction.query(COMPLETE_INDEXING, { ...run, ...result });
    return getFileKeys(replaced);
  }

  /** Marks the source as failed. It does nothing if the run has ended. */
  async failIndexing(run: IndexingRun, reason: string): Promise<void> {
    await this.database.query(FAIL_INDEXING, { ...run, reason });
  }
}

const getFileKeys = (sources: Pick<KnowledgeBaseSource, 'fileKey'>[]) =>
  sources.flatMap(({ fileKey }) => fileKey ?? []);
