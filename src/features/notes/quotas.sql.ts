import { findQuota } from '../../accounts/workspaces/quotas.sql';

export const FIND_NOTES_QUOTA = findQuota(
  'notes',
  'SELECT count(*) FROM notes WHERE workspace_id = $workspaceId',
);
