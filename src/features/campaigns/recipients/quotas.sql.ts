import { literals } from '../../../platform/database/closed-list';
import { findQuota } from '../../../accounts/workspaces/quotas.sql';
import { OPEN_STATUSES } from '../plan/campaign-status';

/** Counts the recipients that campaigns may still call. */
export const FIND_RECIPIENTS_QUOTA = findQuota(
  'recipients',
  `
    SELECT COALESCE(sum(count_pending + count_retrying), 0) FROM campaigns
    WHERE workspace_id = $workspaceId AND status IN (${literals(OPEN_STATUSES)})`,
);
