import { findQuota } from '../../accounts/workspaces/quotas.sql';

export const FIND_PHONE_NUMBERS_QUOTA = findQuota(
  'phone_numbers',
  'SELECT count(*) FROM phone_numbers WHERE workspace_id = $workspaceId',
);
