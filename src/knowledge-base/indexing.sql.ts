import { literals } from '../database/closed-list';
import { statement } from '../database/statement';
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
  /** null: a link that has not been read. */
  text: string | null;
  fileType: string;
}

/** While the run indexes the source. A later run ends it, and so does deleting the source. */
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
 * A search finds the passages from now on. It locks the row of the knowledge base before that of the source, in the
 * order of a deletion.
 */
export const COMPLETE_INDEXING = statement<
  IndexingRun & { fileType: string; passages: number; addedBytes: number }
>(
  'complete-indexing',
  `
    WITH knowledge_base AS (
      UPDATE knowledge_bases SET updated_at = now()
      WHERE id = (SELECT knowledge_base_id FROM knowledge_base_sources WHERE ${IS_CURRENT_RUN})
      RETURNING id
    )
    UPDATE knowledge_base_sources SET status = '${SOURCE_STATUS.completed}', file_type = $fileType, passages = $passages, text = NULL,
           indexing_run = NULL, bytes = bytes + $addedBytes
    FROM knowledge_base
    WHERE knowledge_base_sources.knowledge_base_id = knowledge_base.id AND ${IS_CURRENT_RUN}`,
);

export const FAIL_INDEXING = statement<IndexingRun & { reason: string }>(
  'fail-indexing',
  `
    UPDATE knowledge_base_sources SET status = '${SOURCE_STATUS.failed}', reason = $reason, text = NULL, indexing_run = NULL,
           bytes = bytes - octet_length(COALESCE(text, ''))
    WHERE ${IS_CURRENT_RUN}`,
);
