import { statement } from '../../platform/database/statement';
import { isValidApiKey } from '../workspaces/valid-api-key.sql';
import type { ApiKey } from './api-key.entity';

export type ValidKey = Pick<
  ApiKey,
  'hash' | 'id' | 'workspaceId' | 'userId' | 'scopes' | 'capId' | 'expiresAt'
> & {
  name: string;
  isSuspended: boolean;
  /** null: the default of the installation. */
  requestsPerMinute: number | null;
};

/** SQL: the name by which the audit calls a key. */
export const keyName = (key: string) => `COALESCE(${key}.name, '…' || ${key}.hint)`;

/** Finds the valid keys among the keys with these hashes. */
export const FIND_VALID_KEYS = statement<{ hashes: Buffer[] }, ValidKey>(
  'find-valid-api-keys',
  `
    SELECT key.hash, key.id, key.workspace_id AS "workspaceId", key.user_id AS "userId", key.scopes, key.cap_id AS "capId", ${keyName('key')} AS name,
           key.expires_at AS "expiresAt", workspace.suspended_at IS NOT NULL AS "isSuspended",
           workspace.quotas_requests_per_minute AS "requestsPerMinute"
    FROM api_keys key JOIN workspaces workspace ON workspace.id = key.workspace_id
    WHERE key.hash = ANY ($hashes) AND ${isValidApiKey('key')}`,
);

export type NewApiKey = Pick<
  ApiKey,
  | 'id'
  | 'parentId'
  | 'linkId'
  | 'personId'
  | 'userId'
  | 'name'
  | 'hash'
  | 'hint'
  | 'scopes'
  | 'expiresAt'
  | 'createdBy'
> & {
  /** A cap of its own. A key below a key with a cap shares that one. */
  callsPerDay: number | null;
};

/** No row: the parent or the session of the link is not valid any more, or the person is no admin. LEAST ignores nulls. */
export const INSERT_KEY = statement<NewApiKey & { workspaceId: string }, Pick<ApiKey, 'expiresAt'>>(
  'insert-api-key',
  `
    WITH cap AS (
      INSERT INTO call_caps (id, workspace_id, calls_per_day)
      SELECT $id::uuid, $workspaceId::uuid, $callsPerDay::integer WHERE $callsPerDay::integer IS NOT NULL
      RETURNING id
    )
    INSERT INTO api_keys (
      id, workspace_id, parent_id, link_id, person_id, user_id, name, hash, hint, scopes, cap_id, expires_at, created_by)
    SELECT $id::uuid, $workspaceId::uuid, $parentId::uuid, $linkId::uuid, $personId::uuid, $userId, $name::text, $hash, $hint, $scopes::text[],
           COALESCE(parent.cap_id, (SELECT id FROM cap)), LEAST($expiresAt::timestamptz, parent.expires_at), $createdBy::jsonb
    FROM (VALUES (1)) AS one
    LEFT JOIN api_keys parent
      ON parent.id = $parentId AND parent.workspace_id = $workspaceId AND ${isValidApiKey('parent')}
    WHERE ($parentId IS NULL OR parent.id IS NOT NULL)
      AND ($linkId IS NULL OR EXISTS (SELECT FROM sessions WHERE id = $linkId AND workspace_id = $workspaceId))
      AND ($personId IS NULL OR EXISTS (
        SELECT FROM people WHERE id = $personId AND workspace_id = $workspaceId AND role = 'admin'))
    RETURNING expires_at AS "expiresAt"`,
);

/**
 * Revokes the key and its descendants. The descendants of a key that has ended have ended too, so the search stops
 * there. No row: there is no such key.
 */
export const REVOKE_KEY = statement<
  { workspaceId: string; keyId: string },
  { revoked: number; name: string }
>(
  'revoke-api-key',
  `
    WITH RECURSIVE tree AS (
      SELECT id FROM api_keys WHERE workspace_id = $workspaceId AND id = $keyId
      UNION ALL
      SELECT child.id FROM tree JOIN api_keys child ON child.parent_id = tree.id WHERE ${isValidApiKey('child')}
    ), revoked AS (
      UPDATE api_keys SET revoked_at = now() FROM tree WHERE api_keys.id = tree.id AND revoked_at IS NULL
      RETURNING api_keys.id
    )
    SELECT (SELECT count(*)::int FROM revoked) AS revoked, ${keyName('key')} AS name
    FROM api_keys key WHERE workspace_id = $workspaceId AND id = $keyId`,
);

/** SQL: revokes the keys with this condition, and their descendants. */
const revokeTrees = (condition: string) => `
    WITH RECURSIVE tree AS (
      SELECT id FROM api_keys WHERE workspace_id = $workspaceId AND ${condition}
      UNION ALL
      SELECT child.id FROM tree JOIN api_keys child ON child.parent_id = tree.id WHERE ${isValidApiKey('child')}
    )
    UPDATE api_keys SET revoked_at = now() FROM tree WHERE api_keys.id = tree.id AND revoked_at IS NULL
    RETURNING api_keys.id`;

/** Revokes the keys that the session of the link has created, and their descendants. */
export const REVOKE_KEYS_OF_LINK = statement<{ workspaceId: string; linkId: string }, { id: string }>(
  'revoke-keys-of-link',
  revokeTrees('link_id = $linkId'),
);

/** Revokes the keys that sessions of the person have created, and their descendants. */
export const REVOKE_KEYS_OF_PERSON = statement<{ workspaceId: string; personId: string }, { id: string }>(
  'revoke-keys-of-person',
  revokeTrees('person_id = $personId'),
);
