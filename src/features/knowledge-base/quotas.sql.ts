import { findQuota } from '../../accounts/workspaces/quotas.sql';

export const FIND_KNOWLEDGE_BASES_QUOTA = findQuota(
  'knowledge_bases',
  'SELECT count(*) FROM knowledge_bases WHERE workspace_id = $workspaceId',
);

export const FIND_BYTES_QUOTA = findQuota(
  'knowledge_base_bytes',
  `
    SELECT COALESCE(sum(bytes), 0) FROM knowledge_base_sources WHERE workspace_id = $workspaceId`,
);
