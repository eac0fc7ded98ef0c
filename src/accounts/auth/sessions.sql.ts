import { statement } from '../../platform/database/statement';
import type { Credential } from '../../platform/http/access';
import { isValidApiKey } from '../workspaces/valid-api-key.sql';
import { keyName } from './api-keys.sql';
import type { ConsoleLink } from './console-link.entity';
import type { PersonRole } from './roles';
import type { Session } from './session.entity';
import { isOfValidLink } from './valid-link.sql';

/** A session ends after this time without a request. */
export const IDLE_HOURS = 12;

export type ValidSession = Pick<
  Session,
  'hash' | 'id' | 'workspaceId' | 'personId' | 'userId' | 'name' | 'scopes' | 'keyId' | 'linkId' | 'expiresAt'
> & {
  /** The role of the person; null: no person signed in. */
  role: PersonRole | null;
  kind: Credential['kind'];
  /** The cap that counts its calls. */
  capId: string | null;
  /** The name of the key; null for a token or a link. */
  keyName: string | null;
  /** The time in seconds since 1970. */
  iat: number | null;
  isSuspended: boolean;
  /** null: the default of the installation. */
  requestsPerMinute: number | null;
};

/**
 * SQL: the valid sessions. The key of a session must be valid; a session without a key needs a credential that was
 * issued after the last revocation of all tokens. The session of a person follows the role of the person.
 */
const validSessions = (condition: string) => `
  FROM sessions session
  JOIN workspaces workspace ON workspace.id = session.workspace_id
  LEFT JOIN api_keys key ON key.id = session.key_id
  LEFT JOIN people person ON person.id = session.person_id
  WHERE ${condition}
    AND session.expires_at > now() AND session.last_used_at > now() - interval '${IDLE_HOURS} hours'
    AND (session.key_id IS NULL OR ${isValidApiKey('key')})
    AND CASE WHEN session.person_id IS NULL THEN ${isOfValidLink('session.link_id', 'session.workspace_id')}
        ELSE person.id IS NOT NULL END
    AND (session.credential_kind = 'api-key' OR workspace.tokens_not_before IS NULL
         OR session.issued_at >= workspace.tokens_not_before)`;

/** SQL: null for a session of a token or a link. */
const KEY_NAME = `CASE WHEN session.credential_kind = 'api-key' THEN ${keyName('key')} END`;

/** SQL: a person may have another name now. */
const NAME = 'COALESCE(person.name, session.name)';

/** Finds the valid sessions among the sessions with these hashes. */
export const FIND_VALID_SESSIONS = statement<{ hashes: Buffer[] }, ValidSession>(
  'find-valid-sessions',
  `
    SELECT session.hash, session.id, session.workspace_id AS "workspaceId", session.user_id AS "userId",
           ${NAME} AS name, session.scopes, session.key_id AS "keyId", key.cap_id AS "capId",
           session.link_id AS "linkId",
           session.person_id AS "personId", person.role, session.expires_at AS "expiresAt",
           session.credential_kind AS kind, extract(epoch FROM session.issued_at)::float8 AS iat,
           ${KEY_NAME} AS "keyName",
           workspace.suspended_at IS NOT NULL AS "isSuspended",
           workspace.quotas_requests_per_minute AS "requestsPerMinute"
    ${validSessions('session.hash = ANY ($hashes)')}`,
);

export type ListedSession = Pick<
  Session,
  'id' | 'userId' | 'name' | 'scopes' | 'createdAt' | 'lastUsedAt' | 'expiresAt' | 'ip'
> &
  Pick<ValidSession, 'kind' | 'keyName' | 'role'>;

/** One page of the valid sessions, those that began last first. Each row has how many there are, also if the page is empty. */
export const LIST_SESSIONS = statement<
  { workspaceId: string; offset: number; limit: number },
  { total: number } & (ListedSession | { id: null })
>(
  'list-sessions',
  `
    WITH valid AS MATERIALIZED (
      SELECT session.id, session.user_id AS "userId", ${NAME} AS name, session.scopes, person.role, session.credential_kind AS kind,
             ${KEY_NAME} AS "keyName", session.created_at AS "createdAt", session.last_used_at AS "lastUsedAt", session.ip,
             LEAST(session.expires_at, session.last_used_at + interval '${IDLE_HOURS} hours') AS "expiresAt"
      ${validSessions('session.workspace_id = $workspaceId')}
    ), page AS (
      SELECT * FROM valid ORDER BY "createdAt" DESC, id DESC OFFSET $offset LIMIT $limit
    )
    SELECT total, page.* FROM (SELECT count(*)::int AS total FROM valid) AS counted LEFT JOIN page ON true
    ORDER BY "createdAt" DESC, id DESC`,
);

export type NewSession = Pick<
  Session,
  | 'id'
  | 'hash'
  | 'credentialKind'
  | 'keyId'
  | 'linkId'
  | 'personId'
  | 'userId'
  | 'name'
  | 'scopes'
  | 'issuedAt'
  | 'expiresAt'
  | 'ip'
>;

