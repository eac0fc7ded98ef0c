import { findQuota } from '../../accounts/workspaces/quotas.sql';

export const FIND_AGENTS_QUOTA = findQuota(
  'agents',
  'SELECT count(*) FROM agents WHERE workspace_id = $workspaceId AND deleted_at IS NULL',
);

export const FIND_PROMPT_TEMPLATES_QUOTA = findQuota(
  'prompt_templates',
  'SELECT count(*) FROM prompt_templates WHERE workspace_id = $workspaceId',
);
