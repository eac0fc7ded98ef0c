import { literals } from '../../platform/database/closed-list';
import { statement } from '../../platform/database/statement';
import { SOURCE_STATUS } from './knowledge-base-source.entity';

/** One execution of the job that indexes a source. A later one takes over. */
export interface IndexingRun {
  sourceId: string;
  runId: string;
}

export interface IndexedSource {
  id: string;
  workspaceId: string;
  url: string;
  /** null: the source is a link that has not been read. */
  text: string | null;
  fileType: string;
}

/** SQL: whether the run indexes the source. A later run ends it, and so does deleting the source. */
export const IS_CURRENT_RUN = `
  knowledge_base_sources.id = $sourceId AND knowledge_base_sources.indexing_run = $runId
  AND knowledge_base_sources.status = '${SOURCE_STATUS.processing}'`;

/** Begins a run and ends the previous ones. No row: there is nothing to index. */
export const BEGIN_INDEXING = statement<IndexingRun, IndexedSource>(
  'begin-indexing',
  `
    UPDATE knowledge_base_sources SET status = '${SOURCE_STATUS.processing}', indexing_run = $runId
    WHERE id = $sourceId AND status IN (${literals([SOURCE_STATUS.pending, SOURCE_STATUS.processing])})
    RETURNING id, workspace_id AS "workspaceId", url, text, file_type AS "fileType"`,
);

/**
 * Locks a run, as the first statement of the transaction that completes it. It locks the row of the knowledge base
 * before that of the source, in the order of a deletion. No row: the run has ended.
 */
export const LOCK_INDEXING = statement<IndexingRun, { id: string }>(
  'lock-indexing',
  `
    WITH knowledge_base AS (
      UPDATE knowledge_bases SET updated_at = now()
      WHERE id = (SELECT knowledge_base_id FROM knowledge_base_sources WHERE ${IS_CURRENT_RUN})
      RETURNING id
    )
    SELECT knowledge_base_sources.id FROM knowledge_base_sources, knowledge_base
    WHERE knowledge_base_sources.knowledge_base_id = knowledge_base.id AND ${IS_CURRENT_RUN}
    FOR UPDATE OF knowledge_base_sources`,
);

/** Deletes the source that the source of the run replaces, if it is a replacement. */
export const DELETE_REPLACED = statement<IndexingRun, { fileKey: string | null }>(
  'delete-replaced-source',
  `
    DELETE FROM knowledge_base_sources AS replaced USING knowledge_base_sources
    WHERE ${IS_CURRENT_RUN} AND knowledge_base_sources.is_replacement
      AND replaced.public_id = knowledge_base_sources.public_id AND NOT replaced.is_replacement
    RETURNING replaced.file_key AS "fileKey"`,
);

/** Completes a run: a search finds the passages from the commit on. */
export const COMPLETE_INDEXING = statement<
  IndexingRun & { fileType: string; passages: number; addedBytes: number }
>(
  'complete-indexing',
  `
    UPDATE knowledge_base_sources SET status = '${SOURCE_STATUS.completed}', file_type = $fileType, passages = $passages, text = NULL,
           indexing_run = NULL, bytes = bytes + $addedBytes, is_replacement = false
    WHERE ${IS_CURRENT_RUN}`,
);

export const FAIL_INDEXING = statement<IndexingRun & { reason: string }>(
  'fail-indexing',
  `
    UPDATE knowledge_base_sources SET status = '${SOURCE_STATUS.failed}', reason = $reason, text = NULL, indexing_run = NULL,
           bytes = bytes - octet_length(COALESCE(text, ''))
    WHERE ${IS_CURRENT_RUN}`,
);
