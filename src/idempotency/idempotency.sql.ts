import type { Statement } from '../database/sql';

/** How long an attempt that gives no sign of life is taken to be under way; it renews this while it works. */
export const LEASE_SECONDS = 15;

const KEPT_FOR = `interval '24 hours'`;

/** The record while an attempt owns it, whose parameters these are. */
export const ownedBy = (workspace: string, endpoint: string, key: string, owner: string) =>
  `workspace_id = ${workspace} AND endpoint = ${endpoint} AND key = ${key} AND owner = ${owner}`;

const OWNED = ownedBy('$1', '$2', '$3', '$4');

/** Nothing is kept any more, or nothing was done: an answer would have been written with the thing. */
const IS_FREE = `(
  held.created_at <= now() - ${KEPT_FOR} OR (held.answer IS NULL AND held.locked_until <= now()))`;

const takenIfFree = (column: string, otherwise = `held.${column}`) =>
  `${column} = CASE WHEN ${IS_FREE} THEN excluded.${column} ELSE ${otherwise} END`;

/**
 * $1 workspace, $2 endpoint, $3 key, $4 owner, $5 fingerprint. Takes a key that is new or free, else says what is known
 * of it. An answer whose lease has run out is settled by being told: from then on nobody may put another in its place.
 */
export const TAKE: Statement = {
  name: 'take-idempotency-key',
  text: `
    INSERT INTO idempotency_keys AS held (workspace_id, endpoint, key, owner, fingerprint, locked_until)
    VALUES ($1, $2, $3, $4, $5, now() + interval '${LEASE_SECONDS} seconds')
    ON CONFLICT (workspace_id, endpoint, key) DO UPDATE SET
      ${takenIfFree('owner')},
      ${takenIfFree('fingerprint')},
      ${takenIfFree('answer')},
      ${takenIfFree('created_at')},
      ${takenIfFree('locked_until', 'CASE WHEN held.locked_until > now() THEN held.locked_until END')}
    RETURNING owner = $4 AS "isMine", locked_until IS NOT NULL AS "isUnderWay", fingerprint = $5 AS "isSame", answer`,
};

/** $1 to $4 as above. */
export const RENEW: Statement = {
  name: 'renew-idempotency-key',
  text: `
    UPDATE idempotency_keys SET locked_until = now() + interval '${LEASE_SECONDS} seconds'
    WHERE ${OWNED} AND locked_until IS NOT NULL`,
};

/** $1 to $4 as above. Lets others have the answer. */
export const RELEASE: Statement = {
  name: 'release-idempotency-key',
  text: `UPDATE idempotency_keys SET locked_until = NULL WHERE ${OWNED} AND answer IS NOT NULL`,
};

/** $1 to $4 as above. Where nothing was done, the key is as if it had never been used. */
export const GIVE_BACK: Statement = {
  name: 'give-back-idempotency-key',
  text: `DELETE FROM idempotency_keys WHERE ${OWNED} AND answer IS NULL`,
};

/** $1 to $4 as above. No row: others may have the answer already. */
export const LOCK: Statement = {
  name: 'lock-idempotency-key',
  text: `SELECT owner FROM idempotency_keys WHERE ${OWNED} AND locked_until IS NOT NULL FOR UPDATE`,
};

/** $1 to $4 as above, $5 the answer of a failure. */
export const FAIL: Statement = {
  name: 'fail-idempotency-key',
  text: `UPDATE idempotency_keys SET answer = $5, locked_until = NULL WHERE ${OWNED}`,
};

/** $1 how many at most. */
export const REMOVE_EXPIRED: Statement = {
  name: 'remove-expired-idempotency-keys',
  text: `
    DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM idempotency_keys WHERE created_at <= now() - ${KEPT_FOR}
      ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING owner`,
};
