import type { Statement } from '../database/sql';

/** A source that this run indexes; another run, or a deletion, ends it. */
const OF_THIS_RUN = `id = $1 AND indexing_run = $2 AND status = 'processing'`;

/** $1 source, $2 run. Begins a run, which ends those before it. No row: there is nothing to index. */
export const BEGIN_INDEXING: Statement = {
  name: 'begin-indexing',
  text: `
    UPDATE knowledge_base_sources SET status = 'processing', indexing_run = $2
    WHERE id = $1 AND status IN ('pending', 'processing')
    RETURNING id, workspace_id AS "workspaceId", knowledge_base_id AS "knowledgeBaseId", url, text,
              file_type AS "fileType"`,
};

/** $1 source, $2 run. What an earlier run has left of the source; a search does not find it. */
export const REMOVE_PASSAGES: Statement = {
  name: 'remove-passages',
  text: `
    WITH source AS (
      SELECT id FROM knowledge_base_sources WHERE ${OF_THIS_RUN} FOR KEY SHARE
    ), words AS (
      DELETE FROM knowledge_base_words WHERE source_id IN (SELECT id FROM source)
    )
    DELETE FROM knowledge_base_passages WHERE source_id IN (SELECT id FROM source)`,
};

/**
 * $1 source, $2 run, $3 position of the first passage, $4 texts, $5 their words. Adds a batch and counts its words, in a
 * transaction of its own: deleting the knowledge base never waits for a whole text. No row: the run is over.
 */
export const ADD_PASSAGES: Statement = {
  name: 'add-passages',
  text: `
    WITH source AS (
      SELECT id, knowledge_base_id FROM knowledge_base_sources WHERE ${OF_THIS_RUN} FOR KEY SHARE
    ), added AS (
      INSERT INTO knowledge_base_passages (source_id, knowledge_base_id, position, text, search)
      SELECT source.id, knowledge_base_id, $3 + place - 1, text, to_tsvector('simple', words)
      FROM source, unnest($4::text[], $5::text[]) WITH ORDINALITY AS passages (text, words, place)
      RETURNING search
    ), counted AS (
      INSERT INTO knowledge_base_words AS known (source_id, knowledge_base_id, word, passages)
      SELECT source.id, knowledge_base_id, word, count(*)
      FROM source, added, unnest(tsvector_to_array(search)) AS word
      GROUP BY source.id, knowledge_base_id, word
      ON CONFLICT (source_id, word) DO UPDATE SET passages = known.passages + excluded.passages
    )
    SELECT id FROM source`,
};

/**
 * $1 source, $2 run, $3 media type, $4 number of passages, $5 bytes to be counted. From here on a search finds them. The knowledge base's row
 * is locked before the source's, in the order in which deleting takes them.
 */
export const COMPLETE_INDEXING: Statement = {
  name: 'complete-indexing',
  text: `
    WITH knowledge_base AS (
      UPDATE knowledge_bases SET updated_at = now()
      WHERE id = (SELECT knowledge_base_id FROM knowledge_base_sources WHERE ${OF_THIS_RUN})
      RETURNING id
    )
    UPDATE knowledge_base_sources SET status = 'completed', file_type = $3, passages = $4, text = NULL, indexing_run = NULL,
           bytes = bytes + $5
    FROM knowledge_base WHERE knowledge_base_sources.knowledge_base_id = knowledge_base.id AND
      knowledge_base_sources.${OF_THIS_RUN}
    RETURNING knowledge_base_sources.id`,
};

/** $1 source, $2 run, $3 reason. */
export const FAIL_INDEXING: Statement = {
  name: 'fail-indexing',
  text: `
    UPDATE knowledge_base_sources SET status = 'failed', reason = $3, text = NULL, indexing_run = NULL,
           bytes = bytes - octet_length(COALESCE(text, ''))
    WHERE ${OF_THIS_RUN}`,
};

/** $1 source. Removes what was stored of a source that has failed. */
export const REMOVE_FAILED_PASSAGES: Statement = {
  name: 'remove-failed-passages',
  text: `
    WITH failed AS (
      SELECT id FROM knowledge_base_sources WHERE id = $1 AND status = 'failed' FOR KEY SHARE
    ), words AS (
      DELETE FROM knowledge_base_words WHERE source_id IN (SELECT id FROM failed)
    )
    DELETE FROM knowledge_base_passages WHERE source_id IN (SELECT id FROM failed)`,
};
