import { statement } from '../database/statement';
import { isValidApiKey } from '../workspaces/valid-api-key.sql';

export interface WorkspaceOfToken {
  isSuspended: boolean;
  /** null: the default of the installation. */
  requestsPerMinute: number | null;
}

/**
 * No row: the token is not valid any more, or its workspace does not exist. Once "not before" is set, a token without
 * `iat` is not valid, because it may have been issued before.
 */
export const FIND_WORKSPACE_OF_TOKEN = statement<
  { workspaceId: string; keyId: string | null; iat: number | null },
  WorkspaceOfToken
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

/** GREATEST: a revocation that commits later with an earlier `now()` must not make revoked tokens valid again. */
export const REVOKE_ALL_TOKENS = statement<{ workspaceId: string }, { tokensNotBefore: Date }>(
  'revoke-all-tokens',
  `
    UPDATE workspaces SET tokens_not_before = GREATEST(tokens_not_before, now()) WHERE id = $workspaceId
    RETURNING tokens_not_before AS "tokensNotBefore"`,
);
