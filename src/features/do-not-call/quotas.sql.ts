import { findQuota } from '../../accounts/workspaces/quotas.sql';

export const FIND_ENTRIES_QUOTA = findQuota(
  'do_not_call_entries',
  'SELECT count(*) FROM do_not_call WHERE workspace_id = $workspaceId',
);
