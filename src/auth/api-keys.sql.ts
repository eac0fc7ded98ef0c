import type { Statement } from '../database/sql';

/** Of a key by its own columns: its ancestors need no look, since a key ends with its parent at the latest. */
export const isValidKey = (key: string) =>
  `${key}.revoked_at IS NULL AND (${key}.expires_at IS NULL OR ${key}.expires_at > now())`;

export interface ValidKey {
  id: string;
  workspaceId: string;
  userId: string;
  scopes: string[] | null;
  expiresAt: Date | null;
  isSuspended: boolean;
  requestsPerMinute: number | null;
}

/** $1 hash. */
export const FIND_VALID_KEY: Statement = {
  name: 'find-valid-api-key',
  text: `
    SELECT key.id, key.workspace_id AS "workspaceId", key.user_id AS "userId", key.scopes,
           key.expires_at AS "expiresAt", workspace.suspended_at IS NOT NULL AS "isSuspended",
           workspace.quotas_requests_per_minute AS "requestsPerMinute"
    FROM api_keys key JOIN workspaces workspace ON workspace.id = key.workspace_id
    WHERE key.hash = $1 AND ${isValidKey('key')}`,
};

/**
 * $1 workspace. Comes first in each transaction that adds or revokes keys. Locks on rows would not do: a key added
 * below a key that is itself being revoked is not in the snapshot of the statement that revokes the tree.
 */
export const LOCK_KEYS: Statement = {
  name: 'lock-api-keys',
  text: `SELECT pg_advisory_xact_lock(hashtext('API keys of ' || $1))`,
};

/**
 * $1 id, $2 workspace, $3 parent or null, $4 user, $5 hash, $6 hint, $7 scopes, $8 expiry or null. No row: the parent
 * is no longer valid. LEAST ignores nulls.
 */
export const INSERT_KEY: Statement = {
  name: 'insert-api-key',
  text: `
    INSERT INTO api_keys (id, workspace_id, parent_id, user_id, hash, hint, scopes, expires_at)
    SELECT $1::uuid, $2::uuid, $3::uuid, $4, $5, $6, $7::text[], LEAST($8::timestamptz, parent.expires_at)
    FROM (VALUES (1)) AS one
    LEFT JOIN api_keys parent ON parent.id = $3 AND parent.workspace_id = $2 AND ${isValidKey('parent')}
    WHERE $3 IS NULL OR parent.id IS NOT NULL
    RETURNING expires_at AS "expiresAt"`,
};

/**
 * $1 workspace, $2 key. Revokes it and all keys below it. What is below a key that has ended has ended too, so the
 * search stops there. No row: there is no such key.
 */
export const REVOKE_KEY: Statement = {
  name: 'revoke-api-key',
  text: `
    WITH RECURSIVE tree AS (
      SELECT id FROM api_keys WHERE workspace_id = $1 AND id = $2
      UNION ALL
      SELECT child.id FROM tree JOIN api_keys child ON child.parent_id = tree.id WHERE ${isValidKey('child')}
    ), revoked AS (
      UPDATE api_keys SET revoked_at = now() FROM tree WHERE api_keys.id = tree.id AND revoked_at IS NULL
    )
    SELECT id FROM tree LIMIT 1`,
};
