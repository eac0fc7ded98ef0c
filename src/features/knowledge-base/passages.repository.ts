import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { Passage } from '../../platform/documents/reader.protocol';
import type { IndexingRun } from './indexing.sql';
import { ADD_PASSAGES, REMOVE_FAILED_PASSAGES, REMOVE_PASSAGES } from './passages.sql';
import { type FoundPassage, LIMIT_SEARCH_TIME, SEARCH } from './search.sql';

export type { FoundPassage };

/**
 * Stores and searches the passages of sources and their words. A run stores them only while it is the current one
 * of its source.
 */
@Injectable()
export class PassagesRepository {
  constructor(private readonly database: Database) {}

  /** Deletes what an earlier run has stored. */
  async deletePrevious(run: IndexingRun): Promise<void> {
    await this.database.query(REMOVE_PASSAGES, run);
  }

  /**
   * Adds passages in a transaction of its own, so that deleting the knowledge base does not wait for a whole text.
   * @returns false if the run has ended
   */
  async insert(run: IndexingRun, firstPosition: number, passages: Passage[]): Promise<boolean> {
    const texts = passages.map(({ text }) => text);
    const pages = passages.map(({ page }) => page);
    const words = passages.map((passage) => passage.words);
    const batch = { ...run, firstPosition, texts, pages, words };
    return (await this.database.query(ADD_PASSAGES, batch)).length > 0;
  }

  /** Deletes the passages of a source, if it has failed. */
  async deleteFailed(sourceId: string): Promise<void> {
    await this.database.query(REMOVE_FAILED_PASSAGES, { sourceId });
  }

  /**
   * Finds passages, the best first.
   * @param words as `searchWords` separates them
   * @throws a statement timeout after two seconds
   */
  search(knowledgeBaseId: string, words: string, limit: number): Promise<FoundPassage[]> {
    return this.database.transaction(async (transaction) => {
      await transaction.query(LIMIT_SEARCH_TIME, {});
      return transaction.query(SEARCH, { knowledgeBaseId, words, limit });
    });
  }
}
