import type { Statement } from '../database/sql';
import { isValidKey } from './api-keys.sql';

export interface TokenWorkspace {
  isSuspended: boolean;
  requestsPerMinute: number | null;
}

/** $1 workspace, $2 key or null, $3 iat or null. No row: the token is not valid (any more). */
export const FIND_WORKSPACE_OF_TOKEN: Statement = {
  name: 'find-workspace-of-token',
  text: `
    SELECT suspended_at IS NOT NULL AS "isSuspended", quotas_requests_per_minute AS "requestsPerMinute"
    FROM workspaces workspace
    WHERE id = $1
      AND (tokens_not_before IS NULL OR $3::float8 >= extract(epoch FROM tokens_not_before))
      AND ($2::uuid IS NULL OR EXISTS (
        SELECT FROM api_keys key WHERE key.id = $2 AND key.workspace_id = workspace.id AND ${isValidKey('key')}))`,
};

/** $1 workspace. */
export const REFUSE_EARLIER_TOKENS: Statement = {
  name: 'refuse-earlier-tokens',
  text: `
    UPDATE workspaces SET tokens_not_before = GREATEST(tokens_not_before, now()) WHERE id = $1
    RETURNING tokens_not_before AS "tokensNotBefore"`,
};
