import { findQuota } from '../../accounts/workspaces/quotas.sql';

/** The audit has an entry of each trial. */
export const FIND_TRIALS_QUOTA = findQuota(
  'trials',
  `
    SELECT count(*) FROM audit_entries
    WHERE workspace_id = $workspaceId AND action = 'agent.prompt_tried' AND created_at > now() - interval '24 hours'`,
);
