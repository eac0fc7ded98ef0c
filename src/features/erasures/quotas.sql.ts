import { findQuota } from '../../accounts/workspaces/quotas.sql';

export const FIND_OPEN_ERASURES_QUOTA = findQuota(
  'open_erasures',
  'SELECT count(*) FROM erasures WHERE workspace_id = $workspaceId AND phone_number IS NOT NULL',
);
