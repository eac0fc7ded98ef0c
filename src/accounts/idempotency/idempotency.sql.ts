import { statement } from '../../platform/database/statement';
import { ATTEMPT_LEASE_SECONDS, type OwnedKey, type StoredResponse } from './idempotent-attempt';
import { RETENTION_HOURS } from './retention';

const RETENTION = `interval '${RETENTION_HOURS} hours'`;

const LEASE_END = `now() + interval '${ATTEMPT_LEASE_SECONDS} seconds'`;

/** The key while an attempt owns it; its parameters are those of {@link OwnedKey}. */
const IS_OWNED = `
  workspace_id = $workspaceId AND endpoint = $endpoint AND key = $idempotencyKey AND owner = $owner`;

/**
 * A key is free after its retention, or if nothing was done: a response would have been written in the same
 * transaction.
 */
const IS_FREE = `(
  held.created_at <= now() - ${RETENTION} OR (held.answer IS NULL AND held.locked_until <= now()))`;

const takenIfFree = (column: string, otherwise = `held.${column}`) =>
  `${column} = CASE WHEN ${IS_FREE} THEN excluded.${column} ELSE ${otherwise} END`;

export interface ClaimedKey {
  isOwned: boolean;
  isInProgress: boolean;
  isSameBody: boolean;
  response: StoredResponse | null;
}

/**
 * Claims a key that is new or free, else returns what is stored. Reading a response whose lease has expired makes it
 * final: after that, no failure can replace it.
 */
export const CLAIM_KEY = statement<OwnedKey & { fingerprint: Buffer }, ClaimedKey>(
  'claim-idempotency-key',
  `
    INSERT INTO idempotency_keys AS held (workspace_id, endpoint, key, owner, fingerprint, locked_until)
    VALUES ($workspaceId, $endpoint, $idempotencyKey, $owner, $fingerprint, ${LEASE_END})
    ON CONFLICT (workspace_id, endpoint, key) DO UPDATE SET
      ${takenIfFree('owner')},
      ${takenIfFree('fingerprint')},
      ${takenIfFree('answer')},
      ${takenIfFree('created_at')},
      ${takenIfFree('locked_until', 'CASE WHEN held.locked_until > now() THEN held.locked_until END')}
    RETURNING owner = $owner AS "isOwned", locked_until IS NOT NULL AS "isInProgress",
              fingerprint = $fingerprint AS "isSameBody", answer AS response`,
);

export const RENEW_LEASE = statement<OwnedKey>(
  'renew-idempotency-key',
  `UPDATE idempotency_keys SET locked_until = ${LEASE_END} WHERE ${IS_OWNED} AND locked_until IS NOT NULL`,
);

/** Completes an attempt: from then on, other requests get the response. */
export const COMPLETE_ATTEMPT = statement<OwnedKey>(
  'complete-idempotent-attempt',
  `UPDATE idempotency_keys SET locked_until = NULL WHERE ${IS_OWNED} AND answer IS NOT NULL`,
);

/** Discards a key of a request that has done nothing, as if it had never been used. */
export const DISCARD_KEY = statement<OwnedKey>(
  'discard-idempotency-key',
  `DELETE FROM idempotency_keys WHERE ${IS_OWNED} AND answer IS NULL`,
);

/** No row: the attempt does not own the key any more. */
export const STORE_RESPONSE = statement<OwnedKey & { response: StoredResponse }, { owner: string }>(
  'store-idempotent-response',
  `UPDATE idempotency_keys SET answer = $response WHERE ${IS_OWNED} AND answer IS NULL RETURNING owner`,
);

/** No row: another request may have the response already. */
export const LOCK_RESPONSE = statement<OwnedKey, { owner: string }>(
  'lock-idempotent-response',
  `SELECT owner FROM idempotency_keys WHERE ${IS_OWNED} AND locked_until IS NOT NULL FOR UPDATE`,
);

export const REPLACE_RESPONSE = statement<OwnedKey & { response: StoredResponse }>(
  'replace-idempotent-response',
  `UPDATE idempotency_keys SET answer = $response, locked_until = NULL WHERE ${IS_OWNED}`,
);

/** No row: another request may have the earlier response already. */
export const REPLACE_SUCCESS = statement<OwnedKey & { response: StoredResponse }, { owner: string }>(
  'replace-idempotent-success',
  `UPDATE idempotency_keys SET answer = $response, locked_until = NULL
   WHERE ${IS_OWNED} AND locked_until IS NOT NULL RETURNING owner`,
);

export const DELETE_EXPIRED_KEYS = statement<{ limit: number }, { owner: string }>(
  'delete-expired-idempotency-keys',
  `
    DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM idempotency_keys WHERE created_at <= now() - ${RETENTION}
      ORDER BY created_at LIMIT $limit FOR UPDATE SKIP LOCKED))
    RETURNING owner`,
);
