import { statement } from '../../platform/database/statement';

interface Owner {
  workspaceId: string;
  knowledgeBaseId: string;
}

/** Locks the row as `LOCK_INDEXING` does, so that changes of the sources wait for each other. */
export const LOCK_SOURCES = statement<Owner, { name: string }>(
  'lock-sources',
  `UPDATE knowledge_bases SET updated_at = now() WHERE id = $knowledgeBaseId AND workspace_id = $workspaceId
   RETURNING name`,
);

export const COUNT_SOURCES = statement<Owner, { count: number; nextPosition: number }>(
  'count-sources',
  `SELECT count(*)::int AS count, COALESCE(max(position) + 1, 0) AS "nextPosition" FROM knowledge_base_sources
   WHERE knowledge_base_id = $knowledgeBaseId AND workspace_id = $workspaceId AND NOT is_replacement`,
);

/** Passages and words are deleted with their source. */
export const DELETE_SOURCE = statement<
  Owner & { publicId: string; onlyReplacement: boolean },
  { fileKey: string | null }
>(
  'delete-source',
  `DELETE FROM knowledge_base_sources
   WHERE public_id = $publicId AND knowledge_base_id = $knowledgeBaseId AND workspace_id = $workspaceId
     AND (is_replacement OR NOT $onlyReplacement)
   RETURNING file_key AS "fileKey"`,
);
