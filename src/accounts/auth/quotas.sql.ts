import { findQuota } from '../workspaces/quotas.sql';
import { isValidApiKey } from '../workspaces/valid-api-key.sql';

export const FIND_API_KEYS_QUOTA = findQuota(
  'api_keys',
  `SELECT count(*) FROM api_keys AS key WHERE workspace_id = $workspaceId AND ${isValidApiKey('key')}`,
);

export const FIND_PEOPLE_QUOTA = findQuota(
  'people',
  'SELECT count(*) FROM people WHERE workspace_id = $workspaceId',
);

export const FIND_SESSIONS_QUOTA = findQuota(
  'sessions',
  'SELECT count(*) FROM sessions WHERE workspace_id = $workspaceId AND expires_at > now()',
);
