import { statement } from '../database/statement';
import { isValidApiKey } from '../workspaces/valid-api-key.sql';

export interface TokenWorkspace {
  isSuspended: boolean;
  /** null: the default of the installation. */
  requestsPerMinute: number | null;
}

/** No row: the token is not valid any more, or it names no workspace. */
export const FIND_WORKSPACE_OF_TOKEN = statement<
  { workspaceId: string; keyId: string | null; iat: number | null },
  TokenWorkspace
>(
  'find-workspace-of-token',
  `
    SELECT suspended_at IS NOT NULL AS "isSuspended", quotas_requests_per_minute AS "requestsPerMinute"
    FROM workspaces workspace
    WHERE id = $workspaceId
      AND (tokens_not_before IS NULL OR $iat::float8 >= extract(epoch FROM tokens_not_before))
      AND ($keyId::uuid IS NULL OR EXISTS (
        SELECT FROM api_keys key
        WHERE key.id = $keyId AND key.workspace_id = workspace.id AND ${isValidApiKey('key')}))`,
);

export const REVOKE_TOKENS = statement<{ workspaceId: string }, { tokensNotBefore: Date }>(
  'revoke-tokens',
  `
    UPDATE workspaces SET tokens_not_before = GREATEST(tokens_not_before, now()) WHERE id = $workspaceId
    RETURNING tokens_not_before AS "tokensNotBefore"`,
);
