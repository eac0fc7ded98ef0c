import { statement } from '../../platform/database/statement';

export const FIND_ORPHANED_FILES = statement<{ graceMs: number }, { key: string }>(
  'find-orphaned-files',
  `
    SELECT key FROM knowledge_base_files
    WHERE created_at <= now() - $graceMs * interval '1 millisecond'
      AND NOT EXISTS (SELECT FROM knowledge_base_sources WHERE file_key = key)`,
);

export const ADD_FILE = statement<{ key: string }>(
  'add-knowledge-base-file',
  'INSERT INTO knowledge_base_files (key) VALUES ($key)',
);

export const DELETE_FILES = statement<{ keys: string[] }>(
  'delete-knowledge-base-files',
  'DELETE FROM knowledge_base_files WHERE key = ANY ($keys::uuid[])',
);