/** Ends the oldest sessions of a credential, so that it has `max` sessions with the next one. */
export const END_OLDEST_SESSIONS = statement<
  Pick<NewSession, 'credentialKind' | 'keyId' | 'userId'> & { workspaceId: string; max: number }
>(
  'end-oldest-sessions',
  `
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions
      WHERE workspace_id = $workspaceId AND credential_kind = $credentialKind
        AND key_id IS NOT DISTINCT FROM $keyId::uuid AND user_id = $userId
      ORDER BY created_at DESC, id DESC OFFSET $max::int - 1 FOR UPDATE)`,
);

export type EndedSession = Pick<Session, 'id' | 'credentialKind' | 'keyId'>;

export const END_SESSION = statement<{ workspaceId: string; id: string }, EndedSession>(
  'end-session',
  `
    DELETE FROM sessions WHERE workspace_id = $workspaceId AND id = $id
    RETURNING id, credential_kind AS "credentialKind", key_id AS "keyId"`,
);

/** Deletes ended sessions of all workspaces. A session whose credential was revoked is found by its idle time. */
export const DELETE_ENDED_SESSIONS = statement<{ limit: number }, { id: string }>(
  'delete-ended-sessions',
  `
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions
      WHERE expires_at <= now() OR last_used_at <= now() - interval '${IDLE_HOURS} hours'
      LIMIT $limit FOR UPDATE SKIP LOCKED)
    RETURNING id`,
);

export type ValidLink = Pick<
  ConsoleLink,
  'hash' | 'id' | 'workspaceId' | 'personId' | 'userId' | 'createdAt'
> & {
  /** The name of the person now, or the one that the operator gave. */
  name: string | null;
  role: PersonRole | null;
  isSuspended: boolean;
  requestsPerMinute: number | null;
};

const IS_UNUSED = 'link.expires_at > now() AND link.used_at IS NULL AND link.revoked_at IS NULL';

/** Finds the usable links among the links with these hashes. */
export const FIND_VALID_LINKS = statement<{ hashes: Buffer[] }, ValidLink>(
  'find-valid-console-links',
  `
    SELECT link.hash, link.id, link.workspace_id AS "workspaceId", link.user_id AS "userId",
           COALESCE(person.name, link.name) AS name, link.person_id AS "personId", person.role, link.created_at AS "createdAt", workspace.suspended_at IS NOT NULL AS "isSuspended",
           workspace.quotas_requests_per_minute AS "requestsPerMinute"
    FROM console_links link
    JOIN workspaces workspace ON workspace.id = link.workspace_id
    LEFT JOIN people person ON person.id = link.person_id
    WHERE link.hash = ANY ($hashes) AND ${IS_UNUSED}
      AND (workspace.tokens_not_before IS NULL OR link.created_at >= workspace.tokens_not_before)`,
);

/** No row: another request has used it, or it has expired. */
export const USE_LINK = statement<{ workspaceId: string; id: string }, { id: string }>(
  'use-console-link',
  `
    UPDATE console_links link SET used_at = now()
    WHERE workspace_id = $workspaceId AND id = $id AND ${IS_UNUSED} RETURNING id`,
);

/** No row: it was revoked before, or has expired without a use. */
export const REVOKE_LINK = statement<{ workspaceId: string; id: string }, { wasUnused: boolean }>(
  'revoke-console-link',
  `
    UPDATE console_links link SET revoked_at = now()
    WHERE workspace_id = $workspaceId AND id = $id AND revoked_at IS NULL
      AND (used_at IS NOT NULL OR expires_at > now())
    RETURNING used_at IS NULL AS "wasUnused"`,
);

export const END_SESSIONS_OF_LINK = statement<{ workspaceId: string; linkId: string }, { id: string }>(
  'end-sessions-of-link',
  `
    DELETE FROM sessions WHERE workspace_id = $workspaceId AND link_id = $linkId RETURNING id`,
);

/** Makes the links of a person worthless that were not used yet. */
export const REVOKE_UNUSED_LINKS_OF_PERSON = statement<{ workspaceId: string; personId: string }>(
  'revoke-unused-links-of-person',
  `
    UPDATE console_links link SET revoked_at = now()
    WHERE workspace_id = $workspaceId AND person_id = $personId AND ${IS_UNUSED}`,
);

/** Notes the first session of a person. No row: it was noted before. */
export const NOTE_JOINED = statement<
  { workspaceId: string; personId: string },
  { name: string; role: string }
>(
  'note-person-joined',
  `
    UPDATE people SET joined_at = now() WHERE workspace_id = $workspaceId AND id = $personId AND joined_at IS NULL
    RETURNING name, role`,
);

/**
 * Deletes links when nothing of them is valid any more: a used one has a session and tokens for seven days at most.
 */
export const DELETE_EXPIRED_LINKS = statement<{ limit: number }, { id: string }>(
  'delete-expired-console-links',
  `
    DELETE FROM console_links
    WHERE id IN (
      SELECT id FROM console_links
      WHERE expires_at <= now() AND (used_at IS NULL OR used_at <= now() - interval '8 days')
      LIMIT $limit FOR UPDATE SKIP LOCKED)
    RETURNING id`,
);
