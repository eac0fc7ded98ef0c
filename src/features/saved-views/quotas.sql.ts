import { findQuota } from '../../accounts/workspaces/quotas.sql';

export const FIND_SAVED_VIEWS_QUOTA = findQuota(
  'saved_views',
  'SELECT count(*) FROM saved_views WHERE workspace_id = $workspaceId',
);
