-- The SQL statements of the product as they are sent to Postgres, sorted by the folder of src/ and by name.
-- The sources compose many of them from parts that several statements share. Only line breaks and indentation differ.
-- Of statements that one export declares, such as a list in several orders, the first is shown and the others are named.
-- Queries that TypeORM makes are not here. npm run generate writes this file; do not edit it.

--
-- src/accounts/audit/
--

-- delete-old-audit-entries (src/accounts/audit/audit.sql.ts)
-- $1 limit, $2 days
DELETE FROM audit_entries
WHERE id = ANY (ARRAY(
  SELECT id FROM audit_entries
  WHERE id IN (SELECT id FROM audit_entries ORDER BY id LIMIT $1)
    AND created_at < now() - $2::int * interval '1 day'
  FOR UPDATE SKIP LOCKED))
RETURNING id;

-- insert-audit-entries (src/accounts/audit/audit.sql.ts)
-- $1 entries
INSERT INTO audit_entries (workspace_id, actor_kind, actor_id, actor_name, action, target_kind, target_id,
    target_name, details, request_id, ip, created_at)
SELECT "workspaceId", "actorKind", "actorId", "actorName", action, "targetKind", "targetId", "targetName", details,
  "requestId", ip, clock_timestamp()
FROM json_to_recordset($1::json) AS entry (
    "workspaceId" uuid, "actorKind" text, "actorId" text, "actorName" text, action text, "targetKind" text,
    "targetId" text, "targetName" text, details jsonb, "requestId" text, ip text);

--
-- src/accounts/auth/
--

-- delete-ended-sessions (src/accounts/auth/sessions.sql.ts)
-- $1 limit
DELETE FROM sessions WHERE id IN (
  SELECT id FROM sessions
  WHERE expires_at <= now() OR last_used_at <= now() - interval '12 hours'
  LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING id;

-- delete-expired-console-links (src/accounts/auth/sessions.sql.ts)
-- $1 limit
DELETE FROM console_links
WHERE id IN (
  SELECT id FROM console_links
  WHERE expires_at <= now() AND (used_at IS NULL OR used_at <= now() - interval '8 days')
  LIMIT $1 FOR UPDATE SKIP LOCKED)
RETURNING id;

-- end-oldest-sessions (src/accounts/auth/sessions.sql.ts)
-- $1 workspaceId, $2 credentialKind, $3 keyId, $4 userId, $5 max
DELETE FROM sessions WHERE id IN (
  SELECT id FROM sessions
  WHERE workspace_id = $1 AND credential_kind = $2
    AND key_id IS NOT DISTINCT FROM $3::uuid AND user_id = $4
  ORDER BY created_at DESC, id DESC OFFSET $5::int - 1 FOR UPDATE);

-- end-session (src/accounts/auth/sessions.sql.ts)
-- $1 workspaceId, $2 id
DELETE FROM sessions WHERE workspace_id = $1 AND id = $2
RETURNING id, credential_kind AS "credentialKind", key_id AS "keyId";

-- end-sessions-of-link (src/accounts/auth/sessions.sql.ts)
-- $1 workspaceId, $2 linkId
DELETE FROM sessions WHERE workspace_id = $1 AND link_id = $2 RETURNING id;

-- find-quota-of-api_keys (src/accounts/auth/quotas.sql.ts)
-- $1 workspaceId
SELECT quotas_api_keys AS "limit",
  (SELECT count(*) FROM api_keys AS key WHERE workspace_id = $1 AND key.revoked_at IS NULL
      AND (key.expires_at IS NULL OR key.expires_at > now())) AS used
FROM workspaces WHERE id = $1;

-- find-quota-of-people (src/accounts/auth/quotas.sql.ts)
-- $1 workspaceId
SELECT NULL::bigint AS "limit", (SELECT count(*) FROM people WHERE workspace_id = $1) AS used
FROM workspaces WHERE id = $1;

-- find-quota-of-sessions (src/accounts/auth/quotas.sql.ts)
-- $1 workspaceId
SELECT NULL::bigint AS "limit", (SELECT count(*) FROM sessions WHERE workspace_id = $1 AND expires_at > now()) AS used
FROM workspaces WHERE id = $1;

-- find-valid-api-keys (src/accounts/auth/api-keys.sql.ts)
-- $1 hashes
SELECT key.hash, key.id, key.workspace_id AS "workspaceId", key.user_id AS "userId", key.scopes, key.cap_id AS "capId",
  COALESCE(key.name, '…' || key.hint) AS name,
  key.expires_at AS "expiresAt", workspace.suspended_at IS NOT NULL AS "isSuspended",
  workspace.quotas_requests_per_minute AS "requestsPerMinute"
FROM api_keys key JOIN workspaces workspace ON workspace.id = key.workspace_id
WHERE key.hash = ANY ($1) AND key.revoked_at IS NULL AND (key.expires_at IS NULL OR key.expires_at > now());

-- find-valid-console-links (src/accounts/auth/sessions.sql.ts)
-- $1 hashes
SELECT link.hash, link.id, link.workspace_id AS "workspaceId", link.user_id AS "userId",
  COALESCE(person.name, link.name) AS name, link.person_id AS "personId", person.role, link.created_at AS "createdAt",
  workspace.suspended_at IS NOT NULL AS "isSuspended",
  workspace.quotas_requests_per_minute AS "requestsPerMinute"
FROM console_links link
JOIN workspaces workspace ON workspace.id = link.workspace_id
LEFT JOIN people person ON person.id = link.person_id
WHERE link.hash = ANY ($1) AND link.expires_at > now() AND link.used_at IS NULL AND link.revoked_at IS NULL
  AND (workspace.tokens_not_before IS NULL OR link.created_at >= workspace.tokens_not_before);

-- find-valid-sessions (src/accounts/auth/sessions.sql.ts)
-- $1 hashes
SELECT session.hash, session.id, session.workspace_id AS "workspaceId", session.user_id AS "userId",
  COALESCE(person.name, session.name) AS name, session.scopes, session.key_id AS "keyId", key.cap_id AS "capId",
  session.link_id AS "linkId",
  session.person_id AS "personId", person.role, session.expires_at AS "expiresAt",
  session.credential_kind AS kind, extract(epoch FROM session.issued_at)::float8 AS iat,
  CASE WHEN session.credential_kind = 'api-key' THEN COALESCE(key.name, '…' || key.hint) END AS "keyName",
  workspace.suspended_at IS NOT NULL AS "isSuspended",
  workspace.quotas_requests_per_minute AS "requestsPerMinute"
FROM sessions session
JOIN workspaces workspace ON workspace.id = session.workspace_id
LEFT JOIN api_keys key ON key.id = session.key_id
LEFT JOIN people person ON person.id = session.person_id
WHERE session.hash = ANY ($1)
  AND session.expires_at > now() AND session.last_used_at > now() - interval '12 hours'
  AND (session.key_id IS NULL OR key.revoked_at IS NULL AND (key.expires_at IS NULL OR key.expires_at > now()))
  AND CASE WHEN session.person_id IS NULL THEN (session.link_id IS NULL OR EXISTS (
    SELECT FROM console_links link LEFT JOIN people creator ON creator.id = link.person_id
    WHERE link.id = session.link_id AND link.workspace_id = session.workspace_id AND link.revoked_at IS NULL
      AND (link.person_id IS NULL OR creator.role = 'admin')))
  ELSE person.id IS NOT NULL END
  AND (session.credential_kind = 'api-key' OR workspace.tokens_not_before IS NULL
      OR session.issued_at >= workspace.tokens_not_before);

-- find-workspaces-of-tokens (src/accounts/auth/tokens.sql.ts)
-- $1 tokens
SELECT place, suspended_at IS NOT NULL AS "isSuspended", quotas_requests_per_minute AS "requestsPerMinute",
  key.cap_id AS "capId"
FROM json_to_recordset($1::json) AS token (place integer, "workspaceId" uuid, "keyId" uuid, "linkId" uuid, iat float8)
JOIN workspaces workspace ON workspace.id = token."workspaceId"
LEFT JOIN api_keys key
  ON key.id = token."keyId" AND key.workspace_id = workspace.id AND key.revoked_at IS NULL
  AND (key.expires_at IS NULL OR key.expires_at > now())
WHERE (tokens_not_before IS NULL OR token.iat >= extract(epoch FROM tokens_not_before))
  AND (token."keyId" IS NULL OR key.id IS NOT NULL)
  AND (token."linkId" IS NULL OR EXISTS (
    SELECT FROM console_links link LEFT JOIN people creator ON creator.id = link.person_id
    WHERE link.id = token."linkId" AND link.workspace_id = workspace.id AND link.revoked_at IS NULL
      AND (link.person_id IS NULL OR creator.role = 'admin')));

-- insert-api-key (src/accounts/auth/api-keys.sql.ts)
-- $1 id, $2 workspaceId, $3 callsPerDay, $4 parentId, $5 linkId, $6 personId, $7 userId, $8 name, $9 hash, $10 hint, $11 scopes, $12 expiresAt, $13 createdBy
WITH cap AS (
  INSERT INTO call_caps (id, workspace_id, calls_per_day)
  SELECT $1::uuid, $2::uuid, $3::integer WHERE $3::integer IS NOT NULL
  RETURNING id
)
INSERT INTO api_keys (
    id, workspace_id, parent_id, link_id, person_id, user_id, name, hash, hint, scopes, cap_id, expires_at, created_by)
SELECT $1::uuid, $2::uuid, $4::uuid, $5::uuid, $6::uuid, $7, $8::text, $9, $10, $11::text[],
  COALESCE(parent.cap_id, (SELECT id FROM cap)), LEAST($12::timestamptz, parent.expires_at), $13::jsonb
FROM (VALUES (1)) AS one
LEFT JOIN api_keys parent
  ON parent.id = $4 AND parent.workspace_id = $2 AND parent.revoked_at IS NULL
  AND (parent.expires_at IS NULL OR parent.expires_at > now())
WHERE ($4 IS NULL OR parent.id IS NOT NULL)
  AND ($5 IS NULL OR EXISTS (SELECT FROM sessions WHERE id = $5 AND workspace_id = $2))
  AND ($6 IS NULL OR EXISTS (
    SELECT FROM people WHERE id = $6 AND workspace_id = $2 AND role = 'admin'))
RETURNING expires_at AS "expiresAt";

-- list-sessions (src/accounts/auth/sessions.sql.ts)
-- $1 workspaceId, $2 offset, $3 limit
WITH valid AS MATERIALIZED (
  SELECT session.id, session.user_id AS "userId", COALESCE(person.name, session.name) AS name, session.scopes,
    person.role, session.credential_kind AS kind,
    CASE WHEN session.credential_kind = 'api-key' THEN COALESCE(key.name, '…' || key.hint) END AS "keyName",
    session.created_at AS "createdAt", session.last_used_at AS "lastUsedAt", session.ip,
    LEAST(session.expires_at, session.last_used_at + interval '12 hours') AS "expiresAt"
  FROM sessions session
  JOIN workspaces workspace ON workspace.id = session.workspace_id
  LEFT JOIN api_keys key ON key.id = session.key_id
  LEFT JOIN people person ON person.id = session.person_id
  WHERE session.workspace_id = $1
    AND session.expires_at > now() AND session.last_used_at > now() - interval '12 hours'
    AND (session.key_id IS NULL OR key.revoked_at IS NULL AND (key.expires_at IS NULL OR key.expires_at > now()))
    AND CASE WHEN session.person_id IS NULL THEN (session.link_id IS NULL OR EXISTS (
      SELECT FROM console_links link LEFT JOIN people creator ON creator.id = link.person_id
      WHERE link.id = session.link_id AND link.workspace_id = session.workspace_id AND link.revoked_at IS NULL
        AND (link.person_id IS NULL OR creator.role = 'admin')))
    ELSE person.id IS NOT NULL END
    AND (session.credential_kind = 'api-key' OR workspace.tokens_not_before IS NULL
        OR session.issued_at >= workspace.tokens_not_before)
), page AS (
  SELECT * FROM valid ORDER BY "createdAt" DESC, id DESC OFFSET $2 LIMIT $3
)
SELECT total, page.* FROM (SELECT count(*)::int AS total FROM valid) AS counted LEFT JOIN page ON true
ORDER BY "createdAt" DESC, id DESC;

-- note-person-joined (src/accounts/auth/sessions.sql.ts)
-- $1 workspaceId, $2 personId
UPDATE people SET joined_at = now() WHERE workspace_id = $1 AND id = $2 AND joined_at IS NULL
RETURNING name, role;

-- note-uses-of-api_keys (src/accounts/auth/last-uses.sql.ts)
-- $1 uses
WITH used AS (
  SELECT id, to_timestamp(at / 1000.0) AS at FROM json_to_recordset($1::json) AS used (id uuid, at float8)
), locked AS (
  SELECT api_keys.id FROM api_keys JOIN used ON used.id = api_keys.id
  FOR NO KEY UPDATE OF api_keys SKIP LOCKED
)
UPDATE api_keys SET last_used_at = GREATEST(last_used_at, used.at)
FROM locked JOIN used ON used.id = locked.id WHERE api_keys.id = locked.id;

-- note-uses-of-people (src/accounts/auth/last-uses.sql.ts)
-- $1 uses
WITH used AS (
  SELECT id, to_timestamp(at / 1000.0) AS at FROM json_to_recordset($1::json) AS used (id uuid, at float8)
), locked AS (
  SELECT people.id FROM people JOIN used ON used.id = people.id
  FOR NO KEY UPDATE OF people SKIP LOCKED
)
UPDATE people SET last_used_at = GREATEST(last_used_at, used.at)
FROM locked JOIN used ON used.id = locked.id WHERE people.id = locked.id;

-- note-uses-of-sessions (src/accounts/auth/last-uses.sql.ts)
-- $1 uses
WITH used AS (
  SELECT id, to_timestamp(at / 1000.0) AS at FROM json_to_recordset($1::json) AS used (id uuid, at float8)
), locked AS (
  SELECT sessions.id FROM sessions JOIN used ON used.id = sessions.id
  FOR NO KEY UPDATE OF sessions SKIP LOCKED
)
UPDATE sessions SET last_used_at = GREATEST(last_used_at, used.at)
FROM locked JOIN used ON used.id = locked.id WHERE sessions.id = locked.id;

-- revoke-all-tokens (src/accounts/auth/tokens.sql.ts)
-- $1 workspaceId
UPDATE workspaces SET tokens_not_before = GREATEST(tokens_not_before, now()) WHERE id = $1
RETURNING tokens_not_before AS "tokensNotBefore";

-- revoke-api-key (src/accounts/auth/api-keys.sql.ts)
-- $1 workspaceId, $2 keyId
WITH RECURSIVE tree AS (
  SELECT id FROM api_keys WHERE workspace_id = $1 AND id = $2
  UNION ALL
  SELECT child.id FROM tree JOIN api_keys child ON child.parent_id = tree.id WHERE child.revoked_at IS NULL
    AND (child.expires_at IS NULL OR child.expires_at > now())
), revoked AS (
  UPDATE api_keys SET revoked_at = now() FROM tree WHERE api_keys.id = tree.id AND revoked_at IS NULL
  RETURNING api_keys.id
)
SELECT (SELECT count(*)::int FROM revoked) AS revoked, COALESCE(key.name, '…' || key.hint) AS name
FROM api_keys key WHERE workspace_id = $1 AND id = $2;

-- revoke-console-link (src/accounts/auth/sessions.sql.ts)
-- $1 workspaceId, $2 id
UPDATE console_links link SET revoked_at = now()
WHERE workspace_id = $1 AND id = $2 AND revoked_at IS NULL
  AND (used_at IS NOT NULL OR expires_at > now())
RETURNING used_at IS NULL AS "wasUnused";

-- revoke-keys-of-link (src/accounts/auth/api-keys.sql.ts)
-- $1 workspaceId, $2 linkId
WITH RECURSIVE tree AS (
  SELECT id FROM api_keys WHERE workspace_id = $1 AND link_id = $2
  UNION ALL
  SELECT child.id FROM tree JOIN api_keys child ON child.parent_id = tree.id WHERE child.revoked_at IS NULL
    AND (child.expires_at IS NULL OR child.expires_at > now())
)
UPDATE api_keys SET revoked_at = now() FROM tree WHERE api_keys.id = tree.id AND revoked_at IS NULL
RETURNING api_keys.id;

-- revoke-keys-of-person (src/accounts/auth/api-keys.sql.ts)
-- $1 workspaceId, $2 personId
WITH RECURSIVE tree AS (
  SELECT id FROM api_keys WHERE workspace_id = $1 AND person_id = $2
  UNION ALL
  SELECT child.id FROM tree JOIN api_keys child ON child.parent_id = tree.id WHERE child.revoked_at IS NULL
    AND (child.expires_at IS NULL OR child.expires_at > now())
)
UPDATE api_keys SET revoked_at = now() FROM tree WHERE api_keys.id = tree.id AND revoked_at IS NULL
RETURNING api_keys.id;

-- revoke-unused-links-of-person (src/accounts/auth/sessions.sql.ts)
-- $1 workspaceId, $2 personId
UPDATE console_links link SET revoked_at = now()
WHERE workspace_id = $1 AND person_id = $2 AND link.expires_at > now() AND link.used_at IS NULL
  AND link.revoked_at IS NULL;

-- use-console-link (src/accounts/auth/sessions.sql.ts)
-- $1 workspaceId, $2 id
UPDATE console_links link SET used_at = now()
WHERE workspace_id = $1 AND id = $2 AND link.expires_at > now() AND link.used_at IS NULL
  AND link.revoked_at IS NULL RETURNING id;

--
-- src/accounts/idempotency/
--

-- claim-idempotency-key (src/accounts/idempotency/idempotency.sql.ts)
-- $1 workspaceId, $2 endpoint, $3 idempotencyKey, $4 owner, $5 fingerprint
INSERT INTO idempotency_keys AS held (workspace_id, endpoint, key, owner, fingerprint, locked_until)
VALUES ($1, $2, $3, $4, $5, now() + interval '15 seconds')
ON CONFLICT (workspace_id, endpoint, key) DO UPDATE SET
  owner = CASE WHEN (
      held.created_at <= now() - interval '24 hours'
      OR (held.answer IS NULL AND held.locked_until <= now())) THEN excluded.owner ELSE held.owner END,
  fingerprint = CASE WHEN (
      held.created_at <= now() - interval '24 hours'
      OR (held.answer IS NULL AND held.locked_until <= now())) THEN excluded.fingerprint ELSE held.fingerprint END,
  answer = CASE WHEN (
      held.created_at <= now() - interval '24 hours'
      OR (held.answer IS NULL AND held.locked_until <= now())) THEN excluded.answer ELSE held.answer END,
  created_at = CASE WHEN (
      held.created_at <= now() - interval '24 hours'
      OR (held.answer IS NULL AND held.locked_until <= now())) THEN excluded.created_at ELSE held.created_at END,
  locked_until = CASE WHEN (
      held.created_at <= now() - interval '24 hours'
      OR (held.answer IS NULL AND held.locked_until <= now())) THEN excluded.locked_until ELSE CASE
  WHEN held.locked_until > now() THEN held.locked_until END END
RETURNING owner = $4 AS "isOwned", locked_until IS NOT NULL AS "isInProgress",
  fingerprint = $5 AS "isSameBody", answer AS response;

-- complete-idempotent-attempt (src/accounts/idempotency/idempotency.sql.ts)
-- $1 workspaceId, $2 endpoint, $3 idempotencyKey, $4 owner
UPDATE idempotency_keys SET locked_until = NULL WHERE
  workspace_id = $1 AND endpoint = $2 AND key = $3 AND owner = $4 AND answer IS NOT NULL;

-- delete-expired-idempotency-keys (src/accounts/idempotency/idempotency.sql.ts)
-- $1 limit
DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM idempotency_keys WHERE created_at <= now() - interval '24 hours'
  ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED))
RETURNING owner;

-- discard-idempotency-key (src/accounts/idempotency/idempotency.sql.ts)
-- $1 workspaceId, $2 endpoint, $3 idempotencyKey, $4 owner
DELETE FROM idempotency_keys WHERE
  workspace_id = $1 AND endpoint = $2 AND key = $3 AND owner = $4 AND answer IS NULL;

-- lock-idempotent-response (src/accounts/idempotency/idempotency.sql.ts)
-- $1 workspaceId, $2 endpoint, $3 idempotencyKey, $4 owner
SELECT owner FROM idempotency_keys WHERE
  workspace_id = $1 AND endpoint = $2 AND key = $3 AND owner = $4 AND locked_until IS NOT NULL FOR UPDATE;

-- renew-idempotency-key (src/accounts/idempotency/idempotency.sql.ts)
-- $1 workspaceId, $2 endpoint, $3 idempotencyKey, $4 owner
UPDATE idempotency_keys SET locked_until = now() + interval '15 seconds' WHERE
  workspace_id = $1 AND endpoint = $2 AND key = $3 AND owner = $4 AND locked_until IS NOT NULL;

-- replace-idempotent-response (src/accounts/idempotency/idempotency.sql.ts)
-- $1 response, $2 workspaceId, $3 endpoint, $4 idempotencyKey, $5 owner
UPDATE idempotency_keys SET answer = $1, locked_until = NULL WHERE
  workspace_id = $2 AND endpoint = $3 AND key = $4 AND owner = $5;

-- replace-idempotent-success (src/accounts/idempotency/idempotency.sql.ts)
-- $1 response, $2 workspaceId, $3 endpoint, $4 idempotencyKey, $5 owner
UPDATE idempotency_keys SET answer = $1, locked_until = NULL
WHERE
  workspace_id = $2 AND endpoint = $3 AND key = $4 AND owner = $5 AND locked_until IS NOT NULL RETURNING owner;

-- store-idempotent-response (src/accounts/idempotency/idempotency.sql.ts)
-- $1 response, $2 workspaceId, $3 endpoint, $4 idempotencyKey, $5 owner
UPDATE idempotency_keys SET answer = $1 WHERE
  workspace_id = $2 AND endpoint = $3 AND key = $4 AND owner = $5 AND answer IS NULL RETURNING owner;

--
-- src/accounts/oidc/
--

-- find-people-of-identity (src/accounts/oidc/people-of-identity.sql.ts)
-- $1 issuer, $2 subject, $3 limit
SELECT person.id, person.workspace_id AS "workspaceId", person.name, person.role
FROM people person JOIN workspaces workspace ON workspace.id = person.workspace_id
WHERE issuer = $1 AND subject = $2 AND workspace.suspended_at IS NULL
ORDER BY person.last_used_at DESC NULLS LAST, person.id LIMIT $3;

-- find-workspace-open-to-identity (src/accounts/oidc/people-of-identity.sql.ts)
-- $1 workspaceId, $2 issuer, $3 subject
SELECT id FROM workspaces workspace
WHERE id = $1 AND suspended_at IS NULL
  AND NOT EXISTS (
    SELECT FROM people WHERE workspace_id = $1 AND issuer = $2 AND subject = $3)
  AND NOT EXISTS (
    SELECT FROM removed_identities
    WHERE workspace_id = $1 AND issuer = $2 AND subject = $3);

-- insert-person-of-identity (src/accounts/oidc/people-of-identity.sql.ts)
-- $1 id, $2 workspaceId, $3 name, $4 email, $5 role, $6 issuer, $7 subject
INSERT INTO people AS person (id, workspace_id, name, email, role, issuer, subject)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT DO NOTHING RETURNING person.id, person.workspace_id AS "workspaceId", person.name, person.role;

-- link-identity-to-people (src/accounts/oidc/people-of-identity.sql.ts)
-- $1 issuer, $2 subject, $3 email
WITH linked AS (
  UPDATE people person SET issuer = $1, subject = $2
  WHERE email = $3 AND issuer IS NULL AND NOT EXISTS (
    SELECT FROM people other
    WHERE other.workspace_id = person.workspace_id AND other.issuer = $1 AND other.subject = $2)
  RETURNING person.id, person.workspace_id AS "workspaceId", person.name, person.role
), forgotten AS (
  DELETE FROM removed_identities removed USING linked
  WHERE removed.workspace_id = linked."workspaceId" AND issuer = $1 AND subject = $2
)
SELECT * FROM linked;

--
-- src/accounts/people/
--

-- delete-person (src/accounts/people/people.sql.ts)
-- $1 workspaceId, $2 id
WITH removed AS (
  DELETE FROM people person WHERE workspace_id = $1 AND id = $2
    AND (person.role <> 'admin' OR person.joined_at IS NULL OR EXISTS (
      SELECT FROM people other
      WHERE other.workspace_id = person.workspace_id AND other.id <> person.id AND other.role = 'admin'
        AND other.joined_at IS NOT NULL))
  RETURNING workspace_id, name, issuer, subject
), noted AS (
  INSERT INTO removed_identities (workspace_id, issuer, subject)
  SELECT workspace_id, issuer, subject FROM removed WHERE issuer IS NOT NULL
  ON CONFLICT DO NOTHING
)
SELECT name FROM removed;

-- end-sessions-of-person (src/accounts/people/people.sql.ts)
-- $1 workspaceId, $2 id
DELETE FROM sessions WHERE workspace_id = $1 AND person_id = $2 RETURNING id;

-- find-person (src/accounts/people/people.sql.ts)
-- $1 workspaceId, $2 id
SELECT
  person.id, person.name, person.email, person.role, person.joined_at AS "joinedAt",
  person.last_used_at AS "lastUsedAt", person.invited_by AS "invitedBy", person.created_at AS "createdAt",
  person.issuer IS NOT NULL AS "hasIdentity",
  (SELECT max(link.expires_at)
    FROM console_links link JOIN workspaces workspace ON workspace.id = link.workspace_id
    WHERE link.person_id = person.id AND link.used_at IS NULL AND link.revoked_at IS NULL AND link.expires_at > now()
      AND (workspace.tokens_not_before IS NULL OR link.created_at >= workspace.tokens_not_before)) AS "linkExpiresAt"
FROM people person WHERE workspace_id = $1 AND id = $2;

-- find-person-by-email (src/accounts/people/people.sql.ts)
-- $1 workspaceId, $2 email, $3 id
SELECT id FROM people WHERE workspace_id = $1 AND email = $2 AND id <> $3;

-- insert-person (src/accounts/people/people.sql.ts)
-- $1 id, $2 workspaceId, $3 name, $4 email, $5 role, $6 invitedBy
INSERT INTO people (id, workspace_id, name, email, role, invited_by)
VALUES ($1, $2, $3, $4, $5, $6::jsonb)
ON CONFLICT (workspace_id, email) DO NOTHING RETURNING id;

-- list-people (src/accounts/people/people.sql.ts)
-- $1 workspaceId, $2 offset, $3 limit
WITH page AS (
  SELECT * FROM people WHERE workspace_id = $1 ORDER BY lower(name), id OFFSET $2 LIMIT $3
)
SELECT total,
  person.id, person.name, person.email, person.role, person.joined_at AS "joinedAt",
  person.last_used_at AS "lastUsedAt", person.invited_by AS "invitedBy", person.created_at AS "createdAt",
  person.issuer IS NOT NULL AS "hasIdentity",
  (SELECT max(link.expires_at)
    FROM console_links link JOIN workspaces workspace ON workspace.id = link.workspace_id
    WHERE link.person_id = person.id AND link.used_at IS NULL AND link.revoked_at IS NULL AND link.expires_at > now()
      AND (workspace.tokens_not_before IS NULL OR link.created_at >= workspace.tokens_not_before)) AS "linkExpiresAt"
FROM (SELECT count(*)::int AS total FROM people WHERE workspace_id = $1) AS counted
LEFT JOIN page AS person ON true
ORDER BY lower(person.name), person.id;

-- update-person (src/accounts/people/people.sql.ts)
-- $1 name, $2 email, $3 role, $4 workspaceId, $5 id
UPDATE people person SET name = $1, email = $2, role = $3
WHERE workspace_id = $4 AND id = $5 AND ($3 = 'admin' OR (person.role <> 'admin' OR person.joined_at IS NULL OR EXISTS (
  SELECT FROM people other
  WHERE other.workspace_id = person.workspace_id AND other.id <> person.id AND other.role = 'admin'
    AND other.joined_at IS NOT NULL)))
RETURNING id;

--
-- src/accounts/workspaces/
--

-- check balances (src/accounts/workspaces/invariants.sql.ts), not prepared
-- $1 after, $2 workspaceId
WITH page AS MATERIALIZED (
  SELECT workspaces.id, workspaces.id AS workspace_id,
    CASE WHEN credits <> ledger.amount
    THEN format('The balance is %s, and the sum of the ledger is %s', credits, ledger.amount) END AS detail
  FROM (
    SELECT * FROM workspaces
    WHERE id > $1 AND ($2::uuid IS NULL OR id = $2)
    ORDER BY id LIMIT 1) workspaces
  CROSS JOIN LATERAL (
    SELECT COALESCE(sum(amount), 0) AS amount FROM credit_entries WHERE workspace_id = workspaces.id) ledger)
SELECT count(*)::int AS checked,
  (array_agg(id ORDER BY id DESC))[1] AS last,
  COALESCE(
      jsonb_agg(jsonb_build_object('workspaceId', workspace_id, 'id', id, 'detail', detail) ORDER BY id)
      FILTER (WHERE detail IS NOT NULL),
      '[]') AS violations
FROM page;

-- compare-balances (src/accounts/workspaces/invariants.sql.ts), not prepared
-- $1 end, $2 sums, $3 workspaceId
WITH recent AS MATERIALIZED (
  SELECT workspace_id, sum(amount) AS amount FROM credit_entries WHERE id > $1 GROUP BY workspace_id
)
SELECT count(*)::int AS checked,
  COALESCE(array_agg(workspaces.id) FILTER (
    WHERE credits <> COALESCE(earlier.amount, 0) + COALESCE(recent.amount, 0)), '{}') AS different
FROM workspaces
LEFT JOIN jsonb_to_recordset($2::jsonb) AS earlier ("workspaceId" uuid, amount bigint)
  ON earlier."workspaceId" = workspaces.id
LEFT JOIN recent ON recent.workspace_id = workspaces.id
WHERE $3::uuid IS NULL OR workspaces.id = $3;

-- extend-time-limit-of-balance (src/accounts/workspaces/invariants.sql.ts), not prepared
SET LOCAL statement_timeout = '300s';

-- find-ledger-end (src/accounts/workspaces/invariants.sql.ts), not prepared
SELECT id FROM credit_entries WHERE created_at < now() - interval '1 hour' ORDER BY id DESC LIMIT 1;

-- find-quota-of-concurrent_calls (src/accounts/workspaces/quotas.sql.ts)
-- also find-quota-of-credits_per_day
-- also find-quota-of-requests_per_minute
-- $1 workspaceId
SELECT quotas_concurrent_calls AS "limit", (SELECT workspaces.calls_under_way) AS used
FROM workspaces WHERE id = $1;

-- set-quota-of-agents (src/accounts/workspaces/quotas.sql.ts)
-- also set-quota-of-api_keys
-- also set-quota-of-concurrent_calls
-- also set-quota-of-credits_per_day
-- also set-quota-of-knowledge_base_bytes
-- also set-quota-of-phone_numbers
-- also set-quota-of-recipients
-- also set-quota-of-recording_bytes
-- also set-quota-of-requests_per_minute
-- $1 limit, $2 workspaceId
UPDATE workspaces SET quotas_agents = $1 WHERE id = $2 RETURNING id;

-- sum-ledger (src/accounts/workspaces/invariants.sql.ts), not prepared
-- $1 after, $2 end, $3 workspaceId
WITH step AS MATERIALIZED (
  SELECT id, workspace_id, amount FROM credit_entries WHERE id > $1 AND id <= $2 ORDER BY id LIMIT 200000
), sums AS (
  SELECT workspace_id, sum(amount) AS amount FROM step
  WHERE $3::uuid IS NULL OR workspace_id = $3 GROUP BY workspace_id
)
SELECT (SELECT max(id) FROM step) AS last,
  (SELECT COALESCE(jsonb_agg(jsonb_build_object('workspaceId', workspace_id, 'amount', amount)), '[]') FROM sums) AS sums;

--
-- src/features/agents/
--

-- assign-knowledge-base (src/features/agents/knowledge-base-assignments.sql.ts)
-- $1 knowledgeBaseId, $2 agentIds
INSERT INTO knowledge_base_assignments (agent_id, knowledge_base_id, position)
SELECT agent_id, $1, (SELECT COALESCE(max(position) + 1, 0) FROM knowledge_base_assignments existing
  WHERE existing.agent_id = agents.agent_id)
FROM unnest($2::uuid[]) AS agents (agent_id)
ON CONFLICT DO NOTHING RETURNING agent_id AS "agentId";

-- find-agent-snapshot (src/features/agents/agent-versions.sql.ts)
-- $1 agentId, $2 version, $3 workspaceId
SELECT snapshot, tools, analysis FROM agent_versions
WHERE agent_id = $1 AND version = $2 AND workspace_id = $3;

-- find-agent-variables (src/features/agents/agents.sql.ts)
-- $1 workspaceId, $2 id
SELECT id, config -> 'dynamic_variables' AS declared, config ->> 'greeting' AS greeting,
  concat_ws(E'\n', config ->> 'prompt', config ->> 'greeting', config ->> 'localisedPrompt',
      config -> 'voicemailConfig' ->> 'message') AS texts
FROM (
  SELECT agents.id, COALESCE(snapshot, config) AS config
  FROM agents LEFT JOIN agent_versions ON gated AND agent_id = agents.id AND version = active_version
  WHERE agents.workspace_id = $1 AND agents.id = $2 AND deleted_at IS NULL
) AS agent;

-- find-agents-naming-tools (src/features/agents/agents.sql.ts)
-- $1 workspaceId, $2 names
SELECT id FROM agents
WHERE workspace_id = $1 AND deleted_at IS NULL AND config -> 'actions' ?| $2::text[];

-- find-quota-of-agents (src/features/agents/quotas.sql.ts)
-- $1 workspaceId
SELECT quotas_agents AS "limit", (SELECT count(*) FROM agents WHERE workspace_id = $1 AND deleted_at IS NULL) AS used
FROM workspaces WHERE id = $1;

-- find-quota-of-prompt_templates (src/features/agents/quotas.sql.ts)
-- $1 workspaceId
SELECT NULL::bigint AS "limit", (SELECT count(*) FROM prompt_templates WHERE workspace_id = $1) AS used
FROM workspaces WHERE id = $1;

-- find-voice-engines (src/features/agents/agents.sql.ts)
-- $1 workspaceId, $2 ids
SELECT id, config -> 'voiceConfig' ->> 'provider' AS "voiceEngine" FROM agents
WHERE workspace_id = $1 AND id = ANY ($2);

-- raise-agent-versions (src/features/agents/agents.sql.ts)
-- $1 updatedBy, $2 ids
UPDATE agents SET deployment_version = deployment_version + 1,
  deployment_last_updated = now(), updated_at = now(), updated_by = $1::jsonb
WHERE id = ANY (ARRAY(SELECT id FROM agents WHERE id = ANY ($2) ORDER BY id FOR NO KEY UPDATE));

-- store-agent-versions (src/features/agents/agent-versions.sql.ts)
-- $1 createdBy, $2 restoredFrom, $3 ids
INSERT INTO agent_versions (agent_id, version, workspace_id, snapshot, tools, analysis, created_by, restored_from)
SELECT id, deployment_version, workspace_id,
  agents.config - '{description,image,features,popularity,templateCategory,industry,recommendedActions,stats}'::text[]
  || jsonb_build_object('name', agents.name, 'type', agents.type,
      'knowledgeBases', COALESCE(
          (SELECT jsonb_agg(knowledge_base_id ORDER BY position)
            FROM knowledge_base_assignments WHERE agent_id = agents.id), '[]')),
  COALESCE((
    SELECT jsonb_agg(definition || jsonb_build_object('tool_id', id, 'name', name) ORDER BY place)
    FROM (
      SELECT tools.id, tools.name, tools.definition, min(named.place) AS place
      FROM jsonb_array_elements_text(agents.config -> 'actions') WITH ORDINALITY AS named (name, place)
      JOIN tools ON tools.workspace_id = agents.workspace_id AND tools.name = named.name
      GROUP BY tools.id ORDER BY place LIMIT 40
    ) AS named), '[]'), analysis, $1::jsonb, $2::integer
FROM agents WHERE id = ANY ($3)
ON CONFLICT DO NOTHING
RETURNING agent_id AS id;

-- unassign-knowledge-base (src/features/agents/knowledge-base-assignments.sql.ts)
-- $1 knowledgeBaseId, $2 agentIds
DELETE FROM knowledge_base_assignments WHERE knowledge_base_id = $1 AND agent_id = ANY ($2)
RETURNING agent_id AS "agentId";

--
-- src/features/calls/counts/
--

-- add-call-segments (src/features/calls/counts/segment-calls.sql.ts)
-- $1 workspaceId, $2 segmentedUntil, $3 starts, $4 ends
WITH state AS MATERIALIZED (
  SELECT workspace_id, revision FROM call_rollup_states
  WHERE workspace_id = $1 AND segmented_until = $2::timestamptz
    AND pg_try_advisory_xact_lock(hashtextextended('call rollups of ' || workspace_id, 0))
), segment AS MATERIALIZED (
  SELECT * FROM state, unnest($3::timestamptz[], $4::timestamptz[]) AS segment (starts_at, ends_at)
), ended AS MATERIALIZED (
  SELECT segment.workspace_id, segment.starts_at, sums.* FROM segment CROSS JOIN LATERAL (
    SELECT value_of.dimension, value_of.value,
      count(*) FILTER (WHERE status = 'disconnected') AS connected,
      count(*) FILTER (WHERE status = 'failed') AS failed,
      COALESCE(sum(duration_sec) FILTER (WHERE status = 'disconnected'), 0) AS seconds,
      COALESCE(sum(charge), 0) AS credits
    FROM conversations AS call
    CROSS JOIN LATERAL (VALUES ('all', ''), ('agent', call.agent_id::text),
        ('agent_version', call.agent_id || '/' || call.agent_version), ('campaign', COALESCE(call.campaign_id::text, '')),
        ('direction', call.direction), ('channel', call.channel), ('call_type', call.call_type),
        ('disconnect_reason', COALESCE(call.disconnect_reason, '')), ('outcome', left(call.outcome, 100)),
        ('worker', COALESCE(call.worker_id, '')),
        ('line', CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END),
        ('duration',
            width_bucket(call.duration_sec,
                '{0,1,5,6,10,11,15,16,20,21,30,31,45,46,60,61,90,91,120,121,180,181,240,241,300,301,420,421,600,601,900,901,1200,1201,1800,1801,3600,3601}'::int[])::text))
      AS value_of (dimension, value)
    WHERE
      call.workspace_id = segment.workspace_id
      AND call.created_at >= segment.starts_at AND call.created_at < segment.ends_at
    GROUP BY 1, 2) AS sums
), moved AS (
  UPDATE call_rollup_states
  SET segmented_until = (SELECT max(ends_at) FROM segment), revision = call_rollup_states.revision + 1
  FROM state
  WHERE call_rollup_states.workspace_id = state.workspace_id
    AND call_rollup_states.revision = state.revision
  RETURNING call_rollup_states.workspace_id
), added AS (
  INSERT INTO call_segments (workspace_id, starts_at, ends_at)
  SELECT workspace_id, starts_at, ends_at FROM segment JOIN moved USING (workspace_id)
  RETURNING *
), durations AS (
  INSERT INTO call_segment_durations (workspace_id, starts_at, connected, failed)
  SELECT segment.workspace_id, segment.starts_at, durations.connected, durations.failed
  FROM added AS segment CROSS JOIN LATERAL (
    SELECT
      COALESCE(array_agg(duration_sec ORDER BY duration_sec) FILTER (WHERE status = 'disconnected'), '{}') AS connected,
      COALESCE(array_agg(duration_sec ORDER BY duration_sec) FILTER (WHERE status = 'failed'), '{}') AS failed
    FROM conversations AS call WHERE
      call.workspace_id = segment.workspace_id
      AND call.created_at >= segment.starts_at AND call.created_at < segment.ends_at) AS durations
  ON CONFLICT (workspace_id, starts_at) DO UPDATE SET connected = EXCLUDED.connected, failed = EXCLUDED.failed
), counted AS (
  SELECT ended.* FROM ended JOIN moved USING (workspace_id)
),
  value_sums AS MATERIALIZED (
    SELECT workspace_id, dimension, value,
      encode(substring(sha256(convert_to(
          source.workspace_id::text || source.dimension || ':' || source.value, 'UTF8')) FROM 1 FOR 16), 'hex')::uuid AS value_id,
      starts_at,
      sum(connected) AS connected, sum(failed) AS failed, sum(seconds) AS seconds, sum(credits) AS credits
    FROM counted AS source
    GROUP BY workspace_id, dimension, value, starts_at
    HAVING (sum(connected), sum(failed), sum(seconds), sum(credits)) <> (0, 0, 0, 0)
  ), known_values AS (
    INSERT INTO call_values (id, workspace_id, dimension, value)
    SELECT DISTINCT value_id, workspace_id, dimension, value FROM value_sums
    ON CONFLICT (id) DO NOTHING
  ), added_sums AS (
    INSERT INTO call_value_rollups (value_id, starts_at, connected, failed, seconds, credits)
    SELECT value_id, starts_at, connected, failed, seconds, credits FROM value_sums
    ON CONFLICT (value_id, starts_at) DO UPDATE
    SET connected = call_value_rollups.connected + EXCLUDED.connected, failed = call_value_rollups.failed + EXCLUDED.failed,
      seconds = call_value_rollups.seconds + EXCLUDED.seconds, credits = call_value_rollups.credits + EXCLUDED.credits
  )
SELECT EXISTS (SELECT FROM moved) AS "hasMoved";

-- add-roll-up-states (src/features/calls/counts/roll-up-calls.sql.ts)
INSERT INTO call_rollup_states (workspace_id)
SELECT id FROM workspaces WHERE id NOT IN (SELECT workspace_id FROM call_rollup_states)
ORDER BY id
ON CONFLICT DO NOTHING;

-- check-call-rollups-of-day (src/features/calls/counts/check-rollups.sql.ts)
-- $1 workspaceId, $2 day
WITH
  state AS MATERIALIZED (
    SELECT workspace_id, rolled_up_until, revision FROM call_rollup_states WHERE workspace_id = $1
  ), calls AS MATERIALIZED (
    SELECT workspace_id, agent_id, call_type, date_bin(interval '15 minutes', created_at, timestamptz '2000-01-01 00:00Z')
      AS starts_at,
      count(*) FILTER (WHERE status = 'disconnected') AS connected,
      count(*) FILTER (WHERE status = 'failed') AS failed,
      COALESCE(sum(duration_sec) FILTER (WHERE status = 'disconnected'), 0) AS seconds,
      COALESCE(sum(charge), 0) AS credits
    FROM state JOIN conversations USING (workspace_id)
    WHERE created_at >= $2 AND created_at < $2::timestamptz + interval '1 day' AND created_at < rolled_up_until
    GROUP BY 1, 2, 3, 4
  ), counted AS MATERIALIZED (
    SELECT source.workspace_id, subject_id, bucket_minutes,
      date_bin(bucket, source.starts_at, timestamptz '2000-01-01 00:00Z') AS starts_at,
      source.call_type, sum(source.connected) AS connected, sum(source.failed) AS failed, sum(source.seconds) AS seconds,
      sum(source.credits) AS credits
    FROM calls AS source
    CROSS JOIN LATERAL (VALUES (source.agent_id), (source.workspace_id)) AS subject (subject_id)
    CROSS JOIN (VALUES (15, interval '15 minutes'), (1440, interval '1 day')) AS length (bucket_minutes, bucket)
    GROUP BY 1, 2, 3, 4, 5), stored AS MATERIALIZED (
      SELECT * FROM call_rollups
      WHERE workspace_id = $1 AND subject_id IN (
        SELECT id FROM agents WHERE workspace_id = $1 UNION ALL SELECT $1) AND starts_at >= $2
        AND starts_at < $2::timestamptz + interval '1 day'
    ), differences AS MATERIALIZED (
      SELECT subject_id, bucket_minutes, starts_at, call_type, COALESCE(counted.connected, 0) AS counted_connected,
        COALESCE(stored.connected, 0) AS stored_connected, COALESCE(counted.failed, 0) AS counted_failed,
        COALESCE(stored.failed, 0) AS stored_failed, COALESCE(counted.seconds, 0) AS counted_seconds,
        COALESCE(stored.seconds, 0) AS stored_seconds, COALESCE(counted.credits, 0) AS counted_credits,
        COALESCE(stored.credits, 0) AS stored_credits
      FROM counted FULL JOIN stored USING (subject_id, bucket_minutes, starts_at, call_type)
      WHERE (COALESCE(counted.connected, 0), COALESCE(counted.failed, 0), COALESCE(counted.seconds, 0),
          COALESCE(counted.credits, 0)) <> (COALESCE(stored.connected, 0), COALESCE(stored.failed, 0),
              COALESCE(stored.seconds, 0), COALESCE(stored.credits, 0))
    )
SELECT subject_id AS "subjectId", bucket_minutes AS "bucketMinutes", starts_at AS "startsAt",
  call_type AS "callType",
  jsonb_build_object('connected', stored_connected::text, 'failed', stored_failed::text, 'seconds', stored_seconds::text,
      'credits', stored_credits::text) AS stored,
  jsonb_build_object('connected', counted_connected::text, 'failed', counted_failed::text, 'seconds',
      counted_seconds::text, 'credits', counted_credits::text) AS counted
FROM differences ORDER BY subject_id, bucket_minutes, starts_at, call_type;

-- check-call-segments-of-day (src/features/calls/counts/check-segments.sql.ts)
-- $1 workspaceId, $2 day
WITH
  state AS MATERIALIZED (
    SELECT workspace_id, revision FROM call_rollup_states WHERE workspace_id = $1
  ), segment AS MATERIALIZED (
    SELECT call_segments.* FROM state JOIN call_segments USING (workspace_id)
    WHERE starts_at >= $2 AND starts_at < $2::timestamptz + interval '1 day'
  ), counted AS MATERIALIZED (
    SELECT segment.starts_at, sums.* FROM segment CROSS JOIN LATERAL (
      SELECT value_of.dimension, value_of.value,
        count(*) FILTER (WHERE status = 'disconnected') AS connected,
        count(*) FILTER (WHERE status = 'failed') AS failed,
        COALESCE(sum(duration_sec) FILTER (WHERE status = 'disconnected'), 0) AS seconds,
        COALESCE(sum(charge), 0) AS credits
      FROM conversations AS call
      CROSS JOIN LATERAL (VALUES ('all', ''), ('agent', call.agent_id::text),
          ('agent_version', call.agent_id || '/' || call.agent_version), ('campaign', COALESCE(call.campaign_id::text, '')),
          ('direction', call.direction), ('channel', call.channel), ('call_type', call.call_type),
          ('disconnect_reason', COALESCE(call.disconnect_reason, '')), ('outcome', left(call.outcome, 100)),
          ('worker', COALESCE(call.worker_id, '')),
          ('line', CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END),
          ('duration',
              width_bucket(call.duration_sec,
                  '{0,1,5,6,10,11,15,16,20,21,30,31,45,46,60,61,90,91,120,121,180,181,240,241,300,301,420,421,600,601,900,901,1200,1201,1800,1801,3600,3601}'::int[])::text))
        AS value_of (dimension, value)
      WHERE
        call.workspace_id = segment.workspace_id
        AND call.created_at >= segment.starts_at AND call.created_at < segment.ends_at
      GROUP BY 1, 2) AS sums
  ), stored AS MATERIALIZED (
    SELECT dimension, value, segment.starts_at, sum(rollup.connected) AS connected, sum(rollup.failed) AS failed,
      sum(rollup.seconds) AS seconds, sum(rollup.credits) AS credits
    FROM segment
    JOIN call_values ON call_values.workspace_id = segment.workspace_id
    JOIN (SELECT * FROM call_value_rollups UNION ALL SELECT * FROM call_value_corrections) AS rollup
      ON rollup.value_id = call_values.id
      AND rollup.starts_at >= segment.starts_at AND rollup.starts_at < segment.ends_at
    GROUP BY 1, 2, 3
  ), differences AS MATERIALIZED (
    SELECT dimension, value, starts_at, COALESCE(counted.connected, 0) AS counted_connected, COALESCE(stored.connected, 0)
      AS stored_connected, COALESCE(counted.failed, 0) AS counted_failed, COALESCE(stored.failed, 0) AS stored_failed,
      COALESCE(counted.seconds, 0) AS counted_seconds, COALESCE(stored.seconds, 0) AS stored_seconds,
      COALESCE(counted.credits, 0) AS counted_credits, COALESCE(stored.credits, 0) AS stored_credits
    FROM counted FULL JOIN stored USING (dimension, value, starts_at)
  ), wrong AS MATERIALIZED (
    SELECT * FROM differences
    WHERE (counted_connected, counted_failed, counted_seconds, counted_credits) <> (stored_connected, stored_failed,
        stored_seconds, stored_credits)
  )
SELECT dimension, value, starts_at AS "startsAt",
  jsonb_build_object('connected', stored_connected::text, 'failed', stored_failed::text, 'seconds', stored_seconds::text,
      'credits', stored_credits::text) AS stored,
  jsonb_build_object('connected', counted_connected::text, 'failed', counted_failed::text, 'seconds',
      counted_seconds::text, 'credits', counted_credits::text) AS counted
FROM wrong ORDER BY dimension, value, starts_at;

-- check-durations-of-day (src/features/calls/counts/check-durations.sql.ts)
-- $1 workspaceId, $2 day
WITH
  state AS MATERIALIZED (
    SELECT workspace_id, revision FROM call_rollup_states WHERE workspace_id = $1
  ), segment AS MATERIALIZED (
    SELECT call_segments.* FROM state JOIN call_segments USING (workspace_id)
    WHERE starts_at >= $2 AND starts_at < $2::timestamptz + interval '1 day'
  ), counted AS MATERIALIZED (
    SELECT segment.starts_at, duration_sec, count(*) FILTER (WHERE status = 'disconnected') AS connected,
      count(*) FILTER (WHERE status = 'failed') AS failed
    FROM segment JOIN conversations AS call ON
      call.workspace_id = segment.workspace_id
      AND call.created_at >= segment.starts_at AND call.created_at < segment.ends_at GROUP BY 1, 2
  ), durations AS (
    SELECT call_segment_durations.* FROM segment JOIN call_segment_durations USING (workspace_id, starts_at)
  ), stored AS MATERIALIZED (
    SELECT starts_at, duration_sec, sum(connected) AS connected, sum(failed) AS failed
    FROM (
      SELECT starts_at, unnest(connected) AS duration_sec, 1 AS connected, 0 AS failed FROM durations
      UNION ALL
      SELECT starts_at, unnest(failed), 0, 1 FROM durations
      UNION ALL
      SELECT segment.starts_at, correction.duration_sec, correction.connected, correction.failed
      FROM segment JOIN call_duration_corrections AS correction ON correction.workspace_id = segment.workspace_id
        AND correction.starts_at >= segment.starts_at AND correction.starts_at < segment.ends_at
    ) AS calls
    GROUP BY 1, 2
  ), wrong AS MATERIALIZED (
    SELECT starts_at, duration_sec, COALESCE(counted.connected, 0) AS counted_connected, COALESCE(counted.failed, 0)
      AS counted_failed, COALESCE(stored.connected, 0) AS stored_connected, COALESCE(stored.failed, 0) AS stored_failed
    FROM counted FULL JOIN stored USING (starts_at, duration_sec)
    WHERE (COALESCE(counted.connected, 0), COALESCE(counted.failed, 0))
      <> (COALESCE(stored.connected, 0), COALESCE(stored.failed, 0))
  )
SELECT duration_sec AS "durationSec", starts_at AS "startsAt",
  jsonb_build_object('connected', stored_connected, 'failed', stored_failed) AS stored,
  jsonb_build_object('connected', counted_connected, 'failed', counted_failed) AS counted
FROM wrong ORDER BY starts_at, duration_sec;

-- extend-time-limit-of-segments (src/features/calls/counts/segment-calls.sql.ts)
SET LOCAL statement_timeout = '300s';

-- find-days-of-call-rollups (src/features/calls/counts/check-rollups.sql.ts)
-- $1 workspaceId
SELECT date_bin(interval '1 day', min(first), timestamptz '2000-01-01 00:00Z') AS first,
  date_bin(interval '1 day', max(last), timestamptz '2000-01-01 00:00Z') AS last
FROM (
  SELECT min(created_at) AS first, max(created_at) AS last FROM conversations WHERE workspace_id = $1
  UNION ALL
  SELECT min(starts_at), max(starts_at) FROM call_rollups
  WHERE subject_id IN (
    SELECT id FROM agents WHERE workspace_id = $1 UNION ALL SELECT $1) AND bucket_minutes = 1440
) AS times;

-- find-roll-up-horizon (src/features/calls/counts/roll-up-calls.sql.ts)
SELECT NULLIF(date_bin(interval '15 minutes', LEAST(now() - interval '5 minutes', min(started_at)),
    timestamptz '2000-01-01 00:00Z'), '-infinity') AS horizon
FROM (
  SELECT CASE WHEN (pg_has_role(usesysid, 'USAGE') OR pg_has_role('pg_read_all_stats', 'USAGE'))
    AND state IS DISTINCT FROM 'disabled' THEN xact_start
    WHEN pid IN (SELECT pid FROM pg_locks WHERE locktype = 'virtualxid') THEN '-infinity' END AS started_at
  FROM pg_stat_activity
  WHERE datname = current_database() AND usesysid IS NOT NULL AND pid <> pg_backend_pid()
) AS transactions;

-- find-unsegmented-quarters (src/features/calls/counts/segment-calls.sql.ts)
-- $1 workspaceId
SELECT starts_at AS "startsAt", sum(connected + failed)::int AS calls, segmented_until::text AS "segmentedUntil"
FROM call_rollup_states AS state
JOIN call_rollups ON subject_id = state.workspace_id AND bucket_minutes = 15
  AND starts_at >= segmented_until AND starts_at < rolled_up_until
WHERE state.workspace_id = $1
GROUP BY starts_at, segmented_until
ORDER BY starts_at LIMIT 2000;

-- find-workspaces-to-roll-up (src/features/calls/counts/roll-up-calls.sql.ts)
-- $1 horizon
SELECT workspace_id AS "workspaceId" FROM call_rollup_states AS state
WHERE rolled_up_until < $1 AND (
  SELECT created_at FROM conversations
  WHERE workspace_id = state.workspace_id AND created_at >= state.rolled_up_until AND created_at < $1
  ORDER BY created_at LIMIT 1) IS NOT NULL;

-- find-workspaces-with-roll-up-states (src/features/calls/counts/check-rollups.sql.ts)
SELECT workspace_id AS "workspaceId" FROM call_rollup_states ORDER BY workspace_id;

-- rebuild-call-rollups-of-day (src/features/calls/counts/check-rollups.sql.ts)
-- $1 workspaceId, $2 day
WITH
  state AS MATERIALIZED (
    SELECT workspace_id, rolled_up_until, revision FROM call_rollup_states WHERE workspace_id = $1
  ), calls AS MATERIALIZED (
    SELECT workspace_id, agent_id, call_type, date_bin(interval '15 minutes', created_at, timestamptz '2000-01-01 00:00Z')
      AS starts_at,
      count(*) FILTER (WHERE status = 'disconnected') AS connected,
      count(*) FILTER (WHERE status = 'failed') AS failed,
      COALESCE(sum(duration_sec) FILTER (WHERE status = 'disconnected'), 0) AS seconds,
      COALESCE(sum(charge), 0) AS credits
    FROM state JOIN conversations USING (workspace_id)
    WHERE created_at >= $2 AND created_at < $2::timestamptz + interval '1 day' AND created_at < rolled_up_until
    GROUP BY 1, 2, 3, 4
  ), counted AS MATERIALIZED (
    SELECT source.workspace_id, subject_id, bucket_minutes,
      date_bin(bucket, source.starts_at, timestamptz '2000-01-01 00:00Z') AS starts_at,
      source.call_type, sum(source.connected) AS connected, sum(source.failed) AS failed, sum(source.seconds) AS seconds,
      sum(source.credits) AS credits
    FROM calls AS source
    CROSS JOIN LATERAL (VALUES (source.agent_id), (source.workspace_id)) AS subject (subject_id)
    CROSS JOIN (VALUES (15, interval '15 minutes'), (1440, interval '1 day')) AS length (bucket_minutes, bucket)
    GROUP BY 1, 2, 3, 4, 5), stored AS MATERIALIZED (
      SELECT * FROM call_rollups
      WHERE workspace_id = $1 AND subject_id IN (
        SELECT id FROM agents WHERE workspace_id = $1 UNION ALL SELECT $1) AND starts_at >= $2
        AND starts_at < $2::timestamptz + interval '1 day'
    ), differences AS MATERIALIZED (
      SELECT subject_id, bucket_minutes, starts_at, call_type, COALESCE(counted.connected, 0) AS counted_connected,
        COALESCE(stored.connected, 0) AS stored_connected, COALESCE(counted.failed, 0) AS counted_failed,
        COALESCE(stored.failed, 0) AS stored_failed, COALESCE(counted.seconds, 0) AS counted_seconds,
        COALESCE(stored.seconds, 0) AS stored_seconds, COALESCE(counted.credits, 0) AS counted_credits,
        COALESCE(stored.credits, 0) AS stored_credits
      FROM counted FULL JOIN stored USING (subject_id, bucket_minutes, starts_at, call_type)
      WHERE (COALESCE(counted.connected, 0), COALESCE(counted.failed, 0), COALESCE(counted.seconds, 0),
          COALESCE(counted.credits, 0)) <> (COALESCE(stored.connected, 0), COALESCE(stored.failed, 0),
              COALESCE(stored.seconds, 0), COALESCE(stored.credits, 0))
    ), counts AS MATERIALIZED (
      SELECT count(*)::int AS differences FROM differences
    ), locked AS (
      UPDATE call_rollup_states SET revision = call_rollup_states.revision + 1
      FROM state, counts
      WHERE call_rollup_states.workspace_id = state.workspace_id
        AND call_rollup_states.revision = state.revision AND differences > 0
      RETURNING call_rollup_states.workspace_id
    ), corrected AS (
      INSERT INTO call_rollups (workspace_id, subject_id, bucket_minutes, starts_at, call_type, connected, failed, seconds,
          credits)
      SELECT workspace_id, subject_id, bucket_minutes, starts_at, call_type, counted_connected - stored_connected,
        counted_failed - stored_failed, counted_seconds - stored_seconds, counted_credits - stored_credits
      FROM differences, locked
      ON CONFLICT (subject_id, bucket_minutes, starts_at, call_type) DO UPDATE
      SET connected = call_rollups.connected + EXCLUDED.connected, failed = call_rollups.failed + EXCLUDED.failed,
        seconds = call_rollups.seconds + EXCLUDED.seconds, credits = call_rollups.credits + EXCLUDED.credits
    )
SELECT differences, differences = 0 OR EXISTS (SELECT FROM locked) AS "isDone" FROM counts;

-- rebuild-call-segments-of-day (src/features/calls/counts/check-segments.sql.ts)
-- $1 workspaceId, $2 day
WITH
  state AS MATERIALIZED (
    SELECT workspace_id, revision FROM call_rollup_states WHERE workspace_id = $1
  ), segment AS MATERIALIZED (
    SELECT call_segments.* FROM state JOIN call_segments USING (workspace_id)
    WHERE starts_at >= $2 AND starts_at < $2::timestamptz + interval '1 day'
  ), counted AS MATERIALIZED (
    SELECT segment.starts_at, sums.* FROM segment CROSS JOIN LATERAL (
      SELECT value_of.dimension, value_of.value,
        count(*) FILTER (WHERE status = 'disconnected') AS connected,
        count(*) FILTER (WHERE status = 'failed') AS failed,
        COALESCE(sum(duration_sec) FILTER (WHERE status = 'disconnected'), 0) AS seconds,
        COALESCE(sum(charge), 0) AS credits
      FROM conversations AS call
      CROSS JOIN LATERAL (VALUES ('all', ''), ('agent', call.agent_id::text),
          ('agent_version', call.agent_id || '/' || call.agent_version), ('campaign', COALESCE(call.campaign_id::text, '')),
          ('direction', call.direction), ('channel', call.channel), ('call_type', call.call_type),
          ('disconnect_reason', COALESCE(call.disconnect_reason, '')), ('outcome', left(call.outcome, 100)),
          ('worker', COALESCE(call.worker_id, '')),
          ('line', CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END),
          ('duration',
              width_bucket(call.duration_sec,
                  '{0,1,5,6,10,11,15,16,20,21,30,31,45,46,60,61,90,91,120,121,180,181,240,241,300,301,420,421,600,601,900,901,1200,1201,1800,1801,3600,3601}'::int[])::text))
        AS value_of (dimension, value)
      WHERE
        call.workspace_id = segment.workspace_id
        AND call.created_at >= segment.starts_at AND call.created_at < segment.ends_at
      GROUP BY 1, 2) AS sums
  ), stored AS MATERIALIZED (
    SELECT dimension, value, segment.starts_at, sum(rollup.connected) AS connected, sum(rollup.failed) AS failed,
      sum(rollup.seconds) AS seconds, sum(rollup.credits) AS credits
    FROM segment
    JOIN call_values ON call_values.workspace_id = segment.workspace_id
    JOIN (SELECT * FROM call_value_rollups UNION ALL SELECT * FROM call_value_corrections) AS rollup
      ON rollup.value_id = call_values.id
      AND rollup.starts_at >= segment.starts_at AND rollup.starts_at < segment.ends_at
    GROUP BY 1, 2, 3
  ), differences AS MATERIALIZED (
    SELECT dimension, value, starts_at, COALESCE(counted.connected, 0) AS counted_connected, COALESCE(stored.connected, 0)
      AS stored_connected, COALESCE(counted.failed, 0) AS counted_failed, COALESCE(stored.failed, 0) AS stored_failed,
      COALESCE(counted.seconds, 0) AS counted_seconds, COALESCE(stored.seconds, 0) AS stored_seconds,
      COALESCE(counted.credits, 0) AS counted_credits, COALESCE(stored.credits, 0) AS stored_credits
    FROM counted FULL JOIN stored USING (dimension, value, starts_at)
  ), wrong AS MATERIALIZED (
    SELECT * FROM differences
    WHERE (counted_connected, counted_failed, counted_seconds, counted_credits) <> (stored_connected, stored_failed,
        stored_seconds, stored_credits)
  ), counts AS MATERIALIZED (
    SELECT count(*)::int AS differences FROM wrong
  ), locked AS (
    UPDATE call_rollup_states SET revision = call_rollup_states.revision + 1
    FROM state, counts
    WHERE call_rollup_states.workspace_id = state.workspace_id
      AND call_rollup_states.revision = state.revision AND differences > 0
    RETURNING call_rollup_states.workspace_id
  ), correction AS (
    SELECT workspace_id, dimension, value, starts_at, counted_connected - stored_connected AS connected,
      counted_failed - stored_failed AS failed, counted_seconds - stored_seconds AS seconds, counted_credits - stored_credits
      AS credits
    FROM wrong, locked
  ),
  value_sums AS MATERIALIZED (
    SELECT workspace_id, dimension, value,
      encode(substring(sha256(convert_to(
          source.workspace_id::text || source.dimension || ':' || source.value, 'UTF8')) FROM 1 FOR 16), 'hex')::uuid AS value_id,
      starts_at,
      sum(connected) AS connected, sum(failed) AS failed, sum(seconds) AS seconds, sum(credits) AS credits
    FROM correction AS source
    GROUP BY workspace_id, dimension, value, starts_at
    HAVING (sum(connected), sum(failed), sum(seconds), sum(credits)) <> (0, 0, 0, 0)
  ), known_values AS (
    INSERT INTO call_values (id, workspace_id, dimension, value)
    SELECT DISTINCT value_id, workspace_id, dimension, value FROM value_sums
    ON CONFLICT (id) DO NOTHING
  ), added_sums AS (
    INSERT INTO call_value_rollups (value_id, starts_at, connected, failed, seconds, credits)
    SELECT value_id, starts_at, connected, failed, seconds, credits FROM value_sums
    ON CONFLICT (value_id, starts_at) DO UPDATE
    SET connected = call_value_rollups.connected + EXCLUDED.connected, failed = call_value_rollups.failed + EXCLUDED.failed,
      seconds = call_value_rollups.seconds + EXCLUDED.seconds, credits = call_value_rollups.credits + EXCLUDED.credits
  )
SELECT differences, differences = 0 OR EXISTS (SELECT FROM locked) AS "isDone" FROM counts;

-- rebuild-durations-of-day (src/features/calls/counts/check-durations.sql.ts)
-- $1 workspaceId, $2 day
WITH
  state AS MATERIALIZED (
    SELECT workspace_id, revision FROM call_rollup_states WHERE workspace_id = $1
  ), segment AS MATERIALIZED (
    SELECT call_segments.* FROM state JOIN call_segments USING (workspace_id)
    WHERE starts_at >= $2 AND starts_at < $2::timestamptz + interval '1 day'
  ), counted AS MATERIALIZED (
    SELECT segment.starts_at, duration_sec, count(*) FILTER (WHERE status = 'disconnected') AS connected,
      count(*) FILTER (WHERE status = 'failed') AS failed
    FROM segment JOIN conversations AS call ON
      call.workspace_id = segment.workspace_id
      AND call.created_at >= segment.starts_at AND call.created_at < segment.ends_at GROUP BY 1, 2
  ), durations AS (
    SELECT call_segment_durations.* FROM segment JOIN call_segment_durations USING (workspace_id, starts_at)
  ), stored AS MATERIALIZED (
    SELECT starts_at, duration_sec, sum(connected) AS connected, sum(failed) AS failed
    FROM (
      SELECT starts_at, unnest(connected) AS duration_sec, 1 AS connected, 0 AS failed FROM durations
      UNION ALL
      SELECT starts_at, unnest(failed), 0, 1 FROM durations
      UNION ALL
      SELECT segment.starts_at, correction.duration_sec, correction.connected, correction.failed
      FROM segment JOIN call_duration_corrections AS correction ON correction.workspace_id = segment.workspace_id
        AND correction.starts_at >= segment.starts_at AND correction.starts_at < segment.ends_at
    ) AS calls
    GROUP BY 1, 2
  ), wrong AS MATERIALIZED (
    SELECT starts_at, duration_sec, COALESCE(counted.connected, 0) AS counted_connected, COALESCE(counted.failed, 0)
      AS counted_failed, COALESCE(stored.connected, 0) AS stored_connected, COALESCE(stored.failed, 0) AS stored_failed
    FROM counted FULL JOIN stored USING (starts_at, duration_sec)
    WHERE (COALESCE(counted.connected, 0), COALESCE(counted.failed, 0))
      <> (COALESCE(stored.connected, 0), COALESCE(stored.failed, 0))
  ), counts AS MATERIALIZED (
    SELECT count(*)::int AS differences FROM wrong
  ), locked AS (
    UPDATE call_rollup_states SET revision = call_rollup_states.revision + 1
    FROM state, counts
    WHERE call_rollup_states.workspace_id = state.workspace_id
      AND call_rollup_states.revision = state.revision AND differences > 0
    RETURNING call_rollup_states.workspace_id
  ), wrong_segment AS MATERIALIZED (
    SELECT segment.* FROM segment JOIN locked USING (workspace_id)
    WHERE starts_at IN (SELECT starts_at FROM wrong)
  ), corrections AS (
    DELETE FROM call_duration_corrections AS correction
    USING wrong_segment AS segment
    WHERE correction.workspace_id = segment.workspace_id
      AND correction.starts_at >= segment.starts_at AND correction.starts_at < segment.ends_at
  ), recounted AS (
    INSERT INTO call_segment_durations (workspace_id, starts_at, connected, failed)
    SELECT segment.workspace_id, segment.starts_at, durations.connected, durations.failed
    FROM wrong_segment AS segment CROSS JOIN LATERAL (
      SELECT
        COALESCE(array_agg(duration_sec ORDER BY duration_sec) FILTER (WHERE status = 'disconnected'), '{}') AS connected,
        COALESCE(array_agg(duration_sec ORDER BY duration_sec) FILTER (WHERE status = 'failed'), '{}') AS failed
      FROM conversations AS call WHERE
        call.workspace_id = segment.workspace_id
        AND call.created_at >= segment.starts_at AND call.created_at < segment.ends_at) AS durations
    ON CONFLICT (workspace_id, starts_at) DO UPDATE SET connected = EXCLUDED.connected, failed = EXCLUDED.failed
  )
SELECT differences, differences = 0 OR EXISTS (SELECT FROM locked) AS "isDone" FROM counts;

-- roll-up-calls (src/features/calls/counts/roll-up-calls.sql.ts)
-- $1 horizon, $2 workspaceId
WITH first AS MATERIALIZED (
  SELECT workspace_id, revision, date_bin(interval '15 minutes', (
    SELECT created_at FROM conversations
    WHERE workspace_id = state.workspace_id AND created_at >= state.rolled_up_until AND created_at < $1
    ORDER BY created_at LIMIT 1), timestamptz '2000-01-01 00:00Z') AS starts_at
  FROM call_rollup_states AS state
  WHERE workspace_id = $2
    AND pg_try_advisory_xact_lock(hashtextextended('call rollups of ' || workspace_id, 0))
), step AS MATERIALIZED (
  SELECT first.*, LEAST($1, date_bin(interval '15 minutes', in_progress.created_at, timestamptz '2000-01-01 00:00Z'),
      GREATEST(starts_at + interval '15 minutes',
          COALESCE(date_bin(interval '15 minutes', next.created_at, timestamptz '2000-01-01 00:00Z'), $1))) AS ends_at
  FROM first
  CROSS JOIN LATERAL (
    SELECT min(created_at) AS created_at FROM conversations
    WHERE workspace_id = first.workspace_id AND ended_at IS NULL) AS in_progress
  LEFT JOIN LATERAL (
    SELECT created_at FROM conversations
    WHERE workspace_id = first.workspace_id AND created_at >= starts_at AND created_at < $1
    ORDER BY created_at OFFSET 20000 LIMIT 1) AS next ON true
), ended AS MATERIALIZED (
  SELECT workspace_id, agent_id, call_type, date_bin(interval '15 minutes', created_at, timestamptz '2000-01-01 00:00Z')
    AS starts_at,
    count(*) FILTER (WHERE status = 'disconnected') AS connected,
    count(*) FILTER (WHERE status = 'failed') AS failed,
    COALESCE(sum(duration_sec) FILTER (WHERE status = 'disconnected'), 0) AS seconds,
    COALESCE(sum(charge), 0) AS credits
  FROM step JOIN conversations USING (workspace_id)
  WHERE created_at >= step.starts_at AND created_at < step.ends_at
  GROUP BY 1, 2, 3, 4
), moved AS (
  UPDATE call_rollup_states AS state SET rolled_up_until = ends_at, revision = state.revision + 1
  FROM step
  WHERE state.workspace_id = step.workspace_id AND state.revision = step.revision AND ends_at > starts_at
  RETURNING ends_at
), counted AS (
  SELECT ended.* FROM ended, moved
), added AS (
  INSERT INTO call_rollups (workspace_id, subject_id, bucket_minutes, starts_at, call_type, connected, failed, seconds,
      credits)
  SELECT source.workspace_id, subject_id, bucket_minutes,
    date_bin(bucket, source.starts_at, timestamptz '2000-01-01 00:00Z') AS starts_at,
    source.call_type, sum(source.connected) AS connected, sum(source.failed) AS failed, sum(source.seconds) AS seconds,
    sum(source.credits) AS credits
  FROM counted AS source
  CROSS JOIN LATERAL (VALUES (source.agent_id), (source.workspace_id)) AS subject (subject_id)
  CROSS JOIN (VALUES (15, interval '15 minutes'), (1440, interval '1 day')) AS length (bucket_minutes, bucket)
  GROUP BY 1, 2, 3, 4, 5
  ON CONFLICT (subject_id, bucket_minutes, starts_at, call_type) DO UPDATE
  SET connected = call_rollups.connected + EXCLUDED.connected, failed = call_rollups.failed + EXCLUDED.failed,
    seconds = call_rollups.seconds + EXCLUDED.seconds, credits = call_rollups.credits + EXCLUDED.credits)
SELECT EXISTS (SELECT FROM moved) AS "hasMoved";

--
-- src/features/calls/lifecycle/
--

-- accept-calls (src/features/calls/lifecycle/accept-calls.sql.ts)
-- also accept-unlocked-calls
-- $1 calls, $2 workspaceConcurrency
WITH call AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS call (
      id uuid, "workspaceId" uuid, "agentId" uuid, "userId" text, "agentVersion" integer, "campaignId" uuid,
      "startedBy" jsonb, "capId" uuid, "callType" text,
      direction text, channel text, "toNumber" text, request jsonb, "ttlSeconds" integer,
      "notAfter" timestamptz, attempt smallint,
      endpoint text, "idempotencyKey" text, owner uuid, response json)
), attempt AS MATERIALIZED (
  SELECT call.id
  FROM call JOIN idempotency_keys held
    ON held.workspace_id = call."workspaceId" AND held.endpoint = call.endpoint
    AND held.key = call."idempotencyKey" AND held.owner = call.owner AND held.answer IS NULL
  ORDER BY held.workspace_id, held.endpoint, held.key
  FOR UPDATE OF held
), candidate AS MATERIALIZED (
  SELECT call.*, agent.*, call.owner IS NULL OR attempt.id IS NOT NULL AS is_owned,
    ((
      SELECT true
      FROM (SELECT call."workspaceId" AS asked_workspace, call."toNumber" AS asked_number) AS asked
      JOIN do_not_call ON do_not_call.workspace_id = asked_workspace AND do_not_call.phone_number = asked_number
      WHERE (do_not_call.expires_at IS NULL OR do_not_call.expires_at > now())
      LIMIT 1) IS NOT NULL) AS is_listed
  FROM call
  -- Not a join of tables: Postgres would read all agents while its statistics say that there are few.
  CROSS JOIN LATERAL (
    SELECT CASE WHEN agents.gated THEN COALESCE(agents.active_type, agents.type) ELSE agents.type END AS type, agents.status
      AS is_on,
      COALESCE(call."agentVersion", CASE WHEN agents.gated THEN agents.active_version ELSE agents.deployment_version END)
      AS version,
      phone_numbers.number
    FROM agents LEFT JOIN phone_numbers ON phone_numbers.agent_id = agents.id
    WHERE agents.id = call."agentId" AND agents.workspace_id = call."workspaceId" AND agents.deleted_at IS NULL
    LIMIT 1
  ) AS agent
  LEFT JOIN attempt ON attempt.id = call.id
),
  workspace_lock AS MATERIALIZED (
    SELECT id, pg_advisory_xact_lock(
        hashtextextended('workspace ' || id, 0)) AS is_free
    FROM (SELECT DISTINCT id
      FROM (SELECT "workspaceId" FROM candidate WHERE is_on AND version IS NOT NULL AND is_owned AND NOT is_listed)
        AS wanted (id) ORDER BY id) AS wanted
  ), workspace AS MATERIALIZED (
    SELECT workspaces.id AS workspace_id,
      workspaces.suspended_at IS NOT NULL AS is_suspended, workspaces.credits / 1 AS affordable,
      (workspaces.quotas_credits_per_day - (CASE
          WHEN workspaces.spent_on >= (now() AT TIME ZONE 'UTC')::date THEN workspaces.spent_credits ELSE 0 END)) / 1
      AS affordable_today, COALESCE(workspaces.quotas_concurrent_calls, $2::integer) - workspaces.calls_under_way
      AS free_slots,
      workspaces.quotas_credits_per_day AS credits_per_day, COALESCE(workspaces.quotas_concurrent_calls, $2::integer)
      AS concurrent_calls
    FROM workspaces
    WHERE workspaces.id = ANY (ARRAY(SELECT id FROM workspace_lock ))
    ORDER BY workspaces.id
    FOR NO KEY UPDATE
  ), cap AS MATERIALIZED (
    SELECT call_caps.id AS cap_id, call_caps.workspace_id AS cap_workspace_id, call_caps.calls_per_day,
      call_caps.calls_per_day - (CASE
          WHEN call_caps.started_on >= (now() AT TIME ZONE 'UTC')::date THEN call_caps.started_calls ELSE 0 END) AS calls_left,
      (((now() AT TIME ZONE 'UTC')::date + 1)::timestamp AT TIME ZONE 'UTC') AS cap_resets_at
    FROM call_caps
    WHERE call_caps.id = ANY (ARRAY(SELECT "capId" FROM candidate JOIN workspace ON workspace_id = "workspaceId"
      WHERE "capId" IS NOT NULL AND is_on AND version IS NOT NULL AND is_owned AND NOT is_listed)) ORDER BY call_caps.id
    FOR NO KEY UPDATE), capped AS (
      SELECT *, COALESCE(row_number() OVER (PARTITION BY cap_id ORDER BY id) > calls_left, false) AS is_over_cap
      FROM candidate JOIN workspace ON workspace_id = "workspaceId"
      LEFT JOIN cap ON cap_id = "capId" AND cap_workspace_id = workspace_id
      WHERE is_on AND version IS NOT NULL AND is_owned AND NOT is_listed
    ), ranked AS (
      SELECT *, count(*) FILTER (WHERE NOT is_over_cap) OVER (PARTITION BY workspace_id ORDER BY id) AS place
      FROM capped
    ), decided AS MATERIALIZED (
      SELECT *, CASE WHEN is_over_cap AND NOT is_suspended THEN 'cap reached' ELSE
        CASE WHEN is_suspended THEN 'suspended'
        WHEN place > affordable THEN 'no credits'
        WHEN place > affordable_today THEN 'no credits today'
        WHEN place > free_slots THEN 'too many calls' END END AS refusal
      FROM ranked
    ), held AS (
      UPDATE workspaces SET credits = credits - 1 * calls, calls_under_way = calls_under_way + calls,
        spent_on = GREATEST(workspaces.spent_on, (now() AT TIME ZONE 'UTC')::date),
        spent_credits = GREATEST(0,
            (CASE WHEN workspaces.spent_on >= (now() AT TIME ZONE 'UTC')::date THEN workspaces.spent_credits
                ELSE 0 END) + 1 * calls)
      FROM (SELECT workspace_id, count(*)::int AS calls FROM decided WHERE refusal IS NULL GROUP BY workspace_id) AS started
      WHERE workspaces.id = started.workspace_id
    ), counted AS (
      UPDATE call_caps SET
        started_on = GREATEST(call_caps.started_on, (now() AT TIME ZONE 'UTC')::date),
        started_calls = (CASE WHEN call_caps.started_on >= (now() AT TIME ZONE 'UTC')::date THEN call_caps.started_calls
            ELSE 0 END) + calls
      FROM (
        SELECT cap_id, count(*)::int AS calls FROM decided WHERE refusal IS NULL AND cap_id IS NOT NULL GROUP BY cap_id
      ) AS started
      WHERE call_caps.id = started.cap_id
    ), accepted AS (
      INSERT INTO conversations (
          id, workspace_id, agent_id, user_id, campaign_id, started_by, call_type, direction, channel, to_number, from_number,
          request, agent_version, attempt, hold, created_at, last_publish_at, expires_at)
      SELECT id, workspace_id, "agentId", "userId", "campaignId", "startedBy", "callType", direction,
        COALESCE(channel, CASE type WHEN 'chat' THEN 'chat'
            ELSE 'voice' END),
        "toNumber", COALESCE(number, ''), request, version, COALESCE(attempt, 1), 1,
        now(), now(), LEAST(now() + "ttlSeconds" * interval '1 second', "notAfter")
      FROM decided WHERE refusal IS NULL
      RETURNING id, workspace_id, agent_version, channel, from_number, created_at, expires_at
    ), ledger AS (
      INSERT INTO credit_entries (workspace_id, conversation_id, kind, amount)
      SELECT workspace_id, id, 'hold', -1 FROM accepted
    ), answered AS (
      UPDATE idempotency_keys held SET answer = decided.response
      FROM decided
      WHERE refusal IS NULL AND held.workspace_id = decided.workspace_id AND held.endpoint = decided.endpoint
        AND held.key = decided."idempotencyKey" AND held.owner = decided.owner
    )
SELECT call.id,
  CASE WHEN candidate.id IS NULL THEN 'no agent'
  WHEN NOT candidate.is_on THEN 'agent off'
  WHEN candidate.version IS NULL THEN 'not published'
  WHEN NOT candidate.is_owned THEN 'key lost'
  WHEN candidate.is_listed THEN 'do not call'
  WHEN decided.id IS NULL THEN 'locked'
  ELSE decided.refusal END AS refusal,
  decided.credits_per_day AS "creditsPerDay", decided.concurrent_calls AS "concurrentCalls",
  decided.calls_per_day AS "callsPerDay", decided.cap_resets_at AS "capResetsAt",
  accepted.agent_version AS "agentVersion", accepted.channel, accepted.from_number AS "fromNumber",
  accepted.created_at AS "createdAt", accepted.expires_at AS "expiresAt"
FROM call
LEFT JOIN candidate ON candidate.id = call.id
LEFT JOIN decided ON decided.id = call.id
LEFT JOIN accepted ON accepted.id = call.id;

-- accept-incoming-calls (src/features/calls/lifecycle/accept-incoming-calls.sql.ts)
-- also accept-unlocked-incoming-calls
-- $1 calls, $2 workspaceConcurrency
WITH call AS MATERIALIZED (
  SELECT DISTINCT ON ("claimId") *
  FROM json_to_recordset($1::json) AS call (
      id uuid, "claimId" uuid, "workerId" text, token uuid, "toNumber" text, "fromNumber" text, "callType" text,
      request jsonb, "ttlSeconds" integer, scope uuid)
  WHERE NOT EXISTS (SELECT FROM conversations WHERE incoming_claim_id = "claimId")
), candidate AS MATERIALIZED (
  SELECT call.*, agent.*, ((
    SELECT true
    FROM (SELECT agent.workspace_id AS asked_workspace, call."fromNumber" AS asked_number) AS asked
    JOIN do_not_call ON do_not_call.workspace_id = asked_workspace AND do_not_call.phone_number = asked_number
    WHERE (do_not_call.expires_at IS NULL OR do_not_call.expires_at > now())
    LIMIT 1) IS NOT NULL) AS is_listed
  FROM call
  CROSS JOIN LATERAL (
    SELECT agents.id AS agent_id, agents.workspace_id, agents.user_id, CASE
      WHEN agents.gated THEN COALESCE(agents.active_type, agents.type) ELSE agents.type END AS type,
      (agents.status AND (agents.active_version IS NOT NULL OR NOT agents.gated)) AS is_on,
      CASE WHEN agents.gated THEN agents.active_version ELSE agents.deployment_version END AS version
    FROM phone_numbers JOIN agents ON agents.id = phone_numbers.agent_id
    WHERE phone_numbers.number = call."toNumber" AND agents.deleted_at IS NULL
      AND agents.workspace_id = COALESCE(call.scope, agents.workspace_id)
    LIMIT 1
  ) AS agent
),
  workspace_lock AS MATERIALIZED (
    SELECT id, pg_advisory_xact_lock(
        hashtextextended('workspace ' || id, 0)) AS is_free
    FROM (SELECT DISTINCT id FROM (SELECT workspace_id FROM candidate WHERE is_on AND NOT is_listed)
        AS wanted (id) ORDER BY id) AS wanted
  ), workspace AS MATERIALIZED (
    SELECT workspaces.id AS locked_id,
      workspaces.suspended_at IS NOT NULL AS is_suspended, workspaces.credits / 1 AS affordable,
      (workspaces.quotas_credits_per_day - (CASE
          WHEN workspaces.spent_on >= (now() AT TIME ZONE 'UTC')::date THEN workspaces.spent_credits ELSE 0 END)) / 1
      AS affordable_today, COALESCE(workspaces.quotas_concurrent_calls, $2::integer) - workspaces.calls_under_way
      AS free_slots,
      workspaces.quotas_credits_per_day AS credits_per_day, COALESCE(workspaces.quotas_concurrent_calls, $2::integer)
      AS concurrent_calls
    FROM workspaces
    WHERE workspaces.id = ANY (ARRAY(SELECT id FROM workspace_lock ))
    ORDER BY workspaces.id
    FOR NO KEY UPDATE
  ), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY workspace_id ORDER BY id) AS place
    FROM candidate JOIN workspace ON locked_id = workspace_id WHERE is_on AND NOT is_listed
  ), decided AS MATERIALIZED (
    SELECT *,
      CASE WHEN is_suspended THEN 'suspended'
      WHEN place > affordable THEN 'no credits'
      WHEN place > affordable_today THEN 'no credits today'
      WHEN place > free_slots THEN 'too many calls' END AS refusal FROM ranked
  ), accepted AS (
    INSERT INTO conversations (
        id, workspace_id, agent_id, user_id, status, call_type, direction, channel, to_number, from_number, request,
        agent_version, hold, created_at, last_publish_at, expires_at, incoming_claim_id, token, worker_id,
        accepted_at, heartbeat_at)
    SELECT id, workspace_id, agent_id, user_id, 'accepted', "callType", 'inbound',
      CASE type WHEN 'chat' THEN 'chat' ELSE 'voice' END,
      "toNumber", "fromNumber", request, version, 1, now(), now(),
      now() + "ttlSeconds" * interval '1 second', "claimId", token, "workerId", now(), now()
    FROM decided WHERE refusal IS NULL
    -- Two statements that insert the same claims wait for each other in the same order.
    ORDER BY "claimId"
    ON CONFLICT (incoming_claim_id) WHERE incoming_claim_id IS NOT NULL DO NOTHING
    RETURNING
      id, workspace_id AS "workspaceId", user_id AS "userId", agent_id AS "agentId", agent_version AS "agentVersion",
      campaign_id AS "campaignId", call_type AS "callType", direction, channel, to_number AS "toNumber",
      from_number AS "fromNumber", request, created_at AS "createdAt", expires_at AS "expiresAt",
      ceil(extract(epoch FROM expires_at - now()) * 1000)::int AS "timeLeftMs", token, worker_id AS "workerId", workspace_id
  ), held AS (
    UPDATE workspaces SET credits = credits - 1 * calls, calls_under_way = calls_under_way + calls,
      spent_on = GREATEST(workspaces.spent_on, (now() AT TIME ZONE 'UTC')::date),
      spent_credits = GREATEST(0,
          (CASE WHEN workspaces.spent_on >= (now() AT TIME ZONE 'UTC')::date THEN workspaces.spent_credits
              ELSE 0 END) + 1 * calls)
    FROM (SELECT workspace_id, count(*)::int AS calls FROM accepted GROUP BY workspace_id) AS started
    WHERE workspaces.id = started.workspace_id
  ), ledger AS (
    INSERT INTO credit_entries (workspace_id, conversation_id, kind, amount)
    SELECT workspace_id, id, 'hold', -1 FROM accepted
  )
SELECT accepted.*, call.id AS "requestId", call."claimId", candidate.workspace_id AS "workspaceOfNumber",
  CASE WHEN candidate.id IS NULL THEN 'no agent'
  WHEN NOT candidate.is_on THEN 'agent off'
  WHEN candidate.is_listed THEN 'do not call'
  WHEN decided.id IS NULL THEN 'locked'
  ELSE decided.refusal END AS refusal
FROM call
LEFT JOIN candidate ON candidate.id = call.id
LEFT JOIN decided ON decided.id = call.id
LEFT JOIN accepted ON accepted.id = call.id;

-- allow-transfer (src/features/calls/lifecycle/transfers.sql.ts)
-- $1 id, $2 toNumber, $3 maximumSeconds
INSERT INTO call_events (conversation_id, kind, data)
SELECT $1, 'transfer_allowed',
  jsonb_build_object('toNumber', $2::text, 'maximumSeconds', $3::integer)
WHERE NOT EXISTS (
  SELECT FROM call_events
  WHERE conversation_id = $1 AND kind = 'transfer_allowed' AND data->>'toNumber' = $2);

-- call-heartbeats (src/features/calls/lifecycle/call-transitions.sql.ts)
-- $1 calls
WITH
  call AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS call (id uuid, token uuid)
  ), locked AS MATERIALIZED (
    SELECT id, workspace_id FROM conversations
    WHERE id = ANY (ARRAY(SELECT id FROM call)) ORDER BY id FOR NO KEY UPDATE
  )
UPDATE conversations SET heartbeat_at = now()
FROM call
WHERE conversations.id = call.id AND conversations.id = ANY (ARRAY(SELECT id FROM locked))
  AND conversations.token = call.token AND status IN ('accepted', 'connected')
  AND (SELECT set_config('synchronous_commit', 'off', true)) IS NOT NULL
RETURNING conversations.id, worker_id AS "workerId", hangup_requested_at AS "hangupRequestedAt";

-- check calls_under_way (src/features/calls/lifecycle/invariants.sql.ts), not prepared
-- $1 after, $2 workspaceId
WITH page AS MATERIALIZED (
  SELECT workspaces.id, workspaces.id AS workspace_id,
    CASE WHEN calls_under_way <> calls.number
    THEN format('The workspace counts %s calls in progress, and has %s', calls_under_way, calls.number)
    END AS detail
  FROM (
    SELECT * FROM workspaces
    WHERE id > $1 AND ($2::uuid IS NULL OR id = $2)
    ORDER BY id LIMIT 10) workspaces
  CROSS JOIN LATERAL (
    SELECT count(*) AS number FROM conversations
    WHERE workspace_id = workspaces.id AND ended_at IS NULL) calls)
SELECT count(*)::int AS checked,
  (array_agg(id ORDER BY id DESC))[1] AS last,
  COALESCE(
      jsonb_agg(jsonb_build_object('workspaceId', workspace_id, 'id', id, 'detail', detail) ORDER BY id)
      FILTER (WHERE detail IS NOT NULL),
      '[]') AS violations
FROM page;

-- check claims (src/features/calls/lifecycle/invariants.sql.ts), not prepared
-- $1 after, $2 workspaceId
WITH page AS MATERIALIZED (
  SELECT id, workspace_id,
    CASE WHEN connected_at IS NOT NULL AND claim_id IS NULL AND incoming_claim_id IS NULL
    THEN 'The call was connected, and no runtime has claimed it' END AS detail
  FROM (
    SELECT * FROM conversations
    WHERE id > $1 AND ($2::uuid IS NULL OR workspace_id = $2)
    ORDER BY id LIMIT 5000) calls)
SELECT count(*)::int AS checked,
  (array_agg(id ORDER BY id DESC))[1] AS last,
  COALESCE(
      jsonb_agg(jsonb_build_object('workspaceId', workspace_id, 'id', id, 'detail', detail) ORDER BY id)
      FILTER (WHERE detail IS NOT NULL),
      '[]') AS violations
FROM page;

-- check ends (src/features/calls/lifecycle/invariants.sql.ts), not prepared
-- $1 after, $2 workspaceId
WITH page AS MATERIALIZED (
  SELECT id, workspace_id,
    CASE
    WHEN ended_at IS NULL AND
    CASE status WHEN 'queued' THEN expires_at ELSE heartbeat_at + interval '1 hour' END < (
      SELECT max(latest.accepted_at) - interval '1 hour'
      FROM workspaces CROSS JOIN LATERAL (
        SELECT accepted_at FROM conversations
        WHERE workspace_id = workspaces.id AND created_at > now() - interval '1 day'
          AND created_at < now() - interval '1 hour' AND accepted_at < now() - interval '1 hour' AND connected_at IS NOT NULL
        ORDER BY created_at DESC LIMIT 1) AS latest)
    THEN format('The call is still %s, and nothing has ended it since %s', status, CASE status WHEN 'queued' THEN expires_at
        ELSE heartbeat_at + interval '1 hour' END)
    WHEN ended_at > now() - interval '20 hours' AND request->>'webhook_url' <> '' AND NOT EXISTS (
      SELECT FROM webhook_deliveries
      WHERE conversation_id = calls.id AND endpoint_id IS NULL AND type <> 'call.started')
    THEN 'The call has ended, and has no webhook about its end'
    END AS detail
  FROM (
    SELECT * FROM conversations
    WHERE id > $1 AND ($2::uuid IS NULL OR workspace_id = $2)
    ORDER BY id LIMIT 5000) calls)
SELECT count(*)::int AS checked,
  (array_agg(id ORDER BY id DESC))[1] AS last,
  COALESCE(
      jsonb_agg(jsonb_build_object('workspaceId', workspace_id, 'id', id, 'detail', detail) ORDER BY id)
      FILTER (WHERE detail IS NOT NULL),
      '[]') AS violations
FROM page;

-- check settlements (src/features/calls/lifecycle/invariants.sql.ts), not prepared
-- $1 after, $2 workspaceId
WITH page AS MATERIALIZED (
  SELECT calls.id, calls.workspace_id,
    CASE
    WHEN holds <> 1 THEN format('The call has %s holds instead of one', holds)
    WHEN ended_at IS NULL AND releases <> 0 THEN 'The call is in progress, and its hold was released'
    WHEN ended_at IS NOT NULL AND releases <> 1 THEN format('The call has ended, and has %s releases', releases)
    WHEN ended_at IS NOT NULL AND held <> 0 THEN format('The hold and its release differ by %s', held)
    WHEN charged <> charge THEN format('The call costs %s, and its ledger says %s', charge, charged)
    END AS detail
  FROM (
    SELECT * FROM conversations
    WHERE id > $1 AND ($2::uuid IS NULL OR workspace_id = $2)
    ORDER BY id LIMIT 5000) calls
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE kind = 'hold') AS holds,
      count(*) FILTER (WHERE kind = 'release') AS releases,
      COALESCE(sum(amount) FILTER (WHERE kind IN ('hold', 'release')), 0) AS held,
      COALESCE(-sum(amount) FILTER (WHERE kind IN ('charge', 'correction')), 0) AS charged
    FROM credit_entries WHERE conversation_id = calls.id) ledger)
SELECT count(*)::int AS checked,
  (array_agg(id ORDER BY id DESC))[1] AS last,
  COALESCE(
      jsonb_agg(jsonb_build_object('workspaceId', workspace_id, 'id', id, 'detail', detail) ORDER BY id)
      FILTER (WHERE detail IS NOT NULL),
      '[]') AS violations
FROM page;

-- clear-dispatches (src/features/calls/lifecycle/call-transitions.sql.ts)
UPDATE conversations SET dispatched_at = NULL
WHERE id = ANY (ARRAY(
  SELECT id FROM conversations
  WHERE ended_at IS NULL AND status = 'queued' AND dispatched_at IS NOT NULL
  ORDER BY id FOR NO KEY UPDATE));

-- connect-calls (src/features/calls/lifecycle/call-transitions.sql.ts)
-- $1 calls
WITH
  call AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS call (id uuid, token uuid, "occurredAt" timestamptz)
  ), locked AS MATERIALIZED (
    SELECT id, workspace_id FROM conversations
    WHERE id = ANY (ARRAY(SELECT id FROM call)) ORDER BY id FOR NO KEY UPDATE
  ), connected AS (
    UPDATE conversations SET status = 'connected', heartbeat_at = now(),
      connected_at = LEAST(GREATEST(call."occurredAt", accepted_at), now()), join_url = NULL, join_expires_at = NULL
    FROM call
    WHERE conversations.id = call.id AND conversations.id = ANY (ARRAY(SELECT id FROM locked))
      AND conversations.token = call.token AND status = 'accepted'
    RETURNING
      conversations.id, conversations.workspace_id, conversations.status, COALESCE(request->>'webhook_url', '')
      AS webhook_url,
      request->>'traceparent' AS traceparent,
      CASE WHEN request->>'webhook_url' <> '' OR
      EXISTS (SELECT FROM webhook_endpoints AS endpoint
        WHERE endpoint.workspace_id = conversations.workspace_id AND
          (endpoint.status IN ('ok', 'failing')
              OR endpoint.status = 'paused' AND endpoint.status_since > now() - interval '30 days')) THEN
      jsonb_build_object(
          'id', conversations.id,
          'conversation_id', conversations.id,
          'assistant_id', conversations.agent_id,
          'userId', conversations.user_id,
          'workspaceId', conversations.workspace_id,
          'campaign_id', conversations.campaign_id,
          'status', conversations.status,
          'to_number', NULLIF(conversations.to_number, ''),
          'connected_at', to_char(conversations.connected_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'ended_at', to_char(conversations.ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'duration', to_char(make_interval(secs => conversations.duration_sec), 'HH24:MI:SS'),
          'duration_sec', conversations.duration_sec,
          'disconnect_reason', conversations.disconnect_reason,
          'disconnected_by', conversations.disconnected_by,
          'metadata', jsonb_build_object(
              'summary', conversations.summary,
              'process_compliance', conversations.process_compliance,
              'outcome', conversations.outcome)) ||
      jsonb_build_object(
          'conversation_id', conversations.id, 'assistant_id', conversations.agent_id,
          'agent_version', conversations.agent_version, 'campaign_id', conversations.campaign_id,
          'external_id', COALESCE(conversations.request->>'external_id', ''),
          'direction', conversations.direction, 'call_type', conversations.call_type,
          'to_number', NULLIF(conversations.to_number, ''), 'from_number', NULLIF(conversations.from_number, '')) END
      AS event_data, connected_at, conversations.created_at
  ),
  occurred AS MATERIALIZED (
    SELECT gen_random_uuid() AS event_id, source.* FROM (
      SELECT
        workspace_id, id AS conversation_id, (event_data->>'assistant_id')::uuid AS agent_id, type, webhook_url AS url,
        true AS is_for_endpoints, event_data AS data, traceparent, ordinal
      FROM connected JOIN (VALUES
          ('connected', 1, 'call.started'), ('disconnected', 1, 'call.started'),
          ('disconnected', 2, 'call.ended'), ('failed', 2, 'call.failed')) AS webhook_event (at_status, ordinal, type)
        ON at_status = status
      WHERE event_data IS NOT NULL) AS source
  ), paused AS MATERIALIZED (
    SELECT id, status FROM webhook_endpoints
    WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_endpoints
      WHERE workspace_id IN (SELECT workspace_id FROM occurred) AND status = 'paused'))
    ORDER BY id FOR SHARE SKIP LOCKED
  ), receivers AS MATERIALIZED (
    SELECT event_id, NULL::uuid AS endpoint_id, url, 'pending' AS status FROM occurred WHERE url <> ''
    UNION ALL
    SELECT event_id, endpoint.id, endpoint.url,
      CASE paused.status WHEN 'paused' THEN 'held' ELSE 'pending' END
    FROM occurred JOIN webhook_endpoints AS endpoint USING (workspace_id) LEFT JOIN paused ON paused.id = endpoint.id
    WHERE is_for_endpoints AND
      (endpoint.status IN ('ok', 'failing')
          OR endpoint.status = 'paused' AND endpoint.status_since > now() - interval '30 days')
      AND (events = '{*}' OR type = ANY (events))
      AND (agent_ids IS NULL OR agent_id = ANY (agent_ids))
  ), events AS (
    INSERT INTO webhook_events (id, workspace_id, conversation_id, type, data, traceparent)
    SELECT event_id, workspace_id, conversation_id, type, data, traceparent
    FROM occurred WHERE event_id IN (SELECT event_id FROM receivers)
    ON CONFLICT DO NOTHING
    RETURNING id AS event_id, workspace_id, conversation_id, type
  ), deliveries AS (
    INSERT INTO webhook_deliveries (id, workspace_id, conversation_id, event_id, endpoint_id, ordering_key, type, url,
        status, next_attempt_at, give_up_at, data)
    SELECT id, workspace_id, conversation_id, event_id, endpoint_id,
      CASE WHEN endpoint_id IS NULL THEN COALESCE(conversation_id, id)
      ELSE md5(concat(endpoint_id, COALESCE(conversation_id, id)))::uuid END,
      type, url, status, CASE status WHEN 'pending' THEN now() END, now() + interval '24 hours', CASE WHEN
      endpoint_id IS NULL AND EXISTS (
        SELECT FROM webhook_deliveries AS earlier
        WHERE earlier.conversation_id = delivery.conversation_id AND earlier.data IS NOT NULL) THEN data END
    FROM (SELECT gen_random_uuid() AS id, occurred.data, event_id, events.workspace_id, events.conversation_id, events.type,
        endpoint_id,
        receivers.url, status, ordinal
      FROM events JOIN receivers USING (event_id) JOIN occurred USING (event_id)) AS delivery
    ORDER BY ordinal
    ON CONFLICT DO NOTHING
    RETURNING id, workspace_id, ordering_key, endpoint_id, status
  ),
  jobs AS (
    SELECT count(*) AS count
    FROM (SELECT array_agg(('webhooks.send',
        json_build_object('workspaceId', workspace_id, 'orderingKey', ordering_key, 'endpointId', endpoint_id), NULL, now(),
        32767, NULL, NULL, array_remove(ARRAY[workspace_id::text, endpoint_id::text], NULL))
        ::graphile_worker.job_spec) AS specs FROM deliveries WHERE status = 'pending' HAVING count(*) > 0) AS added,
      graphile_worker.add_jobs(specs)
  )
SELECT id, extract(epoch FROM connected_at - created_at)::float8 AS "waitedSeconds"
FROM connected WHERE (SELECT count FROM jobs) >= 0;

-- correct-calls (src/features/calls/lifecycle/correct-call.sql.ts)
-- $1 calls
WITH
  call AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json)
      AS call (id uuid, "from" text[], "to" text, reason text, party text, token uuid, "connectedAt" timestamptz,
          "endedAt" timestamptz, summary text, "processCompliance" text, outcome text, "transcriptTurns" integer)
  ), locked AS MATERIALIZED (
    SELECT id, workspace_id FROM conversations
    WHERE id = ANY (ARRAY(SELECT id FROM call)) ORDER BY id FOR NO KEY UPDATE
  ),
  workspace_lock AS MATERIALIZED (
    SELECT id, pg_advisory_xact_lock(
        hashtextextended('workspace ' || id, 0)) AS is_free
    FROM (SELECT DISTINCT id FROM (SELECT workspace_id FROM locked) AS wanted (id) ORDER BY id) AS wanted
  ), workspace AS MATERIALIZED (
    SELECT id
    FROM workspaces
    WHERE workspaces.id = ANY (ARRAY(SELECT id FROM workspace_lock ))
    ORDER BY workspaces.id
    FOR NO KEY UPDATE
  ), lost AS (
    SELECT id AS lost_id, status AS old_status, charge AS old_charge, duration_sec AS old_duration,
      ended_at AS old_end, outcome AS old_outcome
    FROM conversations
    WHERE id = ANY (ARRAY(SELECT id FROM locked)) AND disconnect_reason = 'worker_lost'
      AND workspace_id = ANY (ARRAY(SELECT id FROM workspace))
    FOR NO KEY UPDATE
  ), corrected AS (
    UPDATE conversations SET
      status = call."to", disconnect_reason = call.reason, disconnected_by = call.party,
      connected_at = COALESCE(connected_at, CASE
          WHEN call."connectedAt" IS NOT NULL THEN LEAST(GREATEST(call."connectedAt", accepted_at), now()) END),
      ended_at = CASE WHEN call."endedAt" IS NOT NULL THEN LEAST(GREATEST(call."endedAt", accepted_at), now())
      WHEN call."to" = 'disconnected' THEN heartbeat_at
      ELSE COALESCE(ended_at, now()) END,
      duration_sec = CASE call."to" WHEN 'disconnected' THEN FLOOR(EXTRACT(EPOCH FROM (
          CASE WHEN call."endedAt" IS NULL THEN heartbeat_at - connected_at
          ELSE GREATEST(interval '0', LEAST(call."endedAt" - call."connectedAt", now() - accepted_at)) END))) ELSE 0 END,
      charge = CASE call."to" WHEN 'disconnected' THEN 1 * GREATEST(1, CEIL(EXTRACT(EPOCH FROM (
          CASE WHEN call."endedAt" IS NULL THEN heartbeat_at - connected_at
          ELSE GREATEST(interval '0', LEAST(call."endedAt" - call."connectedAt", now() - accepted_at)) END)) / 60)) ELSE 0 END,
      summary = COALESCE(call.summary, conversations.summary),
      process_compliance = COALESCE(call."processCompliance", process_compliance),
      outcome = COALESCE(call.outcome, conversations.outcome),
      transcript_turns = COALESCE(call."transcriptTurns", transcript_turns)
    FROM lost, call
    WHERE conversations.id = lost_id AND conversations.id = call.id AND old_status = ANY (call."from")
      AND conversations.token = call.token
    RETURNING agent_id, charge - old_charge AS owed, duration_sec - old_duration AS seconds,
      (status = 'disconnected')::int - (old_status = 'disconnected')::int AS successes,
      conversations.created_at, ended_at,
      call_type, agent_version, campaign_id, direction, channel, worker_id, incoming_claim_id, to_number, from_number,
      charge, duration_sec, disconnect_reason, conversations.outcome, lost.*,
      jsonb_build_object('status', old_status, 'endedAt', old_end, 'durationSec', old_duration) AS corrected_from,
      conversations.id, conversations.workspace_id, conversations.status, COALESCE(request->>'webhook_url', '')
      AS webhook_url,
      request->>'traceparent' AS traceparent,
      CASE WHEN request->>'webhook_url' <> '' OR
      EXISTS (SELECT FROM webhook_endpoints AS endpoint
        WHERE endpoint.workspace_id = conversations.workspace_id AND
          (endpoint.status IN ('ok', 'failing')
              OR endpoint.status = 'paused' AND endpoint.status_since > now() - interval '30 days')) THEN
      jsonb_build_object(
          'id', conversations.id,
          'conversation_id', conversations.id,
          'assistant_id', conversations.agent_id,
          'userId', conversations.user_id,
          'workspaceId', conversations.workspace_id,
          'campaign_id', conversations.campaign_id,
          'status', conversations.status,
          'to_number', NULLIF(conversations.to_number, ''),
          'connected_at', to_char(conversations.connected_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'ended_at', to_char(conversations.ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'duration', to_char(make_interval(secs => conversations.duration_sec), 'HH24:MI:SS'),
          'duration_sec', conversations.duration_sec,
          'disconnect_reason', conversations.disconnect_reason,
          'disconnected_by', conversations.disconnected_by,
          'metadata', jsonb_build_object(
              'summary', conversations.summary,
              'process_compliance', conversations.process_compliance,
              'outcome', conversations.outcome)) ||
      jsonb_build_object(
          'conversation_id', conversations.id, 'assistant_id', conversations.agent_id,
          'agent_version', conversations.agent_version, 'campaign_id', conversations.campaign_id,
          'external_id', COALESCE(conversations.request->>'external_id', ''),
          'direction', conversations.direction, 'call_type', conversations.call_type,
          'to_number', NULLIF(conversations.to_number, ''), 'from_number', NULLIF(conversations.from_number, '')) END
      AS event_data
  ), noted AS (
    INSERT INTO call_events (conversation_id, kind, data)
    SELECT id, 'corrected', corrected_from FROM corrected
  ), ledger AS (
    INSERT INTO credit_entries (workspace_id, conversation_id, kind, amount)
    SELECT workspace_id, id, 'correction', -owed FROM corrected WHERE owed <> 0
  ), balance AS (
    UPDATE workspaces SET credits = credits - owed,
      spent_on = GREATEST(workspaces.spent_on, (now() AT TIME ZONE 'UTC')::date),
      spent_credits = GREATEST(0,
          (CASE WHEN workspaces.spent_on >= (now() AT TIME ZONE 'UTC')::date THEN workspaces.spent_credits ELSE 0 END) + CASE
          WHEN (corrected.created_at AT TIME ZONE 'UTC')::date = (now() AT TIME ZONE 'UTC')::date THEN owed
          ELSE GREATEST(0, owed) END)
    FROM corrected WHERE workspaces.id = corrected.workspace_id
    RETURNING corrected.*
  ), agent AS (
    UPDATE agent_call_totals AS totals SET
      successful = totals.successful + successes, seconds = totals.seconds + balance.seconds,
      last_ended_at = GREATEST(totals.last_ended_at, ended_at)
    FROM balance WHERE totals.agent_id = balance.agent_id
  ), due AS (
    INSERT INTO due_findings AS due (conversation_id, due_at)
    SELECT DISTINCT call.id, now() + interval '5 seconds'
    FROM (SELECT * FROM corrected WHERE status = 'disconnected') AS call
    JOIN agent_versions AS version ON version.agent_id = call.agent_id AND version.version = call.agent_version
    WHERE version.analysis IS NOT NULL
    ORDER BY call.id
    ON CONFLICT (conversation_id) DO UPDATE SET due_at = excluded.due_at), queued AS (
      INSERT INTO calls_to_measure AS queued (conversation_id)
      SELECT DISTINCT id FROM corrected ORDER BY id
      ON CONFLICT (conversation_id) DO UPDATE SET revision = queued.revision + 1), rolled_up AS (
        INSERT INTO call_rollup_states (workspace_id) SELECT DISTINCT workspace_id FROM balance
        ON CONFLICT (workspace_id) DO UPDATE SET revision = call_rollup_states.revision + 1
        RETURNING workspace_id, rolled_up_until, segmented_until
      ), difference AS (
        SELECT workspace_id, agent_id, call_type, created_at AS starts_at,
          successes AS connected, -successes AS failed, seconds, owed AS credits
        FROM balance JOIN rolled_up USING (workspace_id) WHERE created_at < rolled_up_until
      ), rollups AS (
        INSERT INTO call_rollups (workspace_id, subject_id, bucket_minutes, starts_at, call_type, connected, failed, seconds,
            credits)
        SELECT source.workspace_id, subject_id, bucket_minutes,
          date_bin(bucket, source.starts_at, timestamptz '2000-01-01 00:00Z') AS starts_at,
          source.call_type, sum(source.connected) AS connected, sum(source.failed) AS failed, sum(source.seconds) AS seconds,
          sum(source.credits) AS credits
        FROM difference AS source
        CROSS JOIN LATERAL (VALUES (source.agent_id), (source.workspace_id)) AS subject (subject_id)
        CROSS JOIN (VALUES (15, interval '15 minutes'), (1440, interval '1 day')) AS length (bucket_minutes, bucket)
        GROUP BY 1, 2, 3, 4, 5
        ON CONFLICT (subject_id, bucket_minutes, starts_at, call_type) DO UPDATE
        SET connected = call_rollups.connected + EXCLUDED.connected, failed = call_rollups.failed + EXCLUDED.failed,
          seconds = call_rollups.seconds + EXCLUDED.seconds, credits = call_rollups.credits + EXCLUDED.credits
      ), version AS (
        SELECT balance.*, times,
          CASE times WHEN 1 THEN status ELSE old_status END AS counted_status,
          CASE times WHEN 1 THEN duration_sec ELSE old_duration END AS counted_seconds,
          CASE times WHEN 1 THEN charge ELSE old_charge END AS counted_charge
        FROM balance JOIN rolled_up USING (workspace_id) CROSS JOIN (VALUES (1), (-1)) AS version (times)
        WHERE created_at < segmented_until
      ), segment_difference AS (
        SELECT workspace_id, value_of.dimension, value_of.value,
          date_bin(interval '15 minutes', created_at, timestamptz '2000-01-01 00:00Z') AS starts_at,
          times * (counted_status = 'disconnected')::int AS connected,
          times * (counted_status = 'failed')::int AS failed,
          CASE counted_status WHEN 'disconnected' THEN times * counted_seconds ELSE 0 END AS seconds,
          times * counted_charge AS credits
        FROM version CROSS JOIN LATERAL (
          SELECT agent_id, agent_version, campaign_id, direction, channel, call_type, worker_id, incoming_claim_id,
            to_number, from_number,
            counted_seconds AS duration_sec, CASE times WHEN 1 THEN disconnect_reason ELSE 'worker_lost' END AS disconnect_reason,
            CASE times WHEN 1 THEN outcome ELSE old_outcome END AS outcome) AS call
        CROSS JOIN LATERAL (VALUES ('all', ''), ('agent', call.agent_id::text),
            ('agent_version', call.agent_id || '/' || call.agent_version), ('campaign', COALESCE(call.campaign_id::text, '')),
            ('direction', call.direction), ('channel', call.channel), ('call_type', call.call_type),
            ('disconnect_reason', COALESCE(call.disconnect_reason, '')), ('outcome', left(call.outcome, 100)),
            ('worker', COALESCE(call.worker_id, '')),
            ('line', CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END),
            ('duration',
                width_bucket(call.duration_sec,
                    '{0,1,5,6,10,11,15,16,20,21,30,31,45,46,60,61,90,91,120,121,180,181,240,241,300,301,420,421,600,601,900,901,1200,1201,1800,1801,3600,3601}'::int[])::text))
          AS value_of (dimension, value)
      ),
  value_sums AS MATERIALIZED (
    SELECT workspace_id, dimension, value,
      encode(substring(sha256(convert_to(
          source.workspace_id::text || source.dimension || ':' || source.value, 'UTF8')) FROM 1 FOR 16), 'hex')::uuid AS value_id,
      starts_at,
      sum(connected) AS connected, sum(failed) AS failed, sum(seconds) AS seconds, sum(credits) AS credits
    FROM segment_difference AS source
    GROUP BY workspace_id, dimension, value, starts_at
    HAVING (sum(connected), sum(failed), sum(seconds), sum(credits)) <> (0, 0, 0, 0)
  ), known_values AS (
    INSERT INTO call_values (id, workspace_id, dimension, value)
    SELECT DISTINCT value_id, workspace_id, dimension, value FROM value_sums
    ON CONFLICT (id) DO NOTHING
  ), added_sums AS (
    INSERT INTO call_value_corrections (value_id, starts_at, connected, failed, seconds, credits)
    SELECT value_id, starts_at, connected, failed, seconds, credits FROM value_sums
    ON CONFLICT (value_id, starts_at) DO UPDATE
    SET connected = call_value_corrections.connected + EXCLUDED.connected,
      failed = call_value_corrections.failed + EXCLUDED.failed, seconds = call_value_corrections.seconds + EXCLUDED.seconds,
      credits = call_value_corrections.credits + EXCLUDED.credits
  ), durations AS (
    INSERT INTO call_duration_corrections AS correction (workspace_id, starts_at, duration_sec, connected, failed)
    SELECT workspace_id, date_bin(interval '15 minutes', created_at, timestamptz '2000-01-01 00:00Z'), counted_seconds,
      COALESCE(sum(times) FILTER (WHERE counted_status = 'disconnected'), 0),
      COALESCE(sum(times) FILTER (WHERE counted_status = 'failed'), 0)
    FROM version GROUP BY 1, 2, 3
    ON CONFLICT (workspace_id, starts_at, duration_sec) DO UPDATE
    SET connected = correction.connected + EXCLUDED.connected, failed = correction.failed + EXCLUDED.failed),
  occurred AS MATERIALIZED (
    SELECT gen_random_uuid() AS event_id, source.* FROM (
      SELECT
        workspace_id, id AS conversation_id, (event_data->>'assistant_id')::uuid AS agent_id, type, webhook_url AS url,
        false AS is_for_endpoints, event_data AS data, traceparent, ordinal
      FROM corrected JOIN (VALUES
          ('connected', 1, 'call.started'), ('disconnected', 1, 'call.started'),
          ('disconnected', 2, 'call.ended'), ('failed', 2, 'call.failed')) AS webhook_event (at_status, ordinal, type)
        ON at_status = status
      WHERE event_data IS NOT NULL
      UNION ALL
      SELECT
        workspace_id, id AS conversation_id, (event_data->>'assistant_id')::uuid AS agent_id, type, '' AS url,
        true AS is_for_endpoints, event_data || jsonb_build_object('previous',
            jsonb_build_object('status', old_status, 'disconnect_reason', 'worker_lost', 'ended_at',
                to_char(old_end AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                'duration_sec', old_duration)) AS data, traceparent, ordinal
      FROM corrected, (VALUES (3, 'call.corrected')) AS webhook_event (ordinal, type)
      WHERE event_data IS NOT NULL) AS source
  ), paused AS MATERIALIZED (
    SELECT id, status FROM webhook_endpoints
    WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_endpoints
      WHERE workspace_id IN (SELECT workspace_id FROM occurred) AND status = 'paused'))
    ORDER BY id FOR SHARE SKIP LOCKED
  ), receivers AS MATERIALIZED (
    SELECT event_id, NULL::uuid AS endpoint_id, url, 'pending' AS status FROM occurred WHERE url <> ''
    UNION ALL
    SELECT event_id, endpoint.id, endpoint.url,
      CASE paused.status WHEN 'paused' THEN 'held' ELSE 'pending' END
    FROM occurred JOIN webhook_endpoints AS endpoint USING (workspace_id) LEFT JOIN paused ON paused.id = endpoint.id
    WHERE is_for_endpoints AND
      (endpoint.status IN ('ok', 'failing')
          OR endpoint.status = 'paused' AND endpoint.status_since > now() - interval '30 days')
      AND (events = '{*}' OR type = ANY (events))
      AND (agent_ids IS NULL OR agent_id = ANY (agent_ids))
  ), events AS (
    INSERT INTO webhook_events (id, workspace_id, conversation_id, type, data, traceparent)
    SELECT event_id, workspace_id, conversation_id, type, data, traceparent
    FROM occurred WHERE event_id IN (SELECT event_id FROM receivers)
    ON CONFLICT DO NOTHING
    RETURNING id AS event_id, workspace_id, conversation_id, type
  ), deliveries AS (
    INSERT INTO webhook_deliveries (id, workspace_id, conversation_id, event_id, endpoint_id, ordering_key, type, url,
        status, next_attempt_at, give_up_at, data)
    SELECT id, workspace_id, conversation_id, event_id, endpoint_id,
      CASE WHEN endpoint_id IS NULL THEN COALESCE(conversation_id, id)
      ELSE md5(concat(endpoint_id, COALESCE(conversation_id, id)))::uuid END,
      type, url, status, CASE status WHEN 'pending' THEN now() END, now() + interval '24 hours', CASE WHEN
      endpoint_id IS NULL AND EXISTS (
        SELECT FROM webhook_deliveries AS earlier
        WHERE earlier.conversation_id = delivery.conversation_id AND earlier.data IS NOT NULL) THEN data END
    FROM (SELECT gen_random_uuid() AS id, occurred.data, event_id, events.workspace_id, events.conversation_id, events.type,
        endpoint_id,
        receivers.url, status, ordinal
      FROM events JOIN receivers USING (event_id) JOIN occurred USING (event_id)) AS delivery
    ORDER BY ordinal
    ON CONFLICT DO NOTHING
    RETURNING id, workspace_id, ordering_key, endpoint_id, status
  ),
  jobs AS (
    SELECT count(*) AS count
    FROM (SELECT array_agg(('webhooks.send',
        json_build_object('workspaceId', workspace_id, 'orderingKey', ordering_key, 'endpointId', endpoint_id), NULL, now(),
        32767, NULL, NULL, array_remove(ARRAY[workspace_id::text, endpoint_id::text], NULL))
        ::graphile_worker.job_spec) AS specs FROM deliveries WHERE status = 'pending' HAVING count(*) > 0) AS added,
      graphile_worker.add_jobs(specs)
  )
SELECT id FROM corrected WHERE (SELECT count FROM jobs) >= 0;

-- count-calls-in-progress (src/features/calls/lifecycle/call-metrics.repository.ts)
SELECT status, count(*)::int AS calls FROM conversations WHERE ended_at IS NULL GROUP BY status;

-- delete-calls (src/features/calls/lifecycle/delete-calls.sql.ts)
-- $1 workspaceId, $2 ids
WITH deleted AS (
  DELETE FROM conversations WHERE workspace_id = $1 AND id = ANY ($2)
  RETURNING workspace_id, agent_id, agent_version, campaign_id, direction, channel, call_type, worker_id, status,
    disconnect_reason, outcome, duration_sec, charge, created_at, incoming_claim_id, to_number, from_number
), state AS MATERIALIZED (
  SELECT * FROM call_rollup_states WHERE workspace_id = $1
), rolled_up AS (
  SELECT workspace_id, agent_id, call_type, date_bin(interval '15 minutes', created_at, timestamptz '2000-01-01 00:00Z')
    AS starts_at,
    count(*) FILTER (WHERE status = 'disconnected') AS connected,
    count(*) FILTER (WHERE status = 'failed') AS failed,
    COALESCE(sum(duration_sec) FILTER (WHERE status = 'disconnected'), 0) AS seconds,
    COALESCE(sum(charge), 0) AS credits
  FROM deleted JOIN state USING (workspace_id) WHERE created_at < rolled_up_until GROUP BY 1, 2, 3, 4
), difference AS (
  SELECT workspace_id, agent_id, call_type, starts_at, -rolled_up.connected AS connected, -rolled_up.failed AS failed,
    -rolled_up.seconds AS seconds, -rolled_up.credits AS credits FROM rolled_up
), rollups AS (
  INSERT INTO call_rollups (workspace_id, subject_id, bucket_minutes, starts_at, call_type, connected, failed, seconds,
      credits)
  SELECT source.workspace_id, subject_id, bucket_minutes,
    date_bin(bucket, source.starts_at, timestamptz '2000-01-01 00:00Z') AS starts_at,
    source.call_type, sum(source.connected) AS connected, sum(source.failed) AS failed, sum(source.seconds) AS seconds,
    sum(source.credits) AS credits
  FROM difference AS source
  CROSS JOIN LATERAL (VALUES (source.agent_id), (source.workspace_id)) AS subject (subject_id)
  CROSS JOIN (VALUES (15, interval '15 minutes'), (1440, interval '1 day')) AS length (bucket_minutes, bucket)
  GROUP BY 1, 2, 3, 4, 5
  ON CONFLICT (subject_id, bucket_minutes, starts_at, call_type) DO UPDATE
  SET connected = call_rollups.connected + EXCLUDED.connected, failed = call_rollups.failed + EXCLUDED.failed,
    seconds = call_rollups.seconds + EXCLUDED.seconds, credits = call_rollups.credits + EXCLUDED.credits
), segmented AS (
  SELECT call.workspace_id, value_of.dimension, value_of.value, segment.starts_at,
    count(*) FILTER (WHERE status = 'disconnected') AS connected,
    count(*) FILTER (WHERE status = 'failed') AS failed,
    COALESCE(sum(duration_sec) FILTER (WHERE status = 'disconnected'), 0) AS seconds,
    COALESCE(sum(charge), 0) AS credits
  FROM deleted AS call JOIN state USING (workspace_id)
  CROSS JOIN LATERAL (
    SELECT starts_at FROM call_segments
    WHERE workspace_id = call.workspace_id AND starts_at <= call.created_at ORDER BY starts_at DESC LIMIT 1
  ) AS segment
  CROSS JOIN LATERAL (VALUES ('all', ''), ('agent', call.agent_id::text),
      ('agent_version', call.agent_id || '/' || call.agent_version), ('campaign', COALESCE(call.campaign_id::text, '')),
      ('direction', call.direction), ('channel', call.channel), ('call_type', call.call_type),
      ('disconnect_reason', COALESCE(call.disconnect_reason, '')), ('outcome', left(call.outcome, 100)),
      ('worker', COALESCE(call.worker_id, '')),
      ('line', CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END),
      ('duration',
          width_bucket(call.duration_sec,
              '{0,1,5,6,10,11,15,16,20,21,30,31,45,46,60,61,90,91,120,121,180,181,240,241,300,301,420,421,600,601,900,901,1200,1201,1800,1801,3600,3601}'::int[])::text))
    AS value_of (dimension, value)
  WHERE created_at < segmented_until GROUP BY 1, 2, 3, 4
), segment_difference AS (
  SELECT workspace_id, dimension, value, starts_at, -segmented.connected AS connected, -segmented.failed AS failed,
    -segmented.seconds AS seconds, -segmented.credits AS credits FROM segmented
),
  value_sums AS MATERIALIZED (
    SELECT workspace_id, dimension, value,
      encode(substring(sha256(convert_to(
          source.workspace_id::text || source.dimension || ':' || source.value, 'UTF8')) FROM 1 FOR 16), 'hex')::uuid AS value_id,
      starts_at,
      sum(connected) AS connected, sum(failed) AS failed, sum(seconds) AS seconds, sum(credits) AS credits
    FROM segment_difference AS source
    GROUP BY workspace_id, dimension, value, starts_at
    HAVING (sum(connected), sum(failed), sum(seconds), sum(credits)) <> (0, 0, 0, 0)
  ), known_values AS (
    INSERT INTO call_values (id, workspace_id, dimension, value)
    SELECT DISTINCT value_id, workspace_id, dimension, value FROM value_sums
    ON CONFLICT (id) DO NOTHING
  ), added_sums AS (
    INSERT INTO call_value_rollups (value_id, starts_at, connected, failed, seconds, credits)
    SELECT value_id, starts_at, connected, failed, seconds, credits FROM value_sums
    ON CONFLICT (value_id, starts_at) DO UPDATE
    SET connected = call_value_rollups.connected + EXCLUDED.connected, failed = call_value_rollups.failed + EXCLUDED.failed,
      seconds = call_value_rollups.seconds + EXCLUDED.seconds, credits = call_value_rollups.credits + EXCLUDED.credits
  ), version AS (
    SELECT workspace_id, created_at, status AS counted_status, duration_sec AS counted_seconds, -1 AS times
    FROM deleted JOIN state USING (workspace_id) WHERE created_at < segmented_until
  ), durations AS (
    INSERT INTO call_duration_corrections AS correction (workspace_id, starts_at, duration_sec, connected, failed)
    SELECT workspace_id, date_bin(interval '15 minutes', created_at, timestamptz '2000-01-01 00:00Z'), counted_seconds,
      COALESCE(sum(times) FILTER (WHERE counted_status = 'disconnected'), 0),
      COALESCE(sum(times) FILTER (WHERE counted_status = 'failed'), 0)
    FROM version GROUP BY 1, 2, 3
    ON CONFLICT (workspace_id, starts_at, duration_sec) DO UPDATE
    SET connected = correction.connected + EXCLUDED.connected, failed = correction.failed + EXCLUDED.failed
  )
SELECT value_id AS "valueId", starts_at AS "startsAt" FROM value_sums;

-- delete-empty-call-rollups (src/features/calls/lifecycle/delete-calls.sql.ts)
-- $1 workspaceId, $2 from, $3 to
DELETE FROM call_rollups
WHERE workspace_id = $1
  AND subject_id IN (SELECT id FROM agents WHERE workspace_id = $1 UNION ALL SELECT $1)
  AND starts_at >= date_bin(interval '1 day', $2::timestamptz, timestamptz '2000-01-01 00:00Z')
  AND starts_at <= $3::timestamptz AND (connected, failed, seconds, credits) = (0, 0, 0, 0);

-- delete-empty-call-segments (src/features/calls/lifecycle/delete-calls.sql.ts)
-- $1 workspaceId, $2 times
WITH empty AS MATERIALIZED (
  SELECT segment.* FROM call_segments AS segment
  WHERE workspace_id = $1 AND starts_at = ANY (ARRAY(SELECT DISTINCT unnest($2::timestamptz[])))
    AND NOT EXISTS (SELECT FROM conversations AS call WHERE
        call.workspace_id = segment.workspace_id
        AND call.created_at >= segment.starts_at AND call.created_at < segment.ends_at)
), value AS MATERIALIZED (
  SELECT id FROM call_values WHERE workspace_id = $1 AND EXISTS (SELECT FROM empty)
), sums AS (
  DELETE FROM call_value_rollups
  WHERE value_id = ANY (ARRAY(SELECT id FROM value)) AND starts_at = ANY (ARRAY(SELECT starts_at FROM empty))
  RETURNING value_id
), corrections AS (
  DELETE FROM call_value_corrections AS correction USING value CROSS JOIN empty
  WHERE correction.value_id = value.id
    AND correction.starts_at >= empty.starts_at AND correction.starts_at < empty.ends_at
  RETURNING correction.value_id
), duration_corrections AS (
  DELETE FROM call_duration_corrections AS correction
  USING empty AS segment
  WHERE correction.workspace_id = segment.workspace_id
    AND correction.starts_at >= segment.starts_at AND correction.starts_at < segment.ends_at
), segments AS (
  DELETE FROM call_segments
  WHERE workspace_id = $1 AND starts_at = ANY (ARRAY(SELECT starts_at FROM empty))
)
SELECT value_id AS "valueId" FROM sums UNION SELECT value_id FROM corrections;

-- delete-empty-value-sums (src/features/calls/lifecycle/delete-calls.sql.ts)
-- $1 valueIds, $2 times
DELETE FROM call_value_rollups AS rollup
USING unnest($1::uuid[], $2::timestamptz[]) AS changed (value_id, starts_at)
WHERE rollup.value_id = changed.value_id AND rollup.starts_at = changed.starts_at
  AND (connected, failed, seconds, credits) = (0, 0, 0, 0);

-- delete-unused-call-values (src/features/calls/lifecycle/delete-calls.sql.ts)
-- $1 workspaceId, $2 valueIds
DELETE FROM call_values
WHERE workspace_id = $1 AND id = ANY ($2)
  AND NOT EXISTS (SELECT FROM call_value_rollups WHERE value_id = call_values.id)
  AND NOT EXISTS (SELECT FROM call_value_corrections WHERE value_id = call_values.id);

-- find-awaited-calls (src/features/calls/lifecycle/find-calls.sql.ts)
-- $1 ids
SELECT id, status, CASE WHEN join_expires_at > now() THEN join_url END AS "joinUrl", join_expires_at AS "joinExpiresAt"
FROM conversations WHERE id = ANY ($1);

-- find-call-status (src/features/calls/lifecycle/find-calls.sql.ts)
-- $1 workspaceId, $2 agentId, $3 conversationId
SELECT status FROM conversations WHERE workspace_id = $1 AND agent_id = $2 AND id = $3;

-- find-incoming-call (src/features/calls/lifecycle/accept-incoming-calls.sql.ts)
-- $1 claimId, $2 scope
SELECT
  id, workspace_id AS "workspaceId", user_id AS "userId", agent_id AS "agentId", agent_version AS "agentVersion",
  campaign_id AS "campaignId", call_type AS "callType", direction, channel, to_number AS "toNumber",
  from_number AS "fromNumber", request, created_at AS "createdAt", expires_at AS "expiresAt",
  ceil(extract(epoch FROM expires_at - now()) * 1000)::int AS "timeLeftMs", COALESCE(token, gen_random_uuid()) AS token,
  worker_id AS "workerId"
FROM conversations
WHERE incoming_claim_id = $1 AND workspace_id = COALESCE($2::uuid, workspace_id);

-- find-lost-calls (src/features/calls/lifecycle/find-calls.sql.ts)
-- $1 leaseSeconds
SELECT id, status FROM conversations
WHERE ended_at IS NULL AND status IN ('accepted', 'connected')
  AND heartbeat_at <= now() - $1 * interval '1 second'
ORDER BY heartbeat_at LIMIT 100;

-- find-queued-calls-of-suspended-workspaces (src/features/calls/lifecycle/find-calls.sql.ts)
SELECT conversations.id, conversations.status
FROM workspaces JOIN conversations ON conversations.workspace_id = workspaces.id
WHERE workspaces.suspended_at IS NOT NULL AND workspaces.calls_under_way > 0
  AND ended_at IS NULL AND conversations.status = 'queued'
ORDER BY conversations.id LIMIT 100;

-- find-unclaimed-calls (src/features/calls/lifecycle/find-calls.sql.ts)
SELECT id, status FROM conversations WHERE ended_at IS NULL AND status = 'queued' AND expires_at <= now()
ORDER BY expires_at LIMIT 100;

-- find-unjoined-calls (src/features/calls/lifecycle/find-calls.sql.ts)
SELECT id, status FROM conversations
WHERE ended_at IS NULL AND status = 'accepted' AND join_expires_at <= now() - interval '30 seconds'
ORDER BY join_expires_at LIMIT 100;

-- lock-call-to-transfer (src/features/calls/lifecycle/transfers.sql.ts)
-- $1 id, $2 workspaceId
SELECT call.status, call.call_type AS "callType",
  COALESCE(version.snapshot->'actions', '[]') AS actions
FROM conversations AS call
JOIN agent_versions AS version ON version.agent_id = call.agent_id AND version.version = call.agent_version
WHERE call.id = $1 AND call.workspace_id = $2
FOR NO KEY UPDATE OF call;

-- lock-roll-up-state (src/features/calls/lifecycle/delete-calls.sql.ts)
-- $1 workspaceId
INSERT INTO call_rollup_states (workspace_id) VALUES ($1)
ON CONFLICT (workspace_id) DO UPDATE SET revision = call_rollup_states.revision + 1;

-- mark-dispatched (src/features/calls/lifecycle/call-transitions.sql.ts)
-- $1 conversationIds
UPDATE conversations SET dispatched_at = now()
WHERE id = ANY (ARRAY(
  SELECT id FROM conversations WHERE id = ANY ($1) AND dispatched_at IS NULL
  FOR NO KEY UPDATE SKIP LOCKED))
  AND (SELECT set_config('synchronous_commit', 'off', true)) IS NOT NULL;

-- request-hang-up (src/features/calls/lifecycle/call-transitions.sql.ts)
-- $1 actor, $2 workspaceId, $3 agentId, $4 conversationId
UPDATE conversations
SET hangup_requested_at = COALESCE(hangup_requested_at, now()),
  hangup_requested_by = CASE WHEN hangup_requested_at IS NULL THEN $1::jsonb ELSE hangup_requested_by END
WHERE workspace_id = $2 AND agent_id = $3 AND id = $4
  AND status IN ('accepted', 'connected')
RETURNING status, worker_id AS "workerId", hangup_requested_at = now()::timestamptz(3) AS "isFirst";

-- set-joins-of-calls (src/features/calls/lifecycle/call-transitions.sql.ts)
-- $1 calls
WITH
  call AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS call (id uuid, token uuid, url text, "expiresAt" timestamptz)
  ), locked AS MATERIALIZED (
    SELECT id, workspace_id FROM conversations
    WHERE id = ANY (ARRAY(SELECT id FROM call)) ORDER BY id FOR NO KEY UPDATE
  )
UPDATE conversations SET join_url = call.url, join_expires_at = call."expiresAt", heartbeat_at = now()
FROM call
WHERE conversations.id = call.id AND conversations.id = ANY (ARRAY(SELECT id FROM locked))
  AND conversations.token = call.token AND status = 'accepted' AND call_type = 'webcall'
  AND call."expiresAt" <= now() + interval '1 hour'
RETURNING conversations.id;

-- set-listening-to-calls (src/features/calls/lifecycle/call-transitions.sql.ts)
-- $1 calls
WITH
  call AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS call (id uuid, token uuid, url text, "expiresAt" timestamptz)
  ), locked AS MATERIALIZED (
    SELECT id, workspace_id FROM conversations
    WHERE id = ANY (ARRAY(SELECT id FROM call)) ORDER BY id FOR NO KEY UPDATE
  )
UPDATE conversations SET listen_url = call.url, listen_expires_at = call."expiresAt", heartbeat_at = now()
FROM call
WHERE conversations.id = call.id AND conversations.id = ANY (ARRAY(SELECT id FROM locked))
  AND conversations.token = call.token AND status IN ('accepted', 'connected')
  AND call."expiresAt" <= now() + interval '1 day'
RETURNING conversations.id;

-- settle-calls (src/features/calls/lifecycle/settle-call.sql.ts)
-- also settle-unlocked-calls
-- $1 calls
WITH
  call AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json)
      AS call (id uuid, "from" text[], "to" text, reason text, party text, token uuid, "connectedAt" timestamptz,
          "endedAt" timestamptz, summary text, "processCompliance" text, outcome text, "transcriptTurns" integer, guard text,
          "workspaceId" uuid, "agentId" uuid, "leaseSeconds" integer, by text, actor jsonb)
  ), locked AS MATERIALIZED (
    SELECT id, workspace_id FROM conversations
    WHERE id = ANY (ARRAY(SELECT id FROM call)) ORDER BY id FOR NO KEY UPDATE
  ),
  workspace_lock AS MATERIALIZED (
    SELECT id, pg_advisory_xact_lock(
        hashtextextended('workspace ' || id, 0)) AS is_free
    FROM (SELECT DISTINCT id FROM (SELECT workspace_id FROM locked) AS wanted (id) ORDER BY id) AS wanted
  ), workspace AS MATERIALIZED (
    SELECT id, suspended_at
    FROM workspaces
    WHERE workspaces.id = ANY (ARRAY(SELECT id FROM workspace_lock ))
    ORDER BY workspaces.id
    FOR NO KEY UPDATE
  ), settled AS (
    UPDATE conversations SET join_url = NULL, join_expires_at = NULL, listen_url = NULL, listen_expires_at = NULL,
      status = call."to", disconnect_reason = call.reason, disconnected_by = call.party,
      connected_at = COALESCE(connected_at, CASE
          WHEN call."connectedAt" IS NOT NULL THEN LEAST(GREATEST(call."connectedAt", accepted_at), now()) END),
      ended_at = CASE WHEN call."endedAt" IS NOT NULL THEN LEAST(GREATEST(call."endedAt", accepted_at), now())
      WHEN call."to" = 'disconnected' THEN heartbeat_at
      ELSE COALESCE(ended_at, now()) END,
      duration_sec = CASE call."to" WHEN 'disconnected' THEN FLOOR(EXTRACT(EPOCH FROM (
          CASE WHEN call."endedAt" IS NULL THEN heartbeat_at - connected_at
          ELSE GREATEST(interval '0', LEAST(call."endedAt" - call."connectedAt", now() - accepted_at)) END))) ELSE 0 END,
      charge = CASE call."to" WHEN 'disconnected' THEN 1 * GREATEST(1, CEIL(EXTRACT(EPOCH FROM (
          CASE WHEN call."endedAt" IS NULL THEN heartbeat_at - connected_at
          ELSE GREATEST(interval '0', LEAST(call."endedAt" - call."connectedAt", now() - accepted_at)) END)) / 60)) ELSE 0 END,
      summary = COALESCE(call.summary, conversations.summary),
      process_compliance = COALESCE(call."processCompliance", process_compliance),
      outcome = COALESCE(call.outcome, conversations.outcome),
      transcript_turns = COALESCE(call."transcriptTurns", transcript_turns)
    FROM call
    WHERE conversations.id = call.id AND conversations.id = ANY (ARRAY(SELECT id FROM locked))
      AND conversations.workspace_id = ANY (ARRAY(SELECT id FROM workspace)) AND status = ANY (call."from")
      AND CASE guard
      WHEN 'none' THEN true
      WHEN 'token' THEN conversations.token = call.token
      WHEN 'agent' THEN conversations.workspace_id = call."workspaceId" AND conversations.agent_id = call."agentId"
      WHEN 'expired' THEN expires_at <= now()
      WHEN 'lease' THEN heartbeat_at <= now() - call."leaseSeconds" * interval '1 second'
      WHEN 'join' THEN join_expires_at <= now() - interval '30 seconds'
      WHEN 'suspended' THEN conversations.workspace_id = ANY (ARRAY(SELECT id FROM workspace WHERE suspended_at IS NOT NULL))
      END
    RETURNING agent_id, agent_version, hold, charge, duration_sec, disconnect_reason, conversations.created_at, ended_at,
      by, actor,
      conversations.id, conversations.workspace_id, conversations.status, COALESCE(request->>'webhook_url', '')
      AS webhook_url,
      request->>'traceparent' AS traceparent,
      CASE WHEN request->>'webhook_url' <> '' OR
      EXISTS (SELECT FROM webhook_endpoints AS endpoint
        WHERE endpoint.workspace_id = conversations.workspace_id AND
          (endpoint.status IN ('ok', 'failing')
              OR endpoint.status = 'paused' AND endpoint.status_since > now() - interval '30 days')) THEN
      jsonb_build_object(
          'id', conversations.id,
          'conversation_id', conversations.id,
          'assistant_id', conversations.agent_id,
          'userId', conversations.user_id,
          'workspaceId', conversations.workspace_id,
          'campaign_id', conversations.campaign_id,
          'status', conversations.status,
          'to_number', NULLIF(conversations.to_number, ''),
          'connected_at', to_char(conversations.connected_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'ended_at', to_char(conversations.ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'duration', to_char(make_interval(secs => conversations.duration_sec), 'HH24:MI:SS'),
          'duration_sec', conversations.duration_sec,
          'disconnect_reason', conversations.disconnect_reason,
          'disconnected_by', conversations.disconnected_by,
          'metadata', jsonb_build_object(
              'summary', conversations.summary,
              'process_compliance', conversations.process_compliance,
              'outcome', conversations.outcome)) ||
      jsonb_build_object(
          'conversation_id', conversations.id, 'assistant_id', conversations.agent_id,
          'agent_version', conversations.agent_version, 'campaign_id', conversations.campaign_id,
          'external_id', COALESCE(conversations.request->>'external_id', ''),
          'direction', conversations.direction, 'call_type', conversations.call_type,
          'to_number', NULLIF(conversations.to_number, ''), 'from_number', NULLIF(conversations.from_number, '')) END
      AS event_data
  ), ledger AS (
    INSERT INTO credit_entries (workspace_id, conversation_id, kind, amount)
    SELECT workspace_id, id, 'release', hold FROM settled
    UNION ALL
    SELECT workspace_id, id, 'charge', -charge FROM settled WHERE charge > 0
  ), balance AS (
    UPDATE workspaces SET credits = credits + released, calls_under_way = calls_under_way - calls,
      spent_on = GREATEST(workspaces.spent_on, (now() AT TIME ZONE 'UTC')::date),
      spent_credits = GREATEST(0,
          (CASE WHEN workspaces.spent_on >= (now() AT TIME ZONE 'UTC')::date THEN workspaces.spent_credits ELSE 0 END) + spent)
    FROM (SELECT workspace_id, sum(hold - charge)::int AS released, count(*)::int AS calls,
        sum(CASE WHEN (created_at AT TIME ZONE 'UTC')::date = (now() AT TIME ZONE 'UTC')::date THEN charge - hold
            ELSE GREATEST(0, charge - hold) END)::int AS spent
      FROM settled GROUP BY workspace_id) AS sums
    WHERE workspaces.id = sums.workspace_id
  ), agent AS (
    INSERT INTO agent_call_totals AS totals (agent_id, calls, successful, seconds, last_ended_at)
    SELECT agent_id, count(*), count(*) FILTER (WHERE status = 'disconnected'), sum(duration_sec), max(ended_at)
    FROM settled GROUP BY agent_id ORDER BY agent_id
    ON CONFLICT (agent_id) DO UPDATE SET
      calls = totals.calls + excluded.calls, successful = totals.successful + excluded.successful,
      seconds = totals.seconds + excluded.seconds, last_ended_at = GREATEST(totals.last_ended_at, excluded.last_ended_at)
  ), noted AS (
    INSERT INTO call_events (conversation_id, kind, data)
    SELECT id, 'cancelled', jsonb_strip_nulls(jsonb_build_object('by', by, 'actor', actor))
    FROM settled WHERE by IS NOT NULL
  ), due AS (
    INSERT INTO due_findings AS due (conversation_id, due_at)
    SELECT DISTINCT call.id, now() + interval '5 seconds'
    FROM (SELECT * FROM settled WHERE status = 'disconnected') AS call
    JOIN agent_versions AS version ON version.agent_id = call.agent_id AND version.version = call.agent_version
    WHERE version.analysis IS NOT NULL
    ORDER BY call.id
    ON CONFLICT (conversation_id) DO UPDATE SET due_at = excluded.due_at),
  occurred AS MATERIALIZED (
    SELECT gen_random_uuid() AS event_id, source.* FROM (
      SELECT
        workspace_id, id AS conversation_id, (event_data->>'assistant_id')::uuid AS agent_id, type, webhook_url AS url,
        true AS is_for_endpoints, event_data AS data, traceparent, ordinal
      FROM settled JOIN (VALUES
          ('connected', 1, 'call.started'), ('disconnected', 1, 'call.started'),
          ('disconnected', 2, 'call.ended'), ('failed', 2, 'call.failed')) AS webhook_event (at_status, ordinal, type)
        ON at_status = status
      WHERE event_data IS NOT NULL) AS source
  ), paused AS MATERIALIZED (
    SELECT id, status FROM webhook_endpoints
    WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_endpoints
      WHERE workspace_id IN (SELECT workspace_id FROM occurred) AND status = 'paused'))
    ORDER BY id FOR SHARE SKIP LOCKED
  ), receivers AS MATERIALIZED (
    SELECT event_id, NULL::uuid AS endpoint_id, url, 'pending' AS status FROM occurred WHERE url <> ''
    UNION ALL
    SELECT event_id, endpoint.id, endpoint.url,
      CASE paused.status WHEN 'paused' THEN 'held' ELSE 'pending' END
    FROM occurred JOIN webhook_endpoints AS endpoint USING (workspace_id) LEFT JOIN paused ON paused.id = endpoint.id
    WHERE is_for_endpoints AND
      (endpoint.status IN ('ok', 'failing')
          OR endpoint.status = 'paused' AND endpoint.status_since > now() - interval '30 days')
      AND (events = '{*}' OR type = ANY (events))
      AND (agent_ids IS NULL OR agent_id = ANY (agent_ids))
  ), events AS (
    INSERT INTO webhook_events (id, workspace_id, conversation_id, type, data, traceparent)
    SELECT event_id, workspace_id, conversation_id, type, data, traceparent
    FROM occurred WHERE event_id IN (SELECT event_id FROM receivers)
    ON CONFLICT DO NOTHING
    RETURNING id AS event_id, workspace_id, conversation_id, type
  ), deliveries AS (
    INSERT INTO webhook_deliveries (id, workspace_id, conversation_id, event_id, endpoint_id, ordering_key, type, url,
        status, next_attempt_at, give_up_at, data)
    SELECT id, workspace_id, conversation_id, event_id, endpoint_id,
      CASE WHEN endpoint_id IS NULL THEN COALESCE(conversation_id, id)
      ELSE md5(concat(endpoint_id, COALESCE(conversation_id, id)))::uuid END,
      type, url, status, CASE status WHEN 'pending' THEN now() END, now() + interval '24 hours', CASE WHEN
      endpoint_id IS NULL AND EXISTS (
        SELECT FROM webhook_deliveries AS earlier
        WHERE earlier.conversation_id = delivery.conversation_id AND earlier.data IS NOT NULL) THEN data END
    FROM (SELECT gen_random_uuid() AS id, occurred.data, event_id, events.workspace_id, events.conversation_id, events.type,
        endpoint_id,
        receivers.url, status, ordinal
      FROM events JOIN receivers USING (event_id) JOIN occurred USING (event_id)) AS delivery
    ORDER BY ordinal
    ON CONFLICT DO NOTHING
    RETURNING id, workspace_id, ordering_key, endpoint_id, status
  ),
  jobs AS (
    SELECT count(*) AS count
    FROM (SELECT array_agg(('webhooks.send',
        json_build_object('workspaceId', workspace_id, 'orderingKey', ordering_key, 'endpointId', endpoint_id), NULL, now(),
        32767, NULL, NULL, array_remove(ARRAY[workspace_id::text, endpoint_id::text], NULL))
        ::graphile_worker.job_spec) AS specs FROM deliveries WHERE status = 'pending' HAVING count(*) > 0) AS added,
      graphile_worker.add_jobs(specs)
  )
SELECT id, NULL::uuid AS "lockedWorkspaceId", disconnect_reason AS reason FROM settled
WHERE (SELECT count FROM jobs) >= 0;

-- take-undispatched-calls (src/features/calls/lifecycle/call-transitions.sql.ts)
WITH taken AS (
  UPDATE conversations SET last_publish_at = now()
  WHERE id = ANY (ARRAY(
    SELECT id FROM conversations
    WHERE ended_at IS NULL AND status = 'queued' AND dispatched_at IS NULL AND expires_at > now()
      AND last_publish_at <= now() - 5 * interval '1 second'
    ORDER BY expires_at LIMIT 20 FOR NO KEY UPDATE SKIP LOCKED))
  RETURNING
    id, workspace_id AS "workspaceId", user_id AS "userId", agent_id AS "agentId", agent_version AS "agentVersion",
    campaign_id AS "campaignId", call_type AS "callType", direction, channel, to_number AS "toNumber",
    from_number AS "fromNumber", request, created_at AS "createdAt", expires_at AS "expiresAt",
    ceil(extract(epoch FROM expires_at - now()) * 1000)::int AS "timeLeftMs"
), noted AS (
  INSERT INTO call_events (conversation_id, kind) SELECT id, 'published' FROM taken
)
SELECT * FROM taken;

-- wait-for-claims-of-listed-numbers (src/features/calls/lifecycle/wait-for-claims.sql.ts)
-- $1 workspaceId, $2 numbers
SELECT id FROM conversations
WHERE ended_at IS NULL AND status = 'queued' AND workspace_id = $1
  AND to_number = ANY ($2)
ORDER BY id FOR SHARE;

--
-- src/features/calls/model/
--

-- find-conversation (src/features/calls/model/conversation-detail.sql.ts)
-- $1 workspaceId, $2 agentId, $3 conversationId
SELECT
  jsonb_build_object(
      'id', conversations.id,
      'conversation_id', conversations.id,
      'assistant_id', conversations.agent_id,
      'userId', conversations.user_id,
      'workspaceId', conversations.workspace_id,
      'campaign_id', conversations.campaign_id,
      'status', conversations.status,
      'to_number', NULLIF(conversations.to_number, ''),
      'connected_at', to_char(conversations.connected_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'ended_at', to_char(conversations.ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'duration', to_char(make_interval(secs => conversations.duration_sec), 'HH24:MI:SS'),
      'duration_sec', conversations.duration_sec,
      'disconnect_reason', conversations.disconnect_reason,
      'disconnected_by', conversations.disconnected_by,
      'metadata', jsonb_build_object(
          'summary', conversations.summary,
          'process_compliance', conversations.process_compliance,
          'outcome', conversations.outcome)) AS detail FROM conversations
WHERE workspace_id = $1 AND agent_id = $2 AND id = $3;

--
-- src/features/calls/runtime-messages/
--

-- find-trace-of-call (src/features/calls/runtime-messages/find-call-trace.sql.ts)
-- $1 conversationId
SELECT request->>'traceparent' AS traceparent, workspace_id AS "workspaceId", agent_id AS "agentId"
FROM conversations WHERE id = $1 AND request->>'traceparent' IS NOT NULL;

--
-- src/features/campaigns/plan/
--

-- add-campaign-log-line (src/features/campaigns/plan/campaign-log.sql.ts)
-- $1 campaignId, $2 event, $3 actor, $4 text, $5 data
INSERT INTO campaign_log (campaign_id, event, actor, text, data)
VALUES ($1, $2, $3::jsonb, $4, $5::jsonb);

-- add-campaign-zones (src/features/campaigns/plan/campaign-zones.sql.ts)
-- $1 campaignId, $2 zones
INSERT INTO campaign_zones (campaign_id, timezone)
SELECT $1, zone FROM unnest($2::text[]) AS zone ON CONFLICT DO NOTHING;

-- find-campaign-states (src/features/campaigns/plan/campaign-state.sql.ts)
-- $1 hasNoRuntime, $2 isBrokerAway, $3 workspaceConcurrency, $4 campaignConcurrency
SELECT id, reason, until, known_reason AS "knownReason", may_start AS "mayStart"
FROM (
  SELECT campaigns.id, campaigns.waiting AS known_reason, campaigns.waiting_since,
    CASE
    WHEN count_pending + count_retrying = 0
    THEN CASE WHEN $1 AND (
      SELECT bool_and(status = 'queued') AND min(created_at) < now() - interval '2 seconds'
      FROM conversations WHERE campaign_id = campaigns.id AND ended_at IS NULL) THEN 'no_runtime' END
    WHEN NOT next.is_due AND NOT next.is_open THEN 'outside_window'
    WHEN NOT next.is_due THEN CASE WHEN count_calling = 0 THEN 'retry_pause' END
    WHEN workspace.is_suspended THEN 'suspended'
    WHEN NOT (agents.status AND (agents.active_version IS NOT NULL OR NOT agents.gated)) THEN 'agent_off'
    WHEN count_calling = 0 AND LEAST(affordable, affordable_today) < 1 THEN 'no_credits'
    WHEN count_calling = 0 AND free_slots < 1 THEN 'workspace_full'
    WHEN $2 THEN 'broker_away'
    WHEN $1 AND (
      SELECT bool_and(status = 'queued') AND min(created_at) < now() - interval '2 seconds'
      FROM conversations WHERE campaign_id = campaigns.id AND ended_at IS NULL) THEN 'no_runtime'
    END AS reason,
    CASE
    WHEN NOT next.is_due
    THEN CASE WHEN next.starts_at > now() AND next.starts_at < 'infinity' THEN next.starts_at END
    WHEN (agents.status AND (agents.active_version IS NOT NULL OR NOT agents.gated)) AND count_calling = 0
    AND affordable >= 1 AND affordable_today < 1
    THEN (date_trunc('day', now() AT TIME ZONE 'UTC') + interval '1 day') AT TIME ZONE 'UTC'
    END AS until,
    COALESCE(next.is_due AND (agents.status AND (agents.active_version IS NOT NULL OR NOT agents.gated)) AND
        workspaces.suspended_at IS NULL
        AND LEAST(workspaces.credits / 1,
            (workspaces.quotas_credits_per_day - (CASE
                WHEN workspaces.spent_on >= (now() AT TIME ZONE 'UTC')::date THEN workspaces.spent_credits ELSE 0 END)) / 1,
            COALESCE(workspaces.quotas_concurrent_calls, $3::integer) - workspaces.calls_under_way) >= 1
        AND
        GREATEST(0, LEAST(COALESCE(campaigns.concurrency, $4::int) - campaigns.count_calling,
            floor(0.000001 + calls_per_second * extract(epoch
              FROM now() - GREATEST(paced_until, now() - GREATEST(2, 1 / calls_per_second) * interval '1 second')))))::int > 0, false)
    AS may_start,
    campaigns.workspace_id, campaigns.schedule_time
  FROM campaigns
  JOIN agents ON agents.id = campaigns.agent_id AND agents.deleted_at IS NULL
  JOIN workspaces ON workspaces.id = campaigns.workspace_id
  CROSS JOIN LATERAL (SELECT
      workspaces.suspended_at IS NOT NULL AS is_suspended, workspaces.credits / 1 AS affordable,
      (workspaces.quotas_credits_per_day - (CASE
          WHEN workspaces.spent_on >= (now() AT TIME ZONE 'UTC')::date THEN workspaces.spent_credits ELSE 0 END)) / 1
      AS affordable_today, COALESCE(workspaces.quotas_concurrent_calls, $3::integer) - workspaces.calls_under_way
      AS free_slots,
      workspaces.quotas_credits_per_day AS credits_per_day, COALESCE(workspaces.quotas_concurrent_calls, $3::integer)
      AS concurrent_calls) AS workspace
  CROSS JOIN LATERAL (
    SELECT COALESCE(bool_or(is_open AND due_at <= now()), false) AS is_due, min(starts_at) AS starts_at,
      (array_agg(is_open ORDER BY starts_at))[1] AS is_open
    FROM (
      SELECT is_open, due_at, GREATEST(due_at, CASE WHEN is_open THEN now() ELSE opens_at END) AS starts_at
      FROM (
        SELECT zone.opens_at, zone.opens_at <= now() AND zone.closes_at > now() AS is_open,
          COALESCE(pending.due_at, retrying.due_at) AS due_at
        FROM campaign_zones AS zone
        LEFT JOIN LATERAL (
          SELECT now() AS due_at FROM campaign_recipients
          WHERE campaigns.count_pending > 0 AND campaign_id = zone.campaign_id AND timezone = zone.timezone
            AND status = 'pending'
          ORDER BY row_number LIMIT 1) AS pending ON true
        LEFT JOIN LATERAL (
          SELECT next_attempt_at AS due_at FROM campaign_recipients
          WHERE campaigns.count_retrying > 0 AND campaign_id = zone.campaign_id AND timezone = zone.timezone
            AND status = 'retrying'
          ORDER BY next_attempt_at LIMIT 1) AS retrying ON true
        WHERE zone.campaign_id = campaigns.id
      ) AS zone WHERE due_at IS NOT NULL
    ) AS zone) AS next
  WHERE campaigns.status = 'running' AND NOT campaigns.is_over) AS state
ORDER BY row_number() OVER (PARTITION BY workspace_id ORDER BY schedule_time, id), schedule_time, id;

-- find-campaign-waiting (src/features/campaigns/plan/campaign-state.sql.ts)
-- $1 workspaceConcurrency, $2 campaignConcurrency, $3 campaignIds
SELECT id, reason, until, CASE WHEN reason = known_reason THEN waiting_since ELSE now() END AS since
FROM (
  SELECT campaigns.id, campaigns.waiting AS known_reason, campaigns.waiting_since,
    CASE
    WHEN count_pending + count_retrying = 0
    THEN CASE WHEN campaigns.waiting = 'no_runtime' AND (
      SELECT bool_and(status = 'queued') AND min(created_at) < now() - interval '2 seconds'
      FROM conversations WHERE campaign_id = campaigns.id AND ended_at IS NULL) THEN 'no_runtime' END
    WHEN NOT next.is_due AND NOT next.is_open THEN 'outside_window'
    WHEN NOT next.is_due THEN CASE WHEN count_calling = 0 THEN 'retry_pause' END
    WHEN workspace.is_suspended THEN 'suspended'
    WHEN NOT (agents.status AND (agents.active_version IS NOT NULL OR NOT agents.gated)) THEN 'agent_off'
    WHEN count_calling = 0 AND LEAST(affordable, affordable_today) < 1 THEN 'no_credits'
    WHEN count_calling = 0 AND free_slots < 1 THEN 'workspace_full'
    WHEN campaigns.waiting = 'broker_away' THEN 'broker_away'
    WHEN campaigns.waiting = 'no_runtime' AND (
      SELECT bool_and(status = 'queued') AND min(created_at) < now() - interval '2 seconds'
      FROM conversations WHERE campaign_id = campaigns.id AND ended_at IS NULL) THEN 'no_runtime'
    END AS reason,
    CASE
    WHEN NOT next.is_due
    THEN CASE WHEN next.starts_at > now() AND next.starts_at < 'infinity' THEN next.starts_at END
    WHEN (agents.status AND (agents.active_version IS NOT NULL OR NOT agents.gated)) AND count_calling = 0
    AND affordable >= 1 AND affordable_today < 1
    THEN (date_trunc('day', now() AT TIME ZONE 'UTC') + interval '1 day') AT TIME ZONE 'UTC'
    END AS until,
    COALESCE(next.is_due AND (agents.status AND (agents.active_version IS NOT NULL OR NOT agents.gated)) AND
        workspaces.suspended_at IS NULL
        AND LEAST(workspaces.credits / 1,
            (workspaces.quotas_credits_per_day - (CASE
                WHEN workspaces.spent_on >= (now() AT TIME ZONE 'UTC')::date THEN workspaces.spent_credits ELSE 0 END)) / 1,
            COALESCE(workspaces.quotas_concurrent_calls, $1::integer) - workspaces.calls_under_way) >= 1
        AND
        GREATEST(0, LEAST(COALESCE(campaigns.concurrency, $2::int) - campaigns.count_calling,
            floor(0.000001 + calls_per_second * extract(epoch
              FROM now() - GREATEST(paced_until, now() - GREATEST(2, 1 / calls_per_second) * interval '1 second')))))::int > 0, false)
    AS may_start,
    campaigns.workspace_id, campaigns.schedule_time
  FROM campaigns
  JOIN agents ON agents.id = campaigns.agent_id AND agents.deleted_at IS NULL
  JOIN workspaces ON workspaces.id = campaigns.workspace_id
  CROSS JOIN LATERAL (SELECT
      workspaces.suspended_at IS NOT NULL AS is_suspended, workspaces.credits / 1 AS affordable,
      (workspaces.quotas_credits_per_day - (CASE
          WHEN workspaces.spent_on >= (now() AT TIME ZONE 'UTC')::date THEN workspaces.spent_credits ELSE 0 END)) / 1
      AS affordable_today, COALESCE(workspaces.quotas_concurrent_calls, $1::integer) - workspaces.calls_under_way
      AS free_slots,
      workspaces.quotas_credits_per_day AS credits_per_day, COALESCE(workspaces.quotas_concurrent_calls, $1::integer)
      AS concurrent_calls) AS workspace
  CROSS JOIN LATERAL (
    SELECT COALESCE(bool_or(is_open AND due_at <= now()), false) AS is_due, min(starts_at) AS starts_at,
      (array_agg(is_open ORDER BY starts_at))[1] AS is_open
    FROM (
      SELECT is_open, due_at, GREATEST(due_at, CASE WHEN is_open THEN now() ELSE opens_at END) AS starts_at
      FROM (
        SELECT zone.opens_at, zone.opens_at <= now() AND zone.closes_at > now() AS is_open,
          COALESCE(pending.due_at, retrying.due_at) AS due_at
        FROM campaign_zones AS zone
        LEFT JOIN LATERAL (
          SELECT now() AS due_at FROM campaign_recipients
          WHERE campaigns.count_pending > 0 AND campaign_id = zone.campaign_id AND timezone = zone.timezone
            AND status = 'pending'
          ORDER BY row_number LIMIT 1) AS pending ON true
        LEFT JOIN LATERAL (
          SELECT next_attempt_at AS due_at FROM campaign_recipients
          WHERE campaigns.count_retrying > 0 AND campaign_id = zone.campaign_id AND timezone = zone.timezone
            AND status = 'retrying'
          ORDER BY next_attempt_at LIMIT 1) AS retrying ON true
        WHERE zone.campaign_id = campaigns.id
      ) AS zone WHERE due_at IS NOT NULL
    ) AS zone) AS next
  WHERE campaigns.status = 'running' AND NOT campaigns.is_over AND campaigns.id = ANY ($3)) AS state;

-- find-campaign-zones (src/features/campaigns/plan/campaign-zones.sql.ts)
-- $1 campaignId
SELECT timezone FROM campaign_zones WHERE campaign_id = $1;

-- find-stale-zones (src/features/campaigns/plan/campaign-zones.sql.ts)
SELECT campaigns.id AS "campaignId", zones.timezone, COALESCE(NULLIF(zones.timezone, ''), campaigns.timezone) AS zone,
  windows
FROM campaigns JOIN campaign_zones AS zones ON zones.campaign_id = campaigns.id
WHERE NOT campaigns.is_over AND campaigns.status = 'running' AND zones.closes_at <= now() AND windows <> '[]'
LIMIT 1000;

-- lock-campaign (src/features/campaigns/plan/campaign-state.sql.ts)
-- $1 campaignId
SELECT id, workspace_id AS "workspaceId", agent_id AS "agentId", user_id AS "userId",
  webhook_url AS "webhookUrl", outcomes, status
FROM campaigns WHERE id = $1 AND NOT is_over FOR UPDATE SKIP LOCKED;

-- note-campaign-waiting (src/features/campaigns/plan/campaign-log.sql.ts)
-- $1 reason, $2 campaignId, $3 event, $4 text, $5 data
WITH changed AS (
  UPDATE campaigns SET waiting = $1::text, waiting_since = CASE WHEN $1::text IS NOT NULL THEN now() END
  WHERE id = $2 AND status = 'running' AND waiting IS DISTINCT FROM $1::text
  RETURNING id
), logged AS (
  INSERT INTO campaign_log (campaign_id, event, text, data)
  SELECT id, $3, $4, $5::jsonb FROM changed
), trimmed AS (
  DELETE FROM campaign_log
  WHERE campaign_id IN (SELECT id FROM changed) AND event IN ('waiting', 'went_on')
    AND id <= (SELECT id FROM campaign_log WHERE campaign_id = $2
      ORDER BY id DESC OFFSET 1999 LIMIT 1)
)
SELECT id FROM changed;

-- refresh-campaign-zones (src/features/campaigns/plan/campaign-zones.sql.ts)
-- $1 zones
WITH zone AS MATERIALIZED (
  SELECT zone.* FROM json_to_recordset($1::json) AS zone (
      "campaignId" uuid, timezone text, zone text, windows jsonb, "opensAt" timestamptz, "closesAt" timestamptz)
), locked AS MATERIALIZED (
  SELECT known.campaign_id, known.timezone
  FROM campaign_zones AS known
  JOIN zone ON known.campaign_id = zone."campaignId" AND known.timezone = zone.timezone
  WHERE known.closes_at <= now()
  FOR NO KEY UPDATE OF known SKIP LOCKED
)
UPDATE campaign_zones AS known SET opens_at = zone."opensAt", closes_at = zone."closesAt"
FROM locked JOIN zone ON locked.campaign_id = zone."campaignId" AND locked.timezone = zone.timezone
JOIN campaigns ON campaigns.id = zone."campaignId" AND campaigns.windows = zone.windows
  AND COALESCE(NULLIF(zone.timezone, ''), campaigns.timezone) = zone.zone
WHERE known.campaign_id = locked.campaign_id AND known.timezone = locked.timezone;

-- set-campaign-zones (src/features/campaigns/plan/campaign-zones.sql.ts)
-- $1 zones, $2 campaignId
UPDATE campaign_zones AS known
SET opens_at = COALESCE(zone."opensAt", '-infinity'), closes_at = COALESCE(zone."closesAt", 'infinity')
FROM json_to_recordset($1::json) AS zone (timezone text, "opensAt" timestamptz, "closesAt" timestamptz)
WHERE known.campaign_id = $2 AND known.timezone = zone.timezone;

--
-- src/features/campaigns/recipients/
--

-- before-recipients-insert (src/features/campaigns/recipients/recipient-import.sql.ts)
  SAVEPOINT before_insert;

-- check recipients (src/features/campaigns/recipients/invariants.sql.ts), not prepared
-- $1 after, $2 workspaceId
WITH page AS MATERIALIZED (
  SELECT campaigns.id, campaigns.workspace_id,
    CASE WHEN count_pending <> pending OR count_calling <> calling OR count_retrying <> retrying OR count_lost <> lost
    OR count_disconnected <> disconnected OR count_failed <> failed OR count_skipped <> skipped
    THEN format('The campaign counts %s, and has %s',
        jsonb_build_object('pending', count_pending, 'calling', count_calling, 'retrying', count_retrying, 'lost', count_lost,
            'disconnected', count_disconnected, 'failed', count_failed, 'skipped', count_skipped),
        to_jsonb(recipients) - 'most_attempts')
    WHEN is_over AND (calling > 0 OR campaigns.status <> 'failed' AND pending + retrying > 0)
    THEN format('The campaign is over, and %s of its recipients have no final state', pending + calling + retrying)
    WHEN most_attempts > 1 +
    CASE WHEN EXISTS (
      SELECT FROM campaign_log
      WHERE campaign_id = campaigns.id AND event = 'changed' AND data ? 'retry')
    THEN 5 ELSE COALESCE((campaigns.retry->>'max')::int, 0) END
    THEN format('A recipient was called %s times, which is more often than the campaign says', most_attempts)
    END AS detail
  FROM (
    SELECT * FROM campaigns
    WHERE id > $1 AND ($2::uuid IS NULL OR workspace_id = $2)
    ORDER BY id LIMIT 1) campaigns
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE status = 'pending') AS pending, count(*) FILTER (WHERE status = 'calling') AS calling,
      count(*) FILTER (WHERE status = 'retrying') AS retrying, count(*) FILTER (WHERE status = 'lost') AS lost,
      count(*) FILTER (WHERE status = 'disconnected') AS disconnected, count(*) FILTER (WHERE status = 'failed') AS failed,
      count(*) FILTER (WHERE status = 'skipped') AS skipped,
      max(attempts) AS most_attempts
    FROM campaign_recipients WHERE campaign_id = campaigns.id) recipients)
SELECT count(*)::int AS checked,
  (array_agg(id ORDER BY id DESC))[1] AS last,
  COALESCE(
      jsonb_agg(jsonb_build_object('workspaceId', workspace_id, 'id', id, 'detail', detail) ORDER BY id)
      FILTER (WHERE detail IS NOT NULL),
      '[]') AS violations
FROM page;

-- count-recipients (src/features/campaigns/recipients/recipient-list.sql.ts), not prepared
-- $1 campaignId, $2 progress, $3 result, $4 numbers, $5 search
SELECT count(*)::int AS total
FROM campaign_recipients AS recipient
JOIN campaigns ON campaigns.id = recipient.campaign_id
LEFT JOIN conversations AS call ON call.id = recipient.conversation_id AND recipient.status IN ('calling', 'lost')
CROSS JOIN LATERAL (
  SELECT CASE WHEN recipient.status IN ('calling', 'lost') THEN
    CASE WHEN call.ended_at IS NULL OR recipient.status = 'lost' THEN call.status
    ELSE (SELECT CASE status WHEN 'lost' THEN call.status ELSE status END
      FROM (SELECT
          CASE
          WHEN call.disconnect_reason = 'worker_lost' THEN 'lost'
          WHEN call.disconnect_reason = 'dispatch_expired' AND NOT recipient.removed
          AND (campaigns.windows <> '[]' OR campaigns.expires_at <= now())
          THEN CASE WHEN recipient.attempts > 1 THEN 'retrying' ELSE 'pending' END
          WHEN call.token IS NULL AND call.disconnect_reason = 'cancelled' AND EXISTS (
            SELECT FROM call_events
            WHERE call_events.conversation_id = call.id AND kind = 'cancelled'
              AND data->>'by' = 'do_not_call')
          THEN CASE WHEN recipient.attempts > 1 THEN 'retrying' ELSE 'skipped' END
          WHEN call.token IS NOT NULL AND NOT recipient.removed AND campaigns.status IN ('scheduled', 'running', 'paused')
          AND (campaigns.expires_at IS NULL OR campaigns.expires_at > now()) AND (
              COALESCE(campaigns.retry->'on' ? call.disconnect_reason, true)
              AND recipient.attempts <= (campaigns.retry->>'max')::int
              AND NOT ((
                SELECT true
                FROM (SELECT campaigns.workspace_id AS asked_workspace, recipient.phone_number AS asked_number) AS asked
                JOIN do_not_call ON do_not_call.workspace_id = asked_workspace AND do_not_call.phone_number = asked_number
                WHERE (do_not_call.expires_at IS NULL OR do_not_call.expires_at > now())
                LIMIT 1) IS NOT NULL))
          THEN 'retrying'
          ELSE
          CASE WHEN call.status = 'disconnected' THEN 'disconnected'
          ELSE 'failed' END
          END AS status) AS decided) END ELSE recipient.status END AS progress) AS shown
WHERE recipient.campaign_id = $1
  AND ($2::text IS NULL OR
      (recipient.status = $2 OR recipient.status IN ('calling', 'lost')) AND shown.progress = $2)
  AND ($3::text IS NULL OR shown.progress = 'disconnected' AND $3 = (
    SELECT
      CASE last.disconnect_reason WHEN 'voicemail_reached' THEN 'voicemail'
      WHEN 'inactivity' THEN 'inactivity'
      ELSE 'reached' END FROM conversations AS last WHERE last.id = recipient.conversation_id))
  AND ($4::text[] IS NULL OR recipient.phone_number = ANY ($4::text[]))
  AND ($5::text IS NULL OR (recipient.phone_number LIKE $5 AND recipient.phone_number LIKE '+%')
      OR recipient.customer_name ILIKE $5);

-- count-staged-recipients (src/features/campaigns/recipients/recipient-import.sql.ts)
-- $1 workspaceId
SELECT count(*) FILTER (WHERE NOT is_listed)::int AS callable, count(*) FILTER (WHERE is_listed)::int AS listed
FROM (
  SELECT ((
    SELECT true
    FROM (SELECT $1::uuid AS asked_workspace, staged.phone_number AS asked_number) AS asked
    JOIN do_not_call ON do_not_call.workspace_id = asked_workspace AND do_not_call.phone_number = asked_number
    WHERE (do_not_call.expires_at IS NULL OR do_not_call.expires_at > now())
    LIMIT 1) IS NOT NULL) AS is_listed FROM (SELECT DISTINCT phone_number FROM recipient_stage) AS staged
) AS numbers;

-- create-recipient-stage (src/features/campaigns/recipients/recipient-import.sql.ts)
  CREATE TEMPORARY TABLE recipient_stage (
      row_number integer NOT NULL, phone_number text NOT NULL, customer_name text NOT NULL,
      dynamic_variables jsonb NOT NULL, timezone text NOT NULL, is_irregular boolean NOT NULL
  ) ON COMMIT DROP;

-- decide-again-on-recipients (src/features/campaigns/recipients/waiting-recipients.sql.ts)
-- $1 campaignId, $2 after
WITH batch AS MATERIALIZED (
  SELECT * FROM campaign_recipients
  WHERE campaign_id = $1 AND status = 'retrying' AND phone_number > $2
  ORDER BY phone_number LIMIT 5000
),
  change AS MATERIALIZED (
    SELECT recipient.campaign_id, recipient.phone_number, recipient.status AS old_status, decided.status,
      recipient.attempts,
      next.attempt_at AS next_attempt_at, recipient.conversation_id, recipient.skipped,
      COALESCE(NULLIF(left(call.outcome, 100), ''), call.disconnect_reason) AS outcome,
      call.disconnect_reason AS reason
    FROM campaigns
    JOIN batch AS recipient ON recipient.campaign_id = campaigns.id
    LEFT JOIN conversations AS call ON call.id = recipient.conversation_id
    CROSS JOIN LATERAL (
      SELECT CASE WHEN (
          COALESCE(campaigns.retry->'on' ? call.disconnect_reason, true)
          AND recipient.attempts <= (campaigns.retry->>'max')::int
          AND NOT ((
            SELECT true
            FROM (SELECT campaigns.workspace_id AS asked_workspace, recipient.phone_number AS asked_number) AS asked
            JOIN do_not_call ON do_not_call.workspace_id = asked_workspace AND do_not_call.phone_number = asked_number
            WHERE (do_not_call.expires_at IS NULL OR do_not_call.expires_at > now())
            LIMIT 1) IS NOT NULL)) THEN 'retrying' ELSE
        CASE WHEN call.status = 'disconnected' THEN 'disconnected'
        ELSE 'failed' END END AS status
    ) AS decided
    CROSS JOIN LATERAL (
      SELECT CASE decided.status WHEN 'retrying'
        THEN COALESCE(call.ended_at +
            (campaigns.retry->'afterMinutes'->>(
                LEAST(recipient.attempts, jsonb_array_length(campaigns.retry->'afterMinutes')) - 1))::int * interval '1 minute',
            recipient.next_attempt_at) END AS attempt_at
    ) AS next
    WHERE campaigns.id = $1 AND next.attempt_at IS DISTINCT FROM recipient.next_attempt_at), moved AS (
      UPDATE campaign_recipients AS recipient
      SET status = change.status, attempts = change.attempts, next_attempt_at = change.next_attempt_at,
        conversation_id = change.conversation_id, skipped = change.skipped
      FROM change
      WHERE recipient.campaign_id = change.campaign_id AND recipient.phone_number = change.phone_number
        AND recipient.status = change.old_status
      RETURNING recipient.campaign_id, recipient.phone_number, change.old_status, recipient.status, change.outcome,
        change.reason
    ), retried AS MATERIALIZED (
      SELECT campaign_id, COALESCE(outcome, 'other') AS outcome,
        sum((status = 'retrying')::int - (old_status = 'retrying')::int)::int AS count
      FROM moved GROUP BY 1, 2 HAVING sum((status = 'retrying')::int - (old_status = 'retrying')::int) <> 0
    ), counted AS (
      UPDATE campaigns
      SET count_pending = count_pending + difference.pending, count_calling = count_calling + difference.calling,
        count_retrying = count_retrying + difference.retrying, count_lost = count_lost + difference.lost,
        count_disconnected = count_disconnected + difference.disconnected, count_failed = count_failed + difference.failed,
        count_skipped = count_skipped + difference.skipped,
        count_voicemail = count_voicemail + voicemail, count_inactivity = count_inactivity + inactivity,
        retrying_outcomes = CASE WHEN EXISTS (SELECT FROM retried WHERE campaign_id = campaigns.id)
        THEN
        (SELECT COALESCE(jsonb_object_agg(name, count), '{}') FROM (
          SELECT name, sum(count)::int AS count FROM (
            SELECT key AS name, value::int AS count FROM jsonb_each_text(campaigns.retrying_outcomes)
            UNION ALL
            SELECT CASE WHEN is_known OR known.names + place <= 50 THEN outcome ELSE 'other' END, count
            FROM (
              SELECT outcome, count, is_known, row_number() OVER (PARTITION BY is_known ORDER BY outcome) AS place
              FROM retried CROSS JOIN LATERAL (SELECT campaigns.retrying_outcomes ? outcome AS is_known) AS looked_up
              WHERE campaign_id = campaigns.id
            ) AS changed CROSS JOIN (SELECT count(*) AS names FROM jsonb_object_keys(campaigns.retrying_outcomes)) AS known
          ) AS part GROUP BY name
        ) AS summed) ELSE retrying_outcomes END
      FROM (
        SELECT campaign_id,
          ((count(*) FILTER (WHERE status = 'pending')) - (count(*) FILTER (WHERE old_status = 'pending')))::int AS pending,
          ((count(*) FILTER (WHERE status = 'calling')) - (count(*) FILTER (WHERE old_status = 'calling')))::int AS calling,
          ((count(*) FILTER (WHERE status = 'retrying')) - (count(*) FILTER (WHERE old_status = 'retrying')))::int AS retrying,
          ((count(*) FILTER (WHERE status = 'lost')) - (count(*) FILTER (WHERE old_status = 'lost')))::int AS lost,
          ((count(*) FILTER (WHERE status = 'disconnected')) - (count(*) FILTER (WHERE old_status = 'disconnected')))::int
          AS disconnected, ((count(*) FILTER (WHERE status = 'failed')) - (count(*) FILTER (WHERE old_status = 'failed')))::int
          AS failed, ((count(*) FILTER (WHERE status = 'skipped')) - (count(*) FILTER (WHERE old_status = 'skipped')))::int
          AS skipped,
          count(*) FILTER (WHERE status = 'disconnected' AND old_status <> 'disconnected'
              AND
              CASE reason WHEN 'voicemail_reached' THEN 'voicemail'
              WHEN 'inactivity' THEN 'inactivity'
              ELSE 'reached' END = 'voicemail')::int AS voicemail,
          count(*) FILTER (WHERE status = 'disconnected' AND old_status <> 'disconnected'
              AND
              CASE reason WHEN 'voicemail_reached' THEN 'voicemail'
              WHEN 'inactivity' THEN 'inactivity'
              ELSE 'reached' END = 'inactivity')::int AS inactivity
        FROM moved GROUP BY campaign_id
      ) AS difference
      WHERE campaigns.id = difference.campaign_id
    )
SELECT outcome, count, (SELECT count(*)::int FROM moved) AS moved , (SELECT max(phone_number) FROM batch) AS last
FROM (
  SELECT outcome, count(*)::int AS count FROM moved
  WHERE status IN ('disconnected', 'failed') GROUP BY outcome
) AS ended RIGHT JOIN (SELECT 1) AS one ON true;

-- erase-recipient (src/features/campaigns/recipients/personal-data.sql.ts)
-- $1 campaignId, $2 phoneNumber
UPDATE campaign_recipients
SET phone_number = '#' || row_number, customer_name = '', dynamic_variables = '{}', removed = true
WHERE campaign_id = $1 AND phone_number = $2;

-- erase-recipient-from-search (src/features/campaigns/recipients/recipient-search.sql.ts)
-- $1 phoneNumber, $2 campaignId
UPDATE recipient_search_blocks AS block
SET (numbers, names, irregular) = (
  SELECT COALESCE(string_agg(number, chr(30)), ''), COALESCE(string_agg(name, chr(30)), ''),
    COALESCE(string_agg(concat(number, chr(29), name),
        chr(30)) FILTER (WHERE concat(number, chr(29), name) = ANY (string_to_array(block.irregular, chr(30)))), '')
  FROM (SELECT unnest(string_to_array(block.numbers, chr(30))) AS number, unnest(string_to_array(block.names, chr(30)))
      AS name) AS recipient WHERE number <> $1)
WHERE campaign_id = $2 AND strpos(numbers, $1) > 0
  AND $1 = ANY (string_to_array(numbers, chr(30)));

-- extend-import-timeout (src/features/campaigns/recipients/recipient-import.sql.ts)
SET LOCAL statement_timeout = '600s';

-- find-campaign-snapshots (src/features/campaigns/recipients/campaign-progress.sql.ts)
-- $1 workspaceId, $2 campaignIds
WITH live AS MATERIALIZED (
  SELECT campaigns.id,
    CASE WHEN call.ended_at IS NULL OR recipient.status = 'lost' THEN call.status
    ELSE (SELECT CASE status WHEN 'lost' THEN call.status ELSE status END
      FROM (SELECT
          CASE
          WHEN call.disconnect_reason = 'worker_lost' THEN 'lost'
          WHEN call.disconnect_reason = 'dispatch_expired' AND NOT recipient.removed
          AND (campaigns.windows <> '[]' OR campaigns.expires_at <= now())
          THEN CASE WHEN recipient.attempts > 1 THEN 'retrying' ELSE 'pending' END
          WHEN call.token IS NULL AND call.disconnect_reason = 'cancelled' AND EXISTS (
            SELECT FROM call_events
            WHERE call_events.conversation_id = call.id AND kind = 'cancelled'
              AND data->>'by' = 'do_not_call')
          THEN CASE WHEN recipient.attempts > 1 THEN 'retrying' ELSE 'skipped' END
          WHEN call.token IS NOT NULL AND NOT recipient.removed AND campaigns.status IN ('scheduled', 'running', 'paused')
          AND (campaigns.expires_at IS NULL OR campaigns.expires_at > now()) AND (
              COALESCE(campaigns.retry->'on' ? call.disconnect_reason, true)
              AND recipient.attempts <= (campaigns.retry->>'max')::int
              AND NOT ((
                SELECT true
                FROM (SELECT campaigns.workspace_id AS asked_workspace, recipient.phone_number AS asked_number) AS asked
                JOIN do_not_call ON do_not_call.workspace_id = asked_workspace AND do_not_call.phone_number = asked_number
                WHERE (do_not_call.expires_at IS NULL OR do_not_call.expires_at > now())
                LIMIT 1) IS NOT NULL))
          THEN 'retrying'
          ELSE
          CASE WHEN call.status = 'disconnected' THEN 'disconnected'
          ELSE 'failed' END
          END AS status) AS decided) END AS progress, COALESCE(NULLIF(left(call.outcome, 100), ''), call.disconnect_reason)
    AS outcome,
    CASE call.disconnect_reason WHEN 'voicemail_reached' THEN 'voicemail'
    WHEN 'inactivity' THEN 'inactivity'
    ELSE 'reached' END AS result
  FROM campaigns
  JOIN campaign_recipients AS recipient ON recipient.campaign_id = campaigns.id
    AND recipient.status IN ('calling', 'lost')
  JOIN conversations AS call ON call.id = recipient.conversation_id
  WHERE campaigns.workspace_id = $1 AND campaigns.id = ANY ($2)
)
SELECT id, now() AS "asOf", status, failure_reason AS "failureReason", outcomes,
  retrying_outcomes AS "retryingOutcomes", count_voicemail AS "countVoicemail",
  count_inactivity AS "countInactivity",
  jsonb_build_object('pending', count_pending, 'calling', count_calling, 'retrying', count_retrying, 'lost', count_lost,
      'disconnected', count_disconnected, 'failed', count_failed, 'skipped', count_skipped) AS stored,
  (SELECT jsonb_object_agg(progress, count) FROM (
    SELECT progress, count(*) AS count FROM live
    WHERE live.id = campaigns.id
    GROUP BY progress) AS counted) AS live,
  (SELECT jsonb_object_agg(outcome, count) FROM (
    SELECT outcome, count(*) AS count FROM live
    WHERE live.id = campaigns.id AND progress IN ('disconnected', 'failed')
    GROUP BY outcome) AS counted) AS "liveOutcomes",
  (SELECT jsonb_object_agg(outcome, count) FROM (
    SELECT outcome, count(*) AS count FROM live
    WHERE live.id = campaigns.id AND progress IN ('retrying')
    GROUP BY outcome) AS counted) AS "liveRetryingOutcomes",
  (SELECT jsonb_object_agg(result, count) FROM (
    SELECT result, count(*) AS count FROM live
    WHERE live.id = campaigns.id AND progress IN ('disconnected')
    GROUP BY result) AS counted) AS "liveResults",
  (SELECT count(*)::int FROM conversations
    WHERE conversations.workspace_id = $1 AND created_at > now() - interval '1 minute'
      AND campaign_id = campaigns.id AND (ended_at IS NULL OR token IS NOT NULL)) AS "callsLastMinute"
FROM campaigns WHERE workspace_id = $1 AND id = ANY ($2);

-- find-campaigns-of-calls (src/features/campaigns/recipients/personal-data.sql.ts)
-- $1 conversationIds
SELECT DISTINCT campaign_id AS id FROM campaign_recipients
WHERE conversation_id = ANY ($1) ORDER BY campaign_id;

-- find-campaigns-of-number (src/features/campaigns/recipients/personal-data.sql.ts)
-- $1 phoneNumber, $2 workspaceId
SELECT campaigns.id
FROM campaigns CROSS JOIN LATERAL (
  SELECT FROM campaign_recipients
  WHERE campaign_id = campaigns.id AND phone_number = $1
    AND NOT (removed AND status = 'calling') LIMIT 1
) AS recipient
WHERE workspace_id = $2 ORDER BY campaigns.id LIMIT 100;

-- find-end-of-recipient-batch (src/features/campaigns/recipients/recipient-list.sql.ts), not prepared
-- $1 after, $2 campaignId
WITH RECURSIVE batch AS (
  SELECT $1::text AS phone_number, 0 AS place
  UNION ALL
  SELECT next.phone_number, place + 1
  FROM batch CROSS JOIN LATERAL (
    SELECT recipient.phone_number FROM campaign_recipients AS recipient
    WHERE recipient.campaign_id = $2 AND recipient.phone_number > batch.phone_number
    ORDER BY recipient.phone_number LIMIT 1
  ) AS next
  WHERE place < 1000
)
SELECT max(phone_number) FILTER (WHERE place > 0) AS "end" FROM batch;

-- find-first-recipients (src/features/campaigns/recipients/recipient-search.sql.ts), not prepared
-- $1 campaignId, $2 search, $3 pattern
WITH having_term AS MATERIALIZED (
  SELECT block FROM recipient_search_blocks AS block WHERE campaign_id = $1
    AND (CASE WHEN $2 ~ '^[+0-9]*$' THEN block.numbers ELSE block.names END LIKE lower($3) OR $2 ~ '^[+0-9]*$'
        AND block.irregular LIKE lower($3))
  ORDER BY block LIMIT 500 + 1
), found AS MATERIALIZED (
  SELECT number
  FROM (SELECT block FROM having_term ORDER BY block LIMIT 500) AS split
  CROSS JOIN LATERAL (
    SELECT number
    FROM recipient_search_blocks AS block
    CROSS JOIN LATERAL (SELECT unnest(string_to_array(block.numbers, chr(30))) AS number,
        unnest(string_to_array(block.names, chr(30))) AS name) AS recipient
    WHERE campaign_id = $1 AND block.block = split.block
      AND ($2 ~ '^[+0-9]*$' AND number LIKE lower($3) OR name LIKE lower($3)) OFFSET 0
  ) AS recipient
  LIMIT 5000 + 1
)
SELECT EXISTS (SELECT FROM recipient_search_blocks WHERE campaign_id = $1) AS "isSearchable",
  (SELECT count(*) FROM having_term) <= 500 AND (SELECT count(*) FROM found) <= 5000 AS "isComplete",
  ARRAY(SELECT number FROM found ORDER BY number COLLATE "C" LIMIT 5000)::text AS numbers;

-- find-number-in-campaigns (src/features/campaigns/recipients/recipient-search.sql.ts)
-- $1 numbers, $2 workspaceId, $3 limit
SELECT campaigns.id AS "campaignId", number
FROM campaigns CROSS JOIN LATERAL (
  SELECT phone_number AS number FROM campaign_recipients
  WHERE campaign_id = campaigns.id AND phone_number = ANY ($1::text[]) LIMIT 1
) AS recipient
WHERE workspace_id = $2 ORDER BY campaigns.created_at DESC, campaigns.id DESC LIMIT $3;

-- find-quota-of-recipients (src/features/campaigns/recipients/quotas.sql.ts)
-- $1 workspaceId
SELECT quotas_recipients AS "limit", (
  SELECT COALESCE(sum(count_pending + count_retrying), 0) FROM campaigns
  WHERE workspace_id = $1 AND status IN ('scheduled', 'running', 'paused')) AS used
FROM workspaces WHERE id = $1;

-- find-recipients (src/features/campaigns/recipients/recipient-list.sql.ts)
-- $1 campaignIds, $2 numbers, $3 workspaceId
WITH page AS MATERIALIZED (
  SELECT recipient.*, shown.progress
  FROM unnest($1::uuid[], $2::text[]) AS wanted (campaign_id, phone_number)
  JOIN campaign_recipients AS recipient USING (campaign_id, phone_number)
  JOIN campaigns ON campaigns.id = recipient.campaign_id
  LEFT JOIN conversations AS call ON call.id = recipient.conversation_id AND recipient.status IN ('calling', 'lost')
  CROSS JOIN LATERAL (
    SELECT CASE WHEN recipient.status IN ('calling', 'lost') THEN
      CASE WHEN call.ended_at IS NULL OR recipient.status = 'lost' THEN call.status
      ELSE (SELECT CASE status WHEN 'lost' THEN call.status ELSE status END
        FROM (SELECT
            CASE
            WHEN call.disconnect_reason = 'worker_lost' THEN 'lost'
            WHEN call.disconnect_reason = 'dispatch_expired' AND NOT recipient.removed
            AND (campaigns.windows <> '[]' OR campaigns.expires_at <= now())
            THEN CASE WHEN recipient.attempts > 1 THEN 'retrying' ELSE 'pending' END
            WHEN call.token IS NULL AND call.disconnect_reason = 'cancelled' AND EXISTS (
              SELECT FROM call_events
              WHERE call_events.conversation_id = call.id AND kind = 'cancelled'
                AND data->>'by' = 'do_not_call')
            THEN CASE WHEN recipient.attempts > 1 THEN 'retrying' ELSE 'skipped' END
            WHEN call.token IS NOT NULL AND NOT recipient.removed AND campaigns.status IN ('scheduled', 'running', 'paused')
            AND (campaigns.expires_at IS NULL OR campaigns.expires_at > now()) AND (
                COALESCE(campaigns.retry->'on' ? call.disconnect_reason, true)
                AND recipient.attempts <= (campaigns.retry->>'max')::int
                AND NOT ((
                  SELECT true
                  FROM (SELECT campaigns.workspace_id AS asked_workspace, recipient.phone_number AS asked_number) AS asked
                  JOIN do_not_call ON do_not_call.workspace_id = asked_workspace AND do_not_call.phone_number = asked_number
                  WHERE (do_not_call.expires_at IS NULL OR do_not_call.expires_at > now())
                  LIMIT 1) IS NOT NULL))
            THEN 'retrying'
            ELSE
            CASE WHEN call.status = 'disconnected' THEN 'disconnected'
            ELSE 'failed' END
            END AS status) AS decided) END ELSE recipient.status END AS progress) AS shown
  WHERE campaigns.workspace_id = $3
)
SELECT
  page.phone_number AS "phoneNumber", customer_name AS "customerName", progress,
  (attempts - (page.status = 'calling' AND progress = 'pending')::int)::smallint AS attempts, skipped, last.id
  AS "lastCallId", COALESCE(NULLIF(left(last.outcome, 100), ''), last.disconnect_reason) AS outcome,
  CASE WHEN progress = 'disconnected' AND last.id IS NOT NULL
  THEN
  CASE last.disconnect_reason WHEN 'voicemail_reached' THEN 'voicemail'
  WHEN 'inactivity' THEN 'inactivity'
  ELSE 'reached' END END AS result,
  CASE WHEN page.status IN ('pending', 'retrying')
  THEN NULLIF(GREATEST(next_attempt_at, CASE WHEN zone.opens_at > now() THEN zone.opens_at END), 'infinity')
  END AS "nextAttemptAt", campaigns.id AS "campaignId", campaigns.name AS "campaignName", campaigns.timezone,
  campaigns.status AS "campaignStatus",
  page.status IN ('pending', 'retrying') AS "isWaiting",
  ((
    SELECT true
    FROM (SELECT campaigns.workspace_id AS asked_workspace, page.phone_number AS asked_number) AS asked
    JOIN do_not_call ON do_not_call.workspace_id = asked_workspace AND do_not_call.phone_number = asked_number
    WHERE (do_not_call.expires_at IS NULL OR do_not_call.expires_at > now())
    LIMIT 1) IS NOT NULL) AS "isListed",
  COALESCE(campaigns.expires_at <= now(), false) AS "hasExpired",
  CASE WHEN campaigns.schedule_time > now() THEN NULLIF(campaigns.schedule_time, 'infinity') END AS "scheduleTime",
  CASE WHEN page.next_attempt_at > now() THEN NULLIF(page.next_attempt_at, 'infinity') END AS "retryAt",
  COALESCE(zone.opens_at > now() OR zone.closes_at <= now() AND campaigns.status = 'running', false)
  AS "isOutsideWindow",
  CASE WHEN zone.opens_at > now() THEN NULLIF(zone.opens_at, 'infinity') END AS "opensAt",
  NOT (agents.status AND (agents.active_version IS NOT NULL OR NOT agents.gated)) AS "isAgentOff"
FROM page
LEFT JOIN conversations AS last ON last.id = page.conversation_id
  AND NOT (page.status = 'calling' AND progress = 'pending')
LEFT JOIN campaign_zones AS zone ON zone.campaign_id = page.campaign_id AND zone.timezone = page.timezone
JOIN campaigns ON campaigns.id = page.campaign_id
JOIN agents ON agents.id = campaigns.agent_id
ORDER BY campaigns.created_at DESC, campaigns.id DESC, page.phone_number;

-- find-repeated-recipients (src/features/campaigns/recipients/recipient-import.sql.ts)
SELECT row_number AS "row", phone_number AS "phoneNumber", first_row AS "firstRow"
FROM (
  SELECT row_number, phone_number, min(row_number) OVER (PARTITION BY phone_number) AS first_row
  FROM recipient_stage
) AS staged
WHERE row_number > first_row ORDER BY row_number LIMIT 20;

-- finish-recipients (src/features/campaigns/recipients/waiting-recipients.sql.ts)
-- $1 reason, $2 campaignId, $3 numbers
WITH
  change AS MATERIALIZED (
    SELECT recipient.campaign_id, recipient.phone_number, recipient.status AS old_status,
      CASE WHEN recipient.status = 'pending' THEN 'skipped'
      ELSE
      CASE WHEN call.status = 'disconnected' THEN 'disconnected'
      ELSE 'failed' END END AS status,
      recipient.attempts, NULL::timestamptz AS next_attempt_at, recipient.conversation_id,
      CASE recipient.status WHEN 'pending' THEN $1::text END AS skipped,
      COALESCE(NULLIF(left(call.outcome, 100), ''), call.disconnect_reason) AS outcome, call.disconnect_reason AS reason
    FROM (
      SELECT * FROM campaign_recipients
      WHERE campaign_id = $2 AND phone_number = ANY ($3)
        AND status IN ('pending', 'retrying')) AS recipient LEFT JOIN conversations AS call
      ON call.id = recipient.conversation_id), moved AS (
        UPDATE campaign_recipients AS recipient
        SET status = change.status, attempts = change.attempts, next_attempt_at = change.next_attempt_at,
          conversation_id = change.conversation_id, skipped = change.skipped
        FROM change
        WHERE recipient.campaign_id = change.campaign_id AND recipient.phone_number = change.phone_number
          AND recipient.status = change.old_status
        RETURNING recipient.campaign_id, recipient.phone_number, change.old_status, recipient.status, change.outcome,
          change.reason
      ), retried AS MATERIALIZED (
        SELECT campaign_id, COALESCE(outcome, 'other') AS outcome,
          sum((status = 'retrying')::int - (old_status = 'retrying')::int)::int AS count
        FROM moved GROUP BY 1, 2 HAVING sum((status = 'retrying')::int - (old_status = 'retrying')::int) <> 0
      ), counted AS (
        UPDATE campaigns
        SET count_pending = count_pending + difference.pending, count_calling = count_calling + difference.calling,
          count_retrying = count_retrying + difference.retrying, count_lost = count_lost + difference.lost,
          count_disconnected = count_disconnected + difference.disconnected, count_failed = count_failed + difference.failed,
          count_skipped = count_skipped + difference.skipped,
          count_voicemail = count_voicemail + voicemail, count_inactivity = count_inactivity + inactivity,
          retrying_outcomes = CASE WHEN EXISTS (SELECT FROM retried WHERE campaign_id = campaigns.id)
          THEN
          (SELECT COALESCE(jsonb_object_agg(name, count), '{}') FROM (
            SELECT name, sum(count)::int AS count FROM (
              SELECT key AS name, value::int AS count FROM jsonb_each_text(campaigns.retrying_outcomes)
              UNION ALL
              SELECT CASE WHEN is_known OR known.names + place <= 50 THEN outcome ELSE 'other' END, count
              FROM (
                SELECT outcome, count, is_known, row_number() OVER (PARTITION BY is_known ORDER BY outcome) AS place
                FROM retried CROSS JOIN LATERAL (SELECT campaigns.retrying_outcomes ? outcome AS is_known) AS looked_up
                WHERE campaign_id = campaigns.id
              ) AS changed CROSS JOIN (SELECT count(*) AS names FROM jsonb_object_keys(campaigns.retrying_outcomes)) AS known
            ) AS part GROUP BY name
          ) AS summed) ELSE retrying_outcomes END
        FROM (
          SELECT campaign_id,
            ((count(*) FILTER (WHERE status = 'pending')) - (count(*) FILTER (WHERE old_status = 'pending')))::int AS pending,
            ((count(*) FILTER (WHERE status = 'calling')) - (count(*) FILTER (WHERE old_status = 'calling')))::int AS calling,
            ((count(*) FILTER (WHERE status = 'retrying')) - (count(*) FILTER (WHERE old_status = 'retrying')))::int AS retrying,
            ((count(*) FILTER (WHERE status = 'lost')) - (count(*) FILTER (WHERE old_status = 'lost')))::int AS lost,
            ((count(*) FILTER (WHERE status = 'disconnected')) - (count(*) FILTER (WHERE old_status = 'disconnected')))::int
            AS disconnected, ((count(*) FILTER (WHERE status = 'failed')) - (count(*) FILTER (WHERE old_status = 'failed')))::int
            AS failed, ((count(*) FILTER (WHERE status = 'skipped')) - (count(*) FILTER (WHERE old_status = 'skipped')))::int
            AS skipped,
            count(*) FILTER (WHERE status = 'disconnected' AND old_status <> 'disconnected'
                AND
                CASE reason WHEN 'voicemail_reached' THEN 'voicemail'
                WHEN 'inactivity' THEN 'inactivity'
                ELSE 'reached' END = 'voicemail')::int AS voicemail,
            count(*) FILTER (WHERE status = 'disconnected' AND old_status <> 'disconnected'
                AND
                CASE reason WHEN 'voicemail_reached' THEN 'voicemail'
                WHEN 'inactivity' THEN 'inactivity'
                ELSE 'reached' END = 'inactivity')::int AS inactivity
          FROM moved GROUP BY campaign_id
        ) AS difference
        WHERE campaigns.id = difference.campaign_id
      )
SELECT outcome, count, (SELECT count(*)::int FROM moved) AS moved
FROM (
  SELECT outcome, count(*)::int AS count FROM moved
  WHERE status IN ('disconnected', 'failed') GROUP BY outcome
) AS ended RIGHT JOIN (SELECT 1) AS one ON true;

-- finish-rest-of-recipients (src/features/campaigns/recipients/waiting-recipients.sql.ts)
-- $1 reason, $2 campaignId
WITH
  change AS MATERIALIZED (
    SELECT recipient.campaign_id, recipient.phone_number, recipient.status AS old_status,
      CASE WHEN recipient.status = 'pending' THEN 'skipped'
      ELSE
      CASE WHEN call.status = 'disconnected' THEN 'disconnected'
      ELSE 'failed' END END AS status,
      recipient.attempts, NULL::timestamptz AS next_attempt_at, recipient.conversation_id,
      CASE recipient.status WHEN 'pending' THEN $1::text END AS skipped,
      COALESCE(NULLIF(left(call.outcome, 100), ''), call.disconnect_reason) AS outcome, call.disconnect_reason AS reason
    FROM (
        (SELECT * FROM campaign_recipients
          WHERE campaign_id = $2 AND status = 'pending' LIMIT 5000)
      UNION ALL
        (SELECT * FROM campaign_recipients
          WHERE campaign_id = $2 AND status = 'retrying' LIMIT 5000)) AS recipient LEFT JOIN conversations AS call
      ON call.id = recipient.conversation_id), moved AS (
        UPDATE campaign_recipients AS recipient
        SET status = change.status, attempts = change.attempts, next_attempt_at = change.next_attempt_at,
          conversation_id = change.conversation_id, skipped = change.skipped
        FROM change
        WHERE recipient.campaign_id = change.campaign_id AND recipient.phone_number = change.phone_number
          AND recipient.status = change.old_status
        RETURNING recipient.campaign_id, recipient.phone_number, change.old_status, recipient.status, change.outcome,
          change.reason
      ), retried AS MATERIALIZED (
        SELECT campaign_id, COALESCE(outcome, 'other') AS outcome,
          sum((status = 'retrying')::int - (old_status = 'retrying')::int)::int AS count
        FROM moved GROUP BY 1, 2 HAVING sum((status = 'retrying')::int - (old_status = 'retrying')::int) <> 0
      ), counted AS (
        UPDATE campaigns
        SET count_pending = count_pending + difference.pending, count_calling = count_calling + difference.calling,
          count_retrying = count_retrying + difference.retrying, count_lost = count_lost + difference.lost,
          count_disconnected = count_disconnected + difference.disconnected, count_failed = count_failed + difference.failed,
          count_skipped = count_skipped + difference.skipped,
          count_voicemail = count_voicemail + voicemail, count_inactivity = count_inactivity + inactivity,
          retrying_outcomes = CASE WHEN EXISTS (SELECT FROM retried WHERE campaign_id = campaigns.id)
          THEN
          (SELECT COALESCE(jsonb_object_agg(name, count), '{}') FROM (
            SELECT name, sum(count)::int AS count FROM (
              SELECT key AS name, value::int AS count FROM jsonb_each_text(campaigns.retrying_outcomes)
              UNION ALL
              SELECT CASE WHEN is_known OR known.names + place <= 50 THEN outcome ELSE 'other' END, count
              FROM (
                SELECT outcome, count, is_known, row_number() OVER (PARTITION BY is_known ORDER BY outcome) AS place
                FROM retried CROSS JOIN LATERAL (SELECT campaigns.retrying_outcomes ? outcome AS is_known) AS looked_up
                WHERE campaign_id = campaigns.id
              ) AS changed CROSS JOIN (SELECT count(*) AS names FROM jsonb_object_keys(campaigns.retrying_outcomes)) AS known
            ) AS part GROUP BY name
          ) AS summed) ELSE retrying_outcomes END
        FROM (
          SELECT campaign_id,
            ((count(*) FILTER (WHERE status = 'pending')) - (count(*) FILTER (WHERE old_status = 'pending')))::int AS pending,
            ((count(*) FILTER (WHERE status = 'calling')) - (count(*) FILTER (WHERE old_status = 'calling')))::int AS calling,
            ((count(*) FILTER (WHERE status = 'retrying')) - (count(*) FILTER (WHERE old_status = 'retrying')))::int AS retrying,
            ((count(*) FILTER (WHERE status = 'lost')) - (count(*) FILTER (WHERE old_status = 'lost')))::int AS lost,
            ((count(*) FILTER (WHERE status = 'disconnected')) - (count(*) FILTER (WHERE old_status = 'disconnected')))::int
            AS disconnected, ((count(*) FILTER (WHERE status = 'failed')) - (count(*) FILTER (WHERE old_status = 'failed')))::int
            AS failed, ((count(*) FILTER (WHERE status = 'skipped')) - (count(*) FILTER (WHERE old_status = 'skipped')))::int
            AS skipped,
            count(*) FILTER (WHERE status = 'disconnected' AND old_status <> 'disconnected'
                AND
                CASE reason WHEN 'voicemail_reached' THEN 'voicemail'
                WHEN 'inactivity' THEN 'inactivity'
                ELSE 'reached' END = 'voicemail')::int AS voicemail,
            count(*) FILTER (WHERE status = 'disconnected' AND old_status <> 'disconnected'
                AND
                CASE reason WHEN 'voicemail_reached' THEN 'voicemail'
                WHEN 'inactivity' THEN 'inactivity'
                ELSE 'reached' END = 'inactivity')::int AS inactivity
          FROM moved GROUP BY campaign_id
        ) AS difference
        WHERE campaigns.id = difference.campaign_id
      )
SELECT outcome, count, (SELECT count(*)::int FROM moved) AS moved
FROM (
  SELECT outcome, count(*)::int AS count FROM moved
  WHERE status IN ('disconnected', 'failed') GROUP BY outcome
) AS ended RIGHT JOIN (SELECT 1) AS one ON true;

-- first-staged-recipients (src/features/campaigns/recipients/recipient-import.sql.ts)
-- $1 workspaceId
SELECT phone_number AS "phoneNumber", customer_name AS "customerName", dynamic_variables AS "dynamicVariables"
FROM (
  SELECT * FROM recipient_stage
  WHERE row_number IN (SELECT min(row_number) FROM recipient_stage GROUP BY phone_number)
  ORDER BY row_number OFFSET 0
) AS staged
WHERE NOT ((
  SELECT true
  FROM (SELECT $1::uuid AS asked_workspace, staged.phone_number AS asked_number) AS asked
  JOIN do_not_call ON do_not_call.workspace_id = asked_workspace AND do_not_call.phone_number = asked_number
  WHERE (do_not_call.expires_at IS NULL OR do_not_call.expires_at > now())
  LIMIT 1) IS NOT NULL) ORDER BY row_number LIMIT 3;

-- has-recipient-with-number (src/features/campaigns/recipients/personal-data.sql.ts)
-- $1 phoneNumber, $2 workspaceId
SELECT EXISTS (
  SELECT FROM campaigns CROSS JOIN LATERAL (
    SELECT FROM campaign_recipients
    WHERE campaign_id = campaigns.id AND phone_number = $1 LIMIT 1
  ) AS recipient
  WHERE workspace_id = $2) AS "hasRecipient";

-- insert-campaign-recipients (src/features/campaigns/recipients/recipient-import.sql.ts)
-- $1 campaignId
INSERT INTO campaign_recipients (campaign_id, phone_number, row_number, customer_name, dynamic_variables, timezone)
SELECT $1, phone_number, row_number, customer_name, dynamic_variables, timezone FROM recipient_stage;

-- insert-recipient-search-blocks (src/features/campaigns/recipients/recipient-search.sql.ts)
-- $1 campaignId
INSERT INTO recipient_search_blocks (campaign_id, block, numbers, names, irregular)
SELECT $1, place / 128, string_agg(number, chr(30)), string_agg(name, chr(30)),
  COALESCE(string_agg(concat(number, chr(29), name), chr(30)) FILTER (WHERE is_irregular), '')
FROM (
  SELECT phone_number AS number, is_irregular,
    lower(translate(customer_name, chr(30) || chr(29), '  ')) AS name,
    row_number() OVER (ORDER BY phone_number COLLATE "C") - 1 AS place
  FROM recipient_stage
) AS placed
GROUP BY place / 128;

-- list-recipients (src/features/campaigns/recipients/recipient-list.sql.ts), not prepared
-- $1 campaignId, $2 progress, $3 result, $4 numbers, $5 search, $6 offset, $7 limit
WITH page AS MATERIALIZED (SELECT recipient.*, shown.progress
  FROM campaign_recipients AS recipient
  JOIN campaigns ON campaigns.id = recipient.campaign_id
  LEFT JOIN conversations AS call ON call.id = recipient.conversation_id AND recipient.status IN ('calling', 'lost')
  CROSS JOIN LATERAL (
    SELECT CASE WHEN recipient.status IN ('calling', 'lost') THEN
      CASE WHEN call.ended_at IS NULL OR recipient.status = 'lost' THEN call.status
      ELSE (SELECT CASE status WHEN 'lost' THEN call.status ELSE status END
        FROM (SELECT
            CASE
            WHEN call.disconnect_reason = 'worker_lost' THEN 'lost'
            WHEN call.disconnect_reason = 'dispatch_expired' AND NOT recipient.removed
            AND (campaigns.windows <> '[]' OR campaigns.expires_at <= now())
            THEN CASE WHEN recipient.attempts > 1 THEN 'retrying' ELSE 'pending' END
            WHEN call.token IS NULL AND call.disconnect_reason = 'cancelled' AND EXISTS (
              SELECT FROM call_events
              WHERE call_events.conversation_id = call.id AND kind = 'cancelled'
                AND data->>'by' = 'do_not_call')
            THEN CASE WHEN recipient.attempts > 1 THEN 'retrying' ELSE 'skipped' END
            WHEN call.token IS NOT NULL AND NOT recipient.removed AND campaigns.status IN ('scheduled', 'running', 'paused')
            AND (campaigns.expires_at IS NULL OR campaigns.expires_at > now()) AND (
                COALESCE(campaigns.retry->'on' ? call.disconnect_reason, true)
                AND recipient.attempts <= (campaigns.retry->>'max')::int
                AND NOT ((
                  SELECT true
                  FROM (SELECT campaigns.workspace_id AS asked_workspace, recipient.phone_number AS asked_number) AS asked
                  JOIN do_not_call ON do_not_call.workspace_id = asked_workspace AND do_not_call.phone_number = asked_number
                  WHERE (do_not_call.expires_at IS NULL OR do_not_call.expires_at > now())
                  LIMIT 1) IS NOT NULL))
            THEN 'retrying'
            ELSE
            CASE WHEN call.status = 'disconnected' THEN 'disconnected'
            ELSE 'failed' END
            END AS status) AS decided) END ELSE recipient.status END AS progress) AS shown
  WHERE recipient.campaign_id = $1
    AND ($2::text IS NULL OR
        (recipient.status = $2 OR recipient.status IN ('calling', 'lost')) AND shown.progress = $2)
    AND ($3::text IS NULL OR shown.progress = 'disconnected' AND $3 = (
      SELECT
        CASE last.disconnect_reason WHEN 'voicemail_reached' THEN 'voicemail'
        WHEN 'inactivity' THEN 'inactivity'
        ELSE 'reached' END FROM conversations AS last WHERE last.id = recipient.conversation_id))
    AND ($4::text[] IS NULL OR recipient.phone_number = ANY ($4::text[]))
    AND ($5::text IS NULL OR (recipient.phone_number LIKE $5 AND recipient.phone_number LIKE '+%')
        OR recipient.customer_name ILIKE $5) ORDER BY recipient.phone_number OFFSET $6 LIMIT $7)
SELECT
  page.phone_number AS "phoneNumber", customer_name AS "customerName", progress,
  (attempts - (page.status = 'calling' AND progress = 'pending')::int)::smallint AS attempts, skipped, last.id
  AS "lastCallId", COALESCE(NULLIF(left(last.outcome, 100), ''), last.disconnect_reason) AS outcome,
  CASE WHEN progress = 'disconnected' AND last.id IS NOT NULL
  THEN
  CASE last.disconnect_reason WHEN 'voicemail_reached' THEN 'voicemail'
  WHEN 'inactivity' THEN 'inactivity'
  ELSE 'reached' END END AS result,
  CASE WHEN page.status IN ('pending', 'retrying')
  THEN NULLIF(GREATEST(next_attempt_at, CASE WHEN zone.opens_at > now() THEN zone.opens_at END), 'infinity')
  END AS "nextAttemptAt"
FROM page
LEFT JOIN conversations AS last ON last.id = page.conversation_id
  AND NOT (page.status = 'calling' AND progress = 'pending')
LEFT JOIN campaign_zones AS zone ON zone.campaign_id = page.campaign_id
  AND zone.timezone = page.timezone ORDER BY page.phone_number;

-- mark-recipients-called (src/features/campaigns/recipients/recipient-moves.sql.ts)
-- $1 numbers, $2 conversationIds, $3 campaignId
WITH
  change AS MATERIALIZED (
    SELECT campaign_id, phone_number, status AS old_status, 'calling' AS status,
      (attempts + 1)::smallint AS attempts, NULL::timestamptz AS next_attempt_at,
      called.conversation_id AS conversation_id, NULL::text AS skipped,
      CASE status WHEN 'retrying' THEN (
        SELECT COALESCE(NULLIF(left(last.outcome, 100), ''), last.disconnect_reason) FROM conversations AS last
        WHERE last.id = campaign_recipients.conversation_id) END AS outcome, NULL::text AS reason
    FROM campaign_recipients
    JOIN unnest($1::text[], $2::uuid[]) AS called (phone_number, conversation_id)
    USING (phone_number)
    WHERE campaign_id = $3
      AND status IN ('pending', 'retrying')), moved AS (
        UPDATE campaign_recipients AS recipient
        SET status = change.status, attempts = change.attempts, next_attempt_at = change.next_attempt_at,
          conversation_id = change.conversation_id, skipped = change.skipped
        FROM change
        WHERE recipient.campaign_id = change.campaign_id AND recipient.phone_number = change.phone_number
          AND recipient.status = change.old_status
        RETURNING recipient.campaign_id, recipient.phone_number, change.old_status, recipient.status, change.outcome,
          change.reason
      ), retried AS MATERIALIZED (
        SELECT campaign_id, COALESCE(outcome, 'other') AS outcome,
          sum((status = 'retrying')::int - (old_status = 'retrying')::int)::int AS count
        FROM moved GROUP BY 1, 2 HAVING sum((status = 'retrying')::int - (old_status = 'retrying')::int) <> 0
      ), counted AS (
        UPDATE campaigns
        SET count_pending = count_pending + difference.pending, count_calling = count_calling + difference.calling,
          count_retrying = count_retrying + difference.retrying, count_lost = count_lost + difference.lost,
          count_disconnected = count_disconnected + difference.disconnected, count_failed = count_failed + difference.failed,
          count_skipped = count_skipped + difference.skipped,
          count_voicemail = count_voicemail + voicemail, count_inactivity = count_inactivity + inactivity,
          retrying_outcomes = CASE WHEN EXISTS (SELECT FROM retried WHERE campaign_id = campaigns.id)
          THEN
          (SELECT COALESCE(jsonb_object_agg(name, count), '{}') FROM (
            SELECT name, sum(count)::int AS count FROM (
              SELECT key AS name, value::int AS count FROM jsonb_each_text(campaigns.retrying_outcomes)
              UNION ALL
              SELECT CASE WHEN is_known OR known.names + place <= 50 THEN outcome ELSE 'other' END, count
              FROM (
                SELECT outcome, count, is_known, row_number() OVER (PARTITION BY is_known ORDER BY outcome) AS place
                FROM retried CROSS JOIN LATERAL (SELECT campaigns.retrying_outcomes ? outcome AS is_known) AS looked_up
                WHERE campaign_id = campaigns.id
              ) AS changed CROSS JOIN (SELECT count(*) AS names FROM jsonb_object_keys(campaigns.retrying_outcomes)) AS known
            ) AS part GROUP BY name
          ) AS summed) ELSE retrying_outcomes END
        FROM (
          SELECT campaign_id,
            ((count(*) FILTER (WHERE status = 'pending')) - (count(*) FILTER (WHERE old_status = 'pending')))::int AS pending,
            ((count(*) FILTER (WHERE status = 'calling')) - (count(*) FILTER (WHERE old_status = 'calling')))::int AS calling,
            ((count(*) FILTER (WHERE status = 'retrying')) - (count(*) FILTER (WHERE old_status = 'retrying')))::int AS retrying,
            ((count(*) FILTER (WHERE status = 'lost')) - (count(*) FILTER (WHERE old_status = 'lost')))::int AS lost,
            ((count(*) FILTER (WHERE status = 'disconnected')) - (count(*) FILTER (WHERE old_status = 'disconnected')))::int
            AS disconnected, ((count(*) FILTER (WHERE status = 'failed')) - (count(*) FILTER (WHERE old_status = 'failed')))::int
            AS failed, ((count(*) FILTER (WHERE status = 'skipped')) - (count(*) FILTER (WHERE old_status = 'skipped')))::int
            AS skipped,
            count(*) FILTER (WHERE status = 'disconnected' AND old_status <> 'disconnected'
                AND
                CASE reason WHEN 'voicemail_reached' THEN 'voicemail'
                WHEN 'inactivity' THEN 'inactivity'
                ELSE 'reached' END = 'voicemail')::int AS voicemail,
            count(*) FILTER (WHERE status = 'disconnected' AND old_status <> 'disconnected'
                AND
                CASE reason WHEN 'voicemail_reached' THEN 'voicemail'
                WHEN 'inactivity' THEN 'inactivity'
                ELSE 'reached' END = 'inactivity')::int AS inactivity
          FROM moved GROUP BY campaign_id
        ) AS difference
        WHERE campaigns.id = difference.campaign_id
      )
SELECT phone_number AS "phoneNumber" FROM moved;

-- next-campaign-recipients (src/features/campaigns/recipients/campaign-recipients.sql.ts)
-- $1 limit, $2 campaignConcurrency, $3 campaignId, $4 workspaceId
WITH campaign AS MATERIALIZED (
  SELECT LEAST($1,
      GREATEST(0, LEAST(COALESCE(campaigns.concurrency, $2::int) - campaigns.count_calling,
          floor(0.000001 + calls_per_second * extract(epoch
            FROM now() - GREATEST(paced_until, now() - GREATEST(2, 1 / calls_per_second) * interval '1 second')))))::int) AS room,
    expires_at FROM campaigns
  WHERE id = $3 AND (expires_at IS NULL OR expires_at > now())
), open AS MATERIALIZED (
  SELECT timezone, closes_at FROM campaign_zones
  WHERE campaign_id = $3 AND opens_at <= now() AND closes_at > now() ORDER BY closes_at, timezone
), due AS MATERIALIZED (
  SELECT recipient.*, open.closes_at
  FROM open CROSS JOIN LATERAL (
    SELECT row_number, phone_number, customer_name, dynamic_variables, attempts, status, next_attempt_at, timezone
    FROM campaign_recipients
    WHERE campaign_id = $3 AND timezone = open.timezone AND status = 'retrying'
      AND next_attempt_at <= now()
    ORDER BY next_attempt_at LIMIT COALESCE((SELECT room FROM campaign), 0)) AS recipient
  LIMIT COALESCE((SELECT room FROM campaign), 0)
), pending AS MATERIALIZED (
  SELECT recipient.*, open.closes_at
  FROM open CROSS JOIN LATERAL (
    SELECT row_number, phone_number, customer_name, dynamic_variables, attempts, status, next_attempt_at, timezone
    FROM campaign_recipients
    WHERE campaign_id = $3 AND timezone = open.timezone AND status = 'pending'
    ORDER BY row_number LIMIT (COALESCE((SELECT room FROM campaign), 0) - (SELECT count(*) FROM due))) AS recipient
  LIMIT (COALESCE((SELECT room FROM campaign), 0) - (SELECT count(*) FROM due))
), next AS (
  SELECT *, row_number() OVER (ORDER BY status DESC, closes_at, timezone, next_attempt_at, row_number) AS place
  FROM (SELECT * FROM due UNION ALL SELECT * FROM pending) AS next
), sized AS (
  SELECT *, sum(pg_column_size(dynamic_variables)) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING)
    - pg_column_size(dynamic_variables) AS bytes_before
  FROM next
)
SELECT phone_number AS "phoneNumber", customer_name AS "customerName", dynamic_variables AS "dynamicVariables",
  attempts, ((
    SELECT true
    FROM (SELECT $4::uuid AS asked_workspace, sized.phone_number AS asked_number) AS asked
    JOIN do_not_call ON do_not_call.workspace_id = asked_workspace AND do_not_call.phone_number = asked_number
    WHERE (do_not_call.expires_at IS NULL OR do_not_call.expires_at > now())
    LIMIT 1) IS NOT NULL) AS "isListed",
  NULLIF(LEAST(closes_at, (SELECT expires_at FROM campaign)), 'infinity') AS "notAfter"
FROM sized WHERE bytes_before < 262144 AND COALESCE((SELECT room FROM campaign), 0) > 0 ORDER BY place;

-- read-recipient-batch (src/features/campaigns/recipients/recipient-list.sql.ts), not prepared
-- $1 campaignId, $2 progress, $3 result, $4 numbers, $5 search, $6 after, $7 end
WITH page AS MATERIALIZED (SELECT recipient.*, shown.progress
  FROM campaign_recipients AS recipient
  JOIN campaigns ON campaigns.id = recipient.campaign_id
  LEFT JOIN conversations AS call ON call.id = recipient.conversation_id AND recipient.status IN ('calling', 'lost')
  CROSS JOIN LATERAL (
    SELECT CASE WHEN recipient.status IN ('calling', 'lost') THEN
      CASE WHEN call.ended_at IS NULL OR recipient.status = 'lost' THEN call.status
      ELSE (SELECT CASE status WHEN 'lost' THEN call.status ELSE status END
        FROM (SELECT
            CASE
            WHEN call.disconnect_reason = 'worker_lost' THEN 'lost'
            WHEN call.disconnect_reason = 'dispatch_expired' AND NOT recipient.removed
            AND (campaigns.windows <> '[]' OR campaigns.expires_at <= now())
            THEN CASE WHEN recipient.attempts > 1 THEN 'retrying' ELSE 'pending' END
            WHEN call.token IS NULL AND call.disconnect_reason = 'cancelled' AND EXISTS (
              SELECT FROM call_events
              WHERE call_events.conversation_id = call.id AND kind = 'cancelled'
                AND data->>'by' = 'do_not_call')
            THEN CASE WHEN recipient.attempts > 1 THEN 'retrying' ELSE 'skipped' END
            WHEN call.token IS NOT NULL AND NOT recipient.removed AND campaigns.status IN ('scheduled', 'running', 'paused')
            AND (campaigns.expires_at IS NULL OR campaigns.expires_at > now()) AND (
                COALESCE(campaigns.retry->'on' ? call.disconnect_reason, true)
                AND recipient.attempts <= (campaigns.retry->>'max')::int
                AND NOT ((
                  SELECT true
                  FROM (SELECT campaigns.workspace_id AS asked_workspace, recipient.phone_number AS asked_number) AS asked
                  JOIN do_not_call ON do_not_call.workspace_id = asked_workspace AND do_not_call.phone_number = asked_number
                  WHERE (do_not_call.expires_at IS NULL OR do_not_call.expires_at > now())
                  LIMIT 1) IS NOT NULL))
            THEN 'retrying'
            ELSE
            CASE WHEN call.status = 'disconnected' THEN 'disconnected'
            ELSE 'failed' END
            END AS status) AS decided) END ELSE recipient.status END AS progress) AS shown
  WHERE recipient.campaign_id = $1
    AND ($2::text IS NULL OR
        (recipient.status = $2 OR recipient.status IN ('calling', 'lost')) AND shown.progress = $2)
    AND ($3::text IS NULL OR shown.progress = 'disconnected' AND $3 = (
      SELECT
        CASE last.disconnect_reason WHEN 'voicemail_reached' THEN 'voicemail'
        WHEN 'inactivity' THEN 'inactivity'
        ELSE 'reached' END FROM conversations AS last WHERE last.id = recipient.conversation_id))
    AND ($4::text[] IS NULL OR recipient.phone_number = ANY ($4::text[]))
    AND ($5::text IS NULL OR (recipient.phone_number LIKE $5 AND recipient.phone_number LIKE '+%')
        OR recipient.customer_name ILIKE $5) AND recipient.phone_number > $6 AND recipient.phone_number <= $7)
SELECT
  page.phone_number AS "phoneNumber", customer_name AS "customerName", progress,
  (attempts - (page.status = 'calling' AND progress = 'pending')::int)::smallint AS attempts, skipped, last.id
  AS "lastCallId", COALESCE(NULLIF(left(last.outcome, 100), ''), last.disconnect_reason) AS outcome,
  CASE WHEN progress = 'disconnected' AND last.id IS NOT NULL
  THEN
  CASE last.disconnect_reason WHEN 'voicemail_reached' THEN 'voicemail'
  WHEN 'inactivity' THEN 'inactivity'
  ELSE 'reached' END END AS result,
  CASE WHEN page.status IN ('pending', 'retrying')
  THEN NULLIF(GREATEST(next_attempt_at, CASE WHEN zone.opens_at > now() THEN zone.opens_at END), 'infinity')
  END AS "nextAttemptAt"
FROM page
LEFT JOIN conversations AS last ON last.id = page.conversation_id
  AND NOT (page.status = 'calling' AND progress = 'pending')
LEFT JOIN campaign_zones AS zone ON zone.campaign_id = page.campaign_id
  AND zone.timezone = page.timezone ORDER BY page.phone_number;

-- search-campaigns (src/features/campaigns/recipients/recipient-search.sql.ts), not prepared
-- $1 workspaceId, $2 search, $3 pattern, $4 limit
WITH newest AS MATERIALIZED (
  SELECT campaign_id, block, created_at
  FROM campaigns JOIN recipient_search_blocks ON campaign_id = campaigns.id
  WHERE workspace_id = $1
  ORDER BY created_at DESC, campaign_id DESC, block LIMIT 4096
)
SELECT campaign_id AS "campaignId", number
FROM (
  SELECT block.*
  FROM newest CROSS JOIN LATERAL (
    SELECT * FROM recipient_search_blocks AS block
    WHERE block.campaign_id = newest.campaign_id AND block.block = newest.block OFFSET 0
  ) AS block
  WHERE (CASE WHEN $2 ~ '^[+0-9]*$' THEN block.numbers ELSE block.names END LIKE lower($3) OR $2 ~ '^[+0-9]*$'
      AND block.irregular LIKE lower($3)) ORDER BY newest.created_at DESC, block.campaign_id DESC, block.block LIMIT 500
) AS block
CROSS JOIN LATERAL (
  SELECT number
  FROM (SELECT unnest(string_to_array(block.numbers, chr(30))) AS number, unnest(string_to_array(block.names, chr(30)))
      AS name) AS recipient WHERE ($2 ~ '^[+0-9]*$' AND number LIKE lower($3) OR name LIKE lower($3)) OFFSET 0
) AS recipient
LIMIT $4;

-- search-recipients (src/features/campaigns/recipients/recipient-search.sql.ts), not prepared
-- $1 search, $2 pattern, $3 campaignId, $4 offset, $5 limit
WITH first AS MATERIALIZED (
  SELECT block,
    (((octet_length(CASE WHEN $1 ~ '^[+0-9]*$' THEN block.numbers
        ELSE block.names END) - octet_length(replace(CASE WHEN $1 ~ '^[+0-9]*$' THEN block.numbers ELSE block.names END,
            lower($1), ''))) / octet_length(lower($1))) +
        CASE WHEN block.irregular LIKE lower($2)
        THEN (
          SELECT sum(1 - ((octet_length(searched) - octet_length(replace(searched, lower($1), ''))) / octet_length(lower($1))))
          FROM (SELECT unnest(string_to_array(block.irregular, chr(30))) AS entry) AS irregular
          CROSS JOIN LATERAL (SELECT split_part(entry, chr(29), CASE WHEN $1 ~ '^[+0-9]*$' THEN 1 ELSE 2 END)
              AS searched OFFSET 0) AS of_entry
          WHERE entry LIKE lower($2))
        ELSE 0
        END)::int AS hits FROM recipient_search_blocks AS block
  WHERE campaign_id = $3 AND block < 4096
    AND (CASE WHEN $1 ~ '^[+0-9]*$' THEN block.numbers ELSE block.names END LIKE lower($2) OR $1 ~ '^[+0-9]*$'
        AND block.irregular LIKE lower($2))
), rest AS MATERIALIZED (
  SELECT block,
    (((octet_length(CASE WHEN $1 ~ '^[+0-9]*$' THEN block.numbers
        ELSE block.names END) - octet_length(replace(CASE WHEN $1 ~ '^[+0-9]*$' THEN block.numbers ELSE block.names END,
            lower($1), ''))) / octet_length(lower($1))) +
        CASE WHEN block.irregular LIKE lower($2)
        THEN (
          SELECT sum(1 - ((octet_length(searched) - octet_length(replace(searched, lower($1), ''))) / octet_length(lower($1))))
          FROM (SELECT unnest(string_to_array(block.irregular, chr(30))) AS entry) AS irregular
          CROSS JOIN LATERAL (SELECT split_part(entry, chr(29), CASE WHEN $1 ~ '^[+0-9]*$' THEN 1 ELSE 2 END)
              AS searched OFFSET 0) AS of_entry
          WHERE entry LIKE lower($2))
        ELSE 0
        END)::int AS hits FROM recipient_search_blocks AS block
  WHERE campaign_id = $3 AND block >= 4096 AND (SELECT COALESCE(sum(hits), 0) FROM first) < 250000
    AND (CASE WHEN $1 ~ '^[+0-9]*$' THEN block.numbers ELSE block.names END LIKE lower($2) OR $1 ~ '^[+0-9]*$'
        AND block.irregular LIKE lower($2))
), placed AS MATERIALIZED (
  SELECT block, hits, sum(hits) OVER (ORDER BY block) AS total
  FROM (SELECT * FROM first UNION ALL SELECT * FROM rest) AS counted
), shown AS MATERIALIZED (
  SELECT block, total - hits AS before FROM placed
  WHERE total > $4::bigint AND total - hits < $4 + $5
)
SELECT EXISTS (SELECT FROM recipient_search_blocks WHERE campaign_id = $3) AS "isSearchable",
  COALESCE((SELECT max(total) FROM placed), 0)::int AS total,
  (SELECT COALESCE(sum(hits), 0) FROM first) < 250000 OR NOT EXISTS (
    SELECT FROM recipient_search_blocks WHERE campaign_id = $3 AND block >= 4096
  ) AS "isComplete",
  ARRAY(
    SELECT number
    FROM shown JOIN recipient_search_blocks AS block USING (block)
    CROSS JOIN LATERAL (SELECT unnest(string_to_array(block.numbers, chr(30))) AS number,
        unnest(string_to_array(block.names, chr(30))) AS name) AS recipient
    WHERE campaign_id = $3 AND ($1 ~ '^[+0-9]*$' AND number LIKE lower($2) OR name LIKE lower($2))
    ORDER BY number COLLATE "C"
    OFFSET $4 - (SELECT min(before) FROM shown) LIMIT $5
  )::text AS numbers;

-- set-campaign-outcomes (src/features/campaigns/recipients/recipient-moves.sql.ts)
-- $1 outcomes, $2 campaignId
UPDATE campaigns SET outcomes = $1::jsonb WHERE id = $2;

-- settle-recipients (src/features/campaigns/recipients/recipient-moves.sql.ts)
-- $1 campaignId
WITH
  change AS MATERIALIZED (
    SELECT recipient.campaign_id, recipient.phone_number, recipient.status AS old_status, decided.status,
      (recipient.attempts - (is_unclaimed_retry
          OR decided.status IN ('pending', 'skipped'))::int
      )::smallint AS attempts,
      CASE WHEN is_unclaimed_retry THEN now()
      WHEN decided.status = 'retrying' THEN call.ended_at +
      (campaigns.retry->'afterMinutes'->>(
          LEAST(recipient.attempts, jsonb_array_length(campaigns.retry->'afterMinutes')) - 1))::int * interval '1 minute'
      END AS next_attempt_at,
      CASE WHEN decided.status <> 'pending' THEN last.id END AS conversation_id,
      CASE decided.status WHEN 'skipped' THEN 'do_not_call' END AS skipped,
      COALESCE(NULLIF(left(last.outcome, 100), ''), last.disconnect_reason) AS outcome, call.disconnect_reason AS reason
    FROM campaigns
    JOIN campaign_recipients AS recipient ON recipient.campaign_id = campaigns.id
    JOIN conversations AS call ON call.id = recipient.conversation_id
    CROSS JOIN LATERAL (SELECT
        CASE
        WHEN call.disconnect_reason = 'worker_lost' THEN 'lost'
        WHEN call.disconnect_reason = 'dispatch_expired' AND NOT recipient.removed
        AND (campaigns.windows <> '[]' OR campaigns.expires_at <= now())
        THEN CASE WHEN recipient.attempts > 1 THEN 'retrying' ELSE 'pending' END
        WHEN call.token IS NULL AND call.disconnect_reason = 'cancelled' AND EXISTS (
          SELECT FROM call_events
          WHERE call_events.conversation_id = call.id AND kind = 'cancelled'
            AND data->>'by' = 'do_not_call')
        THEN CASE WHEN recipient.attempts > 1 THEN 'retrying' ELSE 'skipped' END
        WHEN call.token IS NOT NULL AND NOT recipient.removed AND campaigns.status IN ('scheduled', 'running', 'paused')
        AND (campaigns.expires_at IS NULL OR campaigns.expires_at > now()) AND (
            COALESCE(campaigns.retry->'on' ? call.disconnect_reason, true)
            AND recipient.attempts <= (campaigns.retry->>'max')::int
            AND NOT ((
              SELECT true
              FROM (SELECT campaigns.workspace_id AS asked_workspace, recipient.phone_number AS asked_number) AS asked
              JOIN do_not_call ON do_not_call.workspace_id = asked_workspace AND do_not_call.phone_number = asked_number
              WHERE (do_not_call.expires_at IS NULL OR do_not_call.expires_at > now())
              LIMIT 1) IS NOT NULL))
        THEN 'retrying'
        ELSE
        CASE WHEN call.status = 'disconnected' THEN 'disconnected'
        ELSE 'failed' END
        END AS status) AS decided
    CROSS JOIN LATERAL (
      SELECT decided.status = 'retrying' AND call.token IS NULL AS is_unclaimed_retry
    ) AS retry
    JOIN conversations AS last ON last.id = CASE WHEN is_unclaimed_retry THEN
      COALESCE((
        SELECT before.id FROM conversations AS before
        WHERE before.workspace_id = call.workspace_id AND before.campaign_id = recipient.campaign_id
          AND right(CASE WHEN before.incoming_claim_id IS NULL THEN before.to_number ELSE before.from_number END,
              4) = right(recipient.phone_number, 4) AND before.to_number = recipient.phone_number
          AND before.ended_at IS NOT NULL AND before.token IS NOT NULL AND before.id < call.id
        ORDER BY before.id DESC LIMIT 1), call.id) ELSE call.id END
    WHERE campaigns.id = $1 AND recipient.status = 'calling'
      AND call.ended_at IS NOT NULL
    LIMIT 1000), moved AS (
      UPDATE campaign_recipients AS recipient
      SET status = change.status, attempts = change.attempts, next_attempt_at = change.next_attempt_at,
        conversation_id = change.conversation_id, skipped = change.skipped
      FROM change
      WHERE recipient.campaign_id = change.campaign_id AND recipient.phone_number = change.phone_number
        AND recipient.status = change.old_status
      RETURNING recipient.campaign_id, recipient.phone_number, change.old_status, recipient.status, change.outcome,
        change.reason
    ), retried AS MATERIALIZED (
      SELECT campaign_id, COALESCE(outcome, 'other') AS outcome,
        sum((status = 'retrying')::int - (old_status = 'retrying')::int)::int AS count
      FROM moved GROUP BY 1, 2 HAVING sum((status = 'retrying')::int - (old_status = 'retrying')::int) <> 0
    ), counted AS (
      UPDATE campaigns
      SET count_pending = count_pending + difference.pending, count_calling = count_calling + difference.calling,
        count_retrying = count_retrying + difference.retrying, count_lost = count_lost + difference.lost,
        count_disconnected = count_disconnected + difference.disconnected, count_failed = count_failed + difference.failed,
        count_skipped = count_skipped + difference.skipped,
        count_voicemail = count_voicemail + voicemail, count_inactivity = count_inactivity + inactivity,
        retrying_outcomes = CASE WHEN EXISTS (SELECT FROM retried WHERE campaign_id = campaigns.id)
        THEN
        (SELECT COALESCE(jsonb_object_agg(name, count), '{}') FROM (
          SELECT name, sum(count)::int AS count FROM (
            SELECT key AS name, value::int AS count FROM jsonb_each_text(campaigns.retrying_outcomes)
            UNION ALL
            SELECT CASE WHEN is_known OR known.names + place <= 50 THEN outcome ELSE 'other' END, count
            FROM (
              SELECT outcome, count, is_known, row_number() OVER (PARTITION BY is_known ORDER BY outcome) AS place
              FROM retried CROSS JOIN LATERAL (SELECT campaigns.retrying_outcomes ? outcome AS is_known) AS looked_up
              WHERE campaign_id = campaigns.id
            ) AS changed CROSS JOIN (SELECT count(*) AS names FROM jsonb_object_keys(campaigns.retrying_outcomes)) AS known
          ) AS part GROUP BY name
        ) AS summed) ELSE retrying_outcomes END
      FROM (
        SELECT campaign_id,
          ((count(*) FILTER (WHERE status = 'pending')) - (count(*) FILTER (WHERE old_status = 'pending')))::int AS pending,
          ((count(*) FILTER (WHERE status = 'calling')) - (count(*) FILTER (WHERE old_status = 'calling')))::int AS calling,
          ((count(*) FILTER (WHERE status = 'retrying')) - (count(*) FILTER (WHERE old_status = 'retrying')))::int AS retrying,
          ((count(*) FILTER (WHERE status = 'lost')) - (count(*) FILTER (WHERE old_status = 'lost')))::int AS lost,
          ((count(*) FILTER (WHERE status = 'disconnected')) - (count(*) FILTER (WHERE old_status = 'disconnected')))::int
          AS disconnected, ((count(*) FILTER (WHERE status = 'failed')) - (count(*) FILTER (WHERE old_status = 'failed')))::int
          AS failed, ((count(*) FILTER (WHERE status = 'skipped')) - (count(*) FILTER (WHERE old_status = 'skipped')))::int
          AS skipped,
          count(*) FILTER (WHERE status = 'disconnected' AND old_status <> 'disconnected'
              AND
              CASE reason WHEN 'voicemail_reached' THEN 'voicemail'
              WHEN 'inactivity' THEN 'inactivity'
              ELSE 'reached' END = 'voicemail')::int AS voicemail,
          count(*) FILTER (WHERE status = 'disconnected' AND old_status <> 'disconnected'
              AND
              CASE reason WHEN 'voicemail_reached' THEN 'voicemail'
              WHEN 'inactivity' THEN 'inactivity'
              ELSE 'reached' END = 'inactivity')::int AS inactivity
        FROM moved GROUP BY campaign_id
      ) AS difference
      WHERE campaigns.id = difference.campaign_id
    )
SELECT outcome, count, (SELECT count(*)::int FROM moved) AS moved
FROM (
  SELECT outcome, count(*)::int AS count FROM moved
  WHERE status IN ('disconnected', 'failed') GROUP BY outcome
) AS ended RIGHT JOIN (SELECT 1) AS one ON true;

-- skip-recipients (src/features/campaigns/recipients/recipient-moves.sql.ts)
-- $1 reason, $2 campaignId, $3 numbers
WITH
  change AS MATERIALIZED (
    SELECT campaign_id, phone_number, status AS old_status, 'skipped' AS status, attempts,
      NULL::timestamptz AS next_attempt_at, conversation_id, $1::text AS skipped,
      CASE status WHEN 'retrying' THEN (
        SELECT COALESCE(NULLIF(left(last.outcome, 100), ''), last.disconnect_reason) FROM conversations AS last
        WHERE last.id = campaign_recipients.conversation_id) END AS outcome,
      NULL::text AS reason
    FROM campaign_recipients
    WHERE campaign_id = $2 AND phone_number = ANY ($3)
      AND status IN ('pending', 'retrying')), moved AS (
        UPDATE campaign_recipients AS recipient
        SET status = change.status, attempts = change.attempts, next_attempt_at = change.next_attempt_at,
          conversation_id = change.conversation_id, skipped = change.skipped
        FROM change
        WHERE recipient.campaign_id = change.campaign_id AND recipient.phone_number = change.phone_number
          AND recipient.status = change.old_status
        RETURNING recipient.campaign_id, recipient.phone_number, change.old_status, recipient.status, change.outcome,
          change.reason
      ), retried AS MATERIALIZED (
        SELECT campaign_id, COALESCE(outcome, 'other') AS outcome,
          sum((status = 'retrying')::int - (old_status = 'retrying')::int)::int AS count
        FROM moved GROUP BY 1, 2 HAVING sum((status = 'retrying')::int - (old_status = 'retrying')::int) <> 0
      ), counted AS (
        UPDATE campaigns
        SET count_pending = count_pending + difference.pending, count_calling = count_calling + difference.calling,
          count_retrying = count_retrying + difference.retrying, count_lost = count_lost + difference.lost,
          count_disconnected = count_disconnected + difference.disconnected, count_failed = count_failed + difference.failed,
          count_skipped = count_skipped + difference.skipped,
          count_voicemail = count_voicemail + voicemail, count_inactivity = count_inactivity + inactivity,
          retrying_outcomes = CASE WHEN EXISTS (SELECT FROM retried WHERE campaign_id = campaigns.id)
          THEN
          (SELECT COALESCE(jsonb_object_agg(name, count), '{}') FROM (
            SELECT name, sum(count)::int AS count FROM (
              SELECT key AS name, value::int AS count FROM jsonb_each_text(campaigns.retrying_outcomes)
              UNION ALL
              SELECT CASE WHEN is_known OR known.names + place <= 50 THEN outcome ELSE 'other' END, count
              FROM (
                SELECT outcome, count, is_known, row_number() OVER (PARTITION BY is_known ORDER BY outcome) AS place
                FROM retried CROSS JOIN LATERAL (SELECT campaigns.retrying_outcomes ? outcome AS is_known) AS looked_up
                WHERE campaign_id = campaigns.id
              ) AS changed CROSS JOIN (SELECT count(*) AS names FROM jsonb_object_keys(campaigns.retrying_outcomes)) AS known
            ) AS part GROUP BY name
          ) AS summed) ELSE retrying_outcomes END
        FROM (
          SELECT campaign_id,
            ((count(*) FILTER (WHERE status = 'pending')) - (count(*) FILTER (WHERE old_status = 'pending')))::int AS pending,
            ((count(*) FILTER (WHERE status = 'calling')) - (count(*) FILTER (WHERE old_status = 'calling')))::int AS calling,
            ((count(*) FILTER (WHERE status = 'retrying')) - (count(*) FILTER (WHERE old_status = 'retrying')))::int AS retrying,
            ((count(*) FILTER (WHERE status = 'lost')) - (count(*) FILTER (WHERE old_status = 'lost')))::int AS lost,
            ((count(*) FILTER (WHERE status = 'disconnected')) - (count(*) FILTER (WHERE old_status = 'disconnected')))::int
            AS disconnected, ((count(*) FILTER (WHERE status = 'failed')) - (count(*) FILTER (WHERE old_status = 'failed')))::int
            AS failed, ((count(*) FILTER (WHERE status = 'skipped')) - (count(*) FILTER (WHERE old_status = 'skipped')))::int
            AS skipped,
            count(*) FILTER (WHERE status = 'disconnected' AND old_status <> 'disconnected'
                AND
                CASE reason WHEN 'voicemail_reached' THEN 'voicemail'
                WHEN 'inactivity' THEN 'inactivity'
                ELSE 'reached' END = 'voicemail')::int AS voicemail,
            count(*) FILTER (WHERE status = 'disconnected' AND old_status <> 'disconnected'
                AND
                CASE reason WHEN 'voicemail_reached' THEN 'voicemail'
                WHEN 'inactivity' THEN 'inactivity'
                ELSE 'reached' END = 'inactivity')::int AS inactivity
          FROM moved GROUP BY campaign_id
        ) AS difference
        WHERE campaigns.id = difference.campaign_id
      )
SELECT phone_number AS "phoneNumber" FROM moved;

-- staged-variables (src/features/campaigns/recipients/recipient-import.sql.ts)
SELECT ARRAY(SELECT jsonb_object_keys(dynamic_variables)) AS names,
  EXISTS (SELECT FROM recipient_stage WHERE customer_name <> '') AS "hasNames"
FROM recipient_stage LIMIT 1;

-- take-back-recipients (src/features/campaigns/recipients/recipient-moves.sql.ts)
-- $1 skipped, $2 campaignId, $3 conversationIds
WITH
  change AS MATERIALIZED (
    SELECT recipient.campaign_id, recipient.phone_number, recipient.status AS old_status, decided.status,
      (recipient.attempts - 1)::smallint AS attempts,
      CASE decided.status WHEN 'retrying' THEN now() END AS next_attempt_at,
      before.id AS conversation_id, $1::text AS skipped,
      (SELECT COALESCE(NULLIF(left(last.outcome, 100), ''), last.disconnect_reason) FROM conversations AS last
        WHERE last.id = before.id) AS outcome,
      NULL::text AS reason
    FROM campaign_recipients AS recipient JOIN conversations AS call ON call.id = recipient.conversation_id
    CROSS JOIN LATERAL (
      SELECT CASE WHEN $1::text IS NOT NULL THEN 'skipped'
        WHEN recipient.attempts > 1 THEN 'retrying'
        ELSE 'pending' END AS status) AS decided
    CROSS JOIN LATERAL (SELECT CASE WHEN recipient.attempts > 1 THEN
        COALESCE((
          SELECT before.id FROM conversations AS before
          WHERE before.workspace_id = call.workspace_id AND before.campaign_id = recipient.campaign_id
            AND right(CASE WHEN before.incoming_claim_id IS NULL THEN before.to_number ELSE before.from_number END,
                4) = right(recipient.phone_number, 4) AND before.to_number = recipient.phone_number
            AND before.ended_at IS NOT NULL AND before.token IS NOT NULL AND before.id < call.id
          ORDER BY before.id DESC LIMIT 1), call.id) END AS id) AS before
    WHERE recipient.campaign_id = $2 AND recipient.conversation_id = ANY ($3)
      AND recipient.status = 'calling'), moved AS (
        UPDATE campaign_recipients AS recipient
        SET status = change.status, attempts = change.attempts, next_attempt_at = change.next_attempt_at,
          conversation_id = change.conversation_id, skipped = change.skipped
        FROM change
        WHERE recipient.campaign_id = change.campaign_id AND recipient.phone_number = change.phone_number
          AND recipient.status = change.old_status
        RETURNING recipient.campaign_id, recipient.phone_number, change.old_status, recipient.status, change.outcome,
          change.reason
      ), retried AS MATERIALIZED (
        SELECT campaign_id, COALESCE(outcome, 'other') AS outcome,
          sum((status = 'retrying')::int - (old_status = 'retrying')::int)::int AS count
        FROM moved GROUP BY 1, 2 HAVING sum((status = 'retrying')::int - (old_status = 'retrying')::int) <> 0
      ), counted AS (
        UPDATE campaigns
        SET count_pending = count_pending + difference.pending, count_calling = count_calling + difference.calling,
          count_retrying = count_retrying + difference.retrying, count_lost = count_lost + difference.lost,
          count_disconnected = count_disconnected + difference.disconnected, count_failed = count_failed + difference.failed,
          count_skipped = count_skipped + difference.skipped,
          count_voicemail = count_voicemail + voicemail, count_inactivity = count_inactivity + inactivity,
          retrying_outcomes = CASE WHEN EXISTS (SELECT FROM retried WHERE campaign_id = campaigns.id)
          THEN
          (SELECT COALESCE(jsonb_object_agg(name, count), '{}') FROM (
            SELECT name, sum(count)::int AS count FROM (
              SELECT key AS name, value::int AS count FROM jsonb_each_text(campaigns.retrying_outcomes)
              UNION ALL
              SELECT CASE WHEN is_known OR known.names + place <= 50 THEN outcome ELSE 'other' END, count
              FROM (
                SELECT outcome, count, is_known, row_number() OVER (PARTITION BY is_known ORDER BY outcome) AS place
                FROM retried CROSS JOIN LATERAL (SELECT campaigns.retrying_outcomes ? outcome AS is_known) AS looked_up
                WHERE campaign_id = campaigns.id
              ) AS changed CROSS JOIN (SELECT count(*) AS names FROM jsonb_object_keys(campaigns.retrying_outcomes)) AS known
            ) AS part GROUP BY name
          ) AS summed) ELSE retrying_outcomes END
        FROM (
          SELECT campaign_id,
            ((count(*) FILTER (WHERE status = 'pending')) - (count(*) FILTER (WHERE old_status = 'pending')))::int AS pending,
            ((count(*) FILTER (WHERE status = 'calling')) - (count(*) FILTER (WHERE old_status = 'calling')))::int AS calling,
            ((count(*) FILTER (WHERE status = 'retrying')) - (count(*) FILTER (WHERE old_status = 'retrying')))::int AS retrying,
            ((count(*) FILTER (WHERE status = 'lost')) - (count(*) FILTER (WHERE old_status = 'lost')))::int AS lost,
            ((count(*) FILTER (WHERE status = 'disconnected')) - (count(*) FILTER (WHERE old_status = 'disconnected')))::int
            AS disconnected, ((count(*) FILTER (WHERE status = 'failed')) - (count(*) FILTER (WHERE old_status = 'failed')))::int
            AS failed, ((count(*) FILTER (WHERE status = 'skipped')) - (count(*) FILTER (WHERE old_status = 'skipped')))::int
            AS skipped,
            count(*) FILTER (WHERE status = 'disconnected' AND old_status <> 'disconnected'
                AND
                CASE reason WHEN 'voicemail_reached' THEN 'voicemail'
                WHEN 'inactivity' THEN 'inactivity'
                ELSE 'reached' END = 'voicemail')::int AS voicemail,
            count(*) FILTER (WHERE status = 'disconnected' AND old_status <> 'disconnected'
                AND
                CASE reason WHEN 'voicemail_reached' THEN 'voicemail'
                WHEN 'inactivity' THEN 'inactivity'
                ELSE 'reached' END = 'inactivity')::int AS inactivity
          FROM moved GROUP BY campaign_id
        ) AS difference
        WHERE campaigns.id = difference.campaign_id
      )
SELECT phone_number AS "phoneNumber" FROM moved;

-- undo-recipients-insert (src/features/campaigns/recipients/recipient-import.sql.ts)
  ROLLBACK TO SAVEPOINT before_insert;

-- unlink-calls-of-recipients (src/features/campaigns/recipients/recipient-moves.sql.ts)
-- $1 campaignId, $2 conversationIds
WITH
  change AS MATERIALIZED (
    SELECT recipient.campaign_id, recipient.phone_number, recipient.status AS old_status,
      CASE WHEN recipient.status <> 'lost' THEN recipient.status
      ELSE
      CASE WHEN call.status = 'disconnected' THEN 'disconnected'
      ELSE 'failed' END END AS status,
      recipient.attempts, recipient.next_attempt_at, NULL::uuid AS conversation_id, recipient.skipped,
      COALESCE(NULLIF(left(call.outcome, 100), ''), call.disconnect_reason) AS outcome, call.disconnect_reason AS reason
    FROM campaign_recipients AS recipient JOIN conversations AS call ON call.id = recipient.conversation_id
    WHERE recipient.campaign_id = $1 AND recipient.conversation_id = ANY ($2)), moved AS (
      UPDATE campaign_recipients AS recipient
      SET status = change.status, attempts = change.attempts, next_attempt_at = change.next_attempt_at,
        conversation_id = change.conversation_id, skipped = change.skipped
      FROM change
      WHERE recipient.campaign_id = change.campaign_id AND recipient.phone_number = change.phone_number
        AND recipient.status = change.old_status
      RETURNING recipient.campaign_id, recipient.phone_number, change.old_status, recipient.status, change.outcome,
        change.reason
    ), retried AS MATERIALIZED (
      SELECT campaign_id, COALESCE(outcome, 'other') AS outcome,
        sum((status = 'retrying')::int - (old_status = 'retrying')::int)::int AS count
      FROM moved GROUP BY 1, 2 HAVING sum((status = 'retrying')::int - (old_status = 'retrying')::int) <> 0
    ), counted AS (
      UPDATE campaigns
      SET count_pending = count_pending + difference.pending, count_calling = count_calling + difference.calling,
        count_retrying = count_retrying + difference.retrying, count_lost = count_lost + difference.lost,
        count_disconnected = count_disconnected + difference.disconnected, count_failed = count_failed + difference.failed,
        count_skipped = count_skipped + difference.skipped,
        count_voicemail = count_voicemail + voicemail, count_inactivity = count_inactivity + inactivity,
        retrying_outcomes = CASE WHEN EXISTS (SELECT FROM retried WHERE campaign_id = campaigns.id)
        THEN
        (SELECT COALESCE(jsonb_object_agg(name, count), '{}') FROM (
          SELECT name, sum(count)::int AS count FROM (
            SELECT key AS name, value::int AS count FROM jsonb_each_text(campaigns.retrying_outcomes)
            UNION ALL
            SELECT CASE WHEN is_known OR known.names + place <= 50 THEN outcome ELSE 'other' END, count
            FROM (
              SELECT outcome, count, is_known, row_number() OVER (PARTITION BY is_known ORDER BY outcome) AS place
              FROM retried CROSS JOIN LATERAL (SELECT campaigns.retrying_outcomes ? outcome AS is_known) AS looked_up
              WHERE campaign_id = campaigns.id
            ) AS changed CROSS JOIN (SELECT count(*) AS names FROM jsonb_object_keys(campaigns.retrying_outcomes)) AS known
          ) AS part GROUP BY name
        ) AS summed) ELSE retrying_outcomes END
      FROM (
        SELECT campaign_id,
          ((count(*) FILTER (WHERE status = 'pending')) - (count(*) FILTER (WHERE old_status = 'pending')))::int AS pending,
          ((count(*) FILTER (WHERE status = 'calling')) - (count(*) FILTER (WHERE old_status = 'calling')))::int AS calling,
          ((count(*) FILTER (WHERE status = 'retrying')) - (count(*) FILTER (WHERE old_status = 'retrying')))::int AS retrying,
          ((count(*) FILTER (WHERE status = 'lost')) - (count(*) FILTER (WHERE old_status = 'lost')))::int AS lost,
          ((count(*) FILTER (WHERE status = 'disconnected')) - (count(*) FILTER (WHERE old_status = 'disconnected')))::int
          AS disconnected, ((count(*) FILTER (WHERE status = 'failed')) - (count(*) FILTER (WHERE old_status = 'failed')))::int
          AS failed, ((count(*) FILTER (WHERE status = 'skipped')) - (count(*) FILTER (WHERE old_status = 'skipped')))::int
          AS skipped,
          count(*) FILTER (WHERE status = 'disconnected' AND old_status <> 'disconnected'
              AND
              CASE reason WHEN 'voicemail_reached' THEN 'voicemail'
              WHEN 'inactivity' THEN 'inactivity'
              ELSE 'reached' END = 'voicemail')::int AS voicemail,
          count(*) FILTER (WHERE status = 'disconnected' AND old_status <> 'disconnected'
              AND
              CASE reason WHEN 'voicemail_reached' THEN 'voicemail'
              WHEN 'inactivity' THEN 'inactivity'
              ELSE 'reached' END = 'inactivity')::int AS inactivity
        FROM moved GROUP BY campaign_id
      ) AS difference
      WHERE campaigns.id = difference.campaign_id
    )
SELECT outcome, count(*)::int AS count FROM moved
WHERE old_status = 'lost' GROUP BY outcome;

-- use-campaign-rate (src/features/campaigns/recipients/campaign-recipients.sql.ts)
-- $1 calls, $2 campaignId
UPDATE campaigns SET paced_until = GREATEST(paced_until,
    now() - GREATEST(2, 1 / calls_per_second) * interval '1 second')
  + $1::int / calls_per_second * interval '1 second'
WHERE id = $2 AND calls_per_second IS NOT NULL;

--
-- src/features/campaigns/running/
--

-- close-ended-campaigns (src/features/campaigns/running/campaign-transitions.sql.ts)
UPDATE campaigns SET is_over = true
WHERE
  id = ANY (ARRAY(
    SELECT id FROM campaigns WHERE NOT is_over AND
      count_calling = 0 AND (status = 'failed'
          OR status = 'cancelled' AND count_pending + count_retrying = 0) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED))
RETURNING id;

-- complete-ended-campaigns (src/features/campaigns/running/campaign-transitions.sql.ts)
WITH completed AS (
  UPDATE campaigns
  SET status = 'completed', is_over = true, waiting = NULL, waiting_since = NULL, updated_at = now()
  WHERE
    id = ANY (ARRAY(
      SELECT id FROM campaigns WHERE NOT is_over AND status = 'running'
        AND count_pending + count_calling + count_retrying = 0 ORDER BY id FOR NO KEY UPDATE SKIP LOCKED))
  RETURNING id
),
  logged AS (
    INSERT INTO campaign_log (campaign_id, event, text) SELECT id, 'completed', 'The campaign is complete.' FROM completed
  )
SELECT id FROM completed;

-- fail-campaign-without-agent (src/features/campaigns/running/campaign-transitions.sql.ts)
-- $1 campaignId, $2 hasCancelled
WITH failed AS (
  UPDATE campaigns
  SET status = 'failed', failure_reason = 'The agent was deleted.', waiting = NULL,
    waiting_since = NULL, updated_at = now()
  WHERE id = $1 AND ($2 OR count_pending + count_retrying > 0)
  RETURNING id
),
  logged AS (
    INSERT INTO campaign_log (campaign_id, event, text) SELECT id, 'failed', 'The agent was deleted.' FROM failed
  )
SELECT id FROM failed;

-- find-campaigns-to-finish (src/features/campaigns/running/campaign-transitions.sql.ts)
SELECT id, status = 'cancelled' AS "isCancelled" FROM campaigns
WHERE NOT is_over AND count_pending + count_retrying > 0
  AND (status = 'cancelled' OR expires_at <= now() AND status IN ('scheduled', 'running', 'paused'));

-- find-campaigns-to-settle (src/features/campaigns/running/campaign-transitions.sql.ts)
SELECT id FROM campaigns
WHERE NOT is_over AND count_calling > 0 AND EXISTS (
  SELECT FROM campaign_recipients AS recipient JOIN conversations AS call ON call.id = recipient.conversation_id
  WHERE recipient.campaign_id = campaigns.id AND recipient.status = 'calling' AND call.ended_at IS NOT NULL);

-- find-campaigns-without-agent (src/features/campaigns/running/campaign-transitions.sql.ts)
SELECT id FROM campaigns
WHERE
  NOT is_over AND campaigns.status IN ('scheduled', 'running', 'paused')
  AND EXISTS (SELECT FROM agents WHERE agents.id = campaigns.agent_id AND agents.deleted_at IS NOT NULL) AND (
      count_pending + count_retrying > 0
      OR (SELECT true FROM conversations WHERE campaign_id = campaigns.id AND ended_at IS NULL AND status = 'queued' LIMIT 1));

-- lock-campaign-without-agent (src/features/campaigns/running/campaign-transitions.sql.ts)
-- $1 campaignId
SELECT workspace_id AS "workspaceId", agent_id AS "agentId"
FROM campaigns WHERE id = $1 AND
  NOT is_over AND campaigns.status IN ('scheduled', 'running', 'paused')
  AND EXISTS (SELECT FROM agents WHERE agents.id = campaigns.agent_id
      AND agents.deleted_at IS NOT NULL) FOR UPDATE SKIP LOCKED;

-- lock-unclaimed-calls (src/features/campaigns/running/campaign-transitions.sql.ts)
-- $1 campaignId, $2 areRetries
SELECT id FROM conversations WHERE campaign_id = $1 AND ended_at IS NULL AND status = 'queued'
  AND (attempt > 1 OR NOT $2)
ORDER BY id FOR UPDATE;

-- run-due-campaigns (src/features/campaigns/running/campaign-transitions.sql.ts)
WITH begun AS (
  UPDATE campaigns SET status = 'running', has_begun = true,
    paced_until = GREATEST(paced_until, now() - interval '1 second' / calls_per_second), updated_at = now()
  WHERE
    id = ANY (ARRAY(
      SELECT id FROM campaigns WHERE NOT is_over AND status = 'scheduled'
        AND schedule_time <= now() ORDER BY id FOR NO KEY UPDATE SKIP LOCKED))
  RETURNING id
),
  logged AS (
    INSERT INTO campaign_log (campaign_id, event, text) SELECT id, 'begun', 'The campaign began.' FROM begun
  )
SELECT id FROM begun;

-- set-campaign-status (src/features/campaigns/running/campaign-transitions.sql.ts)
-- $1 status, $2 campaignId
UPDATE campaigns
SET status = CASE WHEN $1::text = 'running' AND schedule_time > now()
  THEN 'scheduled' ELSE $1 END,
  has_begun = has_begun OR $1::text = 'running' AND schedule_time <= now(),
  paced_until = GREATEST(paced_until, now() - interval '1 second' / calls_per_second), waiting = NULL,
  waiting_since = NULL, updated_at = now()
WHERE id = $2;

--
-- src/features/code/
--

-- list-code (src/features/code/code.sql.ts)
-- $1 workspaceId, $2 kind, $3 offset, $4 limit
WITH resources AS (
  SELECT 'agent' AS kind, slug, id FROM agents WHERE workspace_id = $1 AND deleted_at IS NULL
  UNION ALL
  SELECT 'rehearsal', agents.slug || '/' || rehearsals.name, rehearsals.id
  FROM agents JOIN rehearsals ON agent_id = agents.id
  WHERE agents.workspace_id = $1 AND deleted_at IS NULL
  UNION ALL
  SELECT 'tool', name, id FROM tools WHERE workspace_id = $1
), chosen AS (
  SELECT kind, slug COLLATE "C" AS slug, id FROM resources WHERE $2::text IS NULL OR kind = $2
), page AS MATERIALIZED (
  SELECT * FROM chosen ORDER BY kind, slug OFFSET $3 LIMIT $4
)
SELECT total, kind, page.slug, page.id,
  CASE kind
  WHEN 'agent' THEN jsonb_build_object(
      'type', agents.type, 'name', agents.name, 'category', agents.category, 'status', agents.status, 'publish',
      agents.publish,
      'config', agents.config - 'stats', 'analysis', agents.analysis,
      'knowledge', COALESCE(
          (SELECT jsonb_agg(knowledge_bases.name ORDER BY position)
            FROM knowledge_base_assignments JOIN knowledge_bases ON knowledge_bases.id = knowledge_base_id
            WHERE agent_id = agents.id), '[]'))
  WHEN 'rehearsal' THEN jsonb_build_object(
      'name', rehearsals.name, 'enabled', rehearsals.enabled, 'definition', rehearsals.definition)
  ELSE jsonb_build_object(
      'definition', tools.definition,
      'secrets', COALESCE((SELECT jsonb_agg(secret) FROM jsonb_object_keys(tools.secrets) AS secret), '[]'))
  END AS content,
  COALESCE(agents.updated_at, rehearsals.updated_at, tools.updated_at) AS "updatedAt",
  COALESCE(agents.updated_by, rehearsals.updated_by, tools.updated_by) AS "updatedBy"
FROM (SELECT count(*)::int AS total FROM chosen) AS counted LEFT JOIN (
    page
  LEFT JOIN agents ON kind = 'agent' AND agents.id = page.id AND agents.workspace_id = $1
  LEFT JOIN rehearsals
    ON kind = 'rehearsal' AND rehearsals.id = page.id AND rehearsals.workspace_id = $1
  LEFT JOIN tools ON kind = 'tool' AND tools.id = page.id AND tools.workspace_id = $1) ON true
ORDER BY kind, page.slug;

-- locate-code (src/features/code/code.sql.ts)
-- $1 workspaceId, $2 agents, $3 rehearsals, $4 tools
SELECT 'agent' AS kind, slug, id, id AS "agentId" FROM agents
WHERE workspace_id = $1 AND deleted_at IS NULL AND slug = ANY ($2)
UNION ALL
SELECT 'rehearsal', wanted.slug, rehearsals.id, agents.id
FROM unnest($3::text[]) AS wanted (slug)
JOIN agents ON agents.workspace_id = $1 AND deleted_at IS NULL AND agents.slug = split_part(wanted.slug, '/', 1)
JOIN rehearsals ON agent_id = agents.id AND rehearsals.name = split_part(wanted.slug, '/', 2)
UNION ALL
SELECT 'tool', name, id, NULL FROM tools WHERE workspace_id = $1 AND name = ANY ($4);

-- read-code (src/features/code/code.sql.ts)
-- $1 kind, $2 id, $3 workspaceId
WITH located AS (SELECT $1::text AS kind, $2::uuid AS id)
SELECT
  CASE kind
  WHEN 'agent' THEN jsonb_build_object(
      'type', agents.type, 'name', agents.name, 'category', agents.category, 'status', agents.status, 'publish',
      agents.publish,
      'config', agents.config - 'stats', 'analysis', agents.analysis,
      'knowledge', COALESCE(
          (SELECT jsonb_agg(knowledge_bases.name ORDER BY position)
            FROM knowledge_base_assignments JOIN knowledge_bases ON knowledge_bases.id = knowledge_base_id
            WHERE agent_id = agents.id), '[]'))
  WHEN 'rehearsal' THEN jsonb_build_object(
      'name', rehearsals.name, 'enabled', rehearsals.enabled, 'definition', rehearsals.definition)
  ELSE jsonb_build_object(
      'definition', tools.definition,
      'secrets', COALESCE((SELECT jsonb_agg(secret) FROM jsonb_object_keys(tools.secrets) AS secret), '[]'))
  END AS content FROM
  located
LEFT JOIN agents ON kind = 'agent' AND agents.id = located.id AND agents.workspace_id = $3
LEFT JOIN rehearsals
  ON kind = 'rehearsal' AND rehearsals.id = located.id AND rehearsals.workspace_id = $3
LEFT JOIN tools ON kind = 'tool' AND tools.id = located.id AND tools.workspace_id = $3
WHERE COALESCE(agents.id, rehearsals.id, tools.id) IS NOT NULL;

--
-- src/features/do-not-call/
--

-- create-do-not-call-stage (src/features/do-not-call/import-numbers.sql.ts)
  CREATE TEMPORARY TABLE do_not_call_stage (row_number integer NOT NULL, phone_number text NOT NULL, reason text)
  ON COMMIT DROP;

-- delete-expired-do-not-call-entries (src/features/do-not-call/list-numbers.sql.ts)
-- $1 limit
DELETE FROM do_not_call
WHERE (workspace_id, phone_number) IN (
  SELECT workspace_id, phone_number FROM do_not_call
  WHERE expires_at <= now() LIMIT $1 FOR UPDATE SKIP LOCKED)
  AND NOT (do_not_call.expires_at IS NULL OR do_not_call.expires_at > now())
RETURNING phone_number AS "phoneNumber";

-- find-listed-do-not-call-numbers (src/features/do-not-call/list-numbers.sql.ts)
-- $1 workspaceId, $2 numbers
SELECT phone_number AS "phoneNumber" FROM do_not_call
WHERE workspace_id = $1 AND phone_number = ANY ($2)
  AND (do_not_call.expires_at IS NULL OR do_not_call.expires_at > now());

-- find-quota-of-do_not_call_entries (src/features/do-not-call/quotas.sql.ts)
-- $1 workspaceId
SELECT NULL::bigint AS "limit", (SELECT count(*) FROM do_not_call WHERE workspace_id = $1) AS used
FROM workspaces WHERE id = $1;

-- find-same-do-not-call-entry (src/features/do-not-call/list-numbers.sql.ts)
-- $1 workspaceId, $2 phoneNumber, $3 reason, $4 createdBy, $5 expiresAt
SELECT phone_number AS "phoneNumber", reason, source, created_by AS "createdBy", created_at AS "createdAt", expires_at
  AS "expiresAt"
FROM do_not_call
WHERE workspace_id = $1 AND phone_number = $2 AND source = 'api'
  AND (reason, created_by, expires_at)
  IS NOT DISTINCT FROM ($3::text, $4::jsonb, $5::timestamptz)
  AND (do_not_call.expires_at IS NULL OR do_not_call.expires_at > now());

-- find-staged-do-not-call-numbers (src/features/do-not-call/import-numbers.sql.ts)
-- $1 workspaceId
SELECT count(*)::int AS count,
  count(*) FILTER (WHERE ((
    SELECT true
    FROM (SELECT $1::uuid AS asked_workspace, staged.phone_number AS asked_number) AS asked
    JOIN do_not_call ON do_not_call.workspace_id = asked_workspace AND do_not_call.phone_number = asked_number
    WHERE (do_not_call.expires_at IS NULL OR do_not_call.expires_at > now())
    LIMIT 1) IS NOT NULL))::int AS listed,
  COALESCE(array_agg(phone_number), '{}')::text AS numbers
FROM (SELECT DISTINCT phone_number FROM do_not_call_stage) AS staged;

-- list-do-not-call-number (src/features/do-not-call/list-numbers.sql.ts)
-- $1 workspaceId, $2 phoneNumber, $3 reason, $4 createdBy, $5 expiresAt
INSERT INTO do_not_call (workspace_id, phone_number, reason, source, created_by, expires_at)
SELECT workspace_id, phone_number, reason, source, created_by, expires_at FROM (
  SELECT $1::uuid AS workspace_id, $2::text AS phone_number, $3::text AS reason,
    'api' AS source, $4::jsonb AS created_by, $5::timestamptz AS expires_at) AS entry
ORDER BY workspace_id, phone_number
ON CONFLICT (workspace_id, phone_number) DO UPDATE
SET reason = excluded.reason, source = excluded.source, created_by = excluded.created_by,
  expires_at = excluded.expires_at,
  created_at = now()
RETURNING phone_number AS "phoneNumber", reason, source, created_by AS "createdBy", created_at AS "createdAt",
  expires_at AS "expiresAt";

-- list-staged-do-not-call-numbers (src/features/do-not-call/import-numbers.sql.ts)
-- $1 workspaceId, $2 createdBy
INSERT INTO do_not_call (workspace_id, phone_number, reason, source, created_by, expires_at)
SELECT workspace_id, phone_number, reason, source, created_by, expires_at FROM (
  SELECT DISTINCT ON (phone_number) $1::uuid AS workspace_id, phone_number, reason,
    'import' AS source, $2::jsonb AS created_by, NULL::timestamptz AS expires_at
  FROM do_not_call_stage ORDER BY phone_number, row_number DESC) AS entry
ORDER BY workspace_id, phone_number
ON CONFLICT (workspace_id, phone_number) DO UPDATE
SET reason = excluded.reason, source = excluded.source, created_by = excluded.created_by,
  expires_at = excluded.expires_at,
  created_at = now();

--
-- src/features/erasures/
--

-- add-erasure (src/features/erasures/erasures.sql.ts)
-- $1 id, $2 workspaceId, $3 phoneNumber
INSERT INTO erasures (id, workspace_id, phone_number, status)
VALUES ($1, $2, $3, 'pending')
ON CONFLICT (workspace_id, phone_number) WHERE phone_number IS NOT NULL DO UPDATE SET
  revision = erasures.revision + 1,
  due_at = CASE erasures.status WHEN 'waiting' THEN now() ELSE erasures.due_at END
RETURNING id, status;

-- claim-erasure (src/features/erasures/erasures.sql.ts)
-- $1 id
UPDATE erasures SET status = 'running', due_at = now() + interval '30 seconds'
WHERE id = $1 AND phone_number IS NOT NULL AND due_at <= now()
RETURNING id, workspace_id AS "workspaceId", phone_number AS "phoneNumber", revision;

-- complete-erasure (src/features/erasures/erasures.sql.ts)
-- $1 keptDoNotCall, $2 id, $3 revision
UPDATE erasures
SET status = 'completed', phone_number = NULL, due_at = NULL, completed_at = now(), calls_under_way = 0,
  kept_do_not_call = $1
WHERE id = $2 AND revision = $3 AND phone_number IS NOT NULL
RETURNING calls, recipients;

-- count-calls-of-person (src/features/erasures/erase-calls.sql.ts)
-- $1 workspaceId, $2 phoneNumber
SELECT (SELECT count(*)::int FROM conversations WHERE workspace_id = $1 AND ended_at IS NULL AND CASE
    WHEN conversations.incoming_claim_id IS NULL THEN conversations.to_number ELSE conversations.from_number END = $2)
  AS "underWay",
  EXISTS (
    SELECT id FROM conversations
    WHERE workspace_id = $1 AND NOT ended_at IS NULL
      AND right(CASE WHEN conversations.incoming_claim_id IS NULL THEN conversations.to_number
          ELSE conversations.from_number END, 4) = right($2, 4)
      AND CASE WHEN conversations.incoming_claim_id IS NULL THEN conversations.to_number
      ELSE conversations.from_number END = $2 AND true) AS "hasEnded";

-- count-erased (src/features/erasures/erasures.sql.ts)
-- $1 calls, $2 recipients, $3 id
UPDATE erasures SET calls = calls + $1, recipients = recipients + $2, due_at = now() + interval '30 seconds'
WHERE id = $3 AND phone_number IS NOT NULL;

-- delete-old-erasures (src/features/erasures/erasures.sql.ts)
-- $1 days, $2 limit
DELETE FROM erasures WHERE id IN (
  SELECT id FROM erasures WHERE completed_at < now() - $1 * interval '1 day'
  ORDER BY completed_at LIMIT $2 FOR UPDATE SKIP LOCKED)
RETURNING id;

-- erase-calls (src/features/erasures/erase-calls.sql.ts)
-- $1 ids, $2 phoneNumber
WITH transcripts AS (
  DELETE FROM call_transcripts WHERE conversation_id = ANY ($1)
), recordings AS (
  DELETE FROM call_recordings WHERE conversation_id = ANY ($1)
), warnings AS (
  DELETE FROM call_warnings WHERE conversation_id = ANY ($1)
), invocations AS (
  UPDATE tool_invocations SET
    key = id::text, same_as = NULL, arguments = '{}', result = NULL, error = NULL, variables = '{}', note = ''
  WHERE conversation_id = ANY ($1)
), analyses AS (
  UPDATE call_analyses SET fields = '{}', criteria = NULL WHERE conversation_id = ANY ($1)
), findings AS (
  UPDATE call_findings SET fields = '{}', criteria = '{}', answers = '{}' WHERE conversation_id = ANY ($1)
), delivery AS MATERIALIZED (
  SELECT delivery.id,
    endpoint_id IS NULL AND EXISTS (
      SELECT FROM unnest(ARRAY[
          $2, request->>'external_id', request->>'memory_id', request->>'customer_name']) AS known
      WHERE length(regexp_replace(lower(known), '%[0-9a-f]{2}|[^0-9a-z]', '', 'g')) >= 3
        AND position(regexp_replace(lower(known), '%[0-9a-f]{2}|[^0-9a-z]', '', 'g') IN regexp_replace(lower(url),
            '%[0-9a-f]{2}|[^0-9a-z]', '', 'g')) > 0) AS is_telling
  FROM webhook_deliveries AS delivery JOIN conversations AS call ON call.id = conversation_id
  WHERE conversation_id = ANY ($1) ORDER BY sequence FOR UPDATE OF delivery
), deleted AS (
  DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(SELECT id FROM delivery WHERE is_telling))
), emptied AS (
  UPDATE webhook_deliveries SET is_erased = true, data =
    (data || COALESCE(
        (SELECT jsonb_object_agg(key, CASE key WHEN 'metadata' THEN data->key || value ELSE value END)
          FROM jsonb_each('{"to_number":null,"from_number":null,"phone_number":null,"external_id":"","metadata":{"summary":"","process_compliance":""},"analysis":null,"text":"","recording_url":null}')
          WHERE data ? key), '{}'))
  WHERE id = ANY (ARRAY(SELECT id FROM delivery WHERE NOT is_telling))
), events AS (
  UPDATE webhook_events SET data =
    (data || COALESCE(
        (SELECT jsonb_object_agg(key, CASE key WHEN 'metadata' THEN data->key || value ELSE value END)
          FROM jsonb_each('{"to_number":null,"from_number":null,"phone_number":null,"external_id":"","metadata":{"summary":"","process_compliance":""},"analysis":null,"text":"","recording_url":null}')
          WHERE data ? key), '{}')) WHERE conversation_id = ANY ($1)
)
UPDATE conversations
SET to_number = CASE WHEN incoming_claim_id IS NULL THEN '' ELSE to_number END,
  from_number = CASE WHEN incoming_claim_id IS NULL THEN from_number ELSE '' END,
  request = '{}', summary = '', process_compliance = ''
WHERE id = ANY ($1);

-- find-due-erasures (src/features/erasures/erasures.sql.ts)
SELECT DISTINCT ON (workspace_id) id FROM erasures
WHERE phone_number IS NOT NULL AND due_at <= now() ORDER BY workspace_id, due_at;

-- find-queued-calls-of-person (src/features/erasures/erase-calls.sql.ts)
-- $1 workspaceId, $2 phoneNumber
SELECT id, agent_id AS "agentId" FROM conversations
WHERE workspace_id = $1 AND ended_at IS NULL AND CASE
  WHEN conversations.incoming_claim_id IS NULL THEN conversations.to_number ELSE conversations.from_number END = $2
  AND status = 'queued' ORDER BY id LIMIT 100;

-- find-quota-of-open_erasures (src/features/erasures/quotas.sql.ts)
-- $1 workspaceId
SELECT NULL::bigint AS "limit", (SELECT count(*) FROM erasures WHERE workspace_id = $1 AND phone_number IS NOT NULL)
  AS used
FROM workspaces WHERE id = $1;

-- has-idempotency-keys-of-person (src/features/erasures/erase-calls.sql.ts)
-- $1 workspaceId, $2 phoneNumber
SELECT EXISTS (
  SELECT FROM idempotency_keys
  WHERE workspace_id = $1
    AND (position(ltrim($2, '+') IN key) > 0 OR position(ltrim($2, '+') IN answer::text) > 0)
) AS "hasKeys";

-- keep-do-not-call-entry (src/features/erasures/erase-calls.sql.ts)
-- $1 workspaceId, $2 phoneNumber
WITH expired AS (
  DELETE FROM do_not_call
  WHERE workspace_id = $1 AND phone_number = $2 AND expires_at <= now()
), kept AS (
  UPDATE do_not_call SET reason = NULL
  WHERE workspace_id = $1 AND phone_number = $2
    AND (expires_at IS NULL OR expires_at > now())
  RETURNING 1
)
SELECT EXISTS (SELECT FROM kept) AS "isKept";

-- lock-calls-to-erase (src/features/erasures/erase-calls.sql.ts)
-- $1 workspaceId, $2 phoneNumber
WITH sized AS MATERIALIZED (
  SELECT id, sum(COALESCE(turns, 0)) OVER (ORDER BY id) - COALESCE(turns, 0) AS turns_before
  FROM (SELECT id FROM (
    SELECT id FROM conversations
    WHERE workspace_id = $1 AND NOT ended_at IS NULL
      AND right(CASE WHEN conversations.incoming_claim_id IS NULL THEN conversations.to_number
          ELSE conversations.from_number END, 4) = right($2, 4)
      AND CASE WHEN conversations.incoming_claim_id IS NULL THEN conversations.to_number
      ELSE conversations.from_number END = $2 AND token IS NULL) AS ended ORDER BY id LIMIT 100) AS call
  LEFT JOIN call_transcripts ON conversation_id = id
)
SELECT id FROM conversations
WHERE id = ANY (ARRAY(SELECT id FROM sized WHERE turns_before < 10000)) AND token IS NULL
ORDER BY id FOR UPDATE SKIP LOCKED;

-- postpone-erasure (src/features/erasures/erasures.sql.ts)
-- $1 reason, $2 callsUnderWay, $3 id
UPDATE erasures
SET status = CASE $1 WHEN 'waiting' THEN 'waiting' ELSE 'running' END,
  due_at = now() + CASE $1 WHEN 'more' THEN interval '0' WHEN 'revoked' THEN interval '0.5 seconds'
  ELSE
  LEAST(GREATEST((now() - created_at) / 10, interval '0.5 seconds'), interval '5 minutes') END,
  calls_under_way = $2
WHERE id = $3 AND phone_number IS NOT NULL;

-- repeat-erasure (src/features/erasures/erasures.sql.ts)
-- $1 workspaceId, $2 phoneNumber
UPDATE erasures SET
  revision = erasures.revision + 1,
  due_at = CASE erasures.status WHEN 'waiting' THEN now() ELSE erasures.due_at END WHERE workspace_id = $1
  AND phone_number = $2
RETURNING id, status;

-- revoke-tokens-of-person (src/features/erasures/erase-calls.sql.ts)
-- $1 workspaceId, $2 phoneNumber
UPDATE conversations SET token = NULL
WHERE id = ANY (ARRAY(
  SELECT id FROM conversations
  WHERE id = ANY (ARRAY(SELECT id FROM (
    SELECT id FROM conversations
    WHERE workspace_id = $1 AND NOT ended_at IS NULL
      AND right(CASE WHEN conversations.incoming_claim_id IS NULL THEN conversations.to_number
          ELSE conversations.from_number END, 4) = right($2, 4)
      AND CASE WHEN conversations.incoming_claim_id IS NULL THEN conversations.to_number
      ELSE conversations.from_number END = $2 AND token IS NOT NULL) AS call LIMIT 500))
  ORDER BY id FOR NO KEY UPDATE SKIP LOCKED))
RETURNING id;

--
-- src/features/knowledge-base/
--

-- add-knowledge-base-file (src/features/knowledge-base/stored-files.sql.ts)
-- $1 key
INSERT INTO knowledge_base_files (key) VALUES ($1);

-- add-passages (src/features/knowledge-base/passages.sql.ts)
-- $1 sourceId, $2 runId, $3 firstPosition, $4 texts, $5 pages, $6 words
WITH source AS (
  SELECT id, knowledge_base_id FROM knowledge_base_sources WHERE
    knowledge_base_sources.id = $1 AND knowledge_base_sources.indexing_run = $2
    AND knowledge_base_sources.status = 'processing' FOR SHARE
), added AS (
  INSERT INTO knowledge_base_passages (source_id, knowledge_base_id, position, page, text, search)
  SELECT source.id, knowledge_base_id, $3 + place - 1, page, text, to_tsvector('simple', words)
  FROM source, unnest($4::text[], $5::int[], $6::text[]) WITH ORDINALITY
    AS passages (text, page, words, place)
  RETURNING search
), counted AS (
  INSERT INTO knowledge_base_words AS known (source_id, knowledge_base_id, word, passages)
  SELECT source.id, knowledge_base_id, word, count(*)
  FROM source, added, unnest(tsvector_to_array(search)) AS word
  GROUP BY source.id, knowledge_base_id, word
  ON CONFLICT (source_id, word) DO UPDATE SET passages = known.passages + excluded.passages
)
SELECT id FROM source;

-- begin-indexing (src/features/knowledge-base/indexing.sql.ts)
-- $1 runId, $2 sourceId
UPDATE knowledge_base_sources SET status = 'processing', indexing_run = $1
WHERE id = $2 AND status IN ('pending', 'processing')
RETURNING id, workspace_id AS "workspaceId", url, text, file_type AS "fileType";

-- complete-indexing (src/features/knowledge-base/indexing.sql.ts)
-- $1 fileType, $2 passages, $3 addedBytes, $4 sourceId, $5 runId
UPDATE knowledge_base_sources SET status = 'completed', file_type = $1, passages = $2, text = NULL,
  indexing_run = NULL, bytes = bytes + $3, is_replacement = false
WHERE
  knowledge_base_sources.id = $4 AND knowledge_base_sources.indexing_run = $5
  AND knowledge_base_sources.status = 'processing';

-- count-sources (src/features/knowledge-base/sources.sql.ts)
-- $1 knowledgeBaseId, $2 workspaceId
SELECT count(*)::int AS count, COALESCE(max(position) + 1, 0) AS "nextPosition" FROM knowledge_base_sources
WHERE knowledge_base_id = $1 AND workspace_id = $2 AND NOT is_replacement;

-- delete-knowledge-base-files (src/features/knowledge-base/stored-files.sql.ts)
-- $1 keys
DELETE FROM knowledge_base_files WHERE key = ANY ($1::uuid[]);

-- delete-replaced-source (src/features/knowledge-base/indexing.sql.ts)
-- $1 sourceId, $2 runId
DELETE FROM knowledge_base_sources AS replaced USING knowledge_base_sources
WHERE
  knowledge_base_sources.id = $1 AND knowledge_base_sources.indexing_run = $2
  AND knowledge_base_sources.status = 'processing' AND knowledge_base_sources.is_replacement
  AND replaced.public_id = knowledge_base_sources.public_id AND NOT replaced.is_replacement
RETURNING replaced.file_key AS "fileKey";

-- delete-source (src/features/knowledge-base/sources.sql.ts)
-- $1 publicId, $2 knowledgeBaseId, $3 workspaceId, $4 onlyReplacement
DELETE FROM knowledge_base_sources
WHERE public_id = $1 AND knowledge_base_id = $2 AND workspace_id = $3
  AND (is_replacement OR NOT $4)
RETURNING file_key AS "fileKey";

-- fail-indexing (src/features/knowledge-base/indexing.sql.ts)
-- $1 reason, $2 sourceId, $3 runId
UPDATE knowledge_base_sources SET status = 'failed', reason = $1, text = NULL, indexing_run = NULL,
  bytes = bytes - octet_length(COALESCE(text, ''))
WHERE
  knowledge_base_sources.id = $2 AND knowledge_base_sources.indexing_run = $3
  AND knowledge_base_sources.status = 'processing';

-- find-knowledge-bases-by-names (src/features/knowledge-base/knowledge-base.sql.ts)
-- $1 names, $2 workspaceId
SELECT given, id, name FROM unnest($1::text[]) AS wanted (given)
JOIN knowledge_bases ON workspace_id = $2 AND lower(name) = lower(given);

-- find-orphaned-files (src/features/knowledge-base/stored-files.sql.ts)
-- $1 graceMs
SELECT key FROM knowledge_base_files
WHERE created_at <= now() - $1 * interval '1 millisecond'
  AND NOT EXISTS (SELECT FROM knowledge_base_sources WHERE file_key = key);

-- find-quota-of-knowledge_base_bytes (src/features/knowledge-base/quotas.sql.ts)
-- $1 workspaceId
SELECT quotas_knowledge_base_bytes AS "limit", (
  SELECT COALESCE(sum(bytes), 0) FROM knowledge_base_sources WHERE workspace_id = $1) AS used
FROM workspaces WHERE id = $1;

-- find-quota-of-knowledge_bases (src/features/knowledge-base/quotas.sql.ts)
-- $1 workspaceId
SELECT NULL::bigint AS "limit", (SELECT count(*) FROM knowledge_bases WHERE workspace_id = $1) AS used
FROM workspaces WHERE id = $1;

-- limit-search-time (src/features/knowledge-base/search.sql.ts)
SET LOCAL statement_timeout = '2s';

-- lock-indexing (src/features/knowledge-base/indexing.sql.ts)
-- $1 sourceId, $2 runId
WITH knowledge_base AS (
  UPDATE knowledge_bases SET updated_at = now()
  WHERE id = (SELECT knowledge_base_id FROM knowledge_base_sources WHERE
      knowledge_base_sources.id = $1 AND knowledge_base_sources.indexing_run = $2
      AND knowledge_base_sources.status = 'processing')
  RETURNING id
)
SELECT knowledge_base_sources.id FROM knowledge_base_sources, knowledge_base
WHERE knowledge_base_sources.knowledge_base_id = knowledge_base.id AND
  knowledge_base_sources.id = $1 AND knowledge_base_sources.indexing_run = $2
  AND knowledge_base_sources.status = 'processing'
FOR UPDATE OF knowledge_base_sources;

-- lock-sources (src/features/knowledge-base/sources.sql.ts)
-- $1 knowledgeBaseId, $2 workspaceId
UPDATE knowledge_bases SET updated_at = now() WHERE id = $1 AND workspace_id = $2
RETURNING name;

-- remove-failed-passages (src/features/knowledge-base/passages.sql.ts)
-- $1 sourceId
WITH source AS (
  SELECT id FROM knowledge_base_sources WHERE id = $1 AND status = 'failed' FOR KEY SHARE
), words AS (
  DELETE FROM knowledge_base_words WHERE source_id IN (SELECT id FROM source)
)
DELETE FROM knowledge_base_passages WHERE source_id IN (SELECT id FROM source);

-- remove-passages (src/features/knowledge-base/passages.sql.ts)
-- $1 sourceId, $2 runId
WITH source AS (
  SELECT id FROM knowledge_base_sources WHERE
    knowledge_base_sources.id = $1 AND knowledge_base_sources.indexing_run = $2
    AND knowledge_base_sources.status = 'processing' FOR KEY SHARE
), words AS (
  DELETE FROM knowledge_base_words WHERE source_id IN (SELECT id FROM source)
)
DELETE FROM knowledge_base_passages WHERE source_id IN (SELECT id FROM source);

-- search-knowledge-base (src/features/knowledge-base/search.sql.ts)
-- $1 knowledgeBaseId, $2 words, $3 limit
WITH completed AS MATERIALIZED (
  -- The passages of other sources are still being stored.
  SELECT id FROM knowledge_base_sources WHERE knowledge_base_id = $1 AND status = 'completed'
), asked AS (
  SELECT word FROM unnest(tsvector_to_array(to_tsvector('simple', $2))) AS word LIMIT 50
), known AS (
  SELECT GREATEST(sum(passages), 1)::float8 AS passages FROM knowledge_base_sources WHERE knowledge_base_id = $1
), found AS (
  SELECT asked.word AS asked, similar_words.word, similarity, similar_words.passages,
    ln(1 + (known.passages - similar_words.passages + 0.5) / (similar_words.passages + 0.5)) AS idf
  FROM known, asked CROSS JOIN LATERAL (
    SELECT word, sum(passages)::float8 AS passages, max(similarity) AS similarity
    FROM (
      SELECT words.word, words.passages, 1 AS similarity
      FROM knowledge_base_words AS words
      WHERE words.knowledge_base_id = $1 AND words.word = asked.word
        AND words.source_id IN (SELECT id FROM completed)
      UNION ALL
        (
          SELECT words.word, words.passages, similarity(words.word, asked.word)
          FROM knowledge_base_words AS words
          WHERE words.knowledge_base_id = $1 AND words.word % asked.word AND words.word <> asked.word
            AND similarity(words.word, asked.word) >= 0.4 AND asked.word !~ '\d' AND words.word !~ '\d'
          -- If lc_ctype is C, words of other scripts have no trigrams, and it would scan the whole index.
            AND show_trgm(asked.word) <> '{}' AND words.source_id IN (SELECT id FROM completed)
          LIMIT 2000
        )
    ) AS exact_and_similar
    GROUP BY word
    ORDER BY word = asked.word DESC, similarity DESC, word
    LIMIT 5
  ) AS similar_words
), variants AS (
  SELECT asked, word, passages, full_weight, similarity * similarity * LEAST(idf, full_weight) AS weight
  FROM (
    SELECT *, first_value(idf) OVER (
        PARTITION BY asked ORDER BY word = asked DESC, similarity DESC, word
    ) AS full_weight FROM found
  ) AS compared
), weighted AS (
  SELECT asked, word, weight FROM (
    SELECT *, sum(passages) OVER (ORDER BY weight DESC, word) AS hits,
      row_number() OVER (ORDER BY weight DESC, word) AS place
    FROM variants
  ) AS ordered
  WHERE hits <= 20000 OR place = 1
), best AS (
  SELECT avg(full_weight) * (SELECT count(*) FROM asked) AS weight
  FROM (SELECT DISTINCT asked, full_weight FROM variants) AS each_word
), candidates AS (
  SELECT id, sum(weight) AS weight FROM (
    SELECT hit.id, weighted.asked, max(weighted.weight) AS weight
    FROM weighted CROSS JOIN LATERAL (
      SELECT id FROM knowledge_base_passages
      WHERE knowledge_base_id = $1 AND search @@ plainto_tsquery('simple', weighted.word)
        AND source_id IN (SELECT id FROM completed)
      LIMIT 20000
    ) AS hit
    GROUP BY hit.id, weighted.asked
  ) AS word_hits
  GROUP BY id ORDER BY weight DESC, id LIMIT 100
)
SELECT passage.text, passage.page, passage.position, source.public_id AS "sourceId", source.name AS "sourceName",
  source.url AS "sourceUrl",
  round(LEAST(candidates.weight / NULLIF(best.weight, 0), 1)::numeric, 4)::float8 AS score,
  ARRAY (SELECT word FROM asked) AS asked,
-- Also of words that are too common to be searched first.
  ARRAY (
    SELECT json_build_object('asked', asked, 'word', word) FROM variants
    WHERE passage.search @@ plainto_tsquery('simple', variants.word)
  ) AS matches
FROM candidates
JOIN knowledge_base_passages AS passage USING (id)
JOIN knowledge_base_sources AS source ON source.id = passage.source_id, best
ORDER BY candidates.weight
  * (1 + 0.5 * (search @@ websearch_to_tsquery('simple', $2))::int
      + ts_rank_cd(search, plainto_tsquery('simple', $2), 32)) DESC,
  source.position, passage.position
LIMIT $3;

--
-- src/features/live/
--

-- find-call-states (src/features/live/live.sql.ts)
-- $1 ids
SELECT id, workspace_id AS "workspaceId", campaign_id AS "campaignId", status FROM conversations WHERE id = ANY ($1);

-- find-live-calls (src/features/live/live.sql.ts)
-- $1 workspaceIds
SELECT id, workspace_id AS "workspaceId", campaign_id AS "campaignId", status FROM conversations
WHERE ended_at IS NULL AND workspace_id = ANY ($1)
UNION ALL
SELECT id, workspace_id AS "workspaceId", campaign_id AS "campaignId", status FROM conversations
WHERE workspace_id = ANY ($1) AND created_at >= now() - interval '10 seconds' AND NOT (ended_at IS NULL)
UNION ALL
SELECT id, workspace_id AS "workspaceId", campaign_id AS "campaignId", status FROM conversations
WHERE workspace_id = ANY ($1) AND id IN (
  SELECT conversation_id FROM call_events
  WHERE kind = 'corrected' AND created_at >= now() - interval '10 seconds');

-- find-live-campaigns (src/features/live/live.sql.ts)
-- $1 workspaceIds
SELECT id, workspace_id AS "workspaceId", xmin::text AS revision FROM campaigns
WHERE workspace_id = ANY ($1)
  AND (status IN ('scheduled', 'running', 'paused') OR updated_at >= now() - interval '10 seconds');

-- find-live-rehearsal-runs (src/features/live/live.sql.ts)
-- $1 workspaceIds
SELECT run.id, run.workspace_id AS "workspaceId", run.status, counted.done, counted.total
FROM rehearsal_runs AS run
CROSS JOIN LATERAL (
  SELECT count(*)::int AS total, count(*) FILTER (WHERE NOT (result.ended_at IS NULL))::int AS done
  FROM rehearsal_results AS result WHERE result.run_id = run.id
) AS counted
WHERE run.workspace_id = ANY ($1) AND (run.ended_at IS NULL OR run.ended_at >= now() - interval '10 seconds');

-- find-live-tool-invocations (src/features/live/live.sql.ts)
-- $1 workspaceIds
SELECT id, workspace_id AS "workspaceId", conversation_id AS "callId", state FROM tool_invocations
WHERE workspace_id = ANY ($1) AND (
    state = 'running' OR asked_at >= now() - interval '15 minutes' AND settled_at >= now() - interval '10 seconds');

--
-- src/features/notes/
--

-- add-note (src/features/notes/notes.sql.ts)
-- $1 workspaceId, $2 phoneNumber, $3 text, $4 updatedBy
INSERT INTO notes (workspace_id, phone_number, text, updated_by, updated_at)
VALUES ($1, $2, $3, $4::jsonb, clock_timestamp())
ON CONFLICT DO NOTHING RETURNING text, updated_by AS "updatedBy", updated_at AS "updatedAt";

-- erase-note (src/features/notes/notes.sql.ts)
-- $1 workspaceId, $2 phoneNumber
DELETE FROM notes WHERE workspace_id = $1 AND phone_number = $2;

-- find-note (src/features/notes/notes.sql.ts)
-- $1 workspaceId, $2 phoneNumber
SELECT text, updated_by AS "updatedBy", updated_at AS "updatedAt" FROM notes WHERE workspace_id = $1
  AND phone_number = $2;

-- find-quota-of-notes (src/features/notes/quotas.sql.ts)
-- $1 workspaceId
SELECT NULL::bigint AS "limit", (SELECT count(*) FROM notes WHERE workspace_id = $1) AS used
FROM workspaces WHERE id = $1;

-- remove-note (src/features/notes/notes.sql.ts)
-- $1 workspaceId, $2 phoneNumber, $3 replaced
DELETE FROM notes
WHERE workspace_id = $1 AND phone_number = $2 AND updated_at = $3
RETURNING phone_number AS "phoneNumber";

-- replace-note (src/features/notes/notes.sql.ts)
-- $1 text, $2 updatedBy, $3 workspaceId, $4 phoneNumber, $5 replaced
UPDATE notes
SET text = $1, updated_by = $2::jsonb,
  updated_at = GREATEST(clock_timestamp(), updated_at + interval '1 millisecond')
WHERE workspace_id = $3 AND phone_number = $4 AND updated_at = $5
RETURNING text, updated_by AS "updatedBy", updated_at AS "updatedAt";

--
-- src/features/phone-numbers/
--

-- find-quota-of-phone_numbers (src/features/phone-numbers/quotas.sql.ts)
-- $1 workspaceId
SELECT quotas_phone_numbers AS "limit", (SELECT count(*) FROM phone_numbers WHERE workspace_id = $1) AS used
FROM workspaces WHERE id = $1;

--
-- src/features/publishing/
--

-- activate-agent-version (src/features/publishing/publishing.sql.ts)
-- $1 isRehearsed, $2 workspaceId, $3 id
UPDATE agents SET gated = true, deployment_run_id = CASE WHEN $1 THEN deployment_run_id END,
  deployment_status = 'active', deployment_error = NULL, deployment_deployed_at = now(),
  previous_version = COALESCE(active_version, previous_version), active_version = deployment_version, active_type = type
FROM workspaces
WHERE workspaces.id = $2 AND agents.workspace_id = $2 AND agents.id = $3
  AND COALESCE(agents.publish, workspaces.publish) = 'gated';

-- fail-agent-version (src/features/publishing/publishing.sql.ts)
-- $1 error, $2 workspaceId, $3 id
UPDATE agents SET deployment_status = 'failed', deployment_error = $1
WHERE workspace_id = $2 AND id = $3 AND gated AND deployment_status = 'deploying' AND deleted_at IS NULL;

-- find-agent-deployment (src/features/publishing/publishing.sql.ts)
-- $1 workspaceId, $2 id
SELECT agents.id, name, CASE WHEN gated THEN 'gated' ELSE 'automatic' END AS publish, publish AS "publishOwn",
  CASE WHEN gated THEN CASE WHEN deployment_status = 'active' AND active_version IS DISTINCT FROM deployment_version
  THEN 'draft' ELSE deployment_status END ELSE 'active' END AS status, deployment_version AS version,
  CASE WHEN agents.gated THEN agents.active_version ELSE agents.deployment_version END AS "activeVersion",
  CASE WHEN gated THEN deployment_deployed_at ELSE deployment_last_updated END AS "deployedAt",
  CASE WHEN gated THEN deployment_error END AS error,
  (SELECT run.id FROM rehearsal_runs AS run
    WHERE gated AND run.id = deployment_run_id AND run.workspace_id = $1
      AND run.agent_version = deployment_version) AS "runId",
  CASE WHEN gated OR active_version = deployment_version THEN previous_version
  ELSE (SELECT max(version) FROM agent_versions WHERE agent_id = agents.id AND version < deployment_version) END
  AS "previousVersion"
FROM agents WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL;

-- find-deploying-agents (src/features/publishing/publishing.sql.ts)
-- $1 workspaceId, $2 ids
SELECT agents.id, agents.workspace_id AS "workspaceId", agents.user_id AS "userId", agents.name,
  deployment_version AS version, run.id AS "runId", run.status AS "runStatus",
  deployment_by AS "by",
  EXISTS (SELECT FROM rehearsals WHERE agent_id = agents.id AND enabled) AS "isRehearsed"
FROM agents LEFT JOIN rehearsal_runs AS run
  ON run.id = deployment_run_id AND run.workspace_id = $1 AND run.agent_version = deployment_version
WHERE agents.workspace_id = $1 AND gated AND deployment_status = 'deploying' AND deleted_at IS NULL
  AND ($2::uuid[] IS NULL OR agents.id = ANY ($2)) AND (run.id IS NULL OR run.ended_at IS NOT NULL)
ORDER BY agents.id;

-- find-workspace-publishing (src/features/publishing/publishing.sql.ts)
-- $1 workspaceId
SELECT publish FROM workspaces WHERE id = $1;

-- find-workspaces-that-deploy (src/features/publishing/publishing.sql.ts)
SELECT DISTINCT workspace_id AS "workspaceId" FROM agents WHERE gated AND deployment_status = 'deploying'
  AND deleted_at IS NULL;

-- follow-publishing-settings (src/features/publishing/publishing.sql.ts)
-- $1 workspaceId
WITH changing AS (
  SELECT agents.id, COALESCE(agents.publish, workspaces.publish) = 'gated' AS is_gated FROM agents JOIN workspaces
    ON workspaces.id = agents.workspace_id
  WHERE agents.workspace_id = $1 AND deleted_at IS NULL
    AND gated <> (COALESCE(agents.publish, workspaces.publish) = 'gated')
  ORDER BY agents.id FOR NO KEY UPDATE OF agents
)
UPDATE agents
SET gated = is_gated, deployment_status = 'active', deployment_error = NULL, deployment_run_id = NULL,
  deployment_deployed_at = CASE WHEN is_gated THEN deployment_last_updated ELSE now() END,
  deployment_last_updated =
  CASE WHEN is_gated OR active_version = deployment_version THEN deployment_last_updated ELSE now() END,
  previous_version = CASE WHEN is_gated OR active_version = deployment_version THEN CASE WHEN gated
  OR active_version = deployment_version THEN previous_version
  ELSE (SELECT max(version) FROM agent_versions WHERE agent_id = agents.id AND version < deployment_version) END
  ELSE active_version END,
  active_version = deployment_version, active_type = type
FROM changing WHERE agents.id = changing.id
RETURNING agents.id;

-- move-on-with-versions (src/features/publishing/publishing.sql.ts)
-- $1 isDraft, $2 keepsDraft, $3 by, $4 workspaceId, $5 ids, $6 isDecided
UPDATE agents
SET gated = true, deployment_status = CASE WHEN $1 OR $2 AND gated AND deployment_status = 'draft'
  THEN 'draft' ELSE 'deploying' END,
  deployment_error = NULL, deployment_run_id = NULL, deployment_by = $3::jsonb,
-- A server of the last release may have made the agent, and calls use its versions until now.
  active_version = CASE WHEN gated THEN active_version ELSE CASE WHEN gated
  OR active_version = deployment_version THEN previous_version
  ELSE (SELECT max(version) FROM agent_versions WHERE agent_id = agents.id AND version < deployment_version) END END,
  deployment_deployed_at = CASE WHEN active_version IS NOT NULL THEN deployment_deployed_at END
FROM workspaces
WHERE workspaces.id = $4 AND agents.workspace_id = $4 AND agents.id = ANY ($5)
  AND COALESCE(agents.publish, workspaces.publish) = 'gated'
  AND ($6 OR CASE WHEN deployment_status = 'active' AND active_version IS DISTINCT FROM deployment_version
      THEN 'draft' ELSE deployment_status END IN ('draft', 'failed'))
RETURNING agents.id;

-- note-run-of-agent-version (src/features/publishing/publishing.sql.ts)
-- $1 runId, $2 workspaceId, $3 id
UPDATE agents SET deployment_run_id = $1 WHERE workspace_id = $2 AND id = $3;

-- set-agent-publishing (src/features/publishing/publishing.sql.ts)
-- $1 publish, $2 updatedBy, $3 workspaceId, $4 id
UPDATE agents SET publish = $1, updated_at = now(), updated_by = $2::jsonb
WHERE workspace_id = $3 AND id = $4 AND publish IS DISTINCT FROM $1 RETURNING id;

-- set-workspace-publishing (src/features/publishing/publishing.sql.ts)
-- $1 publish, $2 workspaceId
UPDATE workspaces SET publish = $1 WHERE id = $2 AND publish <> $1 RETURNING id;

--
-- src/features/rehearsals/
--

-- keep-rehearsals (src/features/rehearsals/rehearsals.sql.ts)
-- $1 workspaceId, $2 ids
SELECT id FROM rehearsals WHERE workspace_id = $1 AND id = ANY ($2) ORDER BY id FOR KEY SHARE;

--
-- src/features/rehearsals/from-call/
--

-- list-tools-to-rehearse (src/features/rehearsals/from-call/calls-to-rehearse.sql.ts)
-- $1 workspaceId, $2 callId
WITH asked AS (
  SELECT tool, arguments, state, result, error, repeats,
    sum(length(arguments::text) + COALESCE(length(result::text), 0)) OVER (ORDER BY asked_at, id) AS length
  FROM tool_invocations
  WHERE workspace_id = $1 AND conversation_id = $2 ORDER BY asked_at, id LIMIT 50
)
SELECT tool, arguments, state, result, error, repeats FROM asked WHERE length <= 200000;

-- lock-call-to-rehearse (src/features/rehearsals/from-call/calls-to-rehearse.sql.ts)
-- $1 workspaceId, $2 agentId, $3 callId
SELECT direction, call_type AS "callType", request, disconnect_reason AS "disconnectReason",
  disconnected_by AS "disconnectedBy",
  NULLIF(CASE WHEN conversations.incoming_claim_id IS NULL THEN conversations.to_number
      ELSE conversations.from_number END, '') AS "personNumber"
FROM conversations WHERE workspace_id = $1 AND agent_id = $2 AND id = $3 FOR KEY SHARE;

--
-- src/features/rehearsals/runs/
--

-- add-reported-parts-of-rehearsal (src/features/rehearsals/runs/play-rehearsals.sql.ts)
-- $1 parts, $2 id, $3 token
UPDATE rehearsal_results SET reported = COALESCE(reported, '{}') || $1::jsonb
WHERE id = $2 AND token = $3 AND status = 'playing'
  AND rehearsal_results.run_id IN (SELECT id FROM rehearsal_runs WHERE ended_at IS NULL AND mode = 'joined');

-- add-tool-use-of-rehearsal (src/features/rehearsals/runs/play-rehearsals.sql.ts)
-- $1 use, $2 workspaceId, $3 id
UPDATE rehearsal_results SET tool_uses = tool_uses || $1::jsonb WHERE workspace_id = $2 AND id = $3;

-- begin-rehearsal-runs (src/features/rehearsals/runs/offer-rehearsals.sql.ts)
-- $1 workspaceId
UPDATE rehearsal_runs SET status = 'running'
WHERE workspace_id = $1 AND ended_at IS NULL AND status = 'queued'
  AND EXISTS (SELECT FROM rehearsal_results WHERE run_id = rehearsal_runs.id AND status <> 'queued');

-- cancel-rehearsals (src/features/rehearsals/runs/play-rehearsals.sql.ts)
-- $1 workspaceId, $2 runIds
WITH cancelled AS (
  UPDATE rehearsal_runs SET status = 'cancelled', ended_at = now(), configuration = NULL
  WHERE workspace_id = $1 AND id = ANY ($2) AND ended_at IS NULL RETURNING id
)
UPDATE rehearsal_results
SET status = 'error', error = 'CANCELLED', ended_at = now(), tokens =
  CASE WHEN rehearsal_results.status = 'playing'
  THEN rehearsal_results.tokens + LEAST(100000,
      100 * ceil(extract(epoch FROM now() - rehearsal_results.accepted_at)))::int
  ELSE rehearsal_results.tokens END
WHERE run_id IN (SELECT id FROM cancelled) AND ended_at IS NULL
RETURNING id, CASE WHEN claim_id IS NOT NULL THEN worker_id END AS "workerId";

-- check rehearsals.apart (src/features/rehearsals/runs/invariants.sql.ts), not prepared
-- $1 after, $2 workspaceId
WITH page AS MATERIALIZED (
  SELECT id, workspace_id,
    CASE
    WHEN EXISTS (SELECT FROM conversations WHERE conversations.id = results.id)
    THEN 'A call has the id of the rehearsal'
    WHEN ended_at IS NULL AND EXISTS (
      SELECT FROM rehearsal_runs WHERE rehearsal_runs.id = results.run_id AND rehearsal_runs.ended_at IS NOT NULL)
    THEN 'The run has ended, and the rehearsal has not'
    END AS detail
  FROM (
    SELECT * FROM rehearsal_results
    WHERE id > $1 AND ($2::uuid IS NULL OR workspace_id = $2)
    ORDER BY id LIMIT 5000) results)
SELECT count(*)::int AS checked,
  (array_agg(id ORDER BY id DESC))[1] AS last,
  COALESCE(
      jsonb_agg(jsonb_build_object('workspaceId', workspace_id, 'id', id, 'detail', detail) ORDER BY id)
      FILTER (WHERE detail IS NOT NULL),
      '[]') AS violations
FROM page;

-- claim-rehearsal (src/features/rehearsals/runs/play-rehearsals.sql.ts)
-- $1 id, $2 scope, $3 claimId, $4 workerId, $5 token
WITH found AS MATERIALIZED (
  SELECT * FROM rehearsal_results
  WHERE id = $1 AND ($2::uuid IS NULL OR workspace_id = $2) FOR NO KEY UPDATE
), claimed AS (
  UPDATE rehearsal_results
  SET status = 'playing', claim_id = $3, worker_id = $4, token = $5, accepted_at = now(),
    heartbeat_at = now(), over_at = NULL, joined_at = NULL, tool_uses = '[]', reported = NULL,
    attempts = rehearsal_results.attempts + 1
  FROM found
  WHERE rehearsal_results.id = found.id AND found.status = 'offered' AND found.expires_at > now()
  RETURNING rehearsal_results.id, rehearsal_results.token, rehearsal_results.accepted_at
)
SELECT COALESCE(claimed.token, found.token) AS token, COALESCE(claimed.accepted_at, found.accepted_at) AS "acceptedAt",
  claimed.id IS NOT NULL OR found.status = 'playing' AND found.claim_id = $3 AS "isOurs",
  found.ended_at IS NOT NULL AS "isEnded", found.expires_at <= now() AS "isExpired"
FROM found LEFT JOIN claimed ON claimed.id = found.id;

-- count-open-rehearsal-runs (src/features/rehearsals/runs/rehearsal-runs.sql.ts)
-- $1 workspaceId
SELECT count(*)::int AS count FROM rehearsal_runs WHERE workspace_id = $1 AND ended_at IS NULL;

-- count-rehearsal-results (src/features/rehearsals/runs/rehearsal-runs.sql.ts)
-- $1 workspaceId, $2 runIds
SELECT id AS "runId", COALESCE(counted, (
  SELECT jsonb_build_object(
      'total', count(*), 'own', count(*) FILTER (WHERE NOT against),
      'done', count(*) FILTER (WHERE NOT (ended_at IS NULL)),
      'passed', count(*) FILTER (WHERE status = 'passed' AND NOT against),
      'failed', count(*) FILTER (WHERE status = 'failed' AND NOT against),
      'errors', count(*) FILTER (WHERE status = 'error' AND NOT against),
      'error', (array_agg(error ORDER BY position) FILTER (WHERE error IS NOT NULL AND NOT against))[1],
      'tokens', LEAST(COALESCE(sum(tokens), 0), 2147483647))
  FROM rehearsal_results WHERE run_id = rehearsal_runs.id)) AS counts
FROM rehearsal_runs WHERE workspace_id = $1 AND id = ANY ($2);

-- end-rehearsal-run (src/features/rehearsals/runs/offer-rehearsals.sql.ts)
-- $1 reportSha256, $2 workspaceId, $3 id
UPDATE rehearsal_runs AS run
SET ended_at = now(), report_sha256 = $1, configuration = NULL, counted = (
  SELECT jsonb_build_object(
      'total', count(*), 'own', count(*) FILTER (WHERE NOT against),
      'done', count(*) FILTER (WHERE NOT (ended_at IS NULL)),
      'passed', count(*) FILTER (WHERE status = 'passed' AND NOT against),
      'failed', count(*) FILTER (WHERE status = 'failed' AND NOT against),
      'errors', count(*) FILTER (WHERE status = 'error' AND NOT against),
      'error', (array_agg(error ORDER BY position) FILTER (WHERE error IS NOT NULL AND NOT against))[1],
      'tokens', LEAST(COALESCE(sum(tokens), 0), 2147483647))
  FROM rehearsal_results WHERE run_id = run.id),
  status = CASE
  WHEN EXISTS (SELECT FROM rehearsal_results WHERE run_id = run.id AND status = 'failed' AND NOT against) THEN 'failed'
  WHEN EXISTS (SELECT FROM rehearsal_results WHERE run_id = run.id AND status = 'error' AND NOT against) THEN 'error'
  ELSE 'passed' END
WHERE workspace_id = $2 AND id = $3 AND ended_at IS NULL AND
  NOT EXISTS (
    SELECT FROM rehearsal_results AS result
    WHERE result.workspace_id = $2 AND result.run_id = run.id AND result.ended_at IS NULL);

-- end-unaffordable-rehearsals (src/features/rehearsals/runs/offer-rehearsals.sql.ts)
-- $1 workspaceId, $2 tokensPerDay
WITH used AS (
  SELECT COALESCE(sum(tokens), 0) AS tokens FROM rehearsal_results
  WHERE workspace_id = $1 AND ended_at >= date_trunc('day', now(), 'UTC') AND tokens > 0
), exhausted AS (
  SELECT run.id FROM rehearsal_runs AS run
  WHERE run.workspace_id = $1 AND run.ended_at IS NULL
    AND EXISTS (
      SELECT FROM rehearsal_results AS result
      WHERE result.workspace_id = $1 AND result.run_id = run.id AND result.ended_at IS NULL
        AND result.status = 'queued')
    AND ((SELECT tokens FROM used) >= $2
        OR EXISTS (SELECT FROM workspaces WHERE workspaces.id = run.workspace_id AND workspaces.suspended_at IS NOT NULL)
        OR (SELECT sum(tokens) FROM rehearsal_results AS result WHERE result.run_id = run.id) >= run.max_tokens)
)
UPDATE rehearsal_results SET status = 'error', ended_at = now(),
  error = CASE
  WHEN EXISTS (SELECT FROM workspaces WHERE workspaces.id = rehearsal_results.workspace_id
      AND workspaces.suspended_at IS NOT NULL) THEN 'WORKSPACE_SUSPENDED' ELSE 'REHEARSAL_BUDGET' END
WHERE workspace_id = $1 AND ended_at IS NULL AND status = 'queued'
  AND run_id IN (SELECT id FROM exhausted);

-- find-complete-rehearsal-runs (src/features/rehearsals/runs/offer-rehearsals.sql.ts)
-- $1 workspaceId
SELECT id FROM rehearsal_runs AS run WHERE workspace_id = $1 AND ended_at IS NULL AND
  NOT EXISTS (
    SELECT FROM rehearsal_results AS result
    WHERE result.workspace_id = $1 AND result.run_id = run.id AND result.ended_at IS NULL);

-- find-configuration-of-rehearsal (src/features/rehearsals/runs/play-rehearsals.sql.ts)
-- $1 workspaceId, $2 id
SELECT agent_id AS "agentId", CASE WHEN against THEN against_version ELSE agent_version END AS "agentVersion", CASE
  WHEN NOT against THEN configuration END AS configuration
FROM rehearsal_results AS result JOIN rehearsal_runs AS run ON run.id = result.run_id
WHERE result.workspace_id = $1 AND result.id = $2;

-- find-excess-rehearsal-runs (src/features/rehearsals/runs/play-rehearsals.sql.ts)
SELECT id, workspace_id AS "workspaceId" FROM (
  SELECT *, sum((counted ->> 'total')::int) OVER (PARTITION BY workspace_id ORDER BY created_at DESC, id DESC) AS kept
  FROM rehearsal_runs WHERE ended_at IS NOT NULL
) AS run
WHERE kept > 200000 AND (ended_at < date_trunc('day', now(), 'UTC') OR (counted ->> 'tokens')::int = 0)
ORDER BY workspace_id, created_at LIMIT 500;

-- find-joined-rehearsals (src/features/rehearsals/runs/play-rehearsals.sql.ts)
-- $1 ids
SELECT token, COALESCE(over_at <= now() - interval '1 seconds', false) AS "isOver"
FROM rehearsal_results WHERE id = ANY ($1) AND status = 'playing';

-- find-old-rehearsal-runs (src/features/rehearsals/runs/play-rehearsals.sql.ts)
-- $1 days
SELECT id, workspace_id AS "workspaceId" FROM rehearsal_runs
WHERE ended_at < now() - $1 * interval '1 day' ORDER BY ended_at LIMIT 5;

-- find-played-rehearsal (src/features/rehearsals/runs/play-rehearsals.sql.ts)
-- $1 id, $2 token
SELECT workspace_id AS "workspaceId",
  COALESCE(rehearsal_results.definition, (
    SELECT definition FROM rehearsal_results AS first
    WHERE first.run_id = rehearsal_results.run_id AND first.name = rehearsal_results.name AND first.repeat = 1
      AND NOT first.against)) -> 'checks' AS checks, facts,
  checks AS graded, (SELECT mode FROM rehearsal_runs WHERE id = run_id) AS mode
FROM rehearsal_results
WHERE id = $1 AND token = $2 AND status = 'playing';

-- find-rehearsal-runs-of-person (src/features/rehearsals/runs/rehearsal-runs.sql.ts)
-- $1 workspaceId, $2 phoneNumber
SELECT DISTINCT run_id AS id FROM rehearsal_results
WHERE workspace_id = $1 AND person_number = $2 ORDER BY run_id LIMIT 5;

-- find-reported-parts-of-rehearsal (src/features/rehearsals/runs/play-rehearsals.sql.ts)
-- $1 id, $2 token
SELECT reported, tool_uses AS uses FROM rehearsal_results WHERE id = $1 AND token = $2 AND status = 'playing';

-- find-tool-uses-of-rehearsal (src/features/rehearsals/runs/play-rehearsals.sql.ts)
-- $1 workspaceId, $2 id
SELECT tool_uses AS uses FROM rehearsal_results WHERE workspace_id = $1 AND id = $2;

-- find-workspaces-that-rehearse (src/features/rehearsals/runs/offer-rehearsals.sql.ts)
SELECT DISTINCT workspace_id AS "workspaceId" FROM rehearsal_runs WHERE ended_at IS NULL;

-- forget-failures-of-rehearsal-runs (src/features/rehearsals/runs/rehearsal-runs.sql.ts)
-- $1 workspaceId, $2 runIds
UPDATE agents SET deployment_error = regexp_replace(deployment_error, ':.*', ': its run was deleted.')
WHERE workspace_id = $1 AND id = ANY (ARRAY(
  SELECT agents.id FROM rehearsal_runs AS run
  JOIN agents ON agents.id = run.agent_id AND agents.deployment_run_id = run.id
  WHERE run.workspace_id = $1 AND run.id = ANY ($2)
    AND (agents.deployment_error IS NOT NULL OR agents.deployment_status = 'deploying')
  ORDER BY agents.id FOR NO KEY UPDATE OF agents));

-- give-up-rehearsal (src/features/rehearsals/runs/play-rehearsals.sql.ts)
-- $1 error, $2 id, $3 token
UPDATE rehearsal_results
SET status = CASE attempts WHEN 1 THEN 'queued' ELSE 'error' END,
  error = CASE attempts WHEN 1 THEN NULL ELSE $1 END,
  ended_at = CASE attempts WHEN 1 THEN NULL ELSE now() END,
  tokens =
  CASE WHEN rehearsal_results.status = 'playing'
  THEN rehearsal_results.tokens + LEAST(100000,
      100 * ceil(extract(epoch FROM now() - rehearsal_results.accepted_at)))::int
  ELSE rehearsal_results.tokens END, claim_id = NULL, token = NULL, heartbeat_at = NULL
WHERE id = $2 AND token = $3 AND status = 'playing'
RETURNING workspace_id AS "workspaceId";

-- hear-of-rehearsal (src/features/rehearsals/runs/play-rehearsals.sql.ts)
-- $1 id, $2 token
WITH heard AS (
  UPDATE rehearsal_results SET heartbeat_at = now()
  WHERE id = $1 AND token = $2 AND status = 'playing' RETURNING id
)
SELECT worker_id AS "workerId" FROM rehearsal_results
WHERE id = $1 AND NOT EXISTS (SELECT FROM heard) AND token = $2;

-- join-rehearsal (src/features/rehearsals/runs/play-rehearsals.sql.ts)
-- $1 id, $2 token
UPDATE rehearsal_results SET joined_at = now()
WHERE id = $1 AND token = $2 AND status = 'playing' AND joined_at IS NULL
  AND rehearsal_results.run_id IN (SELECT id FROM rehearsal_runs WHERE ended_at IS NULL AND mode = 'joined')
RETURNING workspace_id AS "workspaceId", worker_id AS "workerId",
  COALESCE(rehearsal_results.definition, (
    SELECT definition FROM rehearsal_results AS first
    WHERE first.run_id = rehearsal_results.run_id AND first.name = rehearsal_results.name AND first.repeat = 1
      AND NOT first.against)) -> 'person' AS person;

-- keep-counts-of-rehearsal-runs (src/features/rehearsals/runs/rehearsal-runs.sql.ts)
-- $1 workspaceId, $2 runIds
UPDATE rehearsal_runs SET counted = (
  SELECT jsonb_build_object(
      'total', count(*), 'own', count(*) FILTER (WHERE NOT against),
      'done', count(*) FILTER (WHERE NOT (ended_at IS NULL)),
      'passed', count(*) FILTER (WHERE status = 'passed' AND NOT against),
      'failed', count(*) FILTER (WHERE status = 'failed' AND NOT against),
      'errors', count(*) FILTER (WHERE status = 'error' AND NOT against),
      'error', (array_agg(error ORDER BY position) FILTER (WHERE error IS NOT NULL AND NOT against))[1],
      'tokens', LEAST(COALESCE(sum(tokens), 0), 2147483647))
  FROM rehearsal_results WHERE run_id = rehearsal_runs.id)
WHERE workspace_id = $1 AND id = ANY ($2) AND NOT (ended_at IS NULL) AND counted IS NULL;

-- list-rehearsal-results (src/features/rehearsals/runs/rehearsal-runs.sql.ts)
-- $1 workspaceId, $2 runId
SELECT name, repeat, against, status, error,
  CASE WHEN repeat = min(repeat) FILTER (WHERE status = 'failed') OVER (PARTITION BY name, against)
  THEN jsonb_path_query_array(checks, '$[*] ? (@.passed == false)') END AS failed
FROM rehearsal_results WHERE workspace_id = $1 AND run_id = $2 ORDER BY position;

-- lock-open-rehearsal-runs (src/features/rehearsals/runs/offer-rehearsals.sql.ts)
-- $1 workspaceId
SELECT id FROM rehearsal_runs WHERE workspace_id = $1 AND ended_at IS NULL ORDER BY id FOR NO KEY UPDATE;

-- lock-open-rehearsal-runs-of-agents (src/features/rehearsals/runs/rehearsal-runs.sql.ts)
-- $1 workspaceId, $2 agentIds, $3 causes
SELECT id FROM rehearsal_runs
WHERE workspace_id = $1 AND agent_id = ANY ($2) AND cause = ANY ($3) AND ended_at IS NULL
ORDER BY id FOR NO KEY UPDATE;

-- lock-rehearsal-runs (src/features/rehearsals/runs/rehearsal-runs.sql.ts)
-- $1 workspaceId, $2 runIds
SELECT id FROM rehearsal_runs WHERE workspace_id = $1 AND id = ANY ($2) ORDER BY id FOR UPDATE;

-- lock-tool-uses-of-rehearsal (src/features/rehearsals/runs/play-rehearsals.sql.ts)
-- $1 workspaceId, $2 id
SELECT
  COALESCE(rehearsal_results.definition, (
    SELECT definition FROM rehearsal_results AS first
    WHERE first.run_id = rehearsal_results.run_id AND first.name = rehearsal_results.name AND first.repeat = 1
      AND NOT first.against)) -> 'tools' AS mocks, tool_uses AS uses FROM rehearsal_results
WHERE workspace_id = $1 AND id = $2 AND status = 'playing'
  AND rehearsal_results.run_id IN (SELECT id FROM rehearsal_runs WHERE ended_at IS NULL AND mode = 'joined')
FOR NO KEY UPDATE;

-- note-end-of-rehearsal (src/features/rehearsals/runs/play-rehearsals.sql.ts)
-- $1 id, $2 token
UPDATE rehearsal_results SET over_at = now(), heartbeat_at = now()
WHERE id = $1 AND token = $2 AND status = 'playing' AND over_at IS NULL;

-- offer-rehearsals (src/features/rehearsals/runs/offer-rehearsals.sql.ts)
-- $1 workspaceId, $2 concurrency
WITH busy AS (
  SELECT count(*) AS calls,
    count(*) FILTER (WHERE rehearsal_results.run_id IN (SELECT id FROM rehearsal_runs WHERE ended_at IS NULL
        AND mode = 'audio')) AS spoken,
    count(*) FILTER (WHERE rehearsal_results.run_id IN (SELECT id FROM rehearsal_runs WHERE ended_at IS NULL
        AND mode = 'joined')) AS joined
  FROM rehearsal_results
  WHERE workspace_id = $1 AND ended_at IS NULL AND status IN ('offered', 'playing')
), next AS (
    (
      SELECT next.id, next.run_id, next.position
      FROM rehearsal_runs AS run CROSS JOIN LATERAL (
        SELECT id, run_id, position FROM rehearsal_results
        WHERE workspace_id = $1 AND ended_at IS NULL AND status = 'queued' AND run_id = run.id
        ORDER BY position LIMIT $2
      ) AS next
      WHERE run.workspace_id = $1 AND run.ended_at IS NULL AND mode = 'text'
      ORDER BY position, run_id LIMIT $2)
  UNION ALL
    (
      SELECT next.id, next.run_id, next.position
      FROM rehearsal_runs AS run CROSS JOIN LATERAL (
        SELECT id, run_id, position FROM rehearsal_results
        WHERE workspace_id = $1 AND ended_at IS NULL AND status = 'queued' AND run_id = run.id
        ORDER BY position LIMIT $2
      ) AS next
      WHERE run.workspace_id = $1 AND run.ended_at IS NULL AND mode = 'joined'
      ORDER BY position, run_id LIMIT GREATEST(0, 4 - (SELECT joined FROM busy)))
  UNION ALL
    (
      SELECT next.id, next.run_id, next.position
      FROM rehearsal_runs AS run CROSS JOIN LATERAL (
        SELECT id, run_id, position FROM rehearsal_results
        WHERE workspace_id = $1 AND ended_at IS NULL AND status = 'queued' AND run_id = run.id
        ORDER BY position LIMIT $2
      ) AS next
      WHERE run.workspace_id = $1 AND run.ended_at IS NULL AND mode = 'audio'
      ORDER BY position, run_id LIMIT CASE (SELECT spoken FROM busy) WHEN 0 THEN 1 ELSE 0 END)
), chosen AS (
  SELECT id FROM next ORDER BY position, run_id LIMIT GREATEST(0, $2 - (SELECT calls FROM busy))
), offered AS (
  UPDATE rehearsal_results
  SET status = 'offered', published_at = now(),
    expires_at = CASE status WHEN 'queued' THEN now() + interval '60 seconds' ELSE expires_at END
  WHERE workspace_id = $1 AND ended_at IS NULL
    AND (id IN (SELECT id FROM chosen)
        OR status = 'offered' AND published_at <= now() - interval '20 seconds')
  RETURNING *
)
SELECT offered.id, offered.workspace_id AS "workspaceId", created_by AS "userId", run_id AS "runId",
  agent_id AS "agentId", CASE WHEN against THEN against_version ELSE agent_version END AS "agentVersion",
  CASE WHEN NOT against THEN configuration END AS configuration, mode, offered.name, offered.repeat, offered.seed,
  COALESCE(offered.definition, (
    SELECT definition FROM rehearsal_results AS first
    WHERE first.run_id = offered.run_id AND first.name = offered.name AND first.repeat = 1 AND NOT first.against))
  AS definition, facts -> 'turns' AS played, created_at AS "createdAt", expires_at AS "expiresAt",
  ceil(extract(epoch FROM expires_at - now()) * 1000)::int AS "leftMs"
FROM offered JOIN rehearsal_runs AS run ON run.id = run_id
ORDER BY run_id, position;

-- put-back-rehearsal (src/features/rehearsals/runs/play-rehearsals.sql.ts)
-- $1 id, $2 token
UPDATE rehearsal_results
SET status = 'offered', published_at = now(), attempts = attempts - 1, claim_id = NULL, token = NULL,
  heartbeat_at = NULL
WHERE id = $1 AND token = $2 AND status = 'playing';

-- queue-judgement-of-rehearsal (src/features/rehearsals/runs/play-rehearsals.sql.ts)
-- $1 facts, $2 checks, $3 tokens, $4 id, $5 token
UPDATE rehearsal_results
SET status = 'queued', facts = $1::jsonb, checks = $2::jsonb, tokens = tokens + $3, attempts = 0,
  claim_id = NULL, token = NULL, heartbeat_at = NULL, over_at = NULL
WHERE id = $4 AND token = $5 AND status = 'playing';

-- read-rehearsal-results (src/features/rehearsals/runs/rehearsal-runs.sql.ts)
-- $1 workspaceId, $2 runId, $3 after
SELECT position, name, repeat, against, seed, definition, status, error, checks, facts
FROM rehearsal_results WHERE workspace_id = $1 AND run_id = $2 AND position > $3
ORDER BY position LIMIT 20;

-- release-rehearsals (src/features/rehearsals/runs/offer-rehearsals.sql.ts)
-- $1 workspaceId, $2 leaseSeconds
UPDATE rehearsal_results AS result
SET status = CASE WHEN next.error IS NULL THEN 'queued' ELSE 'error' END, error = next.error,
  ended_at = CASE WHEN next.error IS NOT NULL THEN now() END,
  tokens =
  CASE WHEN result.status = 'playing'
  THEN result.tokens + LEAST(100000, 100 * ceil(extract(epoch FROM now() - result.accepted_at)))::int
  ELSE result.tokens END, claim_id = NULL, token = NULL, heartbeat_at = NULL
FROM (
  SELECT id,
    CASE WHEN status = 'offered' AND NOT EXISTS (
      SELECT FROM rehearsal_results AS played
      WHERE played.ended_at IS NULL AND played.heartbeat_at > now() - interval '60 seconds'
        AND (played.run_id IN (SELECT id FROM rehearsal_runs WHERE ended_at IS NULL AND mode = 'audio')
            OR NOT rehearsal_results.run_id IN (SELECT id FROM rehearsal_runs WHERE ended_at IS NULL
                AND mode = 'audio'))) THEN 'NO_REHEARSAL_RUNTIME'
    WHEN status = 'playing' AND over_at IS NOT NULL AND (joined_at IS NULL OR attempts > 1) THEN 'NO_FACTS'
    WHEN status = 'playing' AND attempts > 1 THEN 'REHEARSAL_RUNTIME_LOST' END AS error
  FROM rehearsal_results
  WHERE workspace_id = $1 AND ended_at IS NULL
    AND (status = 'offered' AND expires_at <= now()
        OR status = 'playing' AND (accepted_at <= now() - interval '15 minutes'
            OR heartbeat_at <= now() - $2 * interval '1 second'))
  ORDER BY id FOR NO KEY UPDATE
) AS next
WHERE result.id = next.id;

-- settle-rehearsal (src/features/rehearsals/runs/play-rehearsals.sql.ts)
-- $1 status, $2 facts, $3 checks, $4 error, $5 tokens, $6 id, $7 token
UPDATE rehearsal_results
SET status = $1, facts = $2::jsonb, checks = $3::jsonb, error = $4, tokens = tokens + $5,
  ended_at = now()
WHERE id = $6 AND token = $7 AND status = 'playing';

--
-- src/features/reports/call-records/
--

-- count-few-calls-to-export (src/features/reports/call-records/export-calls.sql.ts), not prepared
-- $1 workspaceId, $2 agentsInScope, $3 agentId, $4 agentVersion, $5 campaignId, $6 statuses, $7 reasons, $8 direction, $9 channel, $10 callType, $11 reversedNumber, $12 lastDigits, $13 customerName, $14 externalId, $15 outcome, $16 createdFrom, $17 createdUntil, $18 durationMin, $19 durationMax, $20 workerId, $21 findings
SELECT count(*)::int AS count
FROM (SELECT FROM conversations AS call WHERE call.workspace_id = $1
    AND ($2::uuid[] IS NULL OR call.agent_id = ANY ($2))
    AND ($3::uuid IS NULL OR call.agent_id = $3)
    AND ($4::integer IS NULL OR call.agent_version = $4)
    AND ($5::uuid IS NULL
        OR ((call.ended_at IS NOT NULL AND call.campaign_id = $5) OR (call.ended_at IS NULL AND call.campaign_id = $5)))
    AND ($6::text[] IS NULL OR call.status = ANY ($6))
    AND ($7::text[] IS NULL OR call.disconnect_reason = ANY ($7))
    AND ($8::text IS NULL OR call.direction = $8)
    AND ($9::text IS NULL OR call.channel = $9)
    AND ($10::text IS NULL OR call.call_type = $10)
    AND ($11::text IS NULL OR (
        (call.ended_at IS NOT NULL
            AND right(CASE WHEN call.incoming_claim_id IS NULL THEN call.to_number ELSE call.from_number END, 4) = right($12, 4)
            AND reverse(CASE WHEN call.incoming_claim_id IS NULL THEN call.to_number ELSE call.from_number END) LIKE $11)
        OR (call.ended_at IS NOT NULL
            AND right(CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END, 4) = right($12, 4)
            AND reverse(CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END) LIKE $11)
        OR (call.ended_at IS NULL AND ((reverse(call.to_number) LIKE $11) OR (reverse(call.from_number) LIKE $11)))))
    AND ($13::text IS NULL OR COALESCE(call.request->>'customer_name', '') ILIKE $13)
    AND ($14::text IS NULL OR (
        ($14 = '' AND COALESCE(call.request->>'external_id', '') = '')
        OR ($14 <> '' AND call.ended_at IS NULL AND call.request->>'external_id' = $14)
        OR ($14 <> '' AND call.ended_at IS NOT NULL AND call.request->>'external_id' <> ''
            AND hashtextextended(call.request->>'external_id', 0) = hashtextextended($14, 0)
            AND call.request->>'external_id' = $14)))
    AND ($15::text IS NULL OR call.outcome = $15)
    AND ($16::timestamptz IS NULL OR call.created_at >= $16)
    AND ($17::timestamptz IS NULL OR call.created_at <= $17)
    AND ($18::integer IS NULL OR call.duration_sec >= $18)
    AND ($19::integer IS NULL OR call.duration_sec <= $19)
    AND ($20::text IS NULL OR call.worker_id = $20)
    AND ($21::jsonb IS NULL
        OR EXISTS (SELECT FROM call_findings AS found WHERE found.conversation_id = call.id
            AND found.answers @> $21)) LIMIT 5001) AS few;

-- delete-what-hangs-on-calls (src/features/reports/call-records/delete-records.sql.ts)
-- $1 ids
WITH transcripts AS (
  DELETE FROM call_transcripts WHERE conversation_id = ANY ($1)
), recordings AS (
  DELETE FROM call_recordings WHERE conversation_id = ANY ($1)
), analyses AS (
  DELETE FROM call_analyses WHERE conversation_id = ANY ($1)
), findings AS (
  DELETE FROM call_findings WHERE conversation_id = ANY ($1)
), warnings AS (
  DELETE FROM call_warnings WHERE conversation_id = ANY ($1)
), events AS (
  DELETE FROM call_events WHERE conversation_id = ANY ($1)
), webhook_event AS (
  DELETE FROM webhook_events WHERE conversation_id = ANY ($1)
)
DELETE FROM webhook_deliveries
WHERE id = ANY (ARRAY(
  SELECT id FROM webhook_deliveries WHERE conversation_id = ANY ($1) ORDER BY sequence FOR UPDATE));

-- find-agent-of-call (src/features/reports/call-records/call-records.sql.ts)
-- $1 callId, $2 workspaceId, $3 agentsInScope
SELECT agent_id AS "agentId" FROM conversations AS call WHERE
  call.id = $1 AND call.workspace_id = $2
  AND ($3::uuid[] IS NULL OR call.agent_id = ANY ($3));

-- find-call (src/features/reports/call-records/call-records.sql.ts)
-- $1 callId, $2 workspaceId, $3 agentsInScope
SELECT
  call.id, call.agent_id AS "agentId", agents.name AS "agentName", agents.deleted_at IS NOT NULL AS "isAgentDeleted",
  call.agent_version AS "agentVersion", call.campaign_id AS "campaignId", call.direction, call.channel,
  call.call_type AS "callType", call.to_number AS "toNumber", call.from_number AS "fromNumber",
  COALESCE(call.request->>'customer_name', '') AS "customerName",
  COALESCE(call.request->>'external_id', '') AS "externalId", call.status,
  call.disconnect_reason AS "disconnectReason", call.disconnected_by AS "disconnectedBy",
  call.created_at AS "createdAt", call.connected_at AS "connectedAt", call.ended_at AS "endedAt",
  call.duration_sec AS "durationSec", call.charge, call.outcome,
  EXISTS (SELECT FROM call_recordings WHERE conversation_id = call.id) AS "hasRecording",
  (call.status = 'connected' AND COALESCE(call.listen_expires_at > now(), false)) AS "isAudible", call.workspace_id
  AS "workspaceId", call.user_id AS "userId",
  call.expires_at AS "expiresAt", call.attempt, call.request, call.worker_id AS "workerId", call.summary,
  call.process_compliance AS "processCompliance", campaigns.name AS "campaignName",
  call_recordings.url AS "recordingUrl", call_analyses.fields AS analysis,
  CASE WHEN call.status = 'accepted' AND call.join_expires_at > now() THEN call.join_url END AS "joinUrl",
  call.join_expires_at AS "joinExpiresAt", snapshot, tools, agent_versions.analysis AS asked,
  (SELECT json_build_object('fields', found.fields, 'criteria', found.criteria)
    FROM call_findings AS found WHERE found.conversation_id = call.id) AS findings
FROM conversations AS call
JOIN agents ON agents.id = call.agent_id
JOIN agent_versions ON agent_versions.agent_id = call.agent_id AND version = call.agent_version
LEFT JOIN campaigns ON campaigns.id = call.campaign_id
LEFT JOIN call_recordings ON call_recordings.conversation_id = call.id
LEFT JOIN call_analyses ON call_analyses.conversation_id = call.id
WHERE
  call.id = $1 AND call.workspace_id = $2
  AND ($3::uuid[] IS NULL OR call.agent_id = ANY ($3));

-- find-call-facts (src/features/reports/call-records/timeline.sql.ts)
-- $1 callId, $2 workspaceId, $3 agentsInScope
SELECT call.created_at AS "createdAt", call.campaign_id AS "campaignId",
  call.started_by AS "startedBy", campaigns.name AS "campaignName",
  call.to_number AS "toNumber", call.from_number AS "fromNumber", call.direction,
  call.incoming_claim_id IS NOT NULL AS "isIncoming",
  call.agent_version AS "agentVersion", agents.name AS "agentName",
  COALESCE(version.snapshot -> 'actions', '[]') AS actions, version.tools, call.dispatched_at AS "dispatchedAt",
  call.expires_at AS "expiresAt", call.accepted_at AS "acceptedAt", call.connected_at AS "connectedAt",
  call.ended_at AS "endedAt", call.heartbeat_at AS "heartbeatAt",
  call.hangup_requested_at AS "hangupRequestedAt",
  call.hangup_requested_by AS "hangupRequestedBy", call.worker_id AS "workerId", call.status,
  call.disconnect_reason AS "disconnectReason", call.disconnected_by AS "disconnectedBy",
  call.duration_sec AS "durationSec",
  COALESCE((SELECT json_agg(json_build_object('at', created_at, 'kind', kind, 'data', data)) FROM call_events
    WHERE conversation_id = call.id), '[]') AS events,
  COALESCE((SELECT json_agg(json_build_object('at', created_at, 'kind', kind, 'amount', amount)) FROM credit_entries
    WHERE conversation_id = call.id), '[]') AS entries,
  COALESCE((SELECT json_agg(json_build_object('at', started_at, 'number', number, 'type', type, 'url', url, 'statusCode',
      status_code, 'error', error,
      'durationMs', duration_ms, 'deliveryId', id, 'endpointId', endpoint_id)) FROM webhook_deliveries JOIN webhook_attempts
      ON delivery_id = id AND (endpoint_id IS NULL OR error IS NOT NULL) WHERE conversation_id = call.id), '[]') AS attempts,
  (SELECT json_build_object('at', reported_at, 'url', url, 'durationSec', duration_sec)
    FROM call_recordings WHERE conversation_id = call.id) AS recording,
  (SELECT json_build_object('at', reported_at, 'optOut', opt_out,
      'fields', (SELECT count(*) FROM jsonb_object_keys(fields)))
    FROM call_analyses WHERE conversation_id = call.id) AS analysis,
  COALESCE((SELECT json_agg(json_build_object('id', id, 'tool', tool, 'state', state, 'askedAt', asked_at, 'settledAt',
      settled_at,
      'settledBy', settled_by)) FROM tool_invocations WHERE conversation_id = call.id), '[]') AS invocations,
  COALESCE((SELECT warnings FROM call_warnings WHERE conversation_id = call.id), '[]') AS warnings
FROM conversations AS call JOIN agents ON agents.id = call.agent_id
JOIN agent_versions AS version ON version.agent_id = call.agent_id AND version.version = call.agent_version
LEFT JOIN campaigns ON campaigns.id = campaign_id
WHERE
  call.id = $1 AND call.workspace_id = $2
  AND ($3::uuid[] IS NULL OR call.agent_id = ANY ($3));

-- find-end-of-call-export-batch (src/features/reports/call-records/export-calls.sql.ts), not prepared
-- $1 workspaceId, $2 agentsInScope, $3 agentId, $4 createdFrom, $5 createdUntil, $6 afterTime, $7 afterId
SELECT created_at AS "createdAt", id FROM conversations AS call
WHERE workspace_id = $1
  AND ($2::uuid[] IS NULL OR agent_id = ANY ($2))
  AND ($3::uuid IS NULL OR agent_id = $3)
  AND ($4::timestamptz IS NULL OR created_at >= $4)
  AND ($5::timestamptz IS NULL OR created_at <= $5)
  AND ($6::timestamptz IS NULL OR (created_at, id) < ($6, $7::uuid))
  AND ($6::timestamptz IS NULL OR created_at <= $6)
ORDER BY created_at DESC, id DESC OFFSET 9999 LIMIT 1;

-- find-listening (src/features/reports/call-records/call-records.sql.ts)
-- $1 callId, $2 workspaceId, $3 agentsInScope
SELECT listen_url AS url, listen_expires_at AS "expiresAt" FROM conversations AS call
WHERE
  call.id = $1 AND call.workspace_id = $2
  AND ($3::uuid[] IS NULL OR call.agent_id = ANY ($3))
  AND (call.status = 'connected' AND COALESCE(call.listen_expires_at > now(), false));

-- find-transcript (src/features/reports/call-records/transcripts.sql.ts)
-- $1 callId, $2 workspaceId, $3 agentsInScope
SELECT COALESCE(truncated, false) AS truncated, COALESCE(turns, 0) AS turns, transcript_turns AS "countedTurns"
FROM conversations AS call
LEFT JOIN call_transcripts ON call_transcripts.conversation_id = call.id
WHERE
  call.id = $1 AND call.workspace_id = $2
  AND ($3::uuid[] IS NULL OR call.agent_id = ANY ($3));

-- has-line-of-number (src/features/reports/call-records/list-calls.sql.ts)
-- $1 workspaceId, $2 reversedNumber
SELECT EXISTS (
  SELECT FROM call_values WHERE workspace_id = $1 AND dimension = 'line' AND reverse(value) LIKE $2
) AS "hasLine";

-- list-calls-by-charge-asc (src/features/reports/call-records/list-calls.sql.ts), not prepared
-- also list-calls-by-charge-desc
-- also list-calls-by-created-at-asc
-- also list-calls-by-created-at-desc
-- also list-calls-by-duration-sec-asc
-- also list-calls-by-duration-sec-desc
-- also list-calls-by-ended-at-asc
-- also list-calls-by-ended-at-desc
-- $1 workspaceId, $2 agentsInScope, $3 agentId, $4 agentVersion, $5 campaignId, $6 statuses, $7 reasons, $8 direction, $9 channel, $10 callType, $11 reversedNumber, $12 lastDigits, $13 customerName, $14 externalId, $15 outcome, $16 createdFrom, $17 createdUntil, $18 durationMin, $19 durationMax, $20 workerId, $21 findings, $22 offset, $23 limit
WITH page AS MATERIALIZED (
  SELECT id FROM conversations AS call WHERE call.workspace_id = $1
    AND ($2::uuid[] IS NULL OR call.agent_id = ANY ($2))
    AND ($3::uuid IS NULL OR call.agent_id = $3)
    AND ($4::integer IS NULL OR call.agent_version = $4)
    AND ($5::uuid IS NULL
        OR ((call.ended_at IS NOT NULL AND call.campaign_id = $5) OR (call.ended_at IS NULL AND call.campaign_id = $5)))
    AND ($6::text[] IS NULL OR call.status = ANY ($6))
    AND ($7::text[] IS NULL OR call.disconnect_reason = ANY ($7))
    AND ($8::text IS NULL OR call.direction = $8)
    AND ($9::text IS NULL OR call.channel = $9)
    AND ($10::text IS NULL OR call.call_type = $10)
    AND ($11::text IS NULL OR (
        (call.ended_at IS NOT NULL
            AND right(CASE WHEN call.incoming_claim_id IS NULL THEN call.to_number ELSE call.from_number END, 4) = right($12, 4)
            AND reverse(CASE WHEN call.incoming_claim_id IS NULL THEN call.to_number ELSE call.from_number END) LIKE $11)
        OR (call.ended_at IS NOT NULL
            AND right(CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END, 4) = right($12, 4)
            AND reverse(CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END) LIKE $11)
        OR (call.ended_at IS NULL AND ((reverse(call.to_number) LIKE $11) OR (reverse(call.from_number) LIKE $11)))))
    AND ($13::text IS NULL OR COALESCE(call.request->>'customer_name', '') ILIKE $13)
    AND ($14::text IS NULL OR (
        ($14 = '' AND COALESCE(call.request->>'external_id', '') = '')
        OR ($14 <> '' AND call.ended_at IS NULL AND call.request->>'external_id' = $14)
        OR ($14 <> '' AND call.ended_at IS NOT NULL AND call.request->>'external_id' <> ''
            AND hashtextextended(call.request->>'external_id', 0) = hashtextextended($14, 0)
            AND call.request->>'external_id' = $14)))
    AND ($15::text IS NULL OR call.outcome = $15)
    AND ($16::timestamptz IS NULL OR call.created_at >= $16)
    AND ($17::timestamptz IS NULL OR call.created_at <= $17)
    AND ($18::integer IS NULL OR call.duration_sec >= $18)
    AND ($19::integer IS NULL OR call.duration_sec <= $19)
    AND ($20::text IS NULL OR call.worker_id = $20)
    AND ($21::jsonb IS NULL
        OR EXISTS (SELECT FROM call_findings AS found WHERE found.conversation_id = call.id AND found.answers @> $21))
  ORDER BY call.charge asc NULLS LAST, call.id asc OFFSET $22 LIMIT $23
), total AS (
  SELECT count(*)::int AS total FROM conversations AS call WHERE call.workspace_id = $1
    AND ($2::uuid[] IS NULL OR call.agent_id = ANY ($2))
    AND ($3::uuid IS NULL OR call.agent_id = $3)
    AND ($4::integer IS NULL OR call.agent_version = $4)
    AND ($5::uuid IS NULL
        OR ((call.ended_at IS NOT NULL AND call.campaign_id = $5) OR (call.ended_at IS NULL AND call.campaign_id = $5)))
    AND ($6::text[] IS NULL OR call.status = ANY ($6))
    AND ($7::text[] IS NULL OR call.disconnect_reason = ANY ($7))
    AND ($8::text IS NULL OR call.direction = $8)
    AND ($9::text IS NULL OR call.channel = $9)
    AND ($10::text IS NULL OR call.call_type = $10)
    AND ($11::text IS NULL OR (
        (call.ended_at IS NOT NULL
            AND right(CASE WHEN call.incoming_claim_id IS NULL THEN call.to_number ELSE call.from_number END, 4) = right($12, 4)
            AND reverse(CASE WHEN call.incoming_claim_id IS NULL THEN call.to_number ELSE call.from_number END) LIKE $11)
        OR (call.ended_at IS NOT NULL
            AND right(CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END, 4) = right($12, 4)
            AND reverse(CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END) LIKE $11)
        OR (call.ended_at IS NULL AND ((reverse(call.to_number) LIKE $11) OR (reverse(call.from_number) LIKE $11)))))
    AND ($13::text IS NULL OR COALESCE(call.request->>'customer_name', '') ILIKE $13)
    AND ($14::text IS NULL OR (
        ($14 = '' AND COALESCE(call.request->>'external_id', '') = '')
        OR ($14 <> '' AND call.ended_at IS NULL AND call.request->>'external_id' = $14)
        OR ($14 <> '' AND call.ended_at IS NOT NULL AND call.request->>'external_id' <> ''
            AND hashtextextended(call.request->>'external_id', 0) = hashtextextended($14, 0)
            AND call.request->>'external_id' = $14)))
    AND ($15::text IS NULL OR call.outcome = $15)
    AND ($16::timestamptz IS NULL OR call.created_at >= $16)
    AND ($17::timestamptz IS NULL OR call.created_at <= $17)
    AND ($18::integer IS NULL OR call.duration_sec >= $18)
    AND ($19::integer IS NULL OR call.duration_sec <= $19)
    AND ($20::text IS NULL OR call.worker_id = $20)
    AND ($21::jsonb IS NULL
        OR EXISTS (SELECT FROM call_findings AS found WHERE found.conversation_id = call.id AND found.answers @> $21))
)
SELECT total.total, record.*
FROM total LEFT JOIN LATERAL (
  SELECT
    call.id, call.agent_id AS "agentId", agents.name AS "agentName", agents.deleted_at IS NOT NULL AS "isAgentDeleted",
    call.agent_version AS "agentVersion", call.campaign_id AS "campaignId", call.direction, call.channel,
    call.call_type AS "callType", call.to_number AS "toNumber", call.from_number AS "fromNumber",
    COALESCE(call.request->>'customer_name', '') AS "customerName",
    COALESCE(call.request->>'external_id', '') AS "externalId", call.status,
    call.disconnect_reason AS "disconnectReason", call.disconnected_by AS "disconnectedBy",
    call.created_at AS "createdAt", call.connected_at AS "connectedAt", call.ended_at AS "endedAt",
    call.duration_sec AS "durationSec", call.charge, call.outcome,
    EXISTS (SELECT FROM call_recordings WHERE conversation_id = call.id) AS "hasRecording",
    (call.status = 'connected' AND COALESCE(call.listen_expires_at > now(), false)) AS "isAudible"
  FROM page JOIN conversations AS call USING (id) JOIN agents ON agents.id = call.agent_id
  ORDER BY call.charge asc NULLS LAST, call.id asc
) AS record ON true;

-- list-calls-counted-by-duration-asc (src/features/reports/call-records/list-calls.sql.ts), not prepared
-- also list-calls-counted-by-duration-desc
-- $1 workspaceId, $2 createdFrom, $3 createdUntil, $4 statuses, $5 durationMax, $6 durationMin, $7 agentsInScope, $8 agentId, $9 agentVersion, $10 campaignId, $11 reasons, $12 direction, $13 channel, $14 callType, $15 reversedNumber, $16 customerName, $17 externalId, $18 outcome, $19 workerId, $20 findings, $21 offset, $22 limit
WITH
  span AS MATERIALIZED (
    SELECT (SELECT starts_at FROM call_segments WHERE workspace_id = $1
        AND starts_at >= COALESCE($2::timestamptz, '-infinity')
        AND ends_at <= COALESCE($3::timestamptz + interval '1 millisecond', 'infinity') ORDER BY starts_at LIMIT 1) AS first,
      (SELECT ends_at FROM call_segments WHERE workspace_id = $1 AND starts_at >= COALESCE($2::timestamptz, '-infinity')
          AND ends_at <= COALESCE($3::timestamptz + interval '1 millisecond', 'infinity') ORDER BY starts_at DESC LIMIT 1) AS last
  ), whole AS MATERIALIZED (
    SELECT COALESCE(first, COALESCE($2::timestamptz, '-infinity')) AS whole_from,
      COALESCE(last, COALESCE($2::timestamptz, '-infinity')) AS whole_to FROM span
  ), slices AS MATERIALIZED (
    SELECT slice.* FROM whole
    CROSS JOIN LATERAL (VALUES (COALESCE($2::timestamptz, '-infinity'), whole_from),
        (whole_to, COALESCE($3::timestamptz + interval '1 millisecond', 'infinity'))) AS slice (starts_at, ends_at)
    WHERE slice.starts_at < slice.ends_at
  ), sums AS NOT MATERIALIZED (
    SELECT starts_at, CASE WHEN $4::text[] IS NULL OR 'disconnected' = ANY ($4) THEN
      GREATEST(0, width_bucket(COALESCE($5, 2147483647), connected)
          - width_bucket(COALESCE($6, 0) - 1, connected)) ELSE 0 END AS connected,
      CASE WHEN $4::text[] IS NULL OR 'failed' = ANY ($4) THEN
      GREATEST(0, width_bucket(COALESCE($5, 2147483647), failed)
          - width_bucket(COALESCE($6, 0) - 1, failed)) ELSE 0 END AS failed
    FROM call_segment_durations JOIN whole ON starts_at >= whole_from AND starts_at < whole_to
    WHERE workspace_id = $1
    UNION ALL
    SELECT (
      SELECT starts_at FROM call_segments
      WHERE workspace_id = $1 AND starts_at <= correction.starts_at ORDER BY starts_at DESC LIMIT 1), CASE
      WHEN $4::text[] IS NULL OR 'disconnected' = ANY ($4) THEN connected ELSE 0 END,
      CASE WHEN $4::text[] IS NULL OR 'failed' = ANY ($4) THEN failed ELSE 0 END
    FROM call_duration_corrections AS correction
    JOIN whole ON correction.starts_at >= whole_from AND correction.starts_at < whole_to
    WHERE workspace_id = $1
      AND duration_sec BETWEEN COALESCE($6, 0) AND COALESCE($5, 2147483647)
  ), counted AS MATERIALIZED (
    SELECT starts_at, NULL::timestamptz AS ends_at, sum(connected + failed)::int AS calls FROM sums GROUP BY 1
    UNION ALL
    SELECT starts_at, ends_at, calls
    FROM slices CROSS JOIN LATERAL (
      SELECT count(*)::int AS calls FROM conversations AS call
      WHERE call.workspace_id = $1
        AND ($7::uuid[] IS NULL OR call.agent_id = ANY ($7))
        AND ($8::uuid IS NULL OR call.agent_id = $8)
        AND ($9::integer IS NULL OR call.agent_version = $9)
        AND ($10::uuid IS NULL
            OR ((call.ended_at IS NOT NULL AND call.campaign_id = $10) OR (call.ended_at IS NULL AND call.campaign_id = $10)))
        AND ($4::text[] IS NULL OR call.status = ANY ($4))
        AND ($11::text[] IS NULL OR call.disconnect_reason = ANY ($11))
        AND ($12::text IS NULL OR call.direction = $12)
        AND ($13::text IS NULL OR call.channel = $13)
        AND ($14::text IS NULL OR call.call_type = $14)
        AND ($15::text IS NULL OR (reverse(call.to_number) LIKE $15 OR reverse(call.from_number) LIKE $15))
        AND ($16::text IS NULL OR COALESCE(call.request->>'customer_name', '') ILIKE $16)
        AND ($17::text IS NULL OR (
            ($17 = '' AND COALESCE(call.request->>'external_id', '') = '')
            OR ($17 <> '' AND call.ended_at IS NULL AND call.request->>'external_id' = $17)
            OR ($17 <> '' AND call.ended_at IS NOT NULL AND call.request->>'external_id' <> ''
                AND hashtextextended(call.request->>'external_id', 0) = hashtextextended($17, 0)
                AND call.request->>'external_id' = $17)))
        AND ($18::text IS NULL OR call.outcome = $18)
        AND ($2::timestamptz IS NULL OR call.created_at >= $2)
        AND ($3::timestamptz IS NULL OR call.created_at <= $3)
        AND ($6::integer IS NULL OR call.duration_sec >= $6)
        AND ($5::integer IS NULL OR call.duration_sec <= $5)
        AND ($19::text IS NULL OR call.worker_id = $19)
        AND ($20::jsonb IS NULL
            OR EXISTS (SELECT FROM call_findings AS found WHERE found.conversation_id = call.id AND found.answers @> $20))
        AND call.created_at >= slices.starts_at AND call.created_at < slices.ends_at) AS read
  ), total AS (
    SELECT COALESCE(sum(calls), 0)::int AS total FROM counted
  ), covering AS MATERIALIZED (
    SELECT starts_at, before, COALESCE(ends_at, (
      SELECT ends_at FROM call_segments AS segment
      WHERE workspace_id = $1 AND segment.starts_at = slice.starts_at)) AS ends_at
    FROM (
      SELECT * FROM (
        SELECT *, 0 + sum(calls) OVER (ORDER BY starts_at asc) - calls AS before FROM counted WHERE calls > 0
      ) AS slice
      WHERE before < $21::bigint + $22::int AND before + calls > $21) AS slice
  ), page AS MATERIALIZED (
    SELECT call.*
    FROM covering CROSS JOIN LATERAL (
      SELECT call.id, call.created_at FROM conversations AS call
      WHERE call.workspace_id = $1
        AND ($7::uuid[] IS NULL OR call.agent_id = ANY ($7))
        AND ($8::uuid IS NULL OR call.agent_id = $8)
        AND ($9::integer IS NULL OR call.agent_version = $9)
        AND ($10::uuid IS NULL
            OR ((call.ended_at IS NOT NULL AND call.campaign_id = $10) OR (call.ended_at IS NULL AND call.campaign_id = $10)))
        AND ($4::text[] IS NULL OR call.status = ANY ($4))
        AND ($11::text[] IS NULL OR call.disconnect_reason = ANY ($11))
        AND ($12::text IS NULL OR call.direction = $12)
        AND ($13::text IS NULL OR call.channel = $13)
        AND ($14::text IS NULL OR call.call_type = $14)
        AND ($15::text IS NULL OR (reverse(call.to_number) LIKE $15 OR reverse(call.from_number) LIKE $15))
        AND ($16::text IS NULL OR COALESCE(call.request->>'customer_name', '') ILIKE $16)
        AND ($17::text IS NULL OR (
            ($17 = '' AND COALESCE(call.request->>'external_id', '') = '')
            OR ($17 <> '' AND call.ended_at IS NULL AND call.request->>'external_id' = $17)
            OR ($17 <> '' AND call.ended_at IS NOT NULL AND call.request->>'external_id' <> ''
                AND hashtextextended(call.request->>'external_id', 0) = hashtextextended($17, 0)
                AND call.request->>'external_id' = $17)))
        AND ($18::text IS NULL OR call.outcome = $18)
        AND ($2::timestamptz IS NULL OR call.created_at >= $2)
        AND ($3::timestamptz IS NULL OR call.created_at <= $3)
        AND ($6::integer IS NULL OR call.duration_sec >= $6)
        AND ($5::integer IS NULL OR call.duration_sec <= $5)
        AND ($19::text IS NULL OR call.worker_id = $19)
        AND ($20::jsonb IS NULL
            OR EXISTS (SELECT FROM call_findings AS found WHERE found.conversation_id = call.id AND found.answers @> $20))
        AND call.created_at >= covering.starts_at AND call.created_at < covering.ends_at
      ORDER BY call.created_at asc, call.id asc
      OFFSET GREATEST(0, $21 - before)::bigint LIMIT $22) AS call
    ORDER BY call.created_at asc, call.id asc LIMIT $22
  )
SELECT total.total, record.*
FROM total LEFT JOIN LATERAL (
  SELECT
    call.id, call.agent_id AS "agentId", agents.name AS "agentName", agents.deleted_at IS NOT NULL AS "isAgentDeleted",
    call.agent_version AS "agentVersion", call.campaign_id AS "campaignId", call.direction, call.channel,
    call.call_type AS "callType", call.to_number AS "toNumber", call.from_number AS "fromNumber",
    COALESCE(call.request->>'customer_name', '') AS "customerName",
    COALESCE(call.request->>'external_id', '') AS "externalId", call.status,
    call.disconnect_reason AS "disconnectReason", call.disconnected_by AS "disconnectedBy",
    call.created_at AS "createdAt", call.connected_at AS "connectedAt", call.ended_at AS "endedAt",
    call.duration_sec AS "durationSec", call.charge, call.outcome,
    EXISTS (SELECT FROM call_recordings WHERE conversation_id = call.id) AS "hasRecording",
    (call.status = 'connected' AND COALESCE(call.listen_expires_at > now(), false)) AS "isAudible"
  FROM page JOIN conversations AS call USING (id) JOIN agents ON agents.id = call.agent_id
  ORDER BY call.created_at asc NULLS LAST, call.id asc
) AS record ON true;

-- list-calls-counted-by-number-asc (src/features/reports/call-records/list-calls.sql.ts), not prepared
-- also list-calls-counted-by-number-desc
-- $1 workspaceId, $2 createdFrom, $3 createdUntil, $4 reversedNumber, $5 statuses, $6 lastDigits, $7 agentsInScope, $8 agentId, $9 agentVersion, $10 campaignId, $11 reasons, $12 direction, $13 channel, $14 callType, $15 customerName, $16 externalId, $17 outcome, $18 durationMin, $19 durationMax, $20 workerId, $21 findings, $22 offset, $23 limit
WITH
  span AS MATERIALIZED (
    SELECT (SELECT starts_at FROM call_segments WHERE workspace_id = $1
        AND starts_at >= COALESCE($2::timestamptz, '-infinity')
        AND ends_at <= COALESCE($3::timestamptz + interval '1 millisecond', 'infinity') ORDER BY starts_at LIMIT 1) AS first,
      (SELECT ends_at FROM call_segments WHERE workspace_id = $1 AND starts_at >= COALESCE($2::timestamptz, '-infinity')
          AND ends_at <= COALESCE($3::timestamptz + interval '1 millisecond', 'infinity') ORDER BY starts_at DESC LIMIT 1) AS last
  ), whole AS MATERIALIZED (
    SELECT COALESCE(first, COALESCE($2::timestamptz, '-infinity')) AS whole_from,
      COALESCE(last, COALESCE($2::timestamptz, '-infinity')) AS whole_to FROM span
  ), slices AS MATERIALIZED (
    SELECT slice.* FROM whole
    CROSS JOIN LATERAL (VALUES (COALESCE($2::timestamptz, '-infinity'), whole_from),
        (whole_to, COALESCE($3::timestamptz + interval '1 millisecond', 'infinity'))) AS slice (starts_at, ends_at)
    WHERE slice.starts_at < slice.ends_at
  ),
  chosen AS MATERIALIZED (
    SELECT id AS value_id, value FROM call_values
    WHERE workspace_id = $1 AND dimension = 'line' AND reverse(value) LIKE $4
  ), sums AS NOT MATERIALIZED (
    SELECT starts_at, connected, failed FROM (
      SELECT rollup.starts_at AS starts_at, chosen.value,
        CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN connected ELSE 0 END AS connected, CASE
        WHEN $5::text[] IS NULL OR 'failed' = ANY ($5) THEN failed ELSE 0 END AS failed,
        CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN seconds ELSE 0 END AS seconds, CASE
        WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN credits ELSE 0 END AS credits
      FROM whole CROSS JOIN chosen JOIN call_value_rollups AS rollup ON rollup.value_id = chosen.value_id
        AND rollup.starts_at >= whole_from AND rollup.starts_at < whole_to
      UNION ALL
      SELECT (
        SELECT starts_at FROM call_segments
        WHERE workspace_id = $1 AND starts_at <= rollup.starts_at ORDER BY starts_at DESC LIMIT 1) AS starts_at, chosen.value,
        CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN connected ELSE 0 END AS connected, CASE
        WHEN $5::text[] IS NULL OR 'failed' = ANY ($5) THEN failed ELSE 0 END AS failed,
        CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN seconds ELSE 0 END AS seconds, CASE
        WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN credits ELSE 0 END AS credits
      FROM whole CROSS JOIN chosen JOIN call_value_corrections AS rollup ON rollup.value_id = chosen.value_id
        AND rollup.starts_at >= whole_from AND rollup.starts_at < whole_to) AS of_line
    UNION ALL
    SELECT (
      SELECT starts_at FROM call_segments
      WHERE workspace_id = $1 AND starts_at <= call.created_at ORDER BY starts_at DESC LIMIT 1), CASE WHEN $5::text[] IS NULL
      OR 'disconnected' = ANY ($5) THEN (call.status = 'disconnected')::int ELSE 0 END, CASE WHEN $5::text[] IS NULL
      OR 'failed' = ANY ($5) THEN (call.status = 'failed')::int ELSE 0 END
    FROM whole JOIN conversations AS call ON call.created_at >= whole_from AND call.created_at < whole_to
    WHERE call.workspace_id = $1 AND call.ended_at IS NOT NULL
      AND right(CASE WHEN call.incoming_claim_id IS NULL THEN call.to_number ELSE call.from_number END, 4) = right($6, 4)
      AND reverse(CASE WHEN call.incoming_claim_id IS NULL THEN call.to_number ELSE call.from_number END) LIKE $4
      AND NOT reverse(CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END) LIKE $4
  ), counted AS MATERIALIZED (
    SELECT starts_at, NULL::timestamptz AS ends_at, sum(connected + failed)::int AS calls FROM sums GROUP BY 1
    UNION ALL
    SELECT starts_at, ends_at, calls
    FROM slices CROSS JOIN LATERAL (
      SELECT count(*)::int AS calls FROM conversations AS call
      WHERE call.workspace_id = $1
        AND ($7::uuid[] IS NULL OR call.agent_id = ANY ($7))
        AND ($8::uuid IS NULL OR call.agent_id = $8)
        AND ($9::integer IS NULL OR call.agent_version = $9)
        AND ($10::uuid IS NULL
            OR ((call.ended_at IS NOT NULL AND call.campaign_id = $10) OR (call.ended_at IS NULL AND call.campaign_id = $10)))
        AND ($5::text[] IS NULL OR call.status = ANY ($5))
        AND ($11::text[] IS NULL OR call.disconnect_reason = ANY ($11))
        AND ($12::text IS NULL OR call.direction = $12)
        AND ($13::text IS NULL OR call.channel = $13)
        AND ($14::text IS NULL OR call.call_type = $14)
        AND ($4::text IS NULL OR (reverse(call.to_number) LIKE $4 OR reverse(call.from_number) LIKE $4))
        AND ($15::text IS NULL OR COALESCE(call.request->>'customer_name', '') ILIKE $15)
        AND ($16::text IS NULL OR (
            ($16 = '' AND COALESCE(call.request->>'external_id', '') = '')
            OR ($16 <> '' AND call.ended_at IS NULL AND call.request->>'external_id' = $16)
            OR ($16 <> '' AND call.ended_at IS NOT NULL AND call.request->>'external_id' <> ''
                AND hashtextextended(call.request->>'external_id', 0) = hashtextextended($16, 0)
                AND call.request->>'external_id' = $16)))
        AND ($17::text IS NULL OR call.outcome = $17)
        AND ($2::timestamptz IS NULL OR call.created_at >= $2)
        AND ($3::timestamptz IS NULL OR call.created_at <= $3)
        AND ($18::integer IS NULL OR call.duration_sec >= $18)
        AND ($19::integer IS NULL OR call.duration_sec <= $19)
        AND ($20::text IS NULL OR call.worker_id = $20)
        AND ($21::jsonb IS NULL
            OR EXISTS (SELECT FROM call_findings AS found WHERE found.conversation_id = call.id AND found.answers @> $21))
        AND call.created_at >= slices.starts_at AND call.created_at < slices.ends_at) AS read
  ), total AS (
    SELECT COALESCE(sum(calls), 0)::int AS total FROM counted
  ), covering AS MATERIALIZED (
    SELECT starts_at, before, COALESCE(ends_at, (
      SELECT ends_at FROM call_segments AS segment
      WHERE workspace_id = $1 AND segment.starts_at = slice.starts_at)) AS ends_at
    FROM (
      SELECT * FROM (
        SELECT *, 0 + sum(calls) OVER (ORDER BY starts_at asc) - calls AS before FROM counted WHERE calls > 0
      ) AS slice
      WHERE before < $22::bigint + $23::int AND before + calls > $22) AS slice
  ), page AS MATERIALIZED (
    SELECT call.*
    FROM covering CROSS JOIN LATERAL (
      SELECT call.id, call.created_at FROM conversations AS call
      WHERE call.workspace_id = $1
        AND ($7::uuid[] IS NULL OR call.agent_id = ANY ($7))
        AND ($8::uuid IS NULL OR call.agent_id = $8)
        AND ($9::integer IS NULL OR call.agent_version = $9)
        AND ($10::uuid IS NULL
            OR ((call.ended_at IS NOT NULL AND call.campaign_id = $10) OR (call.ended_at IS NULL AND call.campaign_id = $10)))
        AND ($5::text[] IS NULL OR call.status = ANY ($5))
        AND ($11::text[] IS NULL OR call.disconnect_reason = ANY ($11))
        AND ($12::text IS NULL OR call.direction = $12)
        AND ($13::text IS NULL OR call.channel = $13)
        AND ($14::text IS NULL OR call.call_type = $14)
        AND ($4::text IS NULL OR (reverse(call.to_number) LIKE $4 OR reverse(call.from_number) LIKE $4))
        AND ($15::text IS NULL OR COALESCE(call.request->>'customer_name', '') ILIKE $15)
        AND ($16::text IS NULL OR (
            ($16 = '' AND COALESCE(call.request->>'external_id', '') = '')
            OR ($16 <> '' AND call.ended_at IS NULL AND call.request->>'external_id' = $16)
            OR ($16 <> '' AND call.ended_at IS NOT NULL AND call.request->>'external_id' <> ''
                AND hashtextextended(call.request->>'external_id', 0) = hashtextextended($16, 0)
                AND call.request->>'external_id' = $16)))
        AND ($17::text IS NULL OR call.outcome = $17)
        AND ($2::timestamptz IS NULL OR call.created_at >= $2)
        AND ($3::timestamptz IS NULL OR call.created_at <= $3)
        AND ($18::integer IS NULL OR call.duration_sec >= $18)
        AND ($19::integer IS NULL OR call.duration_sec <= $19)
        AND ($20::text IS NULL OR call.worker_id = $20)
        AND ($21::jsonb IS NULL
            OR EXISTS (SELECT FROM call_findings AS found WHERE found.conversation_id = call.id AND found.answers @> $21))
        AND call.created_at >= covering.starts_at AND call.created_at < covering.ends_at
      ORDER BY call.created_at asc, call.id asc
      OFFSET GREATEST(0, $22 - before)::bigint LIMIT $23) AS call
    ORDER BY call.created_at asc, call.id asc LIMIT $23
  )
SELECT total.total, record.*
FROM total LEFT JOIN LATERAL (
  SELECT
    call.id, call.agent_id AS "agentId", agents.name AS "agentName", agents.deleted_at IS NOT NULL AS "isAgentDeleted",
    call.agent_version AS "agentVersion", call.campaign_id AS "campaignId", call.direction, call.channel,
    call.call_type AS "callType", call.to_number AS "toNumber", call.from_number AS "fromNumber",
    COALESCE(call.request->>'customer_name', '') AS "customerName",
    COALESCE(call.request->>'external_id', '') AS "externalId", call.status,
    call.disconnect_reason AS "disconnectReason", call.disconnected_by AS "disconnectedBy",
    call.created_at AS "createdAt", call.connected_at AS "connectedAt", call.ended_at AS "endedAt",
    call.duration_sec AS "durationSec", call.charge, call.outcome,
    EXISTS (SELECT FROM call_recordings WHERE conversation_id = call.id) AS "hasRecording",
    (call.status = 'connected' AND COALESCE(call.listen_expires_at > now(), false)) AS "isAudible"
  FROM page JOIN conversations AS call USING (id) JOIN agents ON agents.id = call.agent_id
  ORDER BY call.created_at asc NULLS LAST, call.id asc
) AS record ON true;

-- list-calls-counted-by-value-asc (src/features/reports/call-records/list-calls.sql.ts), not prepared
-- also list-calls-counted-by-value-desc
-- $1 workspaceId, $2 createdFrom, $3 createdUntil, $4 dimension, $5 values, $6 statuses, $7 agentsInScope, $8 agentId, $9 agentVersion, $10 campaignId, $11 reasons, $12 direction, $13 channel, $14 callType, $15 reversedNumber, $16 customerName, $17 externalId, $18 outcome, $19 durationMin, $20 durationMax, $21 workerId, $22 findings, $23 offset, $24 limit
WITH
  span AS MATERIALIZED (
    SELECT (SELECT starts_at FROM call_segments WHERE workspace_id = $1
        AND starts_at >= COALESCE($2::timestamptz, '-infinity')
        AND ends_at <= COALESCE($3::timestamptz + interval '1 millisecond', 'infinity') ORDER BY starts_at LIMIT 1) AS first,
      (SELECT ends_at FROM call_segments WHERE workspace_id = $1 AND starts_at >= COALESCE($2::timestamptz, '-infinity')
          AND ends_at <= COALESCE($3::timestamptz + interval '1 millisecond', 'infinity') ORDER BY starts_at DESC LIMIT 1) AS last
  ), whole AS MATERIALIZED (
    SELECT COALESCE(first, COALESCE($2::timestamptz, '-infinity')) AS whole_from,
      COALESCE(last, COALESCE($2::timestamptz, '-infinity')) AS whole_to FROM span
  ), slices AS MATERIALIZED (
    SELECT slice.* FROM whole
    CROSS JOIN LATERAL (VALUES (COALESCE($2::timestamptz, '-infinity'), whole_from),
        (whole_to, COALESCE($3::timestamptz + interval '1 millisecond', 'infinity'))) AS slice (starts_at, ends_at)
    WHERE slice.starts_at < slice.ends_at
  ),
  chosen AS MATERIALIZED (
    SELECT id AS value_id, value FROM call_values
    WHERE workspace_id = $1 AND dimension = $4 AND (
        $5::text[] IS NULL OR value = ANY ($5)
        OR (dimension = 'agent_version' AND string_to_array(value, '/') && $5))
  ), sums AS NOT MATERIALIZED (
    SELECT rollup.starts_at AS starts_at, chosen.value,
      CASE WHEN $6::text[] IS NULL OR 'disconnected' = ANY ($6) THEN connected ELSE 0 END AS connected, CASE
      WHEN $6::text[] IS NULL OR 'failed' = ANY ($6) THEN failed ELSE 0 END AS failed,
      CASE WHEN $6::text[] IS NULL OR 'disconnected' = ANY ($6) THEN seconds ELSE 0 END AS seconds, CASE
      WHEN $6::text[] IS NULL OR 'disconnected' = ANY ($6) THEN credits ELSE 0 END AS credits
    FROM whole CROSS JOIN chosen JOIN call_value_rollups AS rollup ON rollup.value_id = chosen.value_id
      AND rollup.starts_at >= whole_from AND rollup.starts_at < whole_to
    UNION ALL
    SELECT (
      SELECT starts_at FROM call_segments
      WHERE workspace_id = $1 AND starts_at <= rollup.starts_at ORDER BY starts_at DESC LIMIT 1) AS starts_at, chosen.value,
      CASE WHEN $6::text[] IS NULL OR 'disconnected' = ANY ($6) THEN connected ELSE 0 END AS connected, CASE
      WHEN $6::text[] IS NULL OR 'failed' = ANY ($6) THEN failed ELSE 0 END AS failed,
      CASE WHEN $6::text[] IS NULL OR 'disconnected' = ANY ($6) THEN seconds ELSE 0 END AS seconds, CASE
      WHEN $6::text[] IS NULL OR 'disconnected' = ANY ($6) THEN credits ELSE 0 END AS credits
    FROM whole CROSS JOIN chosen JOIN call_value_corrections AS rollup ON rollup.value_id = chosen.value_id
      AND rollup.starts_at >= whole_from AND rollup.starts_at < whole_to
  ), counted AS MATERIALIZED (
    SELECT starts_at, NULL::timestamptz AS ends_at, sum(connected + failed)::int AS calls FROM sums GROUP BY 1
    UNION ALL
    SELECT starts_at, ends_at, calls
    FROM slices CROSS JOIN LATERAL (
      SELECT count(*)::int AS calls FROM conversations AS call
      WHERE call.workspace_id = $1
        AND ($7::uuid[] IS NULL OR call.agent_id = ANY ($7))
        AND ($8::uuid IS NULL OR call.agent_id = $8)
        AND ($9::integer IS NULL OR call.agent_version = $9)
        AND ($10::uuid IS NULL
            OR ((call.ended_at IS NOT NULL AND call.campaign_id = $10) OR (call.ended_at IS NULL AND call.campaign_id = $10)))
        AND ($6::text[] IS NULL OR call.status = ANY ($6))
        AND ($11::text[] IS NULL OR call.disconnect_reason = ANY ($11))
        AND ($12::text IS NULL OR call.direction = $12)
        AND ($13::text IS NULL OR call.channel = $13)
        AND ($14::text IS NULL OR call.call_type = $14)
        AND ($15::text IS NULL OR (reverse(call.to_number) LIKE $15 OR reverse(call.from_number) LIKE $15))
        AND ($16::text IS NULL OR COALESCE(call.request->>'customer_name', '') ILIKE $16)
        AND ($17::text IS NULL OR (
            ($17 = '' AND COALESCE(call.request->>'external_id', '') = '')
            OR ($17 <> '' AND call.ended_at IS NULL AND call.request->>'external_id' = $17)
            OR ($17 <> '' AND call.ended_at IS NOT NULL AND call.request->>'external_id' <> ''
                AND hashtextextended(call.request->>'external_id', 0) = hashtextextended($17, 0)
                AND call.request->>'external_id' = $17)))
        AND ($18::text IS NULL OR call.outcome = $18)
        AND ($2::timestamptz IS NULL OR call.created_at >= $2)
        AND ($3::timestamptz IS NULL OR call.created_at <= $3)
        AND ($19::integer IS NULL OR call.duration_sec >= $19)
        AND ($20::integer IS NULL OR call.duration_sec <= $20)
        AND ($21::text IS NULL OR call.worker_id = $21)
        AND ($22::jsonb IS NULL
            OR EXISTS (SELECT FROM call_findings AS found WHERE found.conversation_id = call.id AND found.answers @> $22))
        AND call.created_at >= slices.starts_at AND call.created_at < slices.ends_at) AS read
  ), total AS (
    SELECT COALESCE(sum(calls), 0)::int AS total FROM counted
  ), covering AS MATERIALIZED (
    SELECT starts_at, before, COALESCE(ends_at, (
      SELECT ends_at FROM call_segments AS segment
      WHERE workspace_id = $1 AND segment.starts_at = slice.starts_at)) AS ends_at
    FROM (
      SELECT * FROM (
        SELECT *, 0 + sum(calls) OVER (ORDER BY starts_at asc) - calls AS before FROM counted WHERE calls > 0
      ) AS slice
      WHERE before < $23::bigint + $24::int AND before + calls > $23) AS slice
  ), page AS MATERIALIZED (
    SELECT call.*
    FROM covering CROSS JOIN LATERAL (
      SELECT call.id, call.created_at FROM conversations AS call
      WHERE call.workspace_id = $1
        AND ($7::uuid[] IS NULL OR call.agent_id = ANY ($7))
        AND ($8::uuid IS NULL OR call.agent_id = $8)
        AND ($9::integer IS NULL OR call.agent_version = $9)
        AND ($10::uuid IS NULL
            OR ((call.ended_at IS NOT NULL AND call.campaign_id = $10) OR (call.ended_at IS NULL AND call.campaign_id = $10)))
        AND ($6::text[] IS NULL OR call.status = ANY ($6))
        AND ($11::text[] IS NULL OR call.disconnect_reason = ANY ($11))
        AND ($12::text IS NULL OR call.direction = $12)
        AND ($13::text IS NULL OR call.channel = $13)
        AND ($14::text IS NULL OR call.call_type = $14)
        AND ($15::text IS NULL OR (reverse(call.to_number) LIKE $15 OR reverse(call.from_number) LIKE $15))
        AND ($16::text IS NULL OR COALESCE(call.request->>'customer_name', '') ILIKE $16)
        AND ($17::text IS NULL OR (
            ($17 = '' AND COALESCE(call.request->>'external_id', '') = '')
            OR ($17 <> '' AND call.ended_at IS NULL AND call.request->>'external_id' = $17)
            OR ($17 <> '' AND call.ended_at IS NOT NULL AND call.request->>'external_id' <> ''
                AND hashtextextended(call.request->>'external_id', 0) = hashtextextended($17, 0)
                AND call.request->>'external_id' = $17)))
        AND ($18::text IS NULL OR call.outcome = $18)
        AND ($2::timestamptz IS NULL OR call.created_at >= $2)
        AND ($3::timestamptz IS NULL OR call.created_at <= $3)
        AND ($19::integer IS NULL OR call.duration_sec >= $19)
        AND ($20::integer IS NULL OR call.duration_sec <= $20)
        AND ($21::text IS NULL OR call.worker_id = $21)
        AND ($22::jsonb IS NULL
            OR EXISTS (SELECT FROM call_findings AS found WHERE found.conversation_id = call.id AND found.answers @> $22))
        AND call.created_at >= covering.starts_at AND call.created_at < covering.ends_at
      ORDER BY call.created_at asc, call.id asc
      OFFSET GREATEST(0, $23 - before)::bigint LIMIT $24) AS call
    ORDER BY call.created_at asc, call.id asc LIMIT $24
  )
SELECT total.total, record.*
FROM total LEFT JOIN LATERAL (
  SELECT
    call.id, call.agent_id AS "agentId", agents.name AS "agentName", agents.deleted_at IS NOT NULL AS "isAgentDeleted",
    call.agent_version AS "agentVersion", call.campaign_id AS "campaignId", call.direction, call.channel,
    call.call_type AS "callType", call.to_number AS "toNumber", call.from_number AS "fromNumber",
    COALESCE(call.request->>'customer_name', '') AS "customerName",
    COALESCE(call.request->>'external_id', '') AS "externalId", call.status,
    call.disconnect_reason AS "disconnectReason", call.disconnected_by AS "disconnectedBy",
    call.created_at AS "createdAt", call.connected_at AS "connectedAt", call.ended_at AS "endedAt",
    call.duration_sec AS "durationSec", call.charge, call.outcome,
    EXISTS (SELECT FROM call_recordings WHERE conversation_id = call.id) AS "hasRecording",
    (call.status = 'connected' AND COALESCE(call.listen_expires_at > now(), false)) AS "isAudible"
  FROM page JOIN conversations AS call USING (id) JOIN agents ON agents.id = call.agent_id
  ORDER BY call.created_at asc NULLS LAST, call.id asc
) AS record ON true;

-- list-few-calls-by-charge-asc (src/features/reports/call-records/list-calls.sql.ts), not prepared
-- also list-few-calls-by-charge-desc
-- also list-few-calls-by-created-at-asc
-- also list-few-calls-by-created-at-desc
-- also list-few-calls-by-duration-sec-asc
-- also list-few-calls-by-duration-sec-desc
-- also list-few-calls-by-ended-at-asc
-- also list-few-calls-by-ended-at-desc
-- $1 workspaceId, $2 agentsInScope, $3 agentId, $4 agentVersion, $5 campaignId, $6 statuses, $7 reasons, $8 direction, $9 channel, $10 callType, $11 reversedNumber, $12 lastDigits, $13 customerName, $14 externalId, $15 outcome, $16 createdFrom, $17 createdUntil, $18 durationMin, $19 durationMax, $20 workerId, $21 findings, $22 offset, $23 limit
WITH few AS MATERIALIZED (
  SELECT id, charge FROM conversations AS call WHERE call.workspace_id = $1
    AND ($2::uuid[] IS NULL OR call.agent_id = ANY ($2))
    AND ($3::uuid IS NULL OR call.agent_id = $3)
    AND ($4::integer IS NULL OR call.agent_version = $4)
    AND ($5::uuid IS NULL
        OR ((call.ended_at IS NOT NULL AND call.campaign_id = $5) OR (call.ended_at IS NULL AND call.campaign_id = $5)))
    AND ($6::text[] IS NULL OR call.status = ANY ($6))
    AND ($7::text[] IS NULL OR call.disconnect_reason = ANY ($7))
    AND ($8::text IS NULL OR call.direction = $8)
    AND ($9::text IS NULL OR call.channel = $9)
    AND ($10::text IS NULL OR call.call_type = $10)
    AND ($11::text IS NULL OR (
        (call.ended_at IS NOT NULL
            AND right(CASE WHEN call.incoming_claim_id IS NULL THEN call.to_number ELSE call.from_number END, 4) = right($12, 4)
            AND reverse(CASE WHEN call.incoming_claim_id IS NULL THEN call.to_number ELSE call.from_number END) LIKE $11)
        OR (call.ended_at IS NOT NULL
            AND right(CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END, 4) = right($12, 4)
            AND reverse(CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END) LIKE $11)
        OR (call.ended_at IS NULL AND ((reverse(call.to_number) LIKE $11) OR (reverse(call.from_number) LIKE $11)))))
    AND ($13::text IS NULL OR COALESCE(call.request->>'customer_name', '') ILIKE $13)
    AND ($14::text IS NULL OR (
        ($14 = '' AND COALESCE(call.request->>'external_id', '') = '')
        OR ($14 <> '' AND call.ended_at IS NULL AND call.request->>'external_id' = $14)
        OR ($14 <> '' AND call.ended_at IS NOT NULL AND call.request->>'external_id' <> ''
            AND hashtextextended(call.request->>'external_id', 0) = hashtextextended($14, 0)
            AND call.request->>'external_id' = $14)))
    AND ($15::text IS NULL OR call.outcome = $15)
    AND ($16::timestamptz IS NULL OR call.created_at >= $16)
    AND ($17::timestamptz IS NULL OR call.created_at <= $17)
    AND ($18::integer IS NULL OR call.duration_sec >= $18)
    AND ($19::integer IS NULL OR call.duration_sec <= $19)
    AND ($20::text IS NULL OR call.worker_id = $20)
    AND ($21::jsonb IS NULL
        OR EXISTS (SELECT FROM call_findings AS found WHERE found.conversation_id = call.id AND found.answers @> $21))
), page AS MATERIALIZED (
  SELECT id FROM few AS call ORDER BY call.charge asc NULLS LAST, call.id asc OFFSET $22 LIMIT $23
), total AS (
  SELECT count(*)::int AS total FROM few
)
SELECT total.total, record.*
FROM total LEFT JOIN LATERAL (
  SELECT
    call.id, call.agent_id AS "agentId", agents.name AS "agentName", agents.deleted_at IS NOT NULL AS "isAgentDeleted",
    call.agent_version AS "agentVersion", call.campaign_id AS "campaignId", call.direction, call.channel,
    call.call_type AS "callType", call.to_number AS "toNumber", call.from_number AS "fromNumber",
    COALESCE(call.request->>'customer_name', '') AS "customerName",
    COALESCE(call.request->>'external_id', '') AS "externalId", call.status,
    call.disconnect_reason AS "disconnectReason", call.disconnected_by AS "disconnectedBy",
    call.created_at AS "createdAt", call.connected_at AS "connectedAt", call.ended_at AS "endedAt",
    call.duration_sec AS "durationSec", call.charge, call.outcome,
    EXISTS (SELECT FROM call_recordings WHERE conversation_id = call.id) AS "hasRecording",
    (call.status = 'connected' AND COALESCE(call.listen_expires_at > now(), false)) AS "isAudible"
  FROM page JOIN conversations AS call USING (id) JOIN agents ON agents.id = call.agent_id
  ORDER BY call.charge asc NULLS LAST, call.id asc
) AS record ON true;

-- read-call-export-batch (src/features/reports/call-records/export-calls.sql.ts), not prepared
-- $1 workspaceId, $2 agentsInScope, $3 agentId, $4 createdFrom, $5 createdUntil, $6 afterTime, $7 afterId, $8 agentVersion, $9 campaignId, $10 statuses, $11 reasons, $12 direction, $13 channel, $14 callType, $15 reversedNumber, $16 lastDigits, $17 customerName, $18 externalId, $19 outcome, $20 durationMin, $21 durationMax, $22 workerId, $23 findings, $24 endTime, $25 endId
SELECT * FROM (
  SELECT found.*, sum((length(summary) + COALESCE(length(answers::text), 0))) OVER (
    ORDER BY "createdAt" DESC, id DESC ROWS UNBOUNDED PRECEDING)::int AS characters
  FROM (
    SELECT
      call.id, call.agent_id AS "agentId", agents.name AS "agentName", agents.deleted_at IS NOT NULL AS "isAgentDeleted",
      call.agent_version AS "agentVersion", call.campaign_id AS "campaignId", call.direction, call.channel,
      call.call_type AS "callType", call.to_number AS "toNumber", call.from_number AS "fromNumber",
      COALESCE(call.request->>'customer_name', '') AS "customerName",
      COALESCE(call.request->>'external_id', '') AS "externalId", call.status,
      call.disconnect_reason AS "disconnectReason", call.disconnected_by AS "disconnectedBy",
      call.created_at AS "createdAt", call.connected_at AS "connectedAt", call.ended_at AS "endedAt",
      call.duration_sec AS "durationSec", call.charge, call.outcome,
      EXISTS (SELECT FROM call_recordings WHERE conversation_id = call.id) AS "hasRecording",
      (call.status = 'connected' AND COALESCE(call.listen_expires_at > now(), false)) AS "isAudible", call.summary,
      (SELECT answers FROM call_findings AS found WHERE found.conversation_id = call.id) AS answers,
      (SELECT name FROM campaigns WHERE campaigns.id = call.campaign_id) AS "campaignName"
    FROM (
      SELECT * FROM conversations AS call
      WHERE workspace_id = $1
        AND ($2::uuid[] IS NULL OR agent_id = ANY ($2))
        AND ($3::uuid IS NULL OR agent_id = $3)
        AND ($4::timestamptz IS NULL OR created_at >= $4)
        AND ($5::timestamptz IS NULL OR created_at <= $5)
        AND ($6::timestamptz IS NULL OR (created_at, id) < ($6, $7::uuid))
        AND ($6::timestamptz IS NULL OR created_at <= $6)
      ORDER BY created_at DESC, id DESC) AS call JOIN agents ON agents.id = call.agent_id
    WHERE call.workspace_id = $1
      AND ($2::uuid[] IS NULL OR call.agent_id = ANY ($2))
      AND ($3::uuid IS NULL OR call.agent_id = $3)
      AND ($8::integer IS NULL OR call.agent_version = $8)
      AND ($9::uuid IS NULL
          OR ((call.ended_at IS NOT NULL AND call.campaign_id = $9) OR (call.ended_at IS NULL AND call.campaign_id = $9)))
      AND ($10::text[] IS NULL OR call.status = ANY ($10))
      AND ($11::text[] IS NULL OR call.disconnect_reason = ANY ($11))
      AND ($12::text IS NULL OR call.direction = $12)
      AND ($13::text IS NULL OR call.channel = $13)
      AND ($14::text IS NULL OR call.call_type = $14)
      AND ($15::text IS NULL OR (
          (call.ended_at IS NOT NULL
              AND right(CASE WHEN call.incoming_claim_id IS NULL THEN call.to_number ELSE call.from_number END, 4) = right($16, 4)
              AND reverse(CASE WHEN call.incoming_claim_id IS NULL THEN call.to_number ELSE call.from_number END) LIKE $15)
          OR (call.ended_at IS NOT NULL
              AND right(CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END, 4) = right($16, 4)
              AND reverse(CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END) LIKE $15)
          OR (call.ended_at IS NULL AND ((reverse(call.to_number) LIKE $15) OR (reverse(call.from_number) LIKE $15)))))
      AND ($17::text IS NULL OR COALESCE(call.request->>'customer_name', '') ILIKE $17)
      AND ($18::text IS NULL OR (
          ($18 = '' AND COALESCE(call.request->>'external_id', '') = '')
          OR ($18 <> '' AND call.ended_at IS NULL AND call.request->>'external_id' = $18)
          OR ($18 <> '' AND call.ended_at IS NOT NULL AND call.request->>'external_id' <> ''
              AND hashtextextended(call.request->>'external_id', 0) = hashtextextended($18, 0)
              AND call.request->>'external_id' = $18)))
      AND ($19::text IS NULL OR call.outcome = $19)
      AND ($4::timestamptz IS NULL OR call.created_at >= $4)
      AND ($5::timestamptz IS NULL OR call.created_at <= $5)
      AND ($20::integer IS NULL OR call.duration_sec >= $20)
      AND ($21::integer IS NULL OR call.duration_sec <= $21)
      AND ($22::text IS NULL OR call.worker_id = $22)
      AND ($23::jsonb IS NULL
          OR EXISTS (SELECT FROM call_findings AS found WHERE found.conversation_id = call.id AND found.answers @> $23))
      AND ($24::timestamptz IS NULL OR (call.created_at, call.id) >= ($24, $25::uuid))
      AND ($24::timestamptz IS NULL OR call.created_at >= $24)
    ORDER BY call.created_at DESC, call.id DESC LIMIT 500) AS found
) AS batch
WHERE characters - (length(summary) + COALESCE(length(answers::text), 0)) < 1000000 ORDER BY "createdAt" DESC, id DESC;

-- read-few-calls-to-export (src/features/reports/call-records/export-calls.sql.ts), not prepared
-- $1 workspaceId, $2 agentsInScope, $3 agentId, $4 agentVersion, $5 campaignId, $6 statuses, $7 reasons, $8 direction, $9 channel, $10 callType, $11 reversedNumber, $12 lastDigits, $13 customerName, $14 externalId, $15 outcome, $16 createdFrom, $17 createdUntil, $18 durationMin, $19 durationMax, $20 workerId, $21 findings, $22 afterTime, $23 afterId
SELECT * FROM (
  SELECT found.*, sum((length(summary) + COALESCE(length(answers::text), 0))) OVER (
    ORDER BY "createdAt" DESC, id DESC ROWS UNBOUNDED PRECEDING)::int AS characters
  FROM (
    WITH few AS MATERIALIZED (
      SELECT id, created_at FROM conversations AS call
      WHERE call.workspace_id = $1
        AND ($2::uuid[] IS NULL OR call.agent_id = ANY ($2))
        AND ($3::uuid IS NULL OR call.agent_id = $3)
        AND ($4::integer IS NULL OR call.agent_version = $4)
        AND ($5::uuid IS NULL
            OR ((call.ended_at IS NOT NULL AND call.campaign_id = $5) OR (call.ended_at IS NULL AND call.campaign_id = $5)))
        AND ($6::text[] IS NULL OR call.status = ANY ($6))
        AND ($7::text[] IS NULL OR call.disconnect_reason = ANY ($7))
        AND ($8::text IS NULL OR call.direction = $8)
        AND ($9::text IS NULL OR call.channel = $9)
        AND ($10::text IS NULL OR call.call_type = $10)
        AND ($11::text IS NULL OR (
            (call.ended_at IS NOT NULL
                AND right(CASE WHEN call.incoming_claim_id IS NULL THEN call.to_number ELSE call.from_number END, 4) = right($12, 4)
                AND reverse(CASE WHEN call.incoming_claim_id IS NULL THEN call.to_number ELSE call.from_number END) LIKE $11)
            OR (call.ended_at IS NOT NULL
                AND right(CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END, 4) = right($12, 4)
                AND reverse(CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END) LIKE $11)
            OR (call.ended_at IS NULL AND ((reverse(call.to_number) LIKE $11) OR (reverse(call.from_number) LIKE $11)))))
        AND ($13::text IS NULL OR COALESCE(call.request->>'customer_name', '') ILIKE $13)
        AND ($14::text IS NULL OR (
            ($14 = '' AND COALESCE(call.request->>'external_id', '') = '')
            OR ($14 <> '' AND call.ended_at IS NULL AND call.request->>'external_id' = $14)
            OR ($14 <> '' AND call.ended_at IS NOT NULL AND call.request->>'external_id' <> ''
                AND hashtextextended(call.request->>'external_id', 0) = hashtextextended($14, 0)
                AND call.request->>'external_id' = $14)))
        AND ($15::text IS NULL OR call.outcome = $15)
        AND ($16::timestamptz IS NULL OR call.created_at >= $16)
        AND ($17::timestamptz IS NULL OR call.created_at <= $17)
        AND ($18::integer IS NULL OR call.duration_sec >= $18)
        AND ($19::integer IS NULL OR call.duration_sec <= $19)
        AND ($20::text IS NULL OR call.worker_id = $20)
        AND ($21::jsonb IS NULL
            OR EXISTS (SELECT FROM call_findings AS found WHERE found.conversation_id = call.id AND found.answers @> $21))
        AND ($22::timestamptz IS NULL OR (created_at, id) < ($22, $23::uuid))
    )
    SELECT
      call.id, call.agent_id AS "agentId", agents.name AS "agentName", agents.deleted_at IS NOT NULL AS "isAgentDeleted",
      call.agent_version AS "agentVersion", call.campaign_id AS "campaignId", call.direction, call.channel,
      call.call_type AS "callType", call.to_number AS "toNumber", call.from_number AS "fromNumber",
      COALESCE(call.request->>'customer_name', '') AS "customerName",
      COALESCE(call.request->>'external_id', '') AS "externalId", call.status,
      call.disconnect_reason AS "disconnectReason", call.disconnected_by AS "disconnectedBy",
      call.created_at AS "createdAt", call.connected_at AS "connectedAt", call.ended_at AS "endedAt",
      call.duration_sec AS "durationSec", call.charge, call.outcome,
      EXISTS (SELECT FROM call_recordings WHERE conversation_id = call.id) AS "hasRecording",
      (call.status = 'connected' AND COALESCE(call.listen_expires_at > now(), false)) AS "isAudible", call.summary,
      (SELECT answers FROM call_findings AS found WHERE found.conversation_id = call.id) AS answers,
      (SELECT name FROM campaigns WHERE campaigns.id = call.campaign_id) AS "campaignName"
    FROM (SELECT id FROM few ORDER BY created_at DESC, id DESC LIMIT 500) AS page
    JOIN conversations AS call USING (id) JOIN agents ON agents.id = call.agent_id
    ORDER BY call.created_at DESC, call.id DESC LIMIT 500) AS found
) AS batch
WHERE characters - (length(summary) + COALESCE(length(answers::text), 0)) < 1000000 ORDER BY "createdAt" DESC, id DESC;

-- read-turns-of-transcript (src/features/reports/call-records/transcripts.sql.ts)
-- $1 callId, $2 after
SELECT sequence, speaker, text, started_at AS "startedAt", ended_at AS "endedAt", tool
FROM transcript_turns
WHERE conversation_id = $1 AND ($2::integer IS NULL OR sequence > $2)
ORDER BY sequence LIMIT 100;

--
-- src/features/reports/conversations/
--

-- call-page-of-agent (src/features/reports/conversations/conversations.repository.ts)
-- $1 createdFrom, $2 createdUntil, $3 workspaceId, $4 callType, $5 statuses, $6 subjectId, $7 offset, $8 limit
WITH
  asked AS MATERIALIZED (
    SELECT COALESCE($1::timestamptz, '-infinity') AS asked_from,
      COALESCE($2::timestamptz + interval '1 millisecond', 'infinity') AS asked_to,
      COALESCE((SELECT rolled_up_until FROM call_rollup_states WHERE workspace_id = $3),
          '-infinity') AS rolled_up_until
  ), rolled_up AS MATERIALIZED (
    SELECT *, LEAST(asked_from, rolled_up_until) AS rows_from, LEAST(asked_to, rolled_up_until) AS rows_to FROM asked
  ), quarters AS MATERIALIZED (
    SELECT *,
      date_bin(interval '15 minutes', rows_from + interval '15 minutes' - interval '1 microsecond',
          timestamptz '2000-01-01 00:00Z') AS quarters_from,
      GREATEST(date_bin(interval '15 minutes', rows_from + interval '15 minutes' - interval '1 microsecond',
          timestamptz '2000-01-01 00:00Z'), date_bin(interval '15 minutes', rows_to, timestamptz '2000-01-01 00:00Z'))
      AS quarters_to
    FROM rolled_up
  ), parts AS MATERIALIZED (
    SELECT *,
      LEAST(date_bin(interval '1 day', quarters_from + interval '1 day' - interval '1 microsecond',
          timestamptz '2000-01-01 00:00Z'), quarters_to) AS days_from,
      GREATEST(LEAST(date_bin(interval '1 day', quarters_from + interval '1 day' - interval '1 microsecond',
          timestamptz '2000-01-01 00:00Z'), quarters_to),
          date_bin(interval '1 day', quarters_to, timestamptz '2000-01-01 00:00Z')) AS days_to
    FROM quarters
  ), slices AS MATERIALIZED (
    SELECT starts_at, ends_at, 0 AS minutes, counted.*
    FROM parts
    CROSS JOIN LATERAL (VALUES (GREATEST(asked_from, rolled_up_until), asked_to), (quarters_to, rows_to),
        (rows_from, LEAST(quarters_from, rows_to))) AS slice (starts_at, ends_at)
    CROSS JOIN LATERAL (
      SELECT calls, connected, failed, seconds FROM (
        SELECT count(*) AS calls,
          count(*) FILTER (WHERE status = 'disconnected') AS connected,
          count(*) FILTER (WHERE status = 'failed') AS failed,
          COALESCE(sum(duration_sec) FILTER (WHERE status = 'disconnected'), 0) AS seconds,
          COALESCE(sum(charge), 0) AS credits FROM conversations AS call
        WHERE call.workspace_id = $3
          AND ($4::text IS NULL OR call.call_type = $4)
          AND ($5::text[] IS NULL OR call.status = ANY ($5)) AND call.agent_id = $6 AND call.created_at >= slice.starts_at
          AND call.created_at < slice.ends_at) AS sums) AS counted
    UNION ALL
    SELECT starts_at, starts_at + interval '15 minutes' AS ends_at, 15 AS minutes,
      sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN connected ELSE 0 END + CASE WHEN $5::text[] IS NULL
          OR 'failed' = ANY ($5) THEN failed ELSE 0 END) AS calls,
      sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN connected ELSE 0 END) AS connected,
      sum(CASE WHEN $5::text[] IS NULL OR 'failed' = ANY ($5) THEN failed ELSE 0 END) AS failed,
      sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN seconds ELSE 0 END) AS seconds
    FROM call_rollups WHERE
      workspace_id = $3 AND subject_id = $6 AND bucket_minutes = 15
      AND ($4::text IS NULL OR call_type = $4)
      AND (starts_at >= (SELECT quarters_from FROM parts) AND starts_at < (SELECT days_from FROM parts)) GROUP BY starts_at
    UNION ALL
    SELECT starts_at, starts_at + interval '15 minutes' AS ends_at, 15 AS minutes,
      sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN connected ELSE 0 END + CASE WHEN $5::text[] IS NULL
          OR 'failed' = ANY ($5) THEN failed ELSE 0 END) AS calls,
      sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN connected ELSE 0 END) AS connected,
      sum(CASE WHEN $5::text[] IS NULL OR 'failed' = ANY ($5) THEN failed ELSE 0 END) AS failed,
      sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN seconds ELSE 0 END) AS seconds
    FROM call_rollups WHERE
      workspace_id = $3 AND subject_id = $6 AND bucket_minutes = 15
      AND ($4::text IS NULL OR call_type = $4)
      AND (starts_at >= (SELECT days_to FROM parts) AND starts_at < (SELECT quarters_to FROM parts)) GROUP BY starts_at
    UNION ALL
    SELECT starts_at, starts_at + interval '1 day' AS ends_at, 1440 AS minutes,
      sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN connected ELSE 0 END + CASE WHEN $5::text[] IS NULL
          OR 'failed' = ANY ($5) THEN failed ELSE 0 END) AS calls,
      sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN connected ELSE 0 END) AS connected,
      sum(CASE WHEN $5::text[] IS NULL OR 'failed' = ANY ($5) THEN failed ELSE 0 END) AS failed,
      sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN seconds ELSE 0 END) AS seconds
    FROM call_rollups WHERE
      workspace_id = $3 AND subject_id = $6 AND bucket_minutes = 1440
      AND ($4::text IS NULL OR call_type = $4)
      AND (starts_at >= (SELECT days_from FROM parts) AND starts_at < (SELECT days_to FROM parts)) GROUP BY starts_at
  ), totals AS (
    SELECT COALESCE(sum(calls), 0)::int AS total, COALESCE(sum(connected), 0)::int AS successful,
      COALESCE(sum(failed), 0)::int AS failed,
      COALESCE(round(sum(seconds) / NULLIF(sum(connected), 0)), 0)::int AS "averageSeconds"
    FROM slices
  ), found AS MATERIALIZED (
    SELECT * FROM (
      SELECT *, 0 + sum(calls) OVER (ORDER BY starts_at desc) - calls AS before FROM slices WHERE calls > 0
    ) AS slice
    WHERE before < $7::bigint + $8::int AND before + calls > $7
  ), smallest AS MATERIALIZED (
    SELECT starts_at, ends_at, calls FROM found WHERE minutes < 1440
    UNION ALL
    SELECT quarter.starts_at, quarter.ends_at, quarter.calls
    FROM found CROSS JOIN LATERAL (
      SELECT starts_at, starts_at + interval '15 minutes' AS ends_at, 15 AS minutes,
        sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN connected ELSE 0 END + CASE WHEN $5::text[] IS NULL
            OR 'failed' = ANY ($5) THEN failed ELSE 0 END) AS calls,
        sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN connected ELSE 0 END) AS connected,
        sum(CASE WHEN $5::text[] IS NULL OR 'failed' = ANY ($5) THEN failed ELSE 0 END) AS failed,
        sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN seconds ELSE 0 END) AS seconds
      FROM call_rollups WHERE
        workspace_id = $3 AND subject_id = $6 AND bucket_minutes = 15
        AND ($4::text IS NULL OR call_type = $4)
        AND (starts_at >= found.starts_at AND starts_at < found.ends_at) GROUP BY starts_at) AS quarter
    WHERE found.minutes = 1440
  ), covering AS MATERIALIZED (
    SELECT * FROM (
      SELECT *, (SELECT min(before) FROM found) + sum(calls) OVER (ORDER BY starts_at desc) - calls AS before FROM smallest
      WHERE calls > 0
    ) AS slice
    WHERE before < $7::bigint + $8::int AND before + calls > $7
  ), page AS (
    SELECT call.*
    FROM covering CROSS JOIN LATERAL (
      SELECT call.id, call.agent_id, call.to_number, call.from_number, call.created_at, call.status FROM conversations AS call
      WHERE call.workspace_id = $3
        AND ($4::text IS NULL OR call.call_type = $4)
        AND ($5::text[] IS NULL OR call.status = ANY ($5)) AND call.agent_id = $6 AND call.created_at >= covering.starts_at
        AND call.created_at < covering.ends_at
      ORDER BY call.created_at desc, call.id desc
      OFFSET GREATEST(0, $7 - before)::bigint LIMIT $8) AS call
    ORDER BY call.created_at desc, call.id desc LIMIT $8
  )
SELECT totals.*, page.id AS "id", page.agent_id AS "agentId", page.to_number AS "toNumber", page.from_number
  AS "fromNumber", page.created_at AS "createdAt", page.status AS "status"
FROM totals LEFT JOIN page ON true ORDER BY page.created_at DESC, page.id DESC;

--
-- src/features/reports/findings/
--

-- read-facts-for-findings (src/features/reports/findings/find-values.sql.ts)
-- $1 ids
SELECT call.id, version.analysis, call.request, reported.fields, reported.criteria,
  COALESCE((
    SELECT json_object_agg(tool, result) FROM (
      SELECT DISTINCT ON (tool) tool, result FROM tool_invocations
      WHERE conversation_id = call.id AND state = 'done' AND EXISTS (
        SELECT FROM jsonb_array_elements(analysis -> 'fields') AS field
        WHERE starts_with(field ->> 'from', 'tool:' || tool || '#'))
      ORDER BY tool, asked_at DESC, id DESC) AS done), '{}') AS results,
  ARRAY(SELECT sequence FROM transcript_turns AS turn WHERE turn.conversation_id = call.id) AS turns,
  ARRAY(
    SELECT text FROM (
      SELECT sequence, text, sum(length(text)) OVER (ORDER BY sequence DESC) - length(text) AS later
      FROM transcript_turns AS turn
      WHERE turn.conversation_id = call.id AND speaker = 'user'
        AND analysis @? '$.fields[*].from ? (@ starts with "regex:")') AS said
    WHERE later < 50000 ORDER BY sequence DESC) AS words
FROM conversations AS call
JOIN agent_versions AS version ON version.agent_id = call.agent_id AND version.version = call.agent_version
LEFT JOIN call_analyses AS reported ON reported.conversation_id = call.id
WHERE call.id = ANY ($1) AND call.token IS NOT NULL AND version.analysis IS NOT NULL;

-- store-call-findings (src/features/reports/findings/find-values.sql.ts)
-- $1 calls
WITH call AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS call (
      id uuid, "dueAt" timestamptz, fields jsonb, criteria jsonb, answers jsonb, compliance text)
), locked AS MATERIALIZED (
  SELECT id, token FROM conversations
  WHERE id IN (SELECT id FROM call) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
), taken AS MATERIALIZED (
  SELECT conversation_id FROM due_findings AS due JOIN call ON call.id = conversation_id AND "dueAt" = due_at
  WHERE conversation_id IN (SELECT id FROM locked) ORDER BY conversation_id FOR UPDATE OF due SKIP LOCKED
), removed AS (
  DELETE FROM due_findings WHERE conversation_id IN (SELECT conversation_id FROM taken)
), stored AS (
  INSERT INTO call_findings AS known (conversation_id, fields, criteria, answers)
  SELECT id, fields, criteria, answers
  FROM call JOIN taken ON conversation_id = call.id JOIN locked USING (id)
  WHERE token IS NOT NULL AND fields IS NOT NULL
  ON CONFLICT (conversation_id) DO UPDATE
  SET fields = excluded.fields, criteria = excluded.criteria, answers = excluded.answers, found_at = now()
  WHERE known.fields <> '{}' OR known.criteria <> '{}'
  RETURNING conversation_id
)
UPDATE conversations SET process_compliance = compliance
FROM stored JOIN call ON call.id = conversation_id
WHERE conversations.id = conversation_id AND compliance <> process_compliance;

-- take-due-findings (src/features/reports/findings/find-values.sql.ts)
WITH taken AS MATERIALIZED (
  SELECT conversation_id FROM due_findings JOIN conversations ON id = conversation_id
  WHERE due_at <= now() AND ended_at IS NOT NULL ORDER BY due_at LIMIT 10
  FOR UPDATE OF due_findings SKIP LOCKED
)
UPDATE due_findings AS due SET due_at = now() + interval '60 seconds'
FROM taken WHERE due.conversation_id = taken.conversation_id
RETURNING due.conversation_id AS id, due_at AS "dueAt";

--
-- src/features/reports/measurements/
--

-- add-to-measurement-rollups (src/features/reports/measurements/measure-calls.sql.ts)
-- $1 changes
WITH added AS (
  INSERT INTO measurement_rollups
    AS rollup (workspace_id, starts_at, agent_id, agent_version, campaign_id, measure, amount)
  SELECT "workspaceId", "startsAt", "agentId", "agentVersion", "campaignId", measure, sum(amount)
  FROM json_to_recordset($1::json)
    AS change ("workspaceId" uuid, "startsAt" timestamptz, "agentId" uuid, "agentVersion" integer, "campaignId" uuid,
        measure text, amount bigint)
  GROUP BY "workspaceId", "startsAt", "agentId", "agentVersion", "campaignId", measure
  ORDER BY "workspaceId", "startsAt", "agentId", "agentVersion", "campaignId", measure COLLATE "C"
  ON CONFLICT (workspace_id, starts_at, agent_id, agent_version, campaign_id,
      measure) DO UPDATE SET amount = rollup.amount + excluded.amount
  RETURNING *
)
SELECT workspace_id AS "workspaceId", starts_at AS "startsAt", agent_id AS "agentId",
  agent_version AS "agentVersion", campaign_id AS "campaignId", measure
FROM added WHERE amount = 0;

-- add-transcript-events (src/features/reports/measurements/measure-calls.sql.ts)
-- $1 ids
WITH complete AS MATERIALIZED (
  SELECT conversations.id, turns, truncated,
    conversations.workspace_id, conversations.agent_id, conversations.request->>'traceparent' AS traceparent,
    CASE WHEN
    EXISTS (SELECT FROM webhook_endpoints AS endpoint
      WHERE endpoint.workspace_id = conversations.workspace_id AND
        (endpoint.status IN ('ok', 'failing')
            OR endpoint.status = 'paused' AND endpoint.status_since > now() - interval '30 days')) THEN
    jsonb_build_object(
        'conversation_id', conversations.id, 'assistant_id', conversations.agent_id,
        'agent_version', conversations.agent_version, 'campaign_id', conversations.campaign_id,
        'external_id', COALESCE(conversations.request->>'external_id', ''),
        'direction', conversations.direction, 'call_type', conversations.call_type,
        'to_number', NULLIF(conversations.to_number, ''), 'from_number', NULLIF(conversations.from_number, '')) END
    AS event_call
  FROM conversations JOIN call_transcripts ON conversation_id = conversations.id
  WHERE conversations.id = ANY ($1) AND turns >= transcript_turns
    AND ended_at > now() - interval '24 hours' AND NOT EXISTS (
      SELECT FROM webhook_events AS event
      WHERE event.conversation_id = conversations.id AND event.type = 'call.transcript_ready')
),
  occurred AS MATERIALIZED (
    SELECT gen_random_uuid() AS event_id, source.* FROM (
      SELECT workspace_id, id AS conversation_id, agent_id, 'call.transcript_ready' AS type, '' AS url, true
        AS is_for_endpoints,
        event_call || jsonb_build_object('turns', turns, 'truncated', truncated) AS data, traceparent, 1 AS ordinal
      FROM complete WHERE event_call IS NOT NULL) AS source
  ), paused AS MATERIALIZED (
    SELECT id, status FROM webhook_endpoints
    WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_endpoints
      WHERE workspace_id IN (SELECT workspace_id FROM occurred) AND status = 'paused'))
    ORDER BY id FOR SHARE SKIP LOCKED
  ), receivers AS MATERIALIZED (
    SELECT event_id, NULL::uuid AS endpoint_id, url, 'pending' AS status FROM occurred WHERE url <> ''
    UNION ALL
    SELECT event_id, endpoint.id, endpoint.url,
      CASE paused.status WHEN 'paused' THEN 'held' ELSE 'pending' END
    FROM occurred JOIN webhook_endpoints AS endpoint USING (workspace_id) LEFT JOIN paused ON paused.id = endpoint.id
    WHERE is_for_endpoints AND
      (endpoint.status IN ('ok', 'failing')
          OR endpoint.status = 'paused' AND endpoint.status_since > now() - interval '30 days')
      AND (events = '{*}' OR type = ANY (events))
      AND (agent_ids IS NULL OR agent_id = ANY (agent_ids))
  ), events AS (
    INSERT INTO webhook_events (id, workspace_id, conversation_id, type, data, traceparent)
    SELECT event_id, workspace_id, conversation_id, type, data, traceparent
    FROM occurred WHERE event_id IN (SELECT event_id FROM receivers)
    ON CONFLICT DO NOTHING
    RETURNING id AS event_id, workspace_id, conversation_id, type
  ), deliveries AS (
    INSERT INTO webhook_deliveries (id, workspace_id, conversation_id, event_id, endpoint_id, ordering_key, type, url,
        status, next_attempt_at, give_up_at, data)
    SELECT id, workspace_id, conversation_id, event_id, endpoint_id,
      CASE WHEN endpoint_id IS NULL THEN COALESCE(conversation_id, id)
      ELSE md5(concat(endpoint_id, COALESCE(conversation_id, id)))::uuid END,
      type, url, status, CASE status WHEN 'pending' THEN now() END, now() + interval '24 hours', CASE WHEN
      endpoint_id IS NULL AND EXISTS (
        SELECT FROM webhook_deliveries AS earlier
        WHERE earlier.conversation_id = delivery.conversation_id AND earlier.data IS NOT NULL) THEN data END
    FROM (SELECT gen_random_uuid() AS id, occurred.data, event_id, events.workspace_id, events.conversation_id, events.type,
        endpoint_id,
        receivers.url, status, ordinal
      FROM events JOIN receivers USING (event_id) JOIN occurred USING (event_id)) AS delivery
    ORDER BY ordinal
    ON CONFLICT DO NOTHING
    RETURNING id, workspace_id, ordering_key, endpoint_id, status
  ),
  jobs AS (
    SELECT count(*) AS count
    FROM (SELECT array_agg(('webhooks.send',
        json_build_object('workspaceId', workspace_id, 'orderingKey', ordering_key, 'endpointId', endpoint_id), NULL, now(),
        32767, NULL, NULL, array_remove(ARRAY[workspace_id::text, endpoint_id::text], NULL))
        ::graphile_worker.job_spec) AS specs FROM deliveries WHERE status = 'pending' HAVING count(*) > 0) AS added,
      graphile_worker.add_jobs(specs)
  )
SELECT WHERE (SELECT count FROM jobs) >= 0;

-- check-measurements-of-day (src/features/reports/measurements/check-measurements.sql.ts)
-- $1 workspaceId, $2 day
WITH counted AS MATERIALIZED (
  SELECT measured.workspace_id, starts_at, measured.agent_id, measured.agent_version, measured.campaign_id, measure,
    sum(value::bigint) AS amount
  FROM conversations AS call JOIN call_measurements AS measured ON measured.conversation_id = call.id
  CROSS JOIN LATERAL jsonb_each_text(amounts) AS counted (measure, value)
  WHERE call.workspace_id = $1 AND call.created_at >= $2 AND call.created_at < $2::timestamptz + interval '1 day'
  GROUP BY 1, 2, 3, 4, 5, 6
), stored AS MATERIALIZED (
  SELECT * FROM measurement_rollups WHERE workspace_id = $1 AND starts_at >= $2
    AND starts_at < $2::timestamptz + interval '1 day'
)
SELECT workspace_id AS "workspaceId", starts_at AS "startsAt", agent_id AS "agentId",
  agent_version AS "agentVersion", campaign_id AS "campaignId", measure,
  COALESCE(stored.amount, 0)::text AS stored, COALESCE(counted.amount, 0)::text AS counted
FROM counted FULL JOIN stored USING (workspace_id, starts_at, agent_id, agent_version, campaign_id, measure)
WHERE COALESCE(stored.amount, 0) <> COALESCE(counted.amount, 0)
ORDER BY workspace_id, starts_at, agent_id, agent_version, campaign_id, measure;

-- delete-empty-measurement-rollups (src/features/reports/measurements/measure-calls.sql.ts)
-- $1 rows
DELETE FROM measurement_rollups AS rollup
USING json_to_recordset($1::json)
  AS empty ("workspaceId" uuid, "startsAt" timestamptz, "agentId" uuid, "agentVersion" integer, "campaignId" uuid,
      measure text)
WHERE rollup.workspace_id = empty."workspaceId" AND rollup.starts_at = empty."startsAt"
  AND rollup.agent_id = empty."agentId" AND rollup.agent_version = empty."agentVersion"
  AND rollup.campaign_id = empty."campaignId" AND rollup.measure = empty.measure AND amount = 0;

-- find-days-of-measurements (src/features/reports/measurements/check-measurements.sql.ts)
-- $1 workspaceId
SELECT generate_series(date_bin(interval '1 day', min(first), timestamptz '2000-01-01 00:00Z'), max(last),
    interval '24 hours') AS day
FROM (
  SELECT min(created_at) AS first, max(created_at) AS last FROM conversations WHERE workspace_id = $1
  UNION ALL
  SELECT min(starts_at), max(starts_at) FROM measurement_rollups WHERE workspace_id = $1
) AS times;

-- read-calls-to-measure (src/features/reports/measurements/measure-calls.sql.ts)
-- $1 ids
SELECT call.id, call.workspace_id AS "workspaceId", call.agent_id AS "agentId",
  call.agent_version AS "agentVersion", COALESCE(call.campaign_id, '00000000-0000-0000-0000-000000000000')
  AS "campaignId",
  date_bin(interval '15 minutes', call.created_at, timestamptz '2000-01-01 00:00Z') AS "startsAt", fields, amounts
  AS before,
  EXISTS (SELECT FROM webhook_endpoints AS endpoint
    WHERE endpoint.workspace_id = call.workspace_id AND
      (endpoint.status IN ('ok', 'failing')
          OR endpoint.status = 'paused' AND endpoint.status_since > now() - interval '30 days')) AS "isListened",
  (SELECT json_agg(json_build_array(speaker, started_at, ended_at) ORDER BY sequence)
    FROM transcript_turns AS turn WHERE turn.conversation_id = call.id) AS turns
FROM conversations AS call
LEFT JOIN call_analyses AS analysis ON analysis.conversation_id = call.id
LEFT JOIN call_measurements AS measured ON measured.conversation_id = call.id
WHERE call.id = ANY ($1);

-- store-call-measurements (src/features/reports/measurements/measure-calls.sql.ts)
-- $1 calls
INSERT INTO call_measurements (conversation_id, workspace_id, starts_at, agent_id, agent_version, campaign_id, amounts)
SELECT id, "workspaceId", "startsAt", "agentId", "agentVersion", "campaignId", amounts
FROM json_to_recordset($1::json)
  AS call (id uuid, "workspaceId" uuid, "startsAt" timestamptz, "agentId" uuid, "agentVersion" integer, "campaignId" uuid,
      amounts jsonb)
ON CONFLICT (conversation_id) DO UPDATE SET amounts = excluded.amounts;

-- take-calls-to-measure (src/features/reports/measurements/measure-calls.sql.ts)
-- $1 ofListened
WITH due AS MATERIALIZED (
  SELECT id FROM calls_to_measure JOIN conversations ON id = conversation_id
  WHERE ended_at IS NOT NULL AND (NOT $1 OR EXISTS (SELECT FROM webhook_endpoints))
    AND (NOT $1 OR
        EXISTS (SELECT FROM webhook_endpoints AS endpoint
          WHERE endpoint.workspace_id = conversations.workspace_id AND
            (endpoint.status IN ('ok', 'failing')
                OR endpoint.status = 'paused' AND endpoint.status_since > now() - interval '30 days')))
  ORDER BY calls_to_measure.created_at LIMIT 50
), kept AS MATERIALIZED (
  SELECT id FROM conversations WHERE id IN (SELECT id FROM due) ORDER BY id FOR KEY SHARE SKIP LOCKED
), taken AS MATERIALIZED (
  SELECT conversation_id FROM calls_to_measure
  WHERE conversation_id IN (SELECT id FROM kept) ORDER BY conversation_id FOR UPDATE SKIP LOCKED
)
DELETE FROM calls_to_measure WHERE conversation_id IN (SELECT conversation_id FROM taken)
RETURNING conversation_id AS id;

--
-- src/features/reports/recordings/
--

-- add-recording-upload (src/features/reports/recordings/recordings.sql.ts)
-- $1 key, $2 workspaceId, $3 contentType, $4 bytes
INSERT INTO recording_files (key, workspace_id, content_type, bytes, uploaded_until)
VALUES ($1, $2, $3, $4, now() + interval '1 hour');

-- delete-recording-file (src/features/reports/recordings/recordings.sql.ts)
-- $1 key
DELETE FROM recording_files WHERE key = $1 AND conversation_id IS NULL;

-- find-quota-of-recording_bytes (src/features/reports/recordings/quotas.sql.ts)
-- $1 workspaceId
SELECT quotas_recording_bytes AS "limit", (SELECT COALESCE(sum(bytes), 0) FROM recording_files WHERE workspace_id = $1)
  AS used
FROM workspaces WHERE id = $1;

-- find-recording-file (src/features/reports/recordings/recordings.sql.ts)
-- $1 callId, $2 workspaceId, $3 agentsInScope
SELECT file.key, file.content_type AS "contentType", file.bytes
FROM conversations AS call JOIN recording_files AS file ON file.conversation_id = call.id
WHERE
  call.id = $1 AND call.workspace_id = $2
  AND ($3::uuid[] IS NULL OR call.agent_id = ANY ($3));

-- find-removable-recording-files (src/features/reports/recordings/recordings.sql.ts)
-- $1 limit
SELECT key FROM recording_files
WHERE conversation_id IS NULL AND (uploaded_until IS NULL OR uploaded_until <= now())
ORDER BY created_at LIMIT $1;

-- has-recording-file (src/features/reports/recordings/recordings.sql.ts)
-- $1 callId
SELECT key FROM recording_files WHERE conversation_id = $1;

-- keep-recording-file (src/features/reports/recordings/recordings.sql.ts)
-- $1 callId, $2 url, $3 bytes, $4 key
WITH recorded AS (
  INSERT INTO call_recordings (conversation_id, url) VALUES ($1::uuid, $2)
  ON CONFLICT (conversation_id) DO UPDATE SET url = excluded.url, reported_at = now()
  RETURNING conversation_id, duration_sec
), kept AS (
  UPDATE recording_files SET conversation_id = recorded.conversation_id, bytes = $3, uploaded_until = NULL
  FROM recorded WHERE key = $4 RETURNING key
), call AS MATERIALIZED (
  SELECT conversations.id, recorded.duration_sec AS seconds,
    conversations.workspace_id, conversations.agent_id, conversations.request->>'traceparent' AS traceparent,
    CASE WHEN
    EXISTS (SELECT FROM webhook_endpoints AS endpoint
      WHERE endpoint.workspace_id = conversations.workspace_id AND
        (endpoint.status IN ('ok', 'failing')
            OR endpoint.status = 'paused' AND endpoint.status_since > now() - interval '30 days')) THEN
    jsonb_build_object(
        'conversation_id', conversations.id, 'assistant_id', conversations.agent_id,
        'agent_version', conversations.agent_version, 'campaign_id', conversations.campaign_id,
        'external_id', COALESCE(conversations.request->>'external_id', ''),
        'direction', conversations.direction, 'call_type', conversations.call_type,
        'to_number', NULLIF(conversations.to_number, ''), 'from_number', NULLIF(conversations.from_number, '')) END
    AS event_call
  FROM conversations JOIN recorded ON conversation_id = conversations.id WHERE EXISTS (SELECT FROM kept)
),
  occurred AS MATERIALIZED (
    SELECT gen_random_uuid() AS event_id, source.* FROM (
      SELECT workspace_id, id AS conversation_id, agent_id, 'call.recorded' AS type, '' AS url, true AS is_for_endpoints,
        event_call || jsonb_build_object('recording_url', $2::text, 'duration_sec', seconds) AS data, traceparent, 1 AS ordinal
      FROM call WHERE event_call IS NOT NULL) AS source
  ), paused AS MATERIALIZED (
    SELECT id, status FROM webhook_endpoints
    WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_endpoints
      WHERE workspace_id IN (SELECT workspace_id FROM occurred) AND status = 'paused'))
    ORDER BY id FOR SHARE SKIP LOCKED
  ), receivers AS MATERIALIZED (
    SELECT event_id, NULL::uuid AS endpoint_id, url, 'pending' AS status FROM occurred WHERE url <> ''
    UNION ALL
    SELECT event_id, endpoint.id, endpoint.url,
      CASE paused.status WHEN 'paused' THEN 'held' ELSE 'pending' END
    FROM occurred JOIN webhook_endpoints AS endpoint USING (workspace_id) LEFT JOIN paused ON paused.id = endpoint.id
    WHERE is_for_endpoints AND
      (endpoint.status IN ('ok', 'failing')
          OR endpoint.status = 'paused' AND endpoint.status_since > now() - interval '30 days')
      AND (events = '{*}' OR type = ANY (events))
      AND (agent_ids IS NULL OR agent_id = ANY (agent_ids))
  ), events AS (
    INSERT INTO webhook_events (id, workspace_id, conversation_id, type, data, traceparent)
    SELECT event_id, workspace_id, conversation_id, type, data, traceparent
    FROM occurred WHERE event_id IN (SELECT event_id FROM receivers)
    ON CONFLICT DO NOTHING
    RETURNING id AS event_id, workspace_id, conversation_id, type
  ), deliveries AS (
    INSERT INTO webhook_deliveries (id, workspace_id, conversation_id, event_id, endpoint_id, ordering_key, type, url,
        status, next_attempt_at, give_up_at, data)
    SELECT id, workspace_id, conversation_id, event_id, endpoint_id,
      CASE WHEN endpoint_id IS NULL THEN COALESCE(conversation_id, id)
      ELSE md5(concat(endpoint_id, COALESCE(conversation_id, id)))::uuid END,
      type, url, status, CASE status WHEN 'pending' THEN now() END, now() + interval '24 hours', CASE WHEN
      endpoint_id IS NULL AND EXISTS (
        SELECT FROM webhook_deliveries AS earlier
        WHERE earlier.conversation_id = delivery.conversation_id AND earlier.data IS NOT NULL) THEN data END
    FROM (SELECT gen_random_uuid() AS id, occurred.data, event_id, events.workspace_id, events.conversation_id, events.type,
        endpoint_id,
        receivers.url, status, ordinal
      FROM events JOIN receivers USING (event_id) JOIN occurred USING (event_id)) AS delivery
    ORDER BY ordinal
    ON CONFLICT DO NOTHING
    RETURNING id, workspace_id, ordering_key, endpoint_id, status
  ),
  jobs AS (
    SELECT count(*) AS count
    FROM (SELECT array_agg(('webhooks.send',
        json_build_object('workspaceId', workspace_id, 'orderingKey', ordering_key, 'endpointId', endpoint_id), NULL, now(),
        32767, NULL, NULL, array_remove(ARRAY[workspace_id::text, endpoint_id::text], NULL))
        ::graphile_worker.job_spec) AS specs FROM deliveries WHERE status = 'pending' HAVING count(*) > 0) AS added,
      graphile_worker.add_jobs(specs)
  )
SELECT key FROM kept WHERE (SELECT count FROM jobs) >= 0;

-- lock-recorded-call (src/features/reports/recordings/recordings.sql.ts)
-- $1 workspaceId, $2 callId
SELECT id FROM conversations WHERE workspace_id = $1 AND id = $2 AND token IS NOT NULL
FOR NO KEY UPDATE;

--
-- src/features/reports/runtime-reports/
--

-- add-call-warnings (src/features/reports/runtime-reports/call-reports.sql.ts)
-- $1 calls
WITH warned AS MATERIALIZED (
  SELECT call.id, code, text, "occurredAt", accepted_at,
    conversations.workspace_id, conversations.agent_id, conversations.request->>'traceparent' AS traceparent,
    CASE WHEN
    EXISTS (SELECT FROM webhook_endpoints AS endpoint
      WHERE endpoint.workspace_id = conversations.workspace_id AND
        (endpoint.status IN ('ok', 'failing')
            OR endpoint.status = 'paused' AND endpoint.status_since > now() - interval '30 days')) THEN
    jsonb_build_object(
        'conversation_id', conversations.id, 'assistant_id', conversations.agent_id,
        'agent_version', conversations.agent_version, 'campaign_id', conversations.campaign_id,
        'external_id', COALESCE(conversations.request->>'external_id', ''),
        'direction', conversations.direction, 'call_type', conversations.call_type,
        'to_number', NULLIF(conversations.to_number, ''), 'from_number', NULLIF(conversations.from_number, '')) END
    AS event_call
  FROM json_to_recordset($1::json) AS call (id uuid, token uuid, code text, text text, "occurredAt" timestamptz)
  JOIN conversations ON conversations.id = call.id AND conversations.token = call.token
  WHERE ended_at IS NULL OR ended_at > now() - interval '24 hours'
), stored AS (
  INSERT INTO call_warnings AS known (conversation_id, warnings)
  SELECT id, jsonb_build_array(jsonb_build_object(
      'code', code, 'text', text, 'occurredAt', "occurredAt",
      'at', LEAST(GREATEST("occurredAt", accepted_at), now())))
  FROM warned ORDER BY id
  ON CONFLICT (conversation_id) DO UPDATE SET warnings = known.warnings || excluded.warnings
  WHERE NOT known.warnings @> jsonb_build_array((excluded.warnings->0) - 'at')
    AND jsonb_array_length(known.warnings) < 20
  RETURNING conversation_id AS id
),
  occurred AS MATERIALIZED (
    SELECT gen_random_uuid() AS event_id, source.* FROM (
      SELECT workspace_id, id AS conversation_id, agent_id, 'call.warning' AS type, '' AS url, true AS is_for_endpoints,
        event_call || jsonb_build_object('code', code, 'text', text) AS data, traceparent, 1 AS ordinal
      FROM warned JOIN stored USING (id) WHERE event_call IS NOT NULL) AS source
  ), paused AS MATERIALIZED (
    SELECT id, status FROM webhook_endpoints
    WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_endpoints
      WHERE workspace_id IN (SELECT workspace_id FROM occurred) AND status = 'paused'))
    ORDER BY id FOR SHARE SKIP LOCKED
  ), receivers AS MATERIALIZED (
    SELECT event_id, NULL::uuid AS endpoint_id, url, 'pending' AS status FROM occurred WHERE url <> ''
    UNION ALL
    SELECT event_id, endpoint.id, endpoint.url,
      CASE paused.status WHEN 'paused' THEN 'held' ELSE 'pending' END
    FROM occurred JOIN webhook_endpoints AS endpoint USING (workspace_id) LEFT JOIN paused ON paused.id = endpoint.id
    WHERE is_for_endpoints AND
      (endpoint.status IN ('ok', 'failing')
          OR endpoint.status = 'paused' AND endpoint.status_since > now() - interval '30 days')
      AND (events = '{*}' OR type = ANY (events))
      AND (agent_ids IS NULL OR agent_id = ANY (agent_ids))
  ), events AS (
    INSERT INTO webhook_events (id, workspace_id, conversation_id, type, data, traceparent)
    SELECT event_id, workspace_id, conversation_id, type, data, traceparent
    FROM occurred WHERE event_id IN (SELECT event_id FROM receivers)
    ON CONFLICT DO NOTHING
    RETURNING id AS event_id, workspace_id, conversation_id, type
  ), deliveries AS (
    INSERT INTO webhook_deliveries (id, workspace_id, conversation_id, event_id, endpoint_id, ordering_key, type, url,
        status, next_attempt_at, give_up_at, data)
    SELECT id, workspace_id, conversation_id, event_id, endpoint_id,
      CASE WHEN endpoint_id IS NULL THEN COALESCE(conversation_id, id)
      ELSE md5(concat(endpoint_id, COALESCE(conversation_id, id)))::uuid END,
      type, url, status, CASE status WHEN 'pending' THEN now() END, now() + interval '24 hours', CASE WHEN
      endpoint_id IS NULL AND EXISTS (
        SELECT FROM webhook_deliveries AS earlier
        WHERE earlier.conversation_id = delivery.conversation_id AND earlier.data IS NOT NULL) THEN data END
    FROM (SELECT gen_random_uuid() AS id, occurred.data, event_id, events.workspace_id, events.conversation_id, events.type,
        endpoint_id,
        receivers.url, status, ordinal
      FROM events JOIN receivers USING (event_id) JOIN occurred USING (event_id)) AS delivery
    ORDER BY ordinal
    ON CONFLICT DO NOTHING
    RETURNING id, workspace_id, ordering_key, endpoint_id, status
  ),
  jobs AS (
    SELECT count(*) AS count
    FROM (SELECT array_agg(('webhooks.send',
        json_build_object('workspaceId', workspace_id, 'orderingKey', ordering_key, 'endpointId', endpoint_id), NULL, now(),
        32767, NULL, NULL, array_remove(ARRAY[workspace_id::text, endpoint_id::text], NULL))
        ::graphile_worker.job_spec) AS specs FROM deliveries WHERE status = 'pending' HAVING count(*) > 0) AS added,
      graphile_worker.add_jobs(specs)
  )
SELECT id FROM warned WHERE (SELECT count FROM jobs) >= 0;

-- add-transcript-turns (src/features/reports/runtime-reports/call-reports.sql.ts)
-- $1 calls
WITH turn AS MATERIALIZED (
  SELECT call.id, turn.*, size, row_number() OVER in_order AS place, sum(size) OVER in_order AS size_so_far
  FROM json_to_recordset($1::json) AS call (id uuid, turns json)
  CROSS JOIN LATERAL (
    SELECT DISTINCT ON (sequence) *
    FROM json_to_recordset(call.turns) AS turn (
        sequence integer, speaker text, text text, "startedAt" timestamptz, "endedAt" timestamptz, tool jsonb)
    ORDER BY sequence
  ) AS turn
  CROSS JOIN LATERAL (SELECT octet_length(jsonb_build_array(turn.text, turn.tool)::text) AS size) AS sized
  WHERE NOT EXISTS (
    SELECT FROM transcript_turns AS known
    WHERE known.conversation_id = call.id AND known.sequence = turn.sequence)
  WINDOW in_order AS (PARTITION BY call.id ORDER BY turn.sequence)
), decided AS MATERIALIZED (
  SELECT turn.*, turns + place <= 5000 AND bytes + size_so_far <= 8000000 AS is_taken
  FROM turn JOIN call_transcripts ON conversation_id = id
), added AS (
  INSERT INTO transcript_turns (conversation_id, sequence, speaker, text, started_at, ended_at, tool)
  SELECT id, sequence, speaker, text, "startedAt", "endedAt", tool FROM decided WHERE is_taken
), queued AS (
  INSERT INTO calls_to_measure AS queued (conversation_id)
  SELECT DISTINCT id FROM decided ORDER BY id
  ON CONFLICT (conversation_id) DO UPDATE SET revision = queued.revision + 1
), due AS (
  INSERT INTO due_findings AS due (conversation_id, due_at)
  SELECT DISTINCT call.id, now() + interval '5 seconds'
  FROM (SELECT id, agent_id, agent_version FROM conversations WHERE id IN (SELECT id FROM decided)) AS call
  JOIN agent_versions AS version ON version.agent_id = call.agent_id AND version.version = call.agent_version
  WHERE version.analysis IS NOT NULL
  ORDER BY call.id
  ON CONFLICT (conversation_id) DO UPDATE SET due_at = excluded.due_at
)
UPDATE call_transcripts AS transcript
SET turns = turns + taken, bytes = bytes + size, truncated = truncated OR is_cut
FROM (
  SELECT id, (count(*) FILTER (WHERE is_taken))::int AS taken, NOT bool_and(is_taken) AS is_cut,
    COALESCE(sum(size) FILTER (WHERE is_taken), 0)::int AS size
  FROM decided GROUP BY id
) AS counted
WHERE conversation_id = id;

-- lock-transcripts (src/features/reports/runtime-reports/call-reports.sql.ts)
-- $1 calls
INSERT INTO call_transcripts AS transcript (conversation_id, truncated)
SELECT call.id, call.truncated
FROM json_to_recordset($1::json) AS call (id uuid, token uuid, truncated boolean)
JOIN conversations ON conversations.id = call.id AND conversations.token = call.token
WHERE ended_at IS NULL OR ended_at > now() - interval '24 hours'
ORDER BY call.id
ON CONFLICT (conversation_id) DO UPDATE SET truncated = transcript.truncated OR excluded.truncated
RETURNING conversation_id AS id;

--
-- src/features/reports/series/
--

-- count-call-series-by-agent (src/features/reports/series/call-series.sql.ts), not prepared
-- also count-call-series-by-agent-version
-- also count-call-series-by-all
-- also count-call-series-by-campaign
-- also count-call-series-by-direction
-- also count-call-series-by-disconnect-reason
-- also count-call-series-by-outcome
-- $1 workspaceId, $2 createdFrom, $3 createdUntil, $4 dimension, $5 values, $6 statuses, $7 bounds, $8 agentsInScope, $9 agentId, $10 agentVersion, $11 campaignId, $12 reasons, $13 direction, $14 channel, $15 callType, $16 reversedNumber, $17 lastDigits, $18 customerName, $19 externalId, $20 outcome, $21 durationMin, $22 durationMax, $23 workerId, $24 findings, $25 maxGroups, $26 maxRows
WITH
  span AS MATERIALIZED (
    SELECT (SELECT starts_at FROM call_segments WHERE workspace_id = $1
        AND starts_at >= COALESCE($2::timestamptz, '-infinity')
        AND ends_at <= COALESCE($3::timestamptz + interval '1 millisecond', 'infinity') ORDER BY starts_at LIMIT 1) AS first,
      (SELECT ends_at FROM call_segments WHERE workspace_id = $1 AND starts_at >= COALESCE($2::timestamptz, '-infinity')
          AND ends_at <= COALESCE($3::timestamptz + interval '1 millisecond', 'infinity') ORDER BY starts_at DESC LIMIT 1) AS last
  ), whole AS MATERIALIZED (
    SELECT COALESCE(first, COALESCE($2::timestamptz, '-infinity')) AS whole_from,
      COALESCE(last, COALESCE($2::timestamptz, '-infinity')) AS whole_to FROM span
  ), slices AS MATERIALIZED (
    SELECT slice.* FROM whole
    CROSS JOIN LATERAL (VALUES (COALESCE($2::timestamptz, '-infinity'), whole_from),
        (whole_to, COALESCE($3::timestamptz + interval '1 millisecond', 'infinity'))) AS slice (starts_at, ends_at)
    WHERE slice.starts_at < slice.ends_at
  ),
  chosen AS MATERIALIZED (
    SELECT id AS value_id, value FROM call_values
    WHERE workspace_id = $1 AND dimension = $4 AND (
        $5::text[] IS NULL OR value = ANY ($5)
        OR (dimension = 'agent_version' AND string_to_array(value, '/') && $5))
  ), sums AS NOT MATERIALIZED (
    SELECT rollup.starts_at AS starts_at, chosen.value,
      CASE WHEN $6::text[] IS NULL OR 'disconnected' = ANY ($6) THEN connected ELSE 0 END AS connected, CASE
      WHEN $6::text[] IS NULL OR 'failed' = ANY ($6) THEN failed ELSE 0 END AS failed,
      CASE WHEN $6::text[] IS NULL OR 'disconnected' = ANY ($6) THEN seconds ELSE 0 END AS seconds, CASE
      WHEN $6::text[] IS NULL OR 'disconnected' = ANY ($6) THEN credits ELSE 0 END AS credits
    FROM whole CROSS JOIN chosen JOIN call_value_rollups AS rollup ON rollup.value_id = chosen.value_id
      AND rollup.starts_at >= whole_from AND rollup.starts_at < whole_to
    UNION ALL
    SELECT (
      SELECT starts_at FROM call_segments
      WHERE workspace_id = $1 AND starts_at <= rollup.starts_at ORDER BY starts_at DESC LIMIT 1) AS starts_at, chosen.value,
      CASE WHEN $6::text[] IS NULL OR 'disconnected' = ANY ($6) THEN connected ELSE 0 END AS connected, CASE
      WHEN $6::text[] IS NULL OR 'failed' = ANY ($6) THEN failed ELSE 0 END AS failed,
      CASE WHEN $6::text[] IS NULL OR 'disconnected' = ANY ($6) THEN seconds ELSE 0 END AS seconds, CASE
      WHEN $6::text[] IS NULL OR 'disconnected' = ANY ($6) THEN credits ELSE 0 END AS credits
    FROM whole CROSS JOIN chosen JOIN call_value_corrections AS rollup ON rollup.value_id = chosen.value_id
      AND rollup.starts_at >= whole_from AND rollup.starts_at < whole_to
  ), cut AS MATERIALIZED (
    SELECT starts_at, ends_at, min(bound) AS bound,
      count(*) = 1 AND min(bound) - starts_at < ends_at - min(bound) AS is_next
    FROM unnest(($7::timestamptz[])[2:cardinality($7::timestamptz[]) - 1]) AS bound CROSS JOIN LATERAL (
      SELECT * FROM call_segments
      WHERE workspace_id = $1 AND starts_at < bound ORDER BY starts_at DESC LIMIT 1) AS segment
    WHERE workspace_id = $1 AND starts_at >= COALESCE($2::timestamptz, '-infinity')
      AND ends_at <= COALESCE($3::timestamptz + interval '1 millisecond', 'infinity') AND ends_at > bound GROUP BY 1, 2
  ), piece AS MATERIALIZED (
    SELECT CASE WHEN is_next THEN starts_at ELSE bound END AS starts_at,
      CASE WHEN is_next THEN bound ELSE ends_at END AS ends_at,
      (1 + width_bucket(starts_at, ($7::timestamptz[])[2:cardinality($7::timestamptz[]) - 1])) + is_next::int AS counted_in
    FROM cut
    UNION ALL
    SELECT starts_at, ends_at, NULL FROM slices
  ), read AS MATERIALIZED (
    SELECT counted_in, call.* FROM piece CROSS JOIN LATERAL (
      SELECT (1 + width_bucket(call.created_at, ($7::timestamptz[])[2:cardinality($7::timestamptz[]) - 1])) AS bucket,
        call.agent_id::text AS value,
        count(*) AS calls, count(*) FILTER (WHERE status IN ('connected', 'disconnected')) AS connected,
        count(*) FILTER (WHERE status = 'failed') AS failed, count(*) FILTER (WHERE ended_at IS NULL) AS under_way,
        count(*) FILTER (WHERE status = 'disconnected') AS ended,
        COALESCE(sum(duration_sec) FILTER (WHERE status = 'disconnected'), 0) AS seconds,
        COALESCE(sum(charge), 0) AS credits
      FROM conversations AS call
      WHERE call.workspace_id = $1
        AND ($8::uuid[] IS NULL OR call.agent_id = ANY ($8))
        AND ($9::uuid IS NULL OR call.agent_id = $9)
        AND ($10::integer IS NULL OR call.agent_version = $10)
        AND ($11::uuid IS NULL
            OR ((call.ended_at IS NOT NULL AND call.campaign_id = $11) OR (call.ended_at IS NULL AND call.campaign_id = $11)))
        AND ($6::text[] IS NULL OR call.status = ANY ($6))
        AND ($12::text[] IS NULL OR call.disconnect_reason = ANY ($12))
        AND ($13::text IS NULL OR call.direction = $13)
        AND ($14::text IS NULL OR call.channel = $14)
        AND ($15::text IS NULL OR call.call_type = $15)
        AND ($16::text IS NULL OR (
            (call.ended_at IS NOT NULL
                AND right(CASE WHEN call.incoming_claim_id IS NULL THEN call.to_number ELSE call.from_number END, 4) = right($17, 4)
                AND reverse(CASE WHEN call.incoming_claim_id IS NULL THEN call.to_number ELSE call.from_number END) LIKE $16)
            OR (call.ended_at IS NOT NULL
                AND right(CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END, 4) = right($17, 4)
                AND reverse(CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END) LIKE $16)
            OR (call.ended_at IS NULL AND ((reverse(call.to_number) LIKE $16) OR (reverse(call.from_number) LIKE $16)))))
        AND ($18::text IS NULL OR COALESCE(call.request->>'customer_name', '') ILIKE $18)
        AND ($19::text IS NULL OR (
            ($19 = '' AND COALESCE(call.request->>'external_id', '') = '')
            OR ($19 <> '' AND call.ended_at IS NULL AND call.request->>'external_id' = $19)
            OR ($19 <> '' AND call.ended_at IS NOT NULL AND call.request->>'external_id' <> ''
                AND hashtextextended(call.request->>'external_id', 0) = hashtextextended($19, 0)
                AND call.request->>'external_id' = $19)))
        AND ($20::text IS NULL OR call.outcome = $20)
        AND ($2::timestamptz IS NULL OR call.created_at >= $2)
        AND ($3::timestamptz IS NULL OR call.created_at <= $3)
        AND ($21::integer IS NULL OR call.duration_sec >= $21)
        AND ($22::integer IS NULL OR call.duration_sec <= $22)
        AND ($23::text IS NULL OR call.worker_id = $23)
        AND ($24::jsonb IS NULL
            OR EXISTS (SELECT FROM call_findings AS found WHERE found.conversation_id = call.id AND found.answers @> $24))
        AND call.created_at >= piece.starts_at AND call.created_at < piece.ends_at
      GROUP BY 1, 2) AS call
  ), counted AS MATERIALIZED (
    SELECT (1 + width_bucket(starts_at,
        ($7::timestamptz[])[2:cardinality($7::timestamptz[]) - 1])) + (starts_at IN (SELECT starts_at FROM cut
          WHERE is_next))::int AS bucket,
      value AS value, sum(connected) + sum(failed) AS calls, sum(connected) AS connected,
      sum(failed) AS failed, 0 AS under_way, sum(connected) AS ended, sum(seconds) AS seconds,
      sum(credits) AS credits
    FROM sums GROUP BY 1, sums.value
    UNION ALL
    SELECT bucket, value, calls, connected, failed, under_way, ended, seconds, credits FROM read
    UNION ALL
    SELECT counted_in, value, -calls, -connected, -failed, -under_way, -ended, -seconds, -credits FROM read
    WHERE counted_in IS NOT NULL
  )
, found AS (
  SELECT bucket, value, sum(calls)::float8 AS calls, sum(connected)::float8 AS connected, sum(failed)::float8 AS failed,
    sum(under_way)::float8 AS under_way, sum(ended)::float8 AS ended, sum(seconds)::float8 AS seconds, sum(credits)::float8
    AS credits
  FROM counted AS counted GROUP BY bucket, value HAVING sum(calls) > 0
), weighed AS (
  SELECT *, sum(calls) OVER (PARTITION BY value) AS weight FROM found
), numbered AS MATERIALIZED (
  SELECT *, dense_rank() OVER (ORDER BY weight DESC, value COLLATE "C") AS number FROM weighed
), series_group AS (
  SELECT number, NULLIF(value, '') AS key FROM numbered WHERE number <= $25::int GROUP BY 1, 2
), series_row AS (
  SELECT bucket, LEAST(number, $25::int + 1) AS "group", sum(calls)::float8 AS calls, sum(connected)::float8 AS connected,
    sum(failed)::float8 AS failed, sum(under_way)::float8 AS under_way, sum(ended)::float8 AS ended, sum(seconds)::float8
    AS seconds, sum(credits)::float8 AS credits
  FROM numbered GROUP BY 1, 2 LIMIT $26
)
SELECT now() AS "asOf",
  to_json(ARRAY(SELECT json_build_object('key', key, 'label',
      (SELECT name FROM agents WHERE id = key::uuid AND workspace_id = $1))
    FROM series_group ORDER BY number)) AS groups,
  to_json(ARRAY(SELECT json_build_object('bucket', bucket, 'group', "group", 'calls', calls, 'connected', connected,
      'failed', failed, 'underWay', under_way, 'ended', ended, 'seconds', seconds, 'credits', credits)
    FROM series_row)) AS rows;

-- find-buckets-of-call-series (src/features/reports/series/call-series.sql.ts)
-- $1 startIsDay, $2 start, $3 timezone, $4 endIsDay, $5 end, $6 interval, $7 workspaceId, $8 maxBuckets
WITH asked AS MATERIALIZED (
  SELECT CASE WHEN $1::boolean THEN
    CASE
    WHEN (($2::timestamptz AT TIME ZONE 'UTC') AT TIME ZONE $3 - interval '1 hour') AT TIME ZONE $3 >= ($2::timestamptz AT TIME ZONE 'UTC')
    THEN ($2::timestamptz AT TIME ZONE 'UTC') AT TIME ZONE $3 - interval '1 hour'
    ELSE ($2::timestamptz AT TIME ZONE 'UTC') AT TIME ZONE $3 END ELSE $2 END AS created_from,
    CASE WHEN $4::boolean THEN
    CASE
    WHEN (($5::timestamptz AT TIME ZONE 'UTC' + interval '1 day') AT TIME ZONE $3 - interval '1 hour') AT TIME ZONE $3 >= ($5::timestamptz AT TIME ZONE 'UTC' + interval '1 day')
    THEN ($5::timestamptz AT TIME ZONE 'UTC' + interval '1 day') AT TIME ZONE $3 - interval '1 hour'
    ELSE ($5::timestamptz AT TIME ZONE 'UTC' + interval '1 day') AT TIME ZONE $3 END - interval '1 millisecond'
    ELSE $5 END AS created_until, ('1 ' || $6::text)::interval AS step
), span AS MATERIALIZED (
  SELECT *, COALESCE(created_from,
      (SELECT min(created_at) FROM conversations WHERE workspace_id = $7), now()) AS first,
    COALESCE(created_until, now()) AS last
  FROM asked
), bound AS (
  SELECT date_trunc('hour', first, $3) + number * step AS time
  FROM span CROSS JOIN generate_series(0, $8::int + 1) AS number
  WHERE $6 = 'hour' AND first <= last AND date_trunc('hour', first, $3) + (number - 1) * step <= last
  UNION
  SELECT
    CASE WHEN (local AT TIME ZONE $3 - interval '1 hour') AT TIME ZONE $3 >= local
    THEN local AT TIME ZONE $3 - interval '1 hour' ELSE local AT TIME ZONE $3 END
  FROM span CROSS JOIN LATERAL (
    SELECT date_trunc($6, first AT TIME ZONE $3) + number * step AS local,
      date_trunc($6, last AT TIME ZONE $3) + step AS last_local
    FROM generate_series(0, $8::int + 1) AS number) AS series
  WHERE $6 <> 'hour' AND first <= last AND local <= last_local
)
SELECT created_from AS "createdFrom", created_until AS "createdUntil",
  CASE WHEN (SELECT count(*) FROM bound) <= $8::int + 1
  THEN ARRAY(SELECT time FROM bound ORDER BY time) END AS bounds
FROM span;

-- read-call-series-by-agent (src/features/reports/series/call-series.sql.ts), not prepared
-- also read-call-series-by-agent-version
-- also read-call-series-by-all
-- also read-call-series-by-campaign
-- also read-call-series-by-direction
-- also read-call-series-by-disconnect-reason
-- also read-call-series-by-outcome
-- $1 bounds, $2 workspaceId, $3 agentsInScope, $4 agentId, $5 agentVersion, $6 campaignId, $7 statuses, $8 reasons, $9 direction, $10 channel, $11 callType, $12 reversedNumber, $13 lastDigits, $14 customerName, $15 externalId, $16 outcome, $17 createdFrom, $18 createdUntil, $19 durationMin, $20 durationMax, $21 workerId, $22 findings, $23 maxGroups, $24 maxRows
WITH calls AS MATERIALIZED (
  SELECT (1 + width_bucket(call.created_at, ($1::timestamptz[])[2:cardinality($1::timestamptz[]) - 1])) AS bucket,
    call.agent_id::text AS value,
    count(*) AS calls, count(*) FILTER (WHERE status IN ('connected', 'disconnected')) AS connected,
    count(*) FILTER (WHERE status = 'failed') AS failed, count(*) FILTER (WHERE ended_at IS NULL) AS under_way,
    count(*) FILTER (WHERE status = 'disconnected') AS ended,
    COALESCE(sum(duration_sec) FILTER (WHERE status = 'disconnected'), 0) AS seconds,
    COALESCE(sum(charge), 0) AS credits
  FROM conversations AS call WHERE call.workspace_id = $2
    AND ($3::uuid[] IS NULL OR call.agent_id = ANY ($3))
    AND ($4::uuid IS NULL OR call.agent_id = $4)
    AND ($5::integer IS NULL OR call.agent_version = $5)
    AND ($6::uuid IS NULL
        OR ((call.ended_at IS NOT NULL AND call.campaign_id = $6) OR (call.ended_at IS NULL AND call.campaign_id = $6)))
    AND ($7::text[] IS NULL OR call.status = ANY ($7))
    AND ($8::text[] IS NULL OR call.disconnect_reason = ANY ($8))
    AND ($9::text IS NULL OR call.direction = $9)
    AND ($10::text IS NULL OR call.channel = $10)
    AND ($11::text IS NULL OR call.call_type = $11)
    AND ($12::text IS NULL OR (
        (call.ended_at IS NOT NULL
            AND right(CASE WHEN call.incoming_claim_id IS NULL THEN call.to_number ELSE call.from_number END, 4) = right($13, 4)
            AND reverse(CASE WHEN call.incoming_claim_id IS NULL THEN call.to_number ELSE call.from_number END) LIKE $12)
        OR (call.ended_at IS NOT NULL
            AND right(CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END, 4) = right($13, 4)
            AND reverse(CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END) LIKE $12)
        OR (call.ended_at IS NULL AND ((reverse(call.to_number) LIKE $12) OR (reverse(call.from_number) LIKE $12)))))
    AND ($14::text IS NULL OR COALESCE(call.request->>'customer_name', '') ILIKE $14)
    AND ($15::text IS NULL OR (
        ($15 = '' AND COALESCE(call.request->>'external_id', '') = '')
        OR ($15 <> '' AND call.ended_at IS NULL AND call.request->>'external_id' = $15)
        OR ($15 <> '' AND call.ended_at IS NOT NULL AND call.request->>'external_id' <> ''
            AND hashtextextended(call.request->>'external_id', 0) = hashtextextended($15, 0)
            AND call.request->>'external_id' = $15)))
    AND ($16::text IS NULL OR call.outcome = $16)
    AND ($17::timestamptz IS NULL OR call.created_at >= $17)
    AND ($18::timestamptz IS NULL OR call.created_at <= $18)
    AND ($19::integer IS NULL OR call.duration_sec >= $19)
    AND ($20::integer IS NULL OR call.duration_sec <= $20)
    AND ($21::text IS NULL OR call.worker_id = $21)
    AND ($22::jsonb IS NULL
        OR EXISTS (SELECT FROM call_findings AS found WHERE found.conversation_id = call.id
            AND found.answers @> $22)) GROUP BY 1, 2
)
, found AS (
  SELECT bucket, value, sum(calls)::float8 AS calls, sum(connected)::float8 AS connected, sum(failed)::float8 AS failed,
    sum(under_way)::float8 AS under_way, sum(ended)::float8 AS ended, sum(seconds)::float8 AS seconds, sum(credits)::float8
    AS credits
  FROM calls AS counted GROUP BY bucket, value HAVING sum(calls) > 0
), weighed AS (
  SELECT *, sum(calls) OVER (PARTITION BY value) AS weight FROM found
), numbered AS MATERIALIZED (
  SELECT *, dense_rank() OVER (ORDER BY weight DESC, value COLLATE "C") AS number FROM weighed
), series_group AS (
  SELECT number, NULLIF(value, '') AS key FROM numbered WHERE number <= $23::int GROUP BY 1, 2
), series_row AS (
  SELECT bucket, LEAST(number, $23::int + 1) AS "group", sum(calls)::float8 AS calls, sum(connected)::float8 AS connected,
    sum(failed)::float8 AS failed, sum(under_way)::float8 AS under_way, sum(ended)::float8 AS ended, sum(seconds)::float8
    AS seconds, sum(credits)::float8 AS credits
  FROM numbered GROUP BY 1, 2 LIMIT $24
)
SELECT now() AS "asOf",
  to_json(ARRAY(SELECT json_build_object('key', key, 'label',
      (SELECT name FROM agents WHERE id = key::uuid AND workspace_id = $2))
    FROM series_group ORDER BY number)) AS groups,
  to_json(ARRAY(SELECT json_build_object('bucket', bucket, 'group', "group", 'calls', calls, 'connected', connected,
      'failed', failed, 'underWay', under_way, 'ended', ended, 'seconds', seconds, 'credits', credits)
    FROM series_row)) AS rows;

-- read-call-series-by-finding (src/features/reports/series/call-series.sql.ts), not prepared
-- $1 bounds, $2 finding, $3 workspaceId, $4 agentsInScope, $5 agentId, $6 agentVersion, $7 campaignId, $8 statuses, $9 reasons, $10 direction, $11 channel, $12 callType, $13 reversedNumber, $14 lastDigits, $15 customerName, $16 externalId, $17 outcome, $18 createdFrom, $19 createdUntil, $20 durationMin, $21 durationMax, $22 workerId, $23 findings, $24 maxGroups, $25 maxRows
WITH calls AS MATERIALIZED (
  SELECT (1 + width_bucket(call.created_at, ($1::timestamptz[])[2:cardinality($1::timestamptz[]) - 1])) AS bucket,
    left(COALESCE((
      SELECT answers ->> $2 FROM call_findings AS found WHERE found.conversation_id = call.id), ''), 100) AS value,
    count(*) AS calls, count(*) FILTER (WHERE status IN ('connected', 'disconnected')) AS connected,
    count(*) FILTER (WHERE status = 'failed') AS failed, count(*) FILTER (WHERE ended_at IS NULL) AS under_way,
    count(*) FILTER (WHERE status = 'disconnected') AS ended,
    COALESCE(sum(duration_sec) FILTER (WHERE status = 'disconnected'), 0) AS seconds,
    COALESCE(sum(charge), 0) AS credits
  FROM conversations AS call WHERE call.workspace_id = $3
    AND ($4::uuid[] IS NULL OR call.agent_id = ANY ($4))
    AND ($5::uuid IS NULL OR call.agent_id = $5)
    AND ($6::integer IS NULL OR call.agent_version = $6)
    AND ($7::uuid IS NULL
        OR ((call.ended_at IS NOT NULL AND call.campaign_id = $7) OR (call.ended_at IS NULL AND call.campaign_id = $7)))
    AND ($8::text[] IS NULL OR call.status = ANY ($8))
    AND ($9::text[] IS NULL OR call.disconnect_reason = ANY ($9))
    AND ($10::text IS NULL OR call.direction = $10)
    AND ($11::text IS NULL OR call.channel = $11)
    AND ($12::text IS NULL OR call.call_type = $12)
    AND ($13::text IS NULL OR (
        (call.ended_at IS NOT NULL
            AND right(CASE WHEN call.incoming_claim_id IS NULL THEN call.to_number ELSE call.from_number END, 4) = right($14, 4)
            AND reverse(CASE WHEN call.incoming_claim_id IS NULL THEN call.to_number ELSE call.from_number END) LIKE $13)
        OR (call.ended_at IS NOT NULL
            AND right(CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END, 4) = right($14, 4)
            AND reverse(CASE WHEN call.incoming_claim_id IS NULL THEN call.from_number ELSE call.to_number END) LIKE $13)
        OR (call.ended_at IS NULL AND ((reverse(call.to_number) LIKE $13) OR (reverse(call.from_number) LIKE $13)))))
    AND ($15::text IS NULL OR COALESCE(call.request->>'customer_name', '') ILIKE $15)
    AND ($16::text IS NULL OR (
        ($16 = '' AND COALESCE(call.request->>'external_id', '') = '')
        OR ($16 <> '' AND call.ended_at IS NULL AND call.request->>'external_id' = $16)
        OR ($16 <> '' AND call.ended_at IS NOT NULL AND call.request->>'external_id' <> ''
            AND hashtextextended(call.request->>'external_id', 0) = hashtextextended($16, 0)
            AND call.request->>'external_id' = $16)))
    AND ($17::text IS NULL OR call.outcome = $17)
    AND ($18::timestamptz IS NULL OR call.created_at >= $18)
    AND ($19::timestamptz IS NULL OR call.created_at <= $19)
    AND ($20::integer IS NULL OR call.duration_sec >= $20)
    AND ($21::integer IS NULL OR call.duration_sec <= $21)
    AND ($22::text IS NULL OR call.worker_id = $22)
    AND ($23::jsonb IS NULL
        OR EXISTS (SELECT FROM call_findings AS found WHERE found.conversation_id = call.id
            AND found.answers @> $23)) GROUP BY 1, 2
)
, found AS (
  SELECT bucket, value, sum(calls)::float8 AS calls, sum(connected)::float8 AS connected, sum(failed)::float8 AS failed,
    sum(under_way)::float8 AS under_way, sum(ended)::float8 AS ended, sum(seconds)::float8 AS seconds, sum(credits)::float8
    AS credits
  FROM calls AS counted GROUP BY bucket, value HAVING sum(calls) > 0
), weighed AS (
  SELECT *, sum(calls) OVER (PARTITION BY value) AS weight FROM found
), numbered AS MATERIALIZED (
  SELECT *, dense_rank() OVER (ORDER BY weight DESC, value COLLATE "C") AS number FROM weighed
), series_group AS (
  SELECT number, NULLIF(value, '') AS key FROM numbered WHERE number <= $24::int GROUP BY 1, 2
), series_row AS (
  SELECT bucket, LEAST(number, $24::int + 1) AS "group", sum(calls)::float8 AS calls, sum(connected)::float8 AS connected,
    sum(failed)::float8 AS failed, sum(under_way)::float8 AS under_way, sum(ended)::float8 AS ended, sum(seconds)::float8
    AS seconds, sum(credits)::float8 AS credits
  FROM numbered GROUP BY 1, 2 LIMIT $25
)
SELECT now() AS "asOf",
  to_json(ARRAY(SELECT json_build_object('key', key, 'label', key)
    FROM series_group ORDER BY number)) AS groups,
  to_json(ARRAY(SELECT json_build_object('bucket', bucket, 'group', "group", 'calls', calls, 'connected', connected,
      'failed', failed, 'underWay', under_way, 'ended', ended, 'seconds', seconds, 'credits', credits)
    FROM series_row)) AS rows;

-- sum-call-measurements-by-agent (src/features/reports/series/call-measurements.sql.ts), not prepared
-- also sum-call-measurements-by-agent-version
-- also sum-call-measurements-by-all
-- also sum-call-measurements-by-campaign
-- $1 bounds, $2 workspaceId, $3 createdFrom, $4 createdUntil, $5 agentId, $6 agentVersion, $7 campaignId, $8 maxRows
WITH summed AS MATERIALIZED (
  SELECT (1 + width_bucket(starts_at, ($1::timestamptz[])[2:cardinality($1::timestamptz[]) - 1])) AS bucket,
    agent_id::text AS value, measure, sum(amount)::float8 AS amount
  FROM measurement_rollups
  WHERE workspace_id = $2
    AND ($3::timestamptz IS NULL
        OR starts_at >= date_bin(interval '15 minutes', $3::timestamptz, timestamptz '2000-01-01 00:00Z'))
    AND ($4::timestamptz IS NULL
        OR starts_at < date_bin(interval '15 minutes', $4::timestamptz + interval '15 minutes' - interval '1 microsecond',
            timestamptz '2000-01-01 00:00Z'))
    AND ($5::uuid IS NULL OR agent_id = $5)
    AND ($6::integer IS NULL OR agent_version = $6)
    AND ($7::uuid IS NULL OR campaign_id = $7 AND campaign_id <> '00000000-0000-0000-0000-000000000000')
  GROUP BY 1, 2, 3 LIMIT $8
), numbered AS MATERIALIZED (
  SELECT *, dense_rank() OVER (ORDER BY value COLLATE "C") - 1 AS number FROM summed
), series_group AS (
  SELECT DISTINCT number, NULLIF(value, '') AS key FROM numbered
)
SELECT now() AS "asOf",
  to_json(ARRAY(SELECT json_build_object('key', key, 'label',
      (SELECT name FROM agents WHERE id = key::uuid AND workspace_id = $2))
    FROM series_group ORDER BY number)) AS groups,
  to_json(ARRAY(SELECT json_build_array(bucket, number, measure, amount) FROM numbered)) AS rows;

--
-- src/features/reports/statistics/
--

-- call-page-of-workspace (src/features/reports/statistics/call-statistics.repository.ts)
-- $1 createdFrom, $2 createdUntil, $3 workspaceId, $4 callType, $5 statuses, $6 subjectId, $7 offset, $8 limit
WITH
  asked AS MATERIALIZED (
    SELECT COALESCE($1::timestamptz, '-infinity') AS asked_from,
      COALESCE($2::timestamptz + interval '1 millisecond', 'infinity') AS asked_to,
      COALESCE((SELECT rolled_up_until FROM call_rollup_states WHERE workspace_id = $3),
          '-infinity') AS rolled_up_until
  ), rolled_up AS MATERIALIZED (
    SELECT *, LEAST(asked_from, rolled_up_until) AS rows_from, LEAST(asked_to, rolled_up_until) AS rows_to FROM asked
  ), quarters AS MATERIALIZED (
    SELECT *,
      date_bin(interval '15 minutes', rows_from + interval '15 minutes' - interval '1 microsecond',
          timestamptz '2000-01-01 00:00Z') AS quarters_from,
      GREATEST(date_bin(interval '15 minutes', rows_from + interval '15 minutes' - interval '1 microsecond',
          timestamptz '2000-01-01 00:00Z'), date_bin(interval '15 minutes', rows_to, timestamptz '2000-01-01 00:00Z'))
      AS quarters_to
    FROM rolled_up
  ), parts AS MATERIALIZED (
    SELECT *,
      LEAST(date_bin(interval '1 day', quarters_from + interval '1 day' - interval '1 microsecond',
          timestamptz '2000-01-01 00:00Z'), quarters_to) AS days_from,
      GREATEST(LEAST(date_bin(interval '1 day', quarters_from + interval '1 day' - interval '1 microsecond',
          timestamptz '2000-01-01 00:00Z'), quarters_to),
          date_bin(interval '1 day', quarters_to, timestamptz '2000-01-01 00:00Z')) AS days_to
    FROM quarters
  ), slices AS MATERIALIZED (
    SELECT starts_at, ends_at, 0 AS minutes, counted.*
    FROM parts
    CROSS JOIN LATERAL (VALUES (GREATEST(asked_from, rolled_up_until), asked_to), (quarters_to, rows_to),
        (rows_from, LEAST(quarters_from, rows_to))) AS slice (starts_at, ends_at)
    CROSS JOIN LATERAL (
      SELECT calls, connected, failed, seconds FROM (
        SELECT count(*) AS calls,
          count(*) FILTER (WHERE status = 'disconnected') AS connected,
          count(*) FILTER (WHERE status = 'failed') AS failed,
          COALESCE(sum(duration_sec) FILTER (WHERE status = 'disconnected'), 0) AS seconds,
          COALESCE(sum(charge), 0) AS credits FROM conversations AS call
        WHERE call.workspace_id = $3
          AND ($4::text IS NULL OR call.call_type = $4)
          AND ($5::text[] IS NULL OR call.status = ANY ($5)) AND call.created_at >= slice.starts_at
          AND call.created_at < slice.ends_at) AS sums) AS counted
    UNION ALL
    SELECT starts_at, starts_at + interval '15 minutes' AS ends_at, 15 AS minutes,
      sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN connected ELSE 0 END + CASE WHEN $5::text[] IS NULL
          OR 'failed' = ANY ($5) THEN failed ELSE 0 END) AS calls,
      sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN connected ELSE 0 END) AS connected,
      sum(CASE WHEN $5::text[] IS NULL OR 'failed' = ANY ($5) THEN failed ELSE 0 END) AS failed,
      sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN seconds ELSE 0 END) AS seconds
    FROM call_rollups WHERE
      workspace_id = $3 AND subject_id = $6 AND bucket_minutes = 15
      AND ($4::text IS NULL OR call_type = $4)
      AND (starts_at >= (SELECT quarters_from FROM parts) AND starts_at < (SELECT days_from FROM parts)) GROUP BY starts_at
    UNION ALL
    SELECT starts_at, starts_at + interval '15 minutes' AS ends_at, 15 AS minutes,
      sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN connected ELSE 0 END + CASE WHEN $5::text[] IS NULL
          OR 'failed' = ANY ($5) THEN failed ELSE 0 END) AS calls,
      sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN connected ELSE 0 END) AS connected,
      sum(CASE WHEN $5::text[] IS NULL OR 'failed' = ANY ($5) THEN failed ELSE 0 END) AS failed,
      sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN seconds ELSE 0 END) AS seconds
    FROM call_rollups WHERE
      workspace_id = $3 AND subject_id = $6 AND bucket_minutes = 15
      AND ($4::text IS NULL OR call_type = $4)
      AND (starts_at >= (SELECT days_to FROM parts) AND starts_at < (SELECT quarters_to FROM parts)) GROUP BY starts_at
    UNION ALL
    SELECT starts_at, starts_at + interval '1 day' AS ends_at, 1440 AS minutes,
      sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN connected ELSE 0 END + CASE WHEN $5::text[] IS NULL
          OR 'failed' = ANY ($5) THEN failed ELSE 0 END) AS calls,
      sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN connected ELSE 0 END) AS connected,
      sum(CASE WHEN $5::text[] IS NULL OR 'failed' = ANY ($5) THEN failed ELSE 0 END) AS failed,
      sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN seconds ELSE 0 END) AS seconds
    FROM call_rollups WHERE
      workspace_id = $3 AND subject_id = $6 AND bucket_minutes = 1440
      AND ($4::text IS NULL OR call_type = $4)
      AND (starts_at >= (SELECT days_from FROM parts) AND starts_at < (SELECT days_to FROM parts)) GROUP BY starts_at
  ), totals AS (
    SELECT COALESCE(sum(calls), 0)::int AS total, COALESCE(sum(connected), 0)::int AS successful,
      COALESCE(sum(failed), 0)::int AS failed,
      COALESCE(round(sum(seconds) / NULLIF(sum(connected), 0)), 0)::int AS "averageSeconds"
    FROM slices
  ), found AS MATERIALIZED (
    SELECT * FROM (
      SELECT *, 0 + sum(calls) OVER (ORDER BY starts_at desc) - calls AS before FROM slices WHERE calls > 0
    ) AS slice
    WHERE before < $7::bigint + $8::int AND before + calls > $7
  ), smallest AS MATERIALIZED (
    SELECT starts_at, ends_at, calls FROM found WHERE minutes < 1440
    UNION ALL
    SELECT quarter.starts_at, quarter.ends_at, quarter.calls
    FROM found CROSS JOIN LATERAL (
      SELECT starts_at, starts_at + interval '15 minutes' AS ends_at, 15 AS minutes,
        sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN connected ELSE 0 END + CASE WHEN $5::text[] IS NULL
            OR 'failed' = ANY ($5) THEN failed ELSE 0 END) AS calls,
        sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN connected ELSE 0 END) AS connected,
        sum(CASE WHEN $5::text[] IS NULL OR 'failed' = ANY ($5) THEN failed ELSE 0 END) AS failed,
        sum(CASE WHEN $5::text[] IS NULL OR 'disconnected' = ANY ($5) THEN seconds ELSE 0 END) AS seconds
      FROM call_rollups WHERE
        workspace_id = $3 AND subject_id = $6 AND bucket_minutes = 15
        AND ($4::text IS NULL OR call_type = $4)
        AND (starts_at >= found.starts_at AND starts_at < found.ends_at) GROUP BY starts_at) AS quarter
    WHERE found.minutes = 1440
  ), covering AS MATERIALIZED (
    SELECT * FROM (
      SELECT *, (SELECT min(before) FROM found) + sum(calls) OVER (ORDER BY starts_at desc) - calls AS before FROM smallest
      WHERE calls > 0
    ) AS slice
    WHERE before < $7::bigint + $8::int AND before + calls > $7
  ), page AS (
    SELECT call.*
    FROM covering CROSS JOIN LATERAL (
      SELECT call.id, call.agent_id, call.call_type, call.status, call.duration_sec, call.created_at FROM conversations
        AS call
      WHERE call.workspace_id = $3
        AND ($4::text IS NULL OR call.call_type = $4)
        AND ($5::text[] IS NULL OR call.status = ANY ($5)) AND call.created_at >= covering.starts_at
        AND call.created_at < covering.ends_at
      ORDER BY call.created_at desc, call.id desc
      OFFSET GREATEST(0, $7 - before)::bigint LIMIT $8) AS call
    ORDER BY call.created_at desc, call.id desc LIMIT $8
  )
SELECT totals.*, page.id AS "id", page.agent_id AS "agentId", page.call_type AS "callType", page.status AS "status",
  page.duration_sec AS "durationSec", page.created_at AS "createdAt"
FROM totals LEFT JOIN page ON true ORDER BY page.created_at DESC, page.id DESC;

--
-- src/features/retention/
--

-- clear-old-call-recordings (src/features/retention/retention.sql.ts)
-- $1 workspaceId, $2 afterTime, $3 afterId, $4 days
WITH
  found AS MATERIALIZED (
    SELECT call.*, COALESCE((SELECT turns FROM call_transcripts WHERE conversation_id = call.id), 0) AS turns
    FROM (
      SELECT id, created_at, ended_at FROM conversations
      WHERE workspace_id = $1 AND created_at >= $2::timestamptz
        AND (created_at, id) > ($2::timestamptz, $3::uuid)
        AND created_at < now() - $4::int * interval '1 day' - interval '1 hour'
      ORDER BY created_at, id LIMIT 1000
    ) AS call
  ), walked AS (
    SELECT *, sum(turns) OVER (ORDER BY created_at, id) - turns AS turns_before FROM found
  ), batch AS MATERIALIZED (
    SELECT *, COALESCE(ended_at < now() - $4::int * interval '1 day' - interval '1 hour', false) AS is_due FROM walked
    WHERE turns_before < 10000
  ), last AS (
    SELECT created_at, id FROM batch ORDER BY created_at DESC, id DESC LIMIT 1
  ), locked AS MATERIALIZED (
    SELECT id FROM conversations AS call
    WHERE id = ANY (ARRAY(SELECT id FROM batch WHERE is_due))
      AND (EXISTS (SELECT FROM call_recordings WHERE conversation_id = call.id) OR false)
    ORDER BY id FOR UPDATE
  ), emptied AS (
    UPDATE webhook_events SET data = data || '{"recording_url": null}'
    WHERE conversation_id = ANY (ARRAY(SELECT id FROM locked)) AND type = 'call.recorded'), removed AS (
      DELETE FROM call_recordings WHERE conversation_id = ANY (ARRAY(SELECT id FROM locked)) RETURNING 1
    )
SELECT
  (SELECT created_at::text FROM last) AS "lastTime", (SELECT id FROM last) AS "lastId",
  (SELECT min(created_at)::text FROM batch WHERE NOT is_due) AS "firstLeft", (SELECT count(*)::int FROM removed) AS count;

-- clear-old-call-transcripts (src/features/retention/retention.sql.ts)
-- $1 workspaceId, $2 afterTime, $3 afterId, $4 days
WITH
  found AS MATERIALIZED (
    SELECT call.*, COALESCE((SELECT turns FROM call_transcripts WHERE conversation_id = call.id), 0) AS turns
    FROM (
      SELECT id, created_at, ended_at FROM conversations
      WHERE workspace_id = $1 AND created_at >= $2::timestamptz
        AND (created_at, id) > ($2::timestamptz, $3::uuid)
        AND created_at < now() - $4::int * interval '1 day' - interval '1 hour'
      ORDER BY created_at, id LIMIT 1000
    ) AS call
  ), walked AS (
    SELECT *, sum(turns) OVER (ORDER BY created_at, id) - turns AS turns_before FROM found
  ), batch AS MATERIALIZED (
    SELECT *, COALESCE(ended_at < now() - $4::int * interval '1 day' - interval '1 hour', false) AS is_due FROM walked
    WHERE turns_before < 10000
  ), last AS (
    SELECT created_at, id FROM batch ORDER BY created_at DESC, id DESC LIMIT 1
  ), locked AS MATERIALIZED (
    SELECT id FROM conversations AS call
    WHERE id = ANY (ARRAY(SELECT id FROM batch WHERE is_due))
      AND (EXISTS (SELECT FROM call_transcripts WHERE conversation_id = call.id)
          OR EXISTS (SELECT FROM tool_invocations WHERE conversation_id = call.id
              AND tool_invocations.key <> tool_invocations.id::text)
          OR EXISTS (SELECT FROM call_findings WHERE conversation_id = call.id AND (answers <> '{}' OR fields <> '{}')))
    ORDER BY id FOR UPDATE
  ), emptied AS (
    UPDATE tool_invocations SET
      key = id::text, same_as = NULL, arguments = '{}', result = NULL, error = NULL, variables = '{}', note = ''
    WHERE conversation_id = ANY (ARRAY(SELECT id FROM locked)) AND tool_invocations.key <> tool_invocations.id::text
  ), findings AS (
    UPDATE call_findings SET fields = '{}', criteria = '{}', answers = '{}'
    WHERE conversation_id = ANY (ARRAY(SELECT id FROM locked)) AND (answers <> '{}' OR fields <> '{}')
  ), removed AS (
    DELETE FROM call_transcripts WHERE conversation_id = ANY (ARRAY(SELECT id FROM locked)) RETURNING 1
  )
SELECT
  (SELECT created_at::text FROM last) AS "lastTime", (SELECT id FROM last) AS "lastId",
  (SELECT min(created_at)::text FROM batch WHERE NOT is_due) AS "firstLeft", (SELECT count(*)::int FROM removed) AS count;

-- count-due-calls (src/features/retention/retention.sql.ts)
-- $1 callsDays, $2 workspaceId, $3 transcriptsDays, $4 recordingsDays
SELECT
  (SELECT json_build_object('count', LEAST(count(*) FILTER (WHERE is_counted), 50000), 'exact', count(*) <= 50000)
    FROM (
      SELECT ended_at < now() - $1::int * interval '1 day' - interval '1 hour' AND
        COALESCE((
          SELECT status NOT IN ('calling', 'retrying')
          FROM campaign_recipients WHERE conversation_id = call.id LIMIT 1), true) AS is_counted
      FROM conversations AS call
      WHERE workspace_id = $2 AND created_at >= timestamptz '-infinity'
        AND created_at < now() - $1::int * interval '1 day' - interval '1 hour'
      ORDER BY created_at LIMIT 50000 + 1
    ) AS seen) AS calls,
  (SELECT json_build_object('count', LEAST(count(*) FILTER (WHERE is_counted), 50000), 'exact', count(*) <= 50000)
    FROM (
      SELECT ended_at < now() - LEAST($3::int, $1::int) * interval '1 day' - interval '1 hour'
        AND EXISTS (SELECT FROM call_transcripts WHERE conversation_id = call.id) AS is_counted
      FROM conversations AS call
      WHERE workspace_id = $2
        AND created_at >= COALESCE((SELECT transcripts_until FROM workspace_retention WHERE workspace_id = $2), '-infinity')
        AND created_at < now() - LEAST($3::int, $1::int) * interval '1 day' - interval '1 hour'
      ORDER BY created_at LIMIT 50000 + 1
    ) AS seen) AS transcripts,
  (SELECT json_build_object('count', LEAST(count(*) FILTER (WHERE is_counted), 50000), 'exact', count(*) <= 50000)
    FROM (
      SELECT ended_at < now() - LEAST($4::int, $1::int) * interval '1 day' - interval '1 hour'
        AND EXISTS (SELECT FROM call_recordings WHERE conversation_id = call.id) AS is_counted
      FROM conversations AS call
      WHERE workspace_id = $2
        AND created_at >= COALESCE((SELECT recordings_until FROM workspace_retention WHERE workspace_id = $2), '-infinity')
        AND created_at < now() - LEAST($4::int, $1::int) * interval '1 day' - interval '1 hour'
      ORDER BY created_at LIMIT 50000 + 1
    ) AS seen) AS recordings;

-- find-retention (src/features/retention/retention.sql.ts)
-- $1 workspaceId
SELECT transcripts_days AS "transcriptsDays", recordings_days AS "recordingsDays", calls_days AS "callsDays"
FROM workspace_retention WHERE workspace_id = $1;

-- find-workspaces-with-retention (src/features/retention/retention.sql.ts)
SELECT workspace_id AS "workspaceId", revision, transcripts_days AS "transcriptsDays",
  recordings_days AS "recordingsDays", calls_days AS "callsDays",
  transcripts_until::text AS "transcriptsUntil", recordings_until::text AS "recordingsUntil"
FROM workspace_retention
WHERE transcripts_days IS NOT NULL OR recordings_days IS NOT NULL OR calls_days IS NOT NULL
ORDER BY workspace_id;

-- lock-calls-to-delete (src/features/retention/retention.sql.ts)
-- $1 workspaceId, $2 afterTime, $3 afterId, $4 days
WITH
  found AS MATERIALIZED (
    SELECT call.*, COALESCE((SELECT turns FROM call_transcripts WHERE conversation_id = call.id), 0) AS turns
    FROM (
      SELECT id, created_at, ended_at FROM conversations
      WHERE workspace_id = $1 AND created_at >= $2::timestamptz
        AND (created_at, id) > ($2::timestamptz, $3::uuid)
        AND created_at < now() - $4::int * interval '1 day' - interval '1 hour'
      ORDER BY created_at, id LIMIT 200
    ) AS call
  ), walked AS (
    SELECT *, sum(turns) OVER (ORDER BY created_at, id) - turns AS turns_before FROM found
  ), batch AS MATERIALIZED (
    SELECT *, COALESCE(ended_at < now() - $4::int * interval '1 day' - interval '1 hour', false) AS is_due FROM walked
    WHERE turns_before < 10000
  ), last AS (
    SELECT created_at, id FROM batch ORDER BY created_at DESC, id DESC LIMIT 1
  ), locked AS MATERIALIZED (
    SELECT id FROM conversations AS call
    WHERE id = ANY (ARRAY(SELECT id FROM batch WHERE is_due))
      AND
      COALESCE((
        SELECT status NOT IN ('calling', 'retrying')
        FROM campaign_recipients WHERE conversation_id = call.id LIMIT 1), true)
    ORDER BY id FOR UPDATE SKIP LOCKED
  )
SELECT
  (SELECT created_at::text FROM last) AS "lastTime", (SELECT id FROM last) AS "lastId",
  (SELECT min(created_at)::text FROM batch WHERE NOT is_due) AS "firstLeft", (SELECT min(created_at)::text FROM batch)
  AS "firstTime", ARRAY(SELECT id FROM locked) AS ids,
  (SELECT count(*)::int FROM locked) AS count;

-- save-recordings-until (src/features/retention/retention.sql.ts)
-- $1 until, $2 workspaceId, $3 revision
UPDATE workspace_retention SET recordings_until = GREATEST(recordings_until, $1::timestamptz)
WHERE workspace_id = $2 AND revision = $3 AND changed_at < now() - interval '1 minute';

-- save-transcripts-until (src/features/retention/retention.sql.ts)
-- $1 until, $2 workspaceId, $3 revision
UPDATE workspace_retention SET transcripts_until = GREATEST(transcripts_until, $1::timestamptz)
WHERE workspace_id = $2 AND revision = $3 AND changed_at < now() - interval '1 minute';

-- set-retention (src/features/retention/retention.sql.ts)
-- $1 workspaceId, $2 transcriptsDays, $3 recordingsDays, $4 callsDays
INSERT INTO workspace_retention AS kept (workspace_id, transcripts_days, recordings_days, calls_days)
VALUES ($1, $2, $3, $4)
ON CONFLICT (workspace_id) DO UPDATE
SET transcripts_days = excluded.transcripts_days, recordings_days = excluded.recordings_days,
  calls_days = excluded.calls_days, transcripts_until = '-infinity', recordings_until = '-infinity',
  revision = kept.revision + 1, changed_at = now()
WHERE (kept.transcripts_days, kept.recordings_days, kept.calls_days)
  IS DISTINCT FROM (excluded.transcripts_days, excluded.recordings_days, excluded.calls_days)
RETURNING revision;

--
-- src/features/runtimes/
--

-- find-workers (src/features/runtimes/runtimes.sql.ts)
-- $1 workspaceId
WITH holder AS (
  SELECT worker_id AS id, (count(*) FILTER (WHERE workspace_id = $1))::int AS calls,
    max(heartbeat_at) FILTER (WHERE workspace_id = $1) AS heard_at
  FROM conversations WHERE ended_at IS NULL AND status IN ('accepted', 'connected')
  GROUP BY worker_id
), seen AS (
  SELECT * FROM workers WHERE last_seen_at > now() - interval '45 seconds'
)
SELECT id, COALESCE(name, '') AS name, COALESCE(version, '') AS version, capacity,
  COALESCE(holder.calls, 0) AS calls, COALESCE(providers, '[]') AS providers,
  GREATEST(last_seen_at, heard_at) AS "lastSeenAt"
FROM seen FULL JOIN holder USING (id)
WHERE holder.calls > 0 OR (holder.calls IS NULL AND seen.calls = 0)
ORDER BY (holder.calls > 0) DESC, name, id LIMIT 1000;

-- store-hellos (src/features/runtimes/runtimes.sql.ts)
-- $1 hellos
WITH hello AS MATERIALIZED (
  SELECT DISTINCT ON (id) *
  FROM json_to_recordset($1::json)
    AS hello (id text, name text, version text, capacity integer, calls integer, providers jsonb)
), forgotten AS (
  DELETE FROM workers WHERE id = ANY (ARRAY(
    SELECT id FROM workers WHERE NOT last_seen_at > now() - interval '45 seconds' AND id NOT IN (SELECT id FROM hello)
    FOR UPDATE SKIP LOCKED))
), known AS (
  SELECT hello.*, row_number() OVER (ORDER BY (workers.id IS NULL)::int, hello.id) AS place,
    workers.id IS NOT NULL AS is_known
  FROM hello LEFT JOIN workers USING (id)
)
INSERT INTO workers (id, name, version, capacity, calls, providers, last_seen_at)
SELECT id, name, version, capacity, calls, COALESCE(providers, '[]'), now() FROM known
WHERE (SELECT set_config('synchronous_commit', 'off', true)) IS NOT NULL
  AND (is_known
      OR place + (SELECT count(*) FROM workers WHERE last_seen_at > now() - interval '45 seconds'
          AND id NOT IN (SELECT id FROM hello)) <= 1000)
ORDER BY id
ON CONFLICT (id) DO UPDATE
SET name = excluded.name, version = excluded.version, capacity = excluded.capacity, calls = excluded.calls,
  providers = excluded.providers, last_seen_at = excluded.last_seen_at;

--
-- src/features/saved-views/
--

-- add-saved-view (src/features/saved-views/saved-views.sql.ts)
-- $1 id, $2 workspaceId, $3 page, $4 name, $5 query, $6 period, $7 updatedBy
INSERT INTO saved_views (id, workspace_id, page, name, query, period, updated_by, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, clock_timestamp())
ON CONFLICT (workspace_id, page, name) DO UPDATE SET query = $5, period = $6, updated_by = $7::jsonb,
  updated_at = clock_timestamp() RETURNING id, page, name, query, period, updated_by AS "updatedBy", updated_at
  AS "updatedAt";

-- delete-saved-view (src/features/saved-views/saved-views.sql.ts)
-- $1 workspaceId, $2 id
DELETE FROM saved_views WHERE workspace_id = $1 AND id = $2 RETURNING name;

-- find-quota-of-saved_views (src/features/saved-views/quotas.sql.ts)
-- $1 workspaceId
SELECT NULL::bigint AS "limit", (SELECT count(*) FROM saved_views WHERE workspace_id = $1) AS used
FROM workspaces WHERE id = $1;

-- list-saved-views (src/features/saved-views/saved-views.sql.ts)
-- $1 workspaceId, $2 page
SELECT id, page, name, query, period, updated_by AS "updatedBy", updated_at AS "updatedAt" FROM saved_views
WHERE workspace_id = $1 AND page = COALESCE($2, page)
ORDER BY page, name;

-- replace-saved-view (src/features/saved-views/saved-views.sql.ts)
-- $1 query, $2 period, $3 updatedBy, $4 workspaceId, $5 page, $6 name
UPDATE saved_views
SET query = $1, period = $2, updated_by = $3::jsonb, updated_at = clock_timestamp()
WHERE workspace_id = $4 AND page = $5 AND name = $6
RETURNING id, page, name, query, period, updated_by AS "updatedBy", updated_at AS "updatedAt";

--
-- src/features/tool-invocations/
--

-- check tools.settled (src/features/tool-invocations/invariants.sql.ts), not prepared
-- $1 after, $2 workspaceId
WITH page AS MATERIALIZED (
  SELECT id, workspace_id,
    CASE
    WHEN state = 'running' AND
    lease_until < (
      SELECT max(latest.accepted_at) - interval '1 hour'
      FROM workspaces CROSS JOIN LATERAL (
        SELECT accepted_at FROM conversations
        WHERE workspace_id = workspaces.id AND created_at > now() - interval '1 day'
          AND created_at < now() - interval '1 hour' AND accepted_at < now() - interval '1 hour' AND connected_at IS NOT NULL
        ORDER BY created_at DESC LIMIT 1) AS latest)
    THEN format('The invocation runs since %s, and its lease is over', asked_at)
    WHEN state = 'done' AND settled_by = 'server' AND attempts = 0
    THEN 'The invocation was done, and no request was sent'
    WHEN state IN ('running', 'done', 'unknown') AND EXISTS (
      SELECT FROM tool_invocations AS earlier
      WHERE earlier.conversation_id = invocations.conversation_id AND earlier.same_as = invocations.same_as
        AND earlier.id < invocations.id AND earlier.state IN ('running', 'done', 'unknown'))
    THEN 'Another invocation before has done the same'
    END AS detail
  FROM (
    SELECT * FROM tool_invocations
    WHERE id > $1 AND ($2::uuid IS NULL OR workspace_id = $2)
    ORDER BY id LIMIT 5000) invocations)
SELECT count(*)::int AS checked,
  (array_agg(id ORDER BY id DESC))[1] AS last,
  COALESCE(
      jsonb_agg(jsonb_build_object('workspaceId', workspace_id, 'id', id, 'detail', detail) ORDER BY id)
      FILTER (WHERE detail IS NOT NULL),
      '[]') AS violations
FROM page;

-- count-waiting-tool-invocations (src/features/tool-invocations/count-waiting-invocations.sql.ts)
SELECT (SELECT count(*)::int FROM tool_invocations
  WHERE state = 'running' AND lease_until < now() - interval '1 minute') AS left,
  (SELECT count(*)::int
    FROM (SELECT FROM tool_invocations WHERE state = 'unknown'
      LIMIT 100000) AS unknown) AS unknown;

-- find-listed-tool-invocation (src/features/tool-invocations/list-invocations.sql.ts)
-- $1 id, $2 workspaceId
SELECT
  id, tool, arguments, state, result, error, variables, conversation_id AS "conversationId", agent_id AS "agentId",
  attempts, repeats,
  asked_at AS "askedAt", settled_at AS "settledAt", settled_by AS "settledBy", note FROM tool_invocations WHERE id = $1
  AND workspace_id = $2;

-- find-sent-tool-invocation (src/features/tool-invocations/settle-invocation.sql.ts)
-- $1 id, $2 workspaceId
SELECT sent.id, sent.workspace_id AS "workspaceId", sent.conversation_id AS "callId", sent.agent_id AS "agentId",
  sent.tool, sent.tool_id AS "toolId", sent.arguments, sent.lease_until AS "leaseUntil",
  call.agent_version AS "agentVersion",
  call.to_number AS "toNumber", call.from_number AS "fromNumber",
  jsonb_strip_nulls(jsonb_build_object('customer_name', NULLIF(call.request ->> 'customer_name', '')))
  || COALESCE(call.request -> 'dynamic_variables', '{}') AS variables,
  CASE WHEN sent.tool_id::uuid IS NULL THEN '{}' ELSE
  (SELECT secrets FROM tools WHERE tools.id = sent.tool_id AND tools.workspace_id = call.workspace_id) END AS secrets,
  (SELECT array_remove(ARRAY[secret, CASE WHEN previous_expires_at > now() THEN previous_secret END], NULL)
    FROM webhook_secrets WHERE webhook_secrets.workspace_id = call.workspace_id) AS "signingSecrets"
FROM tool_invocations AS sent JOIN conversations AS call ON call.id = sent.conversation_id WHERE sent.id = $1
  AND sent.workspace_id = $2;

-- find-settled-tool-invocations (src/features/tool-invocations/list-invocations.sql.ts)
-- $1 ids
SELECT id, tool, arguments, state, result, error, variables FROM tool_invocations WHERE id = ANY ($1)
  AND state <> 'running';

-- find-tool-invocation (src/features/tool-invocations/list-invocations.sql.ts)
-- $1 id, $2 callId, $3 workspaceId
SELECT id, tool, arguments, state, result, error, variables FROM tool_invocations
WHERE id = $1 AND conversation_id = $2 AND workspace_id = $3;

-- list-tool-invocations (src/features/tool-invocations/invocation-records.sql.ts), not prepared
-- $1 workspaceId, $2 tool, $3 state, $4 agentId, $5 callId, $6 from, $7 to, $8 offset, $9 limit
SELECT total, page.*
FROM (SELECT count(*)::int AS total
  FROM tool_invocations
  WHERE workspace_id = $1 AND ($2::text IS NULL OR tool = $2)
    AND ($3::text IS NULL OR state = $3) AND ($4::uuid IS NULL OR agent_id = $4)
    AND ($5::uuid IS NULL OR conversation_id = $5)
    AND ($6::timestamptz IS NULL OR asked_at >= $6) AND ($7::timestamptz IS NULL OR asked_at <= $7)) AS counted
LEFT JOIN (SELECT
    id, tool, arguments, state, result, error, variables, conversation_id AS "conversationId", agent_id AS "agentId",
    attempts, repeats,
    asked_at AS "askedAt", settled_at AS "settledAt", settled_by AS "settledBy", note
  FROM tool_invocations
  WHERE workspace_id = $1 AND ($2::text IS NULL OR tool = $2)
    AND ($3::text IS NULL OR state = $3) AND ($4::uuid IS NULL OR agent_id = $4)
    AND ($5::uuid IS NULL OR conversation_id = $5)
    AND ($6::timestamptz IS NULL OR asked_at >= $6) AND ($7::timestamptz IS NULL OR asked_at <= $7) ORDER BY asked_at DESC,
    id DESC OFFSET $8 LIMIT $9) AS page ON true
ORDER BY "askedAt" DESC, id DESC;

-- list-tool-invocations-of-call (src/features/tool-invocations/list-invocations.sql.ts)
-- $1 callId, $2 workspaceId, $3 agentsInScope
SELECT invocation.*
FROM conversations AS call LEFT JOIN LATERAL (
  SELECT
    id, tool, arguments, state, result, error, variables, conversation_id AS "conversationId", agent_id AS "agentId",
    attempts, repeats,
    asked_at AS "askedAt", settled_at AS "settledAt", settled_by AS "settledBy", note FROM tool_invocations
  WHERE conversation_id = call.id
) AS invocation ON true
WHERE call.id = $1 AND call.workspace_id = $2
  AND ($3::uuid[] IS NULL OR call.agent_id = ANY ($3))
ORDER BY "askedAt", invocation.id;

-- read-tool-invocations (src/features/tool-invocations/invocation-records.sql.ts), not prepared
-- $1 workspaceId, $2 tool, $3 state, $4 agentId, $5 callId, $6 from, $7 to, $8 afterTime, $9 afterId, $10 limit
SELECT
  id, tool, arguments, state, result, error, variables, conversation_id AS "conversationId", agent_id AS "agentId",
  attempts, repeats,
  asked_at AS "askedAt", settled_at AS "settledAt", settled_by AS "settledBy", note
FROM tool_invocations
WHERE workspace_id = $1 AND ($2::text IS NULL OR tool = $2)
  AND ($3::text IS NULL OR state = $3) AND ($4::uuid IS NULL OR agent_id = $4)
  AND ($5::uuid IS NULL OR conversation_id = $5)
  AND ($6::timestamptz IS NULL OR asked_at >= $6) AND ($7::timestamptz IS NULL OR asked_at <= $7)
  AND ($8::timestamptz IS NULL OR (asked_at, id) < ($8::timestamptz, $9::uuid))
ORDER BY asked_at DESC, id DESC LIMIT $10;

-- record-tool-invocation (src/features/tool-invocations/record-invocation.sql.ts)
-- $1 callId, $2 workspaceId, $3 key, $4 sameAs, $5 id, $6 toolId, $7 tool, $8 arguments, $9 leaseMs, $10 mayBegin, $11 maxOfCall, $12 maxRunning
WITH call AS MATERIALIZED (
  SELECT *, NOT ended_at IS NULL AS has_ended FROM conversations WHERE id = $1 AND workspace_id = $2
), known AS MATERIALIZED (
  SELECT id, tool, arguments, state, result, error, variables FROM tool_invocations
  WHERE conversation_id = (SELECT id FROM call) AND key = $3
), same AS MATERIALIZED (
  SELECT id, tool, arguments, state, result, error, variables FROM tool_invocations
  WHERE conversation_id = (SELECT id FROM call) AND same_as = $4 AND state IN ('running', 'done', 'unknown')
    AND NOT EXISTS (SELECT FROM known)
), repeated AS (
  UPDATE tool_invocations SET repeats = repeats + 1 WHERE id IN (SELECT id FROM same)
), counted AS MATERIALIZED (
  SELECT (SELECT count(*)::int FROM tool_invocations WHERE conversation_id = call.id) AS of_call,
    (SELECT count(*)::int FROM tool_invocations
      WHERE workspace_id = $2 AND state = 'running') AS running
  FROM call
), recorded AS (
  INSERT INTO tool_invocations (
      id, workspace_id, conversation_id, agent_id, tool_id, tool, key, same_as, arguments, state, lease_ms, lease_until)
  SELECT $5, workspace_id, call.id, agent_id, $6, $7, $3, $4, $8::jsonb,
    'running', $9::integer, now() + $9::integer * interval '1 millisecond'
  FROM call CROSS JOIN counted
  WHERE $10 AND NOT has_ended AND of_call < $11 AND running < $12
    AND NOT EXISTS (SELECT FROM known) AND NOT EXISTS (SELECT FROM same)
    AND ($6::uuid IS NULL OR EXISTS (SELECT FROM tools WHERE tools.id = $6 AND tools.workspace_id = $2))
  ON CONFLICT DO NOTHING
  RETURNING *
), found AS (
  SELECT id, tool, arguments, state, result, error, variables FROM recorded UNION ALL SELECT *
  FROM known UNION ALL SELECT * FROM same
)
SELECT status, has_ended AS "hasEnded", of_call AS "ofCall", running,
  call.to_number AS "toNumber", call.from_number AS "fromNumber",
  jsonb_strip_nulls(jsonb_build_object('customer_name', NULLIF(call.request ->> 'customer_name', '')))
  || COALESCE(call.request -> 'dynamic_variables', '{}') AS variables,
  CASE WHEN $6::uuid IS NULL THEN '{}' ELSE
  (SELECT secrets FROM tools WHERE tools.id = $6 AND tools.workspace_id = call.workspace_id) END AS secrets,
  (SELECT array_remove(ARRAY[secret, CASE WHEN previous_expires_at > now() THEN previous_secret END], NULL)
    FROM webhook_secrets WHERE webhook_secrets.workspace_id = call.workspace_id) AS "signingSecrets",
  (SELECT lease_until FROM recorded) AS "leaseUntil",
  (SELECT row_to_json(found) FROM found) AS invocation
FROM call CROSS JOIN counted;

-- reopen-tool-invocation (src/features/tool-invocations/settle-invocation.sql.ts)
-- $1 id, $2 workspaceId
UPDATE tool_invocations SET state = 'running', settled_at = NULL, settled_by = NULL,
  lease_until = now() + lease_ms * interval '1 millisecond'
WHERE id = $1 AND workspace_id = $2 AND state = 'unknown' AND tool_invocations.key <> tool_invocations.id::text
RETURNING lease_until AS "leaseUntil";

-- resolve-tool-invocation (src/features/tool-invocations/settle-invocation.sql.ts)
-- $1 id, $2 workspaceId, $3 state, $4 note
WITH call AS MATERIALIZED (
  SELECT id FROM conversations
  WHERE id = (SELECT conversation_id FROM tool_invocations WHERE id = $1 AND workspace_id = $2)
  FOR NO KEY UPDATE
), settled AS (
  UPDATE tool_invocations AS invocation
  SET state = $3, settled_at = now(), settled_by = 'person',
    note = CASE WHEN invocation.key <> invocation.id::text THEN $4 ELSE '' END
  FROM call
  WHERE invocation.id = $1 AND invocation.conversation_id = call.id AND invocation.state = 'unknown'
  RETURNING invocation.id
), due AS (
  INSERT INTO due_findings AS due (conversation_id, due_at)
  SELECT DISTINCT call.id, now() + interval '5 seconds'
  FROM (SELECT id, agent_id, agent_version FROM conversations
    WHERE id IN (SELECT id FROM (SELECT call.id FROM call CROSS JOIN settled) AS resolved)) AS call
  JOIN agent_versions AS version ON version.agent_id = call.agent_id AND version.version = call.agent_version
  WHERE version.analysis IS NOT NULL
  ORDER BY call.id
  ON CONFLICT (conversation_id) DO UPDATE SET due_at = excluded.due_at
)
SELECT id FROM settled;

-- settle-tool-invocation (src/features/tool-invocations/settle-invocation.sql.ts)
-- $1 callId, $2 workspaceId, $3 state, $4 attempts, $5 result, $6 error, $7 variables, $8 id, $9 leaseUntil
WITH call AS MATERIALIZED (
  SELECT conversations.id, token IS NULL AS is_erased,
    conversations.workspace_id, conversations.agent_id, conversations.request->>'traceparent' AS traceparent,
    CASE WHEN
    EXISTS (SELECT FROM webhook_endpoints AS endpoint
      WHERE endpoint.workspace_id = conversations.workspace_id AND
        (endpoint.status IN ('ok', 'failing')
            OR endpoint.status = 'paused' AND endpoint.status_since > now() - interval '30 days')) THEN
    jsonb_build_object(
        'conversation_id', conversations.id, 'assistant_id', conversations.agent_id,
        'agent_version', conversations.agent_version, 'campaign_id', conversations.campaign_id,
        'external_id', COALESCE(conversations.request->>'external_id', ''),
        'direction', conversations.direction, 'call_type', conversations.call_type,
        'to_number', NULLIF(conversations.to_number, ''), 'from_number', NULLIF(conversations.from_number, '')) END
    AS event_call FROM conversations
  WHERE id = $1 AND workspace_id = $2 FOR NO KEY UPDATE
), settled AS (
  UPDATE tool_invocations AS invocation
  SET state = $3, settled_at = now(), settled_by = 'server', attempts = invocation.attempts + $4,
    result = CASE WHEN NOT is_erased THEN $5::jsonb END, error = CASE WHEN NOT is_erased THEN $6 END,
    variables = CASE WHEN is_erased THEN '{}' ELSE $7::jsonb END
  FROM call
  WHERE invocation.id = $8 AND invocation.conversation_id = call.id
    AND invocation.state = 'running' AND invocation.lease_until = $9::timestamptz
  RETURNING invocation.*
), given AS (
  UPDATE conversations
  SET request = request || jsonb_build_object(
      'dynamic_variables', COALESCE(request -> 'dynamic_variables', '{}') || settled.variables)
  FROM settled
  WHERE conversations.id = settled.conversation_id AND settled.variables <> '{}'
), due AS (
  INSERT INTO due_findings AS due (conversation_id, due_at)
  SELECT DISTINCT call.id, now() + interval '5 seconds'
  FROM (SELECT id, agent_id, agent_version FROM conversations WHERE id IN (SELECT id FROM call)) AS call
  JOIN agent_versions AS version ON version.agent_id = call.agent_id AND version.version = call.agent_version
  WHERE version.analysis IS NOT NULL
  ORDER BY call.id
  ON CONFLICT (conversation_id) DO UPDATE SET due_at = excluded.due_at
),
  occurred AS MATERIALIZED (
    SELECT gen_random_uuid() AS event_id, source.* FROM (
      SELECT workspace_id, id AS conversation_id, agent_id, 'call.tool_unknown' AS type, '' AS url, true AS is_for_endpoints,
        event_call || jsonb_build_object('invocation_id', invocation_id, 'tool', tool) AS data, traceparent, 1 AS ordinal
      FROM (SELECT call.*, settled.id AS invocation_id, tool FROM call JOIN settled ON conversation_id = call.id
        WHERE state = 'unknown') AS unknown_invocation WHERE event_call IS NOT NULL) AS source
  ), paused AS MATERIALIZED (
    SELECT id, status FROM webhook_endpoints
    WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_endpoints
      WHERE workspace_id IN (SELECT workspace_id FROM occurred) AND status = 'paused'))
    ORDER BY id FOR SHARE SKIP LOCKED
  ), receivers AS MATERIALIZED (
    SELECT event_id, NULL::uuid AS endpoint_id, url, 'pending' AS status FROM occurred WHERE url <> ''
    UNION ALL
    SELECT event_id, endpoint.id, endpoint.url,
      CASE paused.status WHEN 'paused' THEN 'held' ELSE 'pending' END
    FROM occurred JOIN webhook_endpoints AS endpoint USING (workspace_id) LEFT JOIN paused ON paused.id = endpoint.id
    WHERE is_for_endpoints AND
      (endpoint.status IN ('ok', 'failing')
          OR endpoint.status = 'paused' AND endpoint.status_since > now() - interval '30 days')
      AND (events = '{*}' OR type = ANY (events))
      AND (agent_ids IS NULL OR agent_id = ANY (agent_ids))
  ), events AS (
    INSERT INTO webhook_events (id, workspace_id, conversation_id, type, data, traceparent)
    SELECT event_id, workspace_id, conversation_id, type, data, traceparent
    FROM occurred WHERE event_id IN (SELECT event_id FROM receivers)
    ON CONFLICT DO NOTHING
    RETURNING id AS event_id, workspace_id, conversation_id, type
  ), deliveries AS (
    INSERT INTO webhook_deliveries (id, workspace_id, conversation_id, event_id, endpoint_id, ordering_key, type, url,
        status, next_attempt_at, give_up_at, data)
    SELECT id, workspace_id, conversation_id, event_id, endpoint_id,
      CASE WHEN endpoint_id IS NULL THEN COALESCE(conversation_id, id)
      ELSE md5(concat(endpoint_id, COALESCE(conversation_id, id)))::uuid END,
      type, url, status, CASE status WHEN 'pending' THEN now() END, now() + interval '24 hours', CASE WHEN
      endpoint_id IS NULL AND EXISTS (
        SELECT FROM webhook_deliveries AS earlier
        WHERE earlier.conversation_id = delivery.conversation_id AND earlier.data IS NOT NULL) THEN data END
    FROM (SELECT gen_random_uuid() AS id, occurred.data, event_id, events.workspace_id, events.conversation_id, events.type,
        endpoint_id,
        receivers.url, status, ordinal
      FROM events JOIN receivers USING (event_id) JOIN occurred USING (event_id)) AS delivery
    ORDER BY ordinal
    ON CONFLICT DO NOTHING
    RETURNING id, workspace_id, ordering_key, endpoint_id, status
  ),
  jobs AS (
    SELECT count(*) AS count
    FROM (SELECT array_agg(('webhooks.send',
        json_build_object('workspaceId', workspace_id, 'orderingKey', ordering_key, 'endpointId', endpoint_id), NULL, now(),
        32767, NULL, NULL, array_remove(ARRAY[workspace_id::text, endpoint_id::text], NULL))
        ::graphile_worker.job_spec) AS specs FROM deliveries WHERE status = 'pending' HAVING count(*) > 0) AS added,
      graphile_worker.add_jobs(specs)
  )
SELECT id, tool, arguments, state, result, error, variables FROM settled WHERE (SELECT count FROM jobs) >= 0;

-- take-left-tool-invocations (src/features/tool-invocations/settle-invocation.sql.ts)
WITH taken AS (
  UPDATE tool_invocations SET lease_until = now() + lease_ms * interval '1 millisecond', attempts = attempts + 1
  WHERE id = ANY (ARRAY(
    SELECT id FROM tool_invocations WHERE state = 'running' AND lease_until < now()
    ORDER BY lease_until LIMIT 20 FOR UPDATE SKIP LOCKED))
  RETURNING *, tool_invocations.key <> tool_invocations.id::text
    AND now() < asked_at + 3 * lease_ms * interval '1 millisecond' AS may_be_sent
)
SELECT may_be_sent AS "mayBeSent", sent.id, sent.workspace_id AS "workspaceId", sent.conversation_id AS "callId",
  sent.agent_id AS "agentId",
  sent.tool, sent.tool_id AS "toolId", sent.arguments, sent.lease_until AS "leaseUntil",
  call.agent_version AS "agentVersion",
  call.to_number AS "toNumber", call.from_number AS "fromNumber",
  jsonb_strip_nulls(jsonb_build_object('customer_name', NULLIF(call.request ->> 'customer_name', '')))
  || COALESCE(call.request -> 'dynamic_variables', '{}') AS variables,
  CASE WHEN sent.tool_id::uuid IS NULL THEN '{}' ELSE
  (SELECT secrets FROM tools WHERE tools.id = sent.tool_id AND tools.workspace_id = call.workspace_id) END AS secrets,
  (SELECT array_remove(ARRAY[secret, CASE WHEN previous_expires_at > now() THEN previous_secret END], NULL)
    FROM webhook_secrets WHERE webhook_secrets.workspace_id = call.workspace_id) AS "signingSecrets"
FROM taken AS sent JOIN conversations AS call ON call.id = sent.conversation_id;

--
-- src/features/tools/
--

-- find-quota-of-tools (src/features/tools/quotas.sql.ts)
-- $1 workspaceId
SELECT NULL::bigint AS "limit", (SELECT count(*) FROM tools WHERE workspace_id = $1) AS used
FROM workspaces WHERE id = $1;

--
-- src/features/trials/
--

-- find-quota-of-trials (src/features/trials/quotas.sql.ts)
-- $1 workspaceId
SELECT NULL::bigint AS "limit", (
  SELECT count(*) FROM audit_entries
  WHERE workspace_id = $1 AND action = 'agent.prompt_tried' AND created_at > now() - interval '24 hours') AS used
FROM workspaces WHERE id = $1;

--
-- src/features/webhooks/
--

-- add-webhook-endpoint-job (src/features/webhooks/webhook-endpoint.sql.ts)
-- $1 workspaceId, $2 endpointId
SELECT (
    graphile_worker.add_job('webhooks.endpoint',
        json_build_object('workspaceId', workspace_id, 'endpointId', endpoint_id, 'after', '0', 'until', NULL),
        run_at => now(), job_key => NULL, max_attempts => 32767, flags => ARRAY[workspace_id::text])).id
FROM (SELECT $1::uuid AS workspace_id, $2::uuid AS endpoint_id) AS endpoint;

-- add-webhook-endpoint-test-event (src/features/webhooks/webhook-delivery.sql.ts)
-- $1 workspaceId, $2 endpointId
WITH
  occurred AS MATERIALIZED (
    SELECT gen_random_uuid() AS event_id, source.* FROM (
      SELECT $1::uuid AS workspace_id, NULL::uuid AS conversation_id, NULL::uuid AS agent_id,
        'webhook.test' AS type, '' AS url, false AS is_for_endpoints,
        '{"message":"A test event. Others carry what happened here."}'::jsonb AS data, NULL::text AS traceparent, 1 AS ordinal)
      AS source
  ), paused AS MATERIALIZED (
    SELECT id, status FROM webhook_endpoints
    WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_endpoints
      WHERE workspace_id IN (SELECT workspace_id FROM occurred) AND status = 'paused'))
    ORDER BY id FOR SHARE SKIP LOCKED
  ), receivers AS MATERIALIZED (
    SELECT event_id, endpoint.id AS endpoint_id, endpoint.url, 'pending' AS status
    FROM occurred JOIN webhook_endpoints AS endpoint USING (workspace_id) WHERE endpoint.id = $2
  ), events AS (
    INSERT INTO webhook_events (id, workspace_id, conversation_id, type, data, traceparent)
    SELECT event_id, workspace_id, conversation_id, type, data, traceparent
    FROM occurred WHERE event_id IN (SELECT event_id FROM receivers)
    ON CONFLICT DO NOTHING
    RETURNING id AS event_id, workspace_id, conversation_id, type
  ), deliveries AS (
    INSERT INTO webhook_deliveries (id, workspace_id, conversation_id, event_id, endpoint_id, ordering_key, type, url,
        status, next_attempt_at, give_up_at, data)
    SELECT id, workspace_id, conversation_id, event_id, endpoint_id,
      CASE WHEN endpoint_id IS NULL THEN COALESCE(conversation_id, id)
      ELSE md5(concat(endpoint_id, COALESCE(conversation_id, id)))::uuid END,
      type, url, status, CASE status WHEN 'pending' THEN now() END, now() + interval '24 hours', CASE WHEN
      endpoint_id IS NULL AND EXISTS (
        SELECT FROM webhook_deliveries AS earlier
        WHERE earlier.conversation_id = delivery.conversation_id AND earlier.data IS NOT NULL) THEN data END
    FROM (SELECT gen_random_uuid() AS id, occurred.data, event_id, events.workspace_id, events.conversation_id, events.type,
        endpoint_id,
        receivers.url, status, ordinal
      FROM events JOIN receivers USING (event_id) JOIN occurred USING (event_id)) AS delivery
    ORDER BY ordinal
    ON CONFLICT DO NOTHING
    RETURNING id, workspace_id, ordering_key, endpoint_id, status
  ),
  jobs AS (
    SELECT count(*) AS count
    FROM (SELECT array_agg(('webhooks.send',
        json_build_object('workspaceId', workspace_id, 'orderingKey', ordering_key, 'endpointId', endpoint_id), NULL, now(),
        32767, NULL, NULL, array_remove(ARRAY[workspace_id::text, endpoint_id::text], NULL))
        ::graphile_worker.job_spec) AS specs FROM deliveries WHERE status = 'pending' HAVING count(*) > 0) AS added,
      graphile_worker.add_jobs(specs)
  )
SELECT id FROM deliveries WHERE (SELECT count FROM jobs) >= 0;

-- add-webhook-test-event (src/features/webhooks/webhook-delivery.sql.ts)
-- $1 workspaceId, $2 url
WITH
  occurred AS MATERIALIZED (
    SELECT gen_random_uuid() AS event_id, source.* FROM (
      SELECT $1::uuid AS workspace_id, NULL::uuid AS conversation_id, NULL::uuid AS agent_id,
        'webhook.test' AS type, $2::text AS url, false AS is_for_endpoints,
        '{"message":"A test event. Others carry what happened here."}'::jsonb AS data, NULL::text AS traceparent, 1 AS ordinal)
      AS source
  ), paused AS MATERIALIZED (
    SELECT id, status FROM webhook_endpoints
    WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_endpoints
      WHERE workspace_id IN (SELECT workspace_id FROM occurred) AND status = 'paused'))
    ORDER BY id FOR SHARE SKIP LOCKED
  ), receivers AS MATERIALIZED (
    SELECT event_id, NULL::uuid AS endpoint_id, url, 'pending' AS status FROM occurred WHERE url <> ''
    UNION ALL
    SELECT event_id, endpoint.id, endpoint.url,
      CASE paused.status WHEN 'paused' THEN 'held' ELSE 'pending' END
    FROM occurred JOIN webhook_endpoints AS endpoint USING (workspace_id) LEFT JOIN paused ON paused.id = endpoint.id
    WHERE is_for_endpoints AND
      (endpoint.status IN ('ok', 'failing')
          OR endpoint.status = 'paused' AND endpoint.status_since > now() - interval '30 days')
      AND (events = '{*}' OR type = ANY (events))
      AND (agent_ids IS NULL OR agent_id = ANY (agent_ids))
  ), events AS (
    INSERT INTO webhook_events (id, workspace_id, conversation_id, type, data, traceparent)
    SELECT event_id, workspace_id, conversation_id, type, data, traceparent
    FROM occurred WHERE event_id IN (SELECT event_id FROM receivers)
    ON CONFLICT DO NOTHING
    RETURNING id AS event_id, workspace_id, conversation_id, type
  ), deliveries AS (
    INSERT INTO webhook_deliveries (id, workspace_id, conversation_id, event_id, endpoint_id, ordering_key, type, url,
        status, next_attempt_at, give_up_at, data)
    SELECT id, workspace_id, conversation_id, event_id, endpoint_id,
      CASE WHEN endpoint_id IS NULL THEN COALESCE(conversation_id, id)
      ELSE md5(concat(endpoint_id, COALESCE(conversation_id, id)))::uuid END,
      type, url, status, CASE status WHEN 'pending' THEN now() END, now() + interval '24 hours', CASE WHEN
      endpoint_id IS NULL AND EXISTS (
        SELECT FROM webhook_deliveries AS earlier
        WHERE earlier.conversation_id = delivery.conversation_id AND earlier.data IS NOT NULL) THEN data END
    FROM (SELECT gen_random_uuid() AS id, occurred.data, event_id, events.workspace_id, events.conversation_id, events.type,
        endpoint_id,
        receivers.url, status, ordinal
      FROM events JOIN receivers USING (event_id) JOIN occurred USING (event_id)) AS delivery
    ORDER BY ordinal
    ON CONFLICT DO NOTHING
    RETURNING id, workspace_id, ordering_key, endpoint_id, status
  ),
  jobs AS (
    SELECT count(*) AS count
    FROM (SELECT array_agg(('webhooks.send',
        json_build_object('workspaceId', workspace_id, 'orderingKey', ordering_key, 'endpointId', endpoint_id), NULL, now(),
        32767, NULL, NULL, array_remove(ARRAY[workspace_id::text, endpoint_id::text], NULL))
        ::graphile_worker.job_spec) AS specs FROM deliveries WHERE status = 'pending' HAVING count(*) > 0) AS added,
      graphile_worker.add_jobs(specs)
  )
SELECT id FROM deliveries WHERE (SELECT count FROM jobs) >= 0;

-- check webhooks (src/features/webhooks/invariants.sql.ts), not prepared
-- $1 after, $2 workspaceId
WITH page AS MATERIALIZED (
  SELECT id, workspace_id,
    CASE
    WHEN status = 'delivered' AND EXISTS (
      SELECT FROM webhook_deliveries earlier WHERE
        earlier.ordering_key = deliveries.ordering_key AND earlier.sequence < deliveries.sequence AND earlier.series = 1
        AND earlier.status = 'pending')
    THEN 'The webhook was delivered before an earlier one of its call'
    WHEN status = 'delivered' AND EXISTS (
      SELECT FROM webhook_deliveries earlier
      JOIN webhook_attempts last ON last.delivery_id = earlier.id AND last.number = earlier.attempts
      JOIN webhook_attempts first ON first.delivery_id = deliveries.id AND first.number = 1
      WHERE earlier.conversation_id = deliveries.conversation_id AND
        earlier.ordering_key = deliveries.ordering_key AND earlier.sequence < deliveries.sequence AND earlier.series = 1
        AND earlier.status = 'delivered' AND first.started_at < last.started_at - interval '3 seconds')
    THEN 'The webhook was sent before an earlier one of its call was delivered'
    END AS detail
  FROM (
    SELECT * FROM webhook_deliveries
    WHERE id > $1 AND ($2::uuid IS NULL OR workspace_id = $2)
    ORDER BY id LIMIT 5000) deliveries)
SELECT count(*)::int AS checked,
  (array_agg(id ORDER BY id DESC))[1] AS last,
  COALESCE(
      jsonb_agg(jsonb_build_object('workspaceId', workspace_id, 'id', id, 'detail', detail) ORDER BY id)
      FILTER (WHERE detail IS NOT NULL),
      '[]') AS violations
FROM page;

-- claim-webhook-delivery (src/features/webhooks/webhook-attempt.sql.ts)
-- $1 workspaceId, $2 orderingKey
WITH oldest AS (
  SELECT id, workspace_id, ordering_key, endpoint_id, event_id, type, next_attempt_at, leased_until
  FROM webhook_deliveries
  WHERE workspace_id = $1 AND ordering_key = $2 AND status = 'pending'
  ORDER BY sequence LIMIT 1), target AS (
    SELECT oldest.id, endpoint.url AS endpoint_url, endpoint.status AS endpoint_status, event.data AS event_data,
      event.traceparent AS event_traceparent, event.created_at AS event_created_at,
      COALESCE(endpoint.secret, own.secret) AS secret,
      CASE WHEN endpoint.id IS NULL THEN CASE WHEN own.previous_expires_at > now() THEN own.previous_secret END
      WHEN endpoint.previous_expires_at > now() THEN endpoint.previous_secret END AS previous_secret
    FROM oldest
    LEFT JOIN webhook_endpoints AS endpoint ON endpoint.id = oldest.endpoint_id
    LEFT JOIN webhook_events AS event ON event.id = oldest.event_id
    LEFT JOIN webhook_secrets AS own ON own.workspace_id = $1
  ), claimed AS (
    UPDATE webhook_deliveries AS delivery
    SET attempts = attempts + 1, leased_until = now() + interval '30 seconds', url = COALESCE(endpoint_url, delivery.url),
      give_up_at = CASE attempts WHEN 0 THEN GREATEST(give_up_at, now() + interval '1 hours')
      ELSE give_up_at END
    FROM target
    WHERE delivery.id = target.id AND delivery.workspace_id = $1 AND status = 'pending'
      AND (delivery.leased_until IS NULL OR delivery.leased_until <= now()) AND delivery.next_attempt_at <= now()
      AND (endpoint_id IS NULL OR endpoint_status = 'ok' OR endpoint_status IS NOT NULL AND type = 'webhook.test')
    RETURNING delivery.id, delivery.workspace_id AS "workspaceId", conversation_id AS "conversationId",
      endpoint_id AS "endpointId", event_id AS "eventId", type,
      delivery.url, CASE WHEN is_erased THEN
      (COALESCE(event_data, data) || COALESCE(
          (SELECT jsonb_object_agg(key, CASE key WHEN 'metadata' THEN COALESCE(event_data, data)->key || value ELSE value END)
            FROM jsonb_each('{"to_number":null,"from_number":null,"phone_number":null,"external_id":"","metadata":{"summary":"","process_compliance":""},"analysis":null,"text":"","recording_url":null}')
            WHERE COALESCE(event_data, data) ? key), '{}'))
      ELSE COALESCE(event_data, data) END AS data,
      COALESCE(event_traceparent, traceparent) AS traceparent, COALESCE(event_created_at, created_at) AS "createdAt",
      attempts, series, failures, is_erased AS "isErased", secret, previous_secret AS "previousSecret"
  ), started AS (
    INSERT INTO webhook_attempts (delivery_id, number) SELECT id, attempts FROM claimed
  )
SELECT * FROM claimed;

-- claim-webhook-probe (src/features/webhooks/webhook-attempt.sql.ts)
-- $1 workspaceId, $2 endpointId
WITH oldest AS (
  SELECT id, endpoint_id, event_id FROM (
    SELECT DISTINCT ON (ordering_key) * FROM (
      SELECT id, endpoint_id, event_id, ordering_key, sequence, attempts, next_attempt_at FROM webhook_deliveries
      WHERE workspace_id = $1 AND endpoint_id = $2 AND status = 'pending'
      ORDER BY sequence LIMIT 100) AS oldest
    ORDER BY ordering_key, sequence) AS first_of_each
  ORDER BY attempts > 0, next_attempt_at, sequence LIMIT 1), target AS (
    SELECT oldest.id, endpoint.url AS endpoint_url, endpoint.status AS endpoint_status, event.data AS event_data,
      event.traceparent AS event_traceparent, event.created_at AS event_created_at,
      COALESCE(endpoint.secret, own.secret) AS secret,
      CASE WHEN endpoint.id IS NULL THEN CASE WHEN own.previous_expires_at > now() THEN own.previous_secret END
      WHEN endpoint.previous_expires_at > now() THEN endpoint.previous_secret END AS previous_secret
    FROM oldest
    LEFT JOIN webhook_endpoints AS endpoint ON endpoint.id = oldest.endpoint_id
    LEFT JOIN webhook_events AS event ON event.id = oldest.event_id
    LEFT JOIN webhook_secrets AS own ON own.workspace_id = $1
  ), claimed AS (
    UPDATE webhook_deliveries AS delivery
    SET attempts = attempts + 1, leased_until = now() + interval '30 seconds', url = COALESCE(endpoint_url, delivery.url),
      give_up_at = CASE attempts WHEN 0 THEN GREATEST(give_up_at, now() + interval '1 hours')
      ELSE give_up_at END
    FROM target
    WHERE delivery.id = target.id AND delivery.workspace_id = $1 AND status = 'pending'
      AND (delivery.leased_until IS NULL OR delivery.leased_until <= now()) AND endpoint_status = 'failing'
    RETURNING delivery.id, delivery.workspace_id AS "workspaceId", conversation_id AS "conversationId",
      endpoint_id AS "endpointId", event_id AS "eventId", type,
      delivery.url, CASE WHEN is_erased THEN
      (COALESCE(event_data, data) || COALESCE(
          (SELECT jsonb_object_agg(key, CASE key WHEN 'metadata' THEN COALESCE(event_data, data)->key || value ELSE value END)
            FROM jsonb_each('{"to_number":null,"from_number":null,"phone_number":null,"external_id":"","metadata":{"summary":"","process_compliance":""},"analysis":null,"text":"","recording_url":null}')
            WHERE COALESCE(event_data, data) ? key), '{}'))
      ELSE COALESCE(event_data, data) END AS data,
      COALESCE(event_traceparent, traceparent) AS traceparent, COALESCE(event_created_at, created_at) AS "createdAt",
      attempts, series, failures, is_erased AS "isErased", secret, previous_secret AS "previousSecret"
  ), started AS (
    INSERT INTO webhook_attempts (delivery_id, number) SELECT id, attempts FROM claimed
  )
SELECT * FROM claimed;

-- continue-webhook-endpoint-job (src/features/webhooks/webhook-endpoint.sql.ts)
-- $1 after, $2 until, $3 workspaceId, $4 endpointId
SELECT (
    graphile_worker.add_job('webhooks.endpoint',
        json_build_object('workspaceId', workspace_id, 'endpointId', endpoint_id, 'after', $1::text, 'until', $2::text),
        run_at => now() + interval '1 second', job_key => concat('endpoint ', endpoint_id), max_attempts => 32767,
        flags => ARRAY[workspace_id::text])).id
FROM (SELECT $3::uuid AS workspace_id, $4::uuid AS endpoint_id) AS endpoint;

-- count-deliveries-waiting-for-endpoints (src/features/webhooks/webhook-endpoint.sql.ts)
-- $1 workspaceId, $2 ids
SELECT endpoint.id, (SELECT count(*)::int FROM (
  SELECT FROM webhook_deliveries
  WHERE workspace_id = $1 AND endpoint_id = endpoint.id AND status IN ('pending', 'held') LIMIT 10000) AS waiting)
  AS waiting
FROM unnest($2::uuid[]) AS endpoint (id);

-- count-pending-webhooks (src/features/webhooks/webhook-delivery.sql.ts)
SELECT count(*)::int AS pending
FROM (SELECT FROM webhook_deliveries WHERE status = 'pending'
  LIMIT 100000) AS deliveries;

-- delete-expired-webhook-endpoint-secrets (src/features/webhooks/webhook-secrets.sql.ts)
UPDATE webhook_endpoints SET previous_secret = NULL, previous_expires_at = NULL
WHERE previous_expires_at <= now();

-- delete-expired-webhook-secrets (src/features/webhooks/webhook-secrets.sql.ts)
UPDATE webhook_secrets SET previous_secret = NULL, previous_expires_at = NULL
WHERE previous_expires_at <= now();

-- delete-old-webhook-deliveries (src/features/webhooks/webhook-delivery.sql.ts)
-- $1 retentionDays, $2 limit
DELETE FROM webhook_deliveries WHERE id IN (
  SELECT id FROM webhook_deliveries
  WHERE status <> 'pending' AND created_at < now() - $1 * interval '1 day'
  ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
RETURNING id;

-- delete-old-webhook-events (src/features/webhooks/webhook-delivery.sql.ts)
-- $1 retentionDays, $2 limit
DELETE FROM webhook_events WHERE id IN (
  SELECT id FROM webhook_events AS event
  WHERE created_at < now() - $1 * interval '1 day'
    AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE event_id = event.id)
  ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
RETURNING id;

-- dismiss-webhook-deliveries (src/features/webhooks/webhook-delivery.sql.ts)
-- $1 workspaceId, $2 until
UPDATE webhook_deliveries SET dismissed_at = now() WHERE id IN (
  SELECT id FROM webhook_deliveries
  WHERE workspace_id = $1 AND status = 'failed' AND dismissed_at IS NULL
    AND COALESCE(given_up_at, created_at) <= $2::timestamptz
  LIMIT 10000 FOR NO KEY UPDATE SKIP LOCKED)
RETURNING id;

-- drop-waiting-webhooks (src/features/webhooks/webhook-endpoint.sql.ts)
-- $1 workspaceId, $2 endpointId
DELETE FROM webhook_deliveries WHERE id IN (
  SELECT id FROM webhook_deliveries
  WHERE workspace_id = $1 AND endpoint_id = $2 AND status IN ('pending', 'held')
  LIMIT 1000 FOR UPDATE SKIP LOCKED)
RETURNING id;

-- find-quota-of-webhook_endpoints (src/features/webhooks/quotas.sql.ts)
-- $1 workspaceId
SELECT NULL::bigint AS "limit", (SELECT count(*) FROM webhook_endpoints WHERE workspace_id = $1) AS used
FROM workspaces WHERE id = $1;

-- find-quota-of-webhook_test_events (src/features/webhooks/quotas.sql.ts)
-- $1 workspaceId
SELECT NULL::bigint AS "limit", (
  SELECT count(*) FROM webhook_deliveries
  WHERE workspace_id = $1 AND type = 'webhook.test' AND created_at > now() - interval '24 hours') AS used
FROM workspaces WHERE id = $1;

-- find-webhook-endpoint-secrets (src/features/webhooks/webhook-secrets.sql.ts)
-- $1 workspaceId, $2 endpointId
SELECT secret, CASE WHEN previous_expires_at > now() THEN previous_secret END AS "previousSecret",
  CASE WHEN previous_expires_at > now() THEN previous_expires_at END AS "previousExpiresAt"
FROM webhook_endpoints WHERE workspace_id = $1 AND id = $2;

-- find-webhook-endpoint-status (src/features/webhooks/webhook-endpoint.sql.ts)
-- $1 workspaceId, $2 endpointId
SELECT status FROM webhook_endpoints WHERE workspace_id = $1 AND id = $2;

-- find-webhook-secrets (src/features/webhooks/webhook-secrets.sql.ts)
-- $1 workspaceId
SELECT secret, CASE WHEN previous_expires_at > now() THEN previous_secret END AS "previousSecret",
  CASE WHEN previous_expires_at > now() THEN previous_expires_at END AS "previousExpiresAt"
FROM webhook_secrets WHERE workspace_id = $1;

-- hold-waiting-webhooks (src/features/webhooks/webhook-endpoint.sql.ts)
-- $1 workspaceId, $2 endpointId
UPDATE webhook_deliveries
SET status = 'held', next_attempt_at = NULL, leased_until = NULL
WHERE id = ANY (ARRAY(
  SELECT id FROM webhook_deliveries
  WHERE workspace_id = $1 AND status = 'pending' AND type <> 'webhook.test'
    AND endpoint_id = ANY (ARRAY(
      SELECT id FROM webhook_endpoints
      WHERE workspace_id = $1 AND id = $2
        AND status IN ('paused', 'off')
      FOR SHARE))
    AND (leased_until IS NULL OR leased_until <= now())
  ORDER BY sequence LIMIT 1000 FOR NO KEY UPDATE SKIP LOCKED))
RETURNING id;

-- insert-first-webhook-secret (src/features/webhooks/webhook-secrets.sql.ts)
-- $1 workspaceId, $2 secret
INSERT INTO webhook_secrets (workspace_id, secret) VALUES ($1, $2) ON CONFLICT DO NOTHING;

-- probe-webhook-endpoint-now (src/features/webhooks/webhook-endpoint.sql.ts)
-- $1 workspaceId, $2 endpointId
UPDATE webhook_endpoints SET probe_at = now(), probes = 0
WHERE workspace_id = $1 AND id = $2 AND status = 'failing';

-- release-webhook-attempt (src/features/webhooks/webhook-attempt.sql.ts)
-- $1 workspaceId, $2 deliveryId, $3 attempt, $4 error
WITH released AS (
  UPDATE webhook_deliveries SET leased_until = NULL
  WHERE workspace_id = $1 AND id = $2 AND status = 'pending' AND attempts = $3
  RETURNING id
)
UPDATE webhook_attempts SET error = $4 FROM released
WHERE delivery_id = released.id AND number = $3;

-- replay-webhook-deliveries (src/features/webhooks/webhook-endpoint.sql.ts)
-- $1 workspaceId, $2 endpointId, $3 from, $4 to
WITH chosen AS (
  SELECT id FROM webhook_deliveries
  WHERE workspace_id = $1 AND endpoint_id = $2
    AND status IN ('held', 'failed')
    AND created_at >= $3::timestamptz AND ($4::timestamptz IS NULL OR created_at <= $4)
  ORDER BY sequence LIMIT 10000 FOR NO KEY UPDATE
), replayed AS (
  UPDATE webhook_deliveries AS delivery SET
    status = 'pending', series = series + 1, failures = 0, next_attempt_at = now(),
    give_up_at = now() + interval '24 hours', given_up_at = NULL, dismissed_at = NULL
  FROM chosen WHERE delivery.id = chosen.id
  RETURNING 1
)
SELECT count(*)::int AS deliveries FROM replayed;

-- replay-webhook-delivery (src/features/webhooks/webhook-delivery.sql.ts)
-- $1 workspaceId, $2 deliveryId
WITH locked AS (
  SELECT delivery.id, delivery.ordering_key, delivery.status
  FROM webhook_deliveries AS delivery, webhook_deliveries AS replayed
  WHERE delivery.workspace_id = $1 AND replayed.workspace_id = $1 AND replayed.id = $2
    AND (replayed.endpoint_id IS NULL OR EXISTS (
      SELECT FROM webhook_endpoints AS endpoint
      WHERE endpoint.id = replayed.endpoint_id AND status IN ('ok', 'failing')))
    AND (delivery.id = $2
        OR delivery.ordering_key = replayed.ordering_key AND delivery.status = 'pending'
        AND delivery.sequence < replayed.sequence)
  ORDER BY delivery.sequence FOR UPDATE OF delivery
), chosen AS (
  SELECT * FROM locked WHERE id = $2
), ahead AS (
  UPDATE webhook_deliveries AS delivery SET
    status = 'pending', series = delivery.series + 1, failures = 0, next_attempt_at = now(),
    give_up_at = now() + interval '24 hours',
    given_up_at = NULL, dismissed_at = NULL FROM locked, chosen
  WHERE chosen.status = 'pending' AND locked.ordering_key = chosen.ordering_key AND locked.id <> chosen.id
    AND delivery.id = locked.id
), restarted AS (
  UPDATE webhook_deliveries AS delivery SET
    status = 'pending', series = delivery.series + 1, failures = 0, next_attempt_at = now(),
    give_up_at = now() + interval '24 hours',
    given_up_at = NULL, dismissed_at = NULL,
    ordering_key = CASE chosen.status WHEN 'pending' THEN chosen.ordering_key ELSE chosen.id END
  FROM chosen WHERE delivery.id = chosen.id
  RETURNING delivery.workspace_id, delivery.ordering_key, delivery.endpoint_id
)
SELECT (
    graphile_worker.add_job('webhooks.send',
        json_build_object('workspaceId', workspace_id, 'orderingKey', ordering_key, 'endpointId', endpoint_id),
        run_at => now(), job_key => concat('replay ', ordering_key), max_attempts => 32767,
        flags => array_remove(ARRAY[workspace_id::text, endpoint_id::text], NULL))).id FROM restarted;

-- reschedule-webhook-deliveries (src/features/webhooks/webhook-attempt.sql.ts)
-- $1 workspaceId, $2 orderingKey, $3 minimumSeconds
SELECT CASE
  WHEN endpoint_id IS NULL OR seen.status IS NOT NULL AND (type = 'webhook.test' OR COALESCE(locked.status, 'ok') = 'ok')
  THEN (
      graphile_worker.add_job('webhooks.send',
          json_build_object('workspaceId', workspace_id, 'orderingKey', ordering_key, 'endpointId', endpoint_id),
          run_at => run_at, job_key => concat_ws(' ', ordering_key, extract(epoch FROM run_at)), max_attempts => 32767,
          flags => array_remove(ARRAY[workspace_id::text, endpoint_id::text], NULL))).id
  WHEN seen.status IS NULL OR locked.status <> 'failing'
  THEN (
      graphile_worker.add_job('webhooks.endpoint',
          json_build_object('workspaceId', workspace_id, 'endpointId', endpoint_id, 'after', '0', 'until', NULL),
          run_at => now(), job_key => concat('endpoint ', endpoint_id), max_attempts => 32767,
          flags => ARRAY[workspace_id::text])).id END
FROM (
  SELECT id, workspace_id, ordering_key, endpoint_id, event_id, type, next_attempt_at, leased_until
  FROM webhook_deliveries
  WHERE workspace_id = $1 AND ordering_key = $2 AND status = 'pending'
  ORDER BY sequence LIMIT 1) AS oldest
LEFT JOIN LATERAL (SELECT status FROM webhook_endpoints WHERE id = endpoint_id) AS seen ON true
LEFT JOIN LATERAL (
  SELECT status FROM webhook_endpoints WHERE id = endpoint_id FOR SHARE SKIP LOCKED) AS locked ON true,
  GREATEST(next_attempt_at, leased_until, now() + $3 * interval '1 second') AS run_at;

-- rotate-webhook-endpoint-secret (src/features/webhooks/webhook-secrets.sql.ts)
-- $1 secret, $2 overlapHours, $3 workspaceId, $4 endpointId
UPDATE webhook_endpoints SET secret = $1,
  previous_secret = CASE WHEN $2::int > 0 THEN secret END,
  previous_expires_at = CASE WHEN $2::int > 0 THEN now() + $2::int * interval '1 hour' END
WHERE workspace_id = $3 AND id = $4;

-- rotate-webhook-secret (src/features/webhooks/webhook-secrets.sql.ts)
-- $1 secret, $2 overlapHours, $3 workspaceId
UPDATE webhook_secrets SET secret = $1,
  previous_secret = CASE WHEN $2::int > 0 THEN secret END,
  previous_expires_at = CASE WHEN $2::int > 0 THEN now() + $2::int * interval '1 hour' END
WHERE workspace_id = $3;

-- send-waiting-webhooks (src/features/webhooks/webhook-endpoint.sql.ts)
-- $1 until, $2 workspaceId, $3 endpointId, $4 after
WITH bounds AS (
  SELECT COALESCE($1::bigint, (SELECT max(sequence) FROM webhook_deliveries WHERE
      workspace_id = $2 AND endpoint_id = $3 AND status = 'pending')) AS until
), batch AS (
  SELECT id FROM webhook_deliveries
  WHERE
    workspace_id = $2 AND endpoint_id = $3 AND status = 'pending' AND sequence > $4::bigint
    AND sequence <= (SELECT until FROM bounds)
    AND (SELECT count(*) FROM (
      SELECT FROM webhook_deliveries WHERE
        workspace_id = $2 AND endpoint_id = $3 AND status = 'pending' AND sequence <= $4::bigint LIMIT 1000) AS sent) < 1000
  ORDER BY sequence LIMIT 1000 FOR NO KEY UPDATE
), moved AS (
  UPDATE webhook_deliveries AS delivery SET next_attempt_at = now(), give_up_at = now() + interval '24 hours',
    failures = 0
  FROM batch WHERE delivery.id = batch.id
  RETURNING workspace_id, ordering_key, endpoint_id, sequence
), keys AS (
  SELECT DISTINCT workspace_id, ordering_key, endpoint_id FROM moved
),
  jobs AS (
    SELECT count(*) AS count
    FROM (SELECT array_agg(('webhooks.send',
        json_build_object('workspaceId', workspace_id, 'orderingKey', ordering_key, 'endpointId', endpoint_id), NULL, now(),
        32767, concat('waiting ', ordering_key), NULL, array_remove(ARRAY[workspace_id::text, endpoint_id::text], NULL))
        ::graphile_worker.job_spec) AS specs FROM keys HAVING count(*) > 0) AS added, graphile_worker.add_jobs(specs)
  )
SELECT (SELECT until FROM bounds)::text AS until, (SELECT max(sequence) FROM moved)::text AS last
WHERE (SELECT count FROM jobs) >= 0;

-- settle-webhook-attempt (src/features/webhooks/webhook-attempt.sql.ts)
-- $1 isErased, $2 workspaceId, $3 deliveryId, $4 statusCode, $5 error, $6 durationMs, $7 answerHeaders, $8 answerBody, $9 attempt, $10 verdict, $11 pauseHours, $12 series, $13 delaySeconds
WITH locked AS MATERIALIZED (
  SELECT delivery.id, ordering_key, endpoint_id, delivery.url AS sent_to, is_erased = $1 AS is_unchanged,
    endpoint.status AS endpoint_status
  FROM webhook_deliveries AS delivery LEFT JOIN webhook_endpoints AS endpoint ON endpoint.id = endpoint_id
  WHERE delivery.workspace_id = $2 AND delivery.id = $3 FOR NO KEY UPDATE OF delivery
), attempt AS (
  UPDATE webhook_attempts AS attempt SET
    status_code = $4, error = $5, duration_ms = $6,
    answer_headers = CASE WHEN is_unchanged THEN $7::jsonb END,
    answer_body = CASE WHEN is_unchanged THEN $8 END
  FROM locked WHERE delivery_id = locked.id AND number = $9
), endpoint AS (
  UPDATE webhook_endpoints SET
    status =
    CASE WHEN status NOT IN ('ok', 'failing') THEN status
    WHEN $10 = 'delivered' THEN 'ok'
    WHEN webhook_endpoints.url <> sent_to THEN status
    WHEN $4 = 410 THEN 'paused'
    WHEN status = 'failing' AND status_since <= now() - $11 * interval '1 hour'
    THEN 'paused'
    WHEN failures + 1 >= 5 THEN 'failing'
    ELSE status END,
    status_since = CASE WHEN status =
    CASE WHEN status NOT IN ('ok', 'failing') THEN status
    WHEN $10 = 'delivered' THEN 'ok'
    WHEN webhook_endpoints.url <> sent_to THEN status
    WHEN $4 = 410 THEN 'paused'
    WHEN status = 'failing' AND status_since <= now() - $11 * interval '1 hour'
    THEN 'paused'
    WHEN failures + 1 >= 5 THEN 'failing'
    ELSE status END THEN status_since ELSE now() END,
    paused_reason = CASE
    CASE WHEN status NOT IN ('ok', 'failing') THEN status
    WHEN $10 = 'delivered' THEN 'ok'
    WHEN webhook_endpoints.url <> sent_to THEN status
    WHEN $4 = 410 THEN 'paused'
    WHEN status = 'failing' AND status_since <= now() - $11 * interval '1 hour'
    THEN 'paused'
    WHEN failures + 1 >= 5 THEN 'failing'
    ELSE status END WHEN status THEN paused_reason
    WHEN 'paused' THEN CASE $4 WHEN 410 THEN 'gone' ELSE 'failing' END END,
    failures = CASE WHEN $10 = 'delivered' THEN 0 WHEN url = sent_to THEN failures + 1 ELSE failures END,
    probes = CASE WHEN status =
    CASE WHEN status NOT IN ('ok', 'failing') THEN status
    WHEN $10 = 'delivered' THEN 'ok'
    WHEN webhook_endpoints.url <> sent_to THEN status
    WHEN $4 = 410 THEN 'paused'
    WHEN status = 'failing' AND status_since <= now() - $11 * interval '1 hour'
    THEN 'paused'
    WHEN failures + 1 >= 5 THEN 'failing'
    ELSE status END THEN probes ELSE 0 END,
    probe_at = CASE
    CASE WHEN status NOT IN ('ok', 'failing') THEN status
    WHEN $10 = 'delivered' THEN 'ok'
    WHEN webhook_endpoints.url <> sent_to THEN status
    WHEN $4 = 410 THEN 'paused'
    WHEN status = 'failing' AND status_since <= now() - $11 * interval '1 hour'
    THEN 'paused'
    WHEN failures + 1 >= 5 THEN 'failing'
    ELSE status END WHEN status THEN probe_at
    WHEN 'failing' THEN now() + interval '5 seconds' END,
    last_delivered_at = CASE WHEN $10 = 'delivered' THEN now() ELSE last_delivered_at END,
    last_error = CASE WHEN $10 = 'delivered' THEN last_error ELSE $5 END
  FROM locked
  WHERE webhook_endpoints.id = locked.endpoint_id
    AND (NOT $10 = 'delivered' OR failures > 0 OR last_delivered_at IS NULL
        OR last_delivered_at < now() - interval '10 seconds')
  RETURNING workspace_id, webhook_endpoints.id AS endpoint_id, status, status_since, probe_at
), settled AS (
  UPDATE webhook_deliveries AS delivery SET
    status = CASE WHEN $10 = 'delivered' THEN 'delivered'
    WHEN series <> $12 AND $10 <> 'delivered' OR
    $10 = 'retry' AND (give_up_at > now() OR locked.endpoint_status = 'failing') THEN 'pending' ELSE 'failed' END,
    next_attempt_at = CASE WHEN series <> $12 AND $10 <> 'delivered' THEN now()
    WHEN
    $10 = 'retry'
    AND (give_up_at > now() OR locked.endpoint_status = 'failing') THEN LEAST(now() + $13 * interval '1 second',
        GREATEST(give_up_at, now())) END,
    given_up_at = CASE WHEN NOT ($10 = 'delivered' OR series <> $12 AND $10 <> 'delivered' OR
        $10 = 'retry' AND (give_up_at > now() OR locked.endpoint_status = 'failing')) THEN now() END,
    failures = failures + (NOT $10 = 'delivered' AND series = $12)::int,
    leased_until = NULL, last_status_code = $4, last_error = $5
  FROM locked
  WHERE delivery.id = locked.id AND status = 'pending' AND attempts = $9
  RETURNING status
)
SELECT settled.status,
  settled.status IS DISTINCT FROM 'delivered' AND settled.status IS DISTINCT FROM 'failed'
  OR EXISTS (SELECT FROM webhook_deliveries AS other
    WHERE other.ordering_key = locked.ordering_key AND other.status = 'pending' AND other.id <> locked.id) AS "isMore",
  (SELECT (
      graphile_worker.add_job('webhooks.endpoint',
          json_build_object('workspaceId', workspace_id, 'endpointId', endpoint_id, 'after', '0', 'until', NULL),
          run_at => COALESCE(probe_at, now()), job_key => NULL, max_attempts => 32767, flags => ARRAY[workspace_id::text])).id
    FROM endpoint
    WHERE status_since = now()::timestamptz(3)) AS "jobId"
FROM locked LEFT JOIN settled ON true;

-- take-webhook-probe (src/features/webhooks/webhook-endpoint.sql.ts)
-- $1 workspaceId, $2 endpointId
WITH taken AS (
  UPDATE webhook_endpoints SET probes = probes + 1,
    probe_at = now() + (ARRAY[30, 120, 300, 900])[LEAST(probes + 1, 4)] * interval '1 second'
  WHERE workspace_id = $1 AND id = $2 AND status = 'failing' AND probe_at <= now()
  RETURNING id AS endpoint_id, workspace_id, probe_at
)
SELECT (
    graphile_worker.add_job('webhooks.endpoint',
        json_build_object('workspaceId', workspace_id, 'endpointId', endpoint_id, 'after', '0', 'until', NULL),
        run_at => probe_at, job_key => NULL, max_attempts => 32767, flags => ARRAY[workspace_id::text])).id FROM taken;

--
-- src/platform/background/
--

-- count-failed-jobs (src/platform/background/job-metrics.repository.ts)
SELECT count(*)::int AS jobs
FROM (SELECT FROM graphile_worker._private_jobs WHERE attempts >= max_attempts LIMIT 100000) AS counted;

-- count-pending-jobs (src/platform/background/job-metrics.repository.ts)
SELECT count(*)::int AS jobs
FROM (SELECT FROM graphile_worker._private_jobs WHERE is_available AND run_at <= now() LIMIT 100000) AS counted;

--
-- src/platform/database/
--

-- add-job (src/platform/database/add-job.ts)
-- $1 name, $2 payload, $3 maxAttempts, $4 flags, $5 delaySeconds
SELECT graphile_worker.add_job($1, $2::json, max_attempts => $3, flags => $4,
    run_at => now() + $5 * interval '1 second');

-- lock-resource (src/platform/database/database.ts)
-- $1 resource
SELECT pg_advisory_xact_lock(hashtextextended($1, 0));

--
-- src/platform/monitoring/
--

-- canary (src/platform/monitoring/health.repository.ts)
SELECT pg_logical_emit_message(true, 'parley', 'canary'::text) AS position;

-- ping (src/platform/monitoring/health.repository.ts)
SELECT 1 AS up;

--
-- src/platform/replica/
--

-- read-clock-of-primary (src/platform/replica/replica-timestamp.sql.ts)
SELECT clock_timestamp() AS now;

-- read-replica-timestamp (src/platform/replica/replica-timestamp.sql.ts)
SELECT written_at AS "writtenAt", pg_is_in_recovery() AS "isStandby" FROM replica_timestamps;

-- write-replica-timestamp (src/platform/replica/replica-timestamp.sql.ts)
INSERT INTO replica_timestamps (written_at) VALUES (date_trunc('milliseconds', clock_timestamp()))
ON CONFLICT (id) DO UPDATE SET written_at = EXCLUDED.written_at
WHERE EXCLUDED.written_at NOT BETWEEN replica_timestamps.written_at
  AND replica_timestamps.written_at + interval '4 seconds';

--
-- src/read-models/
--

-- claim-calls (src/read-models/read-models.sql.ts)
-- $1 calls
WITH
  call AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS call (id uuid, "claimId" uuid, "workerId" text, token uuid, scope uuid)
  ), locked AS MATERIALIZED (
    SELECT id, workspace_id, status, disconnect_reason, claim_id, expires_at, campaign_id, to_number FROM conversations
    WHERE id = ANY (ARRAY(SELECT id FROM call)) ORDER BY id FOR NO KEY UPDATE
  ),
  listed AS MATERIALIZED (
    SELECT workspace_id, phone_number
    FROM do_not_call_entries(
        ARRAY(SELECT workspace_id FROM locked), ARRAY(SELECT to_number FROM locked)) AS do_not_call
    WHERE (do_not_call.expires_at IS NULL OR do_not_call.expires_at > now())
  ), moment AS MATERIALIZED (
    -- Not now(), which is before the statement waited for the locks.
    SELECT clock_timestamp()::timestamptz(3) AS at FROM (SELECT count(*) FROM locked) AS waited
  ), decided AS MATERIALIZED (
    SELECT call.*,
      CASE WHEN locked.id IS NULL OR locked.workspace_id <> call.scope THEN 'unknown'
      WHEN status = 'accepted' AND claim_id = call."claimId" THEN NULL
      WHEN status IN ('accepted', 'connected') THEN 'claimed'
      WHEN disconnect_reason = 'dispatch_expired' THEN 'expired'
      WHEN NOT status = 'queued' THEN 'ended'
      WHEN expires_at <= (SELECT at FROM moment) THEN 'expired'
      WHEN EXISTS (SELECT FROM workspaces WHERE workspaces.id = locked.workspace_id
          AND workspaces.suspended_at IS NOT NULL) THEN 'suspended'
      WHEN (SELECT status FROM campaigns WHERE campaigns.id = locked.campaign_id)
      IN ('paused', 'cancelled') THEN 'campaign_stopped'
      WHEN EXISTS (SELECT FROM listed WHERE listed.workspace_id = locked.workspace_id
          AND phone_number = locked.to_number) THEN 'do_not_call'
      END AS refusal
    FROM call LEFT JOIN locked USING (id)
  ), granted AS (
    UPDATE conversations SET status = 'accepted', claim_id = call."claimId", worker_id = call."workerId",
      token = COALESCE(conversations.token, call.token), accepted_at = COALESCE(accepted_at, (SELECT at FROM moment)),
      heartbeat_at = (SELECT at FROM moment)
    FROM decided AS call
    WHERE conversations.id = call.id AND conversations.id = ANY (ARRAY(SELECT id FROM locked)) AND call.refusal IS NULL
      AND status IN ('queued', 'accepted')
    RETURNING conversations.id, conversations.token, conversations.accepted_at, conversations.created_at
  )
SELECT decided.id, granted.token, granted.accepted_at AS "acceptedAt", refusal,
  CASE WHEN granted.accepted_at = (SELECT at FROM moment)
  THEN extract(epoch FROM granted.accepted_at - granted.created_at)::float8 END AS "waitedSeconds"
FROM decided LEFT JOIN granted USING (id);

-- find-agent-version (src/read-models/read-models.sql.ts)
-- also list-agent-versions
-- $1 version, $2 workspaceId, $3 agentId
SELECT
  version, created_at AS "createdAt", created_by AS "createdBy", restored_from AS "restoredFrom",
  COALESCE(calls, 0) AS calls, snapshot, tools, analysis
FROM agent_versions LEFT JOIN
  (SELECT asked.agent_version, (counted.calls + read.calls)::int AS calls
    FROM unnest(ARRAY[$1::integer]) AS asked (agent_version)
    CROSS JOIN (SELECT max(segmented_until) AS until FROM call_rollup_states WHERE workspace_id = $2) AS segmented
    CROSS JOIN LATERAL (
      SELECT COALESCE(sum(connected + failed), 0) AS calls
      FROM call_values JOIN call_value_rollups ON value_id = call_values.id
      WHERE workspace_id = $2 AND dimension = 'agent_version'
        AND value = $3::uuid || '/' || asked.agent_version) AS counted
    CROSS JOIN LATERAL (
      SELECT count(*) AS calls FROM conversations
      WHERE agent_id = $3 AND conversations.agent_version = asked.agent_version
        AND created_at >= COALESCE(until, '-infinity')) AS read) AS started ON agent_version = version
WHERE agent_id = $3 AND version = $1 AND workspace_id = $2;

-- find-call-credentials (src/read-models/read-models.sql.ts)
-- $1 ids
SELECT call.id, call.token, call.workspace_id AS "workspaceId", call.agent_id AS "agentId",
  call.agent_version AS "agentVersion", call.user_id AS "userId",
  CASE WHEN call.ended_at IS NOT NULL THEN call.status END AS "endedAs",
  credential.expires_at AS "expiresAt", suspended_at IS NOT NULL AS "isSuspended",
  quotas_requests_per_minute AS "requestsPerMinute"
FROM (
  SELECT id, token, workspace_id, agent_id, agent_version, user_id, status, accepted_at, ended_at FROM conversations
  WHERE id = ANY ($1) UNION ALL
  SELECT result.id, result.token, result.workspace_id, run.agent_id, CASE WHEN against THEN against_version
    ELSE agent_version END, run.created_by, result.status,
    result.accepted_at, result.ended_at
  FROM rehearsal_results AS result JOIN rehearsal_runs AS run ON run.id = result.run_id
  WHERE result.id = ANY ($1)
) AS call
JOIN workspaces AS workspace ON workspace.id = call.workspace_id
CROSS JOIN LATERAL (
  SELECT LEAST(call.accepted_at + interval '6 hours', call.ended_at + interval '1 hour') AS expires_at
) AS credential
WHERE call.token IS NOT NULL AND credential.expires_at > now()
  AND (tokens_not_before IS NULL OR call.accepted_at >= tokens_not_before);

-- list-credit-entries (src/read-models/read-models.sql.ts)
-- $1 workspaceId, $2 kinds, $3 createdFrom, $4 createdUntil, $5 offset, $6 limit
WITH page AS MATERIALIZED (
  SELECT id, conversation_id FROM credit_entries WHERE
    workspace_id = $1 AND ($2::text[] IS NULL OR kind = ANY ($2))
    AND ($3::timestamptz IS NULL OR created_at >= $3)
    AND ($4::timestamptz IS NULL OR created_at <= $4)
  ORDER BY id DESC OFFSET $5::bigint LIMIT $6::int
), newest AS (
  SELECT id, created_at, kind, amount,
    COALESCE(sum(amount) OVER (ORDER BY id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS since
  FROM credit_entries WHERE workspace_id = $1 AND id >= (SELECT min(id) FROM page)
)
SELECT total, page.id, newest.created_at AS "createdAt", kind, amount, conversation_id AS "conversationId",
  (credits - since)::int AS balance, customer_name AS "customerName", customer_number AS "customerNumber"
FROM workspaces
CROSS JOIN (SELECT count(*)::int AS total FROM credit_entries WHERE
    workspace_id = $1 AND ($2::text[] IS NULL OR kind = ANY ($2))
    AND ($3::timestamptz IS NULL OR created_at >= $3)
    AND ($4::timestamptz IS NULL OR created_at <= $4)) AS counted
LEFT JOIN (page JOIN newest ON newest.id = page.id) ON true
LEFT JOIN
  (SELECT call.id AS call_id, COALESCE(call.request->>'customer_name', '') AS customer_name,
      CASE WHEN call.incoming_claim_id IS NULL THEN call.to_number ELSE call.from_number END AS customer_number
    FROM conversations AS call WHERE call.workspace_id = $1 AND call.id = ANY (ARRAY(SELECT conversation_id FROM page)))
  AS persons ON call_id = conversation_id
WHERE workspaces.id = $1
ORDER BY page.id DESC;

-- set-call-analyses (src/read-models/read-models.sql.ts)
-- also set-call-recordings
-- $1 calls
WITH known AS MATERIALIZED (
  SELECT call.id, call.fields, call.criteria, call."optOut" AS opt_out, worker_id, agent_version,
    CASE WHEN incoming_claim_id IS NULL THEN to_number ELSE from_number END AS phone_number,
    conversations.workspace_id, conversations.agent_id, conversations.request->>'traceparent' AS traceparent,
    CASE WHEN
    EXISTS (SELECT FROM webhook_endpoints AS endpoint
      WHERE endpoint.workspace_id = conversations.workspace_id AND
        (endpoint.status IN ('ok', 'failing')
            OR endpoint.status = 'paused' AND endpoint.status_since > now() - interval '30 days')) THEN
    jsonb_build_object(
        'conversation_id', conversations.id, 'assistant_id', conversations.agent_id,
        'agent_version', conversations.agent_version, 'campaign_id', conversations.campaign_id,
        'external_id', COALESCE(conversations.request->>'external_id', ''),
        'direction', conversations.direction, 'call_type', conversations.call_type,
        'to_number', NULLIF(conversations.to_number, ''), 'from_number', NULLIF(conversations.from_number, '')) END
    AS event_call
  FROM json_to_recordset($1::json) AS call (id uuid, token uuid, fields jsonb, criteria jsonb, "optOut" boolean)
  JOIN conversations ON conversations.id = call.id AND conversations.token = call.token
  WHERE ended_at IS NULL OR ended_at > now() - interval '1 day' * LEAST(7, (
    SELECT LEAST(calls_days) FROM workspace_retention WHERE workspace_retention.workspace_id = conversations.workspace_id))
  ORDER BY call.id
), opted_out AS MATERIALIZED (
  SELECT * FROM known
  WHERE opt_out AND phone_number <> '' AND NOT EXISTS (
    SELECT FROM call_analyses WHERE conversation_id = known.id AND call_analyses.opt_out)
), listed AS (
  INSERT INTO do_not_call (workspace_id, phone_number, reason, source, created_by, expires_at)
  SELECT workspace_id, phone_number, reason, source, created_by, expires_at FROM (
    SELECT DISTINCT workspace_id, phone_number, NULL::text AS reason, 'opt_out' AS source,
      NULL::jsonb AS created_by, NULL::timestamptz AS expires_at
    FROM opted_out) AS entry
  ORDER BY workspace_id, phone_number
  ON CONFLICT (workspace_id, phone_number) DO UPDATE
  SET reason = excluded.reason, source = excluded.source, created_by = excluded.created_by,
    expires_at = excluded.expires_at,
    created_at = now()
), audited AS (
  INSERT INTO audit_entries (workspace_id, actor_kind, actor_id, actor_name, action, target_kind, details)
  SELECT workspace_id, 'runtime', worker_id, worker_id, 'do_not_call.added', 'do_not_call', details
  FROM (SELECT *, jsonb_build_object('source', 'opt_out', 'call_id', id) AS details FROM opted_out) AS change
), queued AS (
  INSERT INTO calls_to_measure AS queued (conversation_id)
  SELECT DISTINCT id FROM known ORDER BY id
  ON CONFLICT (conversation_id) DO UPDATE SET revision = queued.revision + 1
), due AS (
  INSERT INTO due_findings AS due (conversation_id, due_at)
  SELECT DISTINCT call.id, now() + interval '5 seconds'
  FROM known AS call
  JOIN agent_versions AS version ON version.agent_id = call.agent_id AND version.version = call.agent_version
  WHERE version.analysis IS NOT NULL
  ORDER BY call.id
  ON CONFLICT (conversation_id) DO UPDATE SET due_at = excluded.due_at
), stored AS (
  INSERT INTO call_analyses (conversation_id, fields, criteria, opt_out)
  SELECT id, fields, criteria, opt_out FROM known
  ON CONFLICT (conversation_id) DO UPDATE
  SET fields = excluded.fields, criteria = excluded.criteria, opt_out = call_analyses.opt_out OR excluded.opt_out,
    reported_at = now()
  RETURNING conversation_id AS id
),
  occurred AS MATERIALIZED (
    SELECT gen_random_uuid() AS event_id, source.* FROM (
      SELECT workspace_id, id AS conversation_id, agent_id, 'call.analyzed' AS type, '' AS url, true AS is_for_endpoints,
        event_call ||
        CASE WHEN octet_length(fields::text) <= 61440 THEN jsonb_build_object('analysis', fields)
        ELSE '{"analysis": null, "truncated": true}' END AS data, traceparent, 1 AS ordinal
      FROM known JOIN stored USING (id) WHERE event_call IS NOT NULL AND
        (SELECT count(*) FROM webhook_events AS event
          WHERE event.conversation_id = stored.id AND event.type = 'call.analyzed') < 10
      UNION ALL
      SELECT workspace_id, id AS conversation_id, agent_id, 'number.opted_out' AS type, '' AS url, true AS is_for_endpoints,
        event_call || jsonb_build_object('phone_number', phone_number) AS data, traceparent, 1 AS ordinal
      FROM opted_out JOIN stored USING (id) WHERE event_call IS NOT NULL) AS source
  ), paused AS MATERIALIZED (
    SELECT id, status FROM webhook_endpoints
    WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_endpoints
      WHERE workspace_id IN (SELECT workspace_id FROM occurred) AND status = 'paused'))
    ORDER BY id FOR SHARE SKIP LOCKED
  ), receivers AS MATERIALIZED (
    SELECT event_id, NULL::uuid AS endpoint_id, url, 'pending' AS status FROM occurred WHERE url <> ''
    UNION ALL
    SELECT event_id, endpoint.id, endpoint.url,
      CASE paused.status WHEN 'paused' THEN 'held' ELSE 'pending' END
    FROM occurred JOIN webhook_endpoints AS endpoint USING (workspace_id) LEFT JOIN paused ON paused.id = endpoint.id
    WHERE is_for_endpoints AND
      (endpoint.status IN ('ok', 'failing')
          OR endpoint.status = 'paused' AND endpoint.status_since > now() - interval '30 days')
      AND (events = '{*}' OR type = ANY (events))
      AND (agent_ids IS NULL OR agent_id = ANY (agent_ids))
  ), events AS (
    INSERT INTO webhook_events (id, workspace_id, conversation_id, type, data, traceparent)
    SELECT event_id, workspace_id, conversation_id, type, data, traceparent
    FROM occurred WHERE event_id IN (SELECT event_id FROM receivers)
    ON CONFLICT DO NOTHING
    RETURNING id AS event_id, workspace_id, conversation_id, type
  ), deliveries AS (
    INSERT INTO webhook_deliveries (id, workspace_id, conversation_id, event_id, endpoint_id, ordering_key, type, url,
        status, next_attempt_at, give_up_at, data)
    SELECT id, workspace_id, conversation_id, event_id, endpoint_id,
      CASE WHEN endpoint_id IS NULL THEN COALESCE(conversation_id, id)
      ELSE md5(concat(endpoint_id, COALESCE(conversation_id, id)))::uuid END,
      type, url, status, CASE status WHEN 'pending' THEN now() END, now() + interval '24 hours', CASE WHEN
      endpoint_id IS NULL AND EXISTS (
        SELECT FROM webhook_deliveries AS earlier
        WHERE earlier.conversation_id = delivery.conversation_id AND earlier.data IS NOT NULL) THEN data END
    FROM (SELECT gen_random_uuid() AS id, occurred.data, event_id, events.workspace_id, events.conversation_id, events.type,
        endpoint_id,
        receivers.url, status, ordinal
      FROM events JOIN receivers USING (event_id) JOIN occurred USING (event_id)) AS delivery
    ORDER BY ordinal
    ON CONFLICT DO NOTHING
    RETURNING id, workspace_id, ordering_key, endpoint_id, status
  ),
  jobs AS (
    SELECT count(*) AS count
    FROM (SELECT array_agg(('webhooks.send',
        json_build_object('workspaceId', workspace_id, 'orderingKey', ordering_key, 'endpointId', endpoint_id), NULL, now(),
        32767, NULL, NULL, array_remove(ARRAY[workspace_id::text, endpoint_id::text], NULL))
        ::graphile_worker.job_spec) AS specs FROM deliveries WHERE status = 'pending' HAVING count(*) > 0) AS added,
      graphile_worker.add_jobs(specs)
  )
SELECT id FROM stored WHERE (SELECT count FROM jobs) >= 0;

--
-- src/tools/demo-data/
--

-- add-demo-agent-totals (src/tools/demo-data/demo-data.sql.ts)
-- $1 workspaceId
INSERT INTO agent_call_totals (agent_id, calls, successful, seconds, last_ended_at)
SELECT agent_id, count(*), count(*) FILTER (WHERE status = 'disconnected'), sum(duration_sec), max(ended_at)
FROM conversations WHERE workspace_id = $1 GROUP BY agent_id;

-- add-demo-ledger (src/tools/demo-data/demo-data.sql.ts)
-- $1 workspaceId, $2 spare, $3 since
WITH entry AS MATERIALIZED (
  SELECT id, 'hold' AS kind, -hold AS amount, created_at AS at, 1 AS place
  FROM conversations WHERE workspace_id = $1
  UNION ALL
  SELECT id, 'release', hold, ended_at, 2 FROM conversations WHERE workspace_id = $1
  UNION ALL
  SELECT id, 'charge', -charge, ended_at, 3
  FROM conversations WHERE workspace_id = $1 AND charge > 0
), granted AS MATERIALIZED (
  SELECT $2::int - COALESCE(sum(amount), 0)::int AS amount FROM entry
), added AS (
  INSERT INTO credit_entries (workspace_id, conversation_id, kind, amount, created_at)
  SELECT $1, id, kind, amount, at
  FROM (SELECT NULL::uuid AS id, 'grant' AS kind, amount, $3::timestamptz AS at, 0 AS place FROM granted
    UNION ALL SELECT id, kind, amount, at, place FROM entry) AS line
  ORDER BY at, place, id
), today AS (
  SELECT COALESCE(sum(charge), 0)::int AS spent FROM conversations
  WHERE workspace_id = $1 AND (created_at AT TIME ZONE 'UTC')::date = (now() AT TIME ZONE 'UTC')::date
)
UPDATE workspaces SET credits = credits + $2::int,
  spent_on = GREATEST(workspaces.spent_on, (now() AT TIME ZONE 'UTC')::date),
  spent_credits = GREATEST(0,
      (CASE WHEN workspaces.spent_on >= (now() AT TIME ZONE 'UTC')::date THEN workspaces.spent_credits
          ELSE 0 END) + today.spent)
FROM today WHERE workspaces.id = $1
RETURNING today.spent;

-- backdate-demo-workspace (src/tools/demo-data/demo-data.sql.ts)
-- $1 since, $2 workspaceId
WITH owner AS (UPDATE users SET created_at = $1 WHERE workspace_id = $2)
UPDATE workspaces SET created_at = $1 WHERE id = $2;

-- fill-demo-deliveries (src/tools/demo-data/demo-data.sql.ts)
-- $1 workspaceId
UPDATE webhook_events SET data =
  jsonb_build_object(
      'id', conversations.id,
      'conversation_id', conversations.id,
      'assistant_id', conversations.agent_id,
      'userId', conversations.user_id,
      'workspaceId', conversations.workspace_id,
      'campaign_id', conversations.campaign_id,
      'status', conversations.status,
      'to_number', NULLIF(conversations.to_number, ''),
      'connected_at', to_char(conversations.connected_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'ended_at', to_char(conversations.ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'duration', to_char(make_interval(secs => conversations.duration_sec), 'HH24:MI:SS'),
      'duration_sec', conversations.duration_sec,
      'disconnect_reason', conversations.disconnect_reason,
      'disconnected_by', conversations.disconnected_by,
      'metadata', jsonb_build_object(
          'summary', conversations.summary,
          'process_compliance', conversations.process_compliance,
          'outcome', conversations.outcome)) || jsonb_build_object('external_id', '')
FROM conversations
WHERE webhook_events.workspace_id = $1 AND conversations.id = webhook_events.conversation_id;

-- has-workspace-calls (src/tools/demo-data/demo-data.sql.ts)
-- $1 workspaceId
SELECT EXISTS (SELECT FROM conversations WHERE workspace_id = $1) AS "hasCalls";

-- lock-workspace-for-demo-data (src/tools/demo-data/demo-data.sql.ts)
-- $1 workspaceId
SELECT id FROM workspaces WHERE id = $1 FOR NO KEY UPDATE;
