import { statement } from '../../platform/database/statement';
import { type IndexingRun, IS_CURRENT_RUN } from './indexing.sql';
import { SOURCE_STATUS } from './knowledge-base-source.entity';

/** Deletes the passages of a source and their words, if it meets a condition until the end of the statement. */
const deletePassagesWhere = (condition: string) => `
  WITH source AS (
    SELECT id FROM knowledge_base_sources WHERE ${condition} FOR KEY SHARE
  ), words AS (
    DELETE FROM knowledge_base_words WHERE source_id IN (SELECT id FROM source)
  )
  DELETE FROM knowledge_base_passages WHERE source_id IN (SELECT id FROM source)`;

export const REMOVE_PASSAGES = statement<IndexingRun>('remove-passages', deletePassagesWhere(IS_CURRENT_RUN));

export const REMOVE_FAILED_PASSAGES = statement<{ sourceId: string }>(
  'remove-failed-passages',
  deletePassagesWhere(`id = $sourceId AND status = '${SOURCE_STATUS.failed}'`),
);

export interface PassageBatch extends IndexingRun {
  firstPosition: number;
  texts: string[];
  /** The page of each text. */
  pages: (number | null)[];
  /** The words of each text. */
  words: string[];
}

/**
 * Adds passages and counts their words. No row: the run has ended. FOR SHARE makes the begin of a later run wait, which
 * deletes these passages then; with FOR KEY SHARE, it could delete before this statement commits.
 */
export const ADD_PASSAGES = statement<PassageBatch, { id: string }>(
  'add-passages',
  `
    WITH source AS (
      SELECT id, knowledge_base_id FROM knowledge_base_sources WHERE ${IS_CURRENT_RUN} FOR SHARE
    ), added AS (
      INSERT INTO knowledge_base_passages (source_id, knowledge_base_id, position, page, text, search)
      SELECT source.id, knowledge_base_id, $firstPosition + place - 1, page, text, to_tsvector('simple', words)
      FROM source, unnest($texts::text[], $pages::int[], $words::text[]) WITH ORDINALITY
             AS passages (text, page, words, place)
      RETURNING search
    ), counted AS (
      INSERT INTO knowledge_base_words AS known (source_id, knowledge_base_id, word, passages)
      SELECT source.id, knowledge_base_id, word, count(*)
      FROM source, added, unnest(tsvector_to_array(search)) AS word
      GROUP BY source.id, knowledge_base_id, word
      ON CONFLICT (source_id, word) DO UPDATE SET passages = known.passages + excluded.passages
    )
    SELECT id FROM source`,
);
