import { Injectable } from '@nestjs/common';
import { Database, type Queryable, type Transaction } from '../../platform/database/database';
import {
  CLAIM_KEY,
  type ClaimedKey,
  DELETE_EXPIRED_KEYS,
  DISCARD_KEY,
  LOCK_RESPONSE,
  COMPLETE_ATTEMPT,
  RENEW_LEASE,
  REPLACE_RESPONSE,
  REPLACE_SUCCESS,
  STORE_RESPONSE,
} from './idempotency.sql';
import type { IdempotentAttempt, StoredResponse } from './idempotent-attempt';

/** Idempotency keys and their responses. An attempt changes a key only while it owns it. */
@Injectable()
export class IdempotencyRepository {
  constructor(private readonly database: Database) {}

  async claim(
    { ownedKey }: IdempotentAttempt,
    fingerprint: Buffer,
    queryable: Queryable = this.database,
  ): Promise<ClaimedKey> {
    const [claimed] = await queryable.query(CLAIM_KEY, { ...ownedKey, fingerprint });
    return claimed as ClaimedKey;
  }

  async renewLease({ ownedKey }: IdempotentAttempt): Promise<void> {
    await this.database.query(RENEW_LEASE, ownedKey);
  }

  /** Completes the attempt: other requests get the stored response from now on. */
  async complete({ ownedKey }: IdempotentAttempt): Promise<void> {
    await this.database.query(COMPLETE_ATTEMPT, ownedKey);
  }

  /** Deletes the key, unless it has a response. */
  async discard({ ownedKey }: IdempotentAttempt): Promise<void> {
    await this.database.query(DISCARD_KEY, ownedKey);
  }

  /** @returns false if the attempt does not own the key any more */
  async storeResponse(
    { ownedKey }: IdempotentAttempt,
    response: StoredResponse,
    transaction: Transaction,
  ): Promise<boolean> {
    return (await transaction.query(STORE_RESPONSE, { ...ownedKey, response })).length > 0;
  }

  /**
   * Locks the response, so that other requests cannot get it until the transaction ends.
   * @returns false if one of them may have it already
   */
  async lockResponse({ ownedKey }: IdempotentAttempt, transaction: Transaction): Promise<boolean> {
    return (await transaction.query(LOCK_RESPONSE, ownedKey)).length > 0;
  }

  /** Puts a failure in the place of the response, and gives it to other requests. */
  async replaceResponse(
    { ownedKey }: IdempotentAttempt,
    response: StoredResponse,
    transaction: Transaction,
  ): Promise<void> {
    await transaction.query(REPLACE_RESPONSE, { ...ownedKey, response });
  }

  /** @returns false if another request may have the earlier response already */
  async replaceSuccess({ ownedKey }: IdempotentAttempt, response: StoredResponse): Promise<boolean> {
    return (await this.database.query(REPLACE_SUCCESS, { ...ownedKey, response })).length > 0;
  }

  /** @returns how many were deleted */
  async deleteExpired(limit: number): Promise<number> {
    return (await this.database.query(DELETE_EXPIRED_KEYS, { limit })).length;
  }
}
