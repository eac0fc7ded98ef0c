import { type JsonRows, statement } from '../../platform/database/statement';
import { isValidApiKey } from '../workspaces/valid-api-key.sql';
import { isOfValidLink } from './valid-link.sql';

export interface TokenToFind {
  workspaceId: string;
  keyId: string | null;
  linkId: string | null;
  /** The time of issue, in seconds since 1970. */
  iat: number | null;
}

export interface WorkspaceOfToken {
  isSuspended: boolean;
  /** The cap that counts its calls. */
  capId: string | null;
  /** null: the default of the installation. */
  requestsPerMinute: number | null;
}

/**
 * Finds the valid tokens whose workspace exists; `place` says which of the tokens a row is about. Once "not
 * before" is set, a token without `iat` is not valid, because it may have been issued before.
 */
export const FIND_WORKSPACES_OF_TOKENS = statement<
  { tokens: JsonRows<TokenToFind & { place: number }> },
  WorkspaceOfToken & { place: number }
>(
  'find-workspaces-of-tokens',
  `
    SELECT place, suspended_at IS NOT NULL AS "isSuspended", quotas_requests_per_minute AS "requestsPerMinute",
           key.cap_id AS "capId"
    FROM json_to_recordset($tokens::json) AS token (place integer, "workspaceId" uuid, "keyId" uuid, "linkId" uuid, iat float8)
    JOIN workspaces workspace ON workspace.id = token."workspaceId"
    LEFT JOIN api_keys key
      ON key.id = token."keyId" AND key.workspace_id = workspace.id AND ${isValidApiKey('key')}
    WHERE (tokens_not_before IS NULL OR token.iat >= extract(epoch FROM tokens_not_before))
      AND (token."keyId" IS NULL OR key.id IS NOT NULL)
      AND ${isOfValidLink('token."linkId"', 'workspace.id')}`,
);

/** GREATEST: a revocation that commits later with an earlier `now()` must not make revoked tokens valid again. */
export const REVOKE_ALL_TOKENS = statement<{ workspaceId: string }, { tokensNotBefore: Date }>(
  'revoke-all-tokens',
  `
    UPDATE workspaces SET tokens_not_before = GREATEST(tokens_not_before, now()) WHERE id = $workspaceId
    RETURNING tokens_not_before AS "tokensNotBefore"`,
);
