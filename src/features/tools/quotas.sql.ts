import { findQuota } from '../../accounts/workspaces/quotas.sql';

export const FIND_TOOLS_QUOTA = findQuota(
  'tools',
  'SELECT count(*) FROM tools WHERE workspace_id = $workspaceId',
);
