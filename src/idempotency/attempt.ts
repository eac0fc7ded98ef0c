import { randomUUID } from 'node:crypto';
import { type EntityManager, IsNull } from 'typeorm';
import type { ApiError } from '../http/errors';
import { envelopeOf } from '../http/envelope';
import { type StoredResponse, requestUnderWay } from '../http/idempotency-responses';
import type { SqlRunner } from '../database/sql';
import { IdempotencyRecord } from './idempotency-record.entity';
import { FAIL, LOCK } from './idempotency.sql';
import type { IdempotentRequest } from './idempotent-request';

/**
 * An attempt at a keyed request, in whose hands its record is. Whoever does what was asked writes the answer with it, in
 * the same transaction; an attempt that was taken over, because it was silent for too long, can do nothing any more.
 */
export class Attempt {
  readonly owner = randomUUID();

  constructor(readonly request: IdempotentRequest) {}

  /** What names the record in this attempt's hands: workspace, endpoint, key and owner. */
  get values(): [string, string, string, string] {
    const { workspaceId, endpoint, key } = this.request;
    return [workspaceId, endpoint, key, this.owner];
  }

  /** The answer that the route gives with this result of its handler. */
  answerWith(result: unknown): StoredResponse {
    return envelopeOf(this.request.answer, result);
  }

  /** @throws 409, which rolls the transaction back, where another attempt has taken over */
  async record(manager: EntityManager, result: unknown): Promise<void> {
    const [workspaceId, endpoint, key, owner] = this.values;
    const { affected } = await manager.update(
      IdempotencyRecord,
      { workspaceId, endpoint, key, owner, answer: IsNull() },
      { answer: this.answerWith(result) },
    );
    if (affected !== 1) throw requestUnderWay();
  }

  /** Keeps the answer from being given to others until the transaction ends. False: it may have been already. */
  async lock(sql: SqlRunner): Promise<boolean> {
    return (await sql.run(LOCK, this.values)).length > 0;
  }

  /** Puts a failure in the place of the answer, and lets others have it. */
  async fail(sql: SqlRunner, failure: ApiError): Promise<void> {
    const answer: StoredResponse = { status: failure.getStatus(), body: failure.body };
    await sql.run(FAIL, [...this.values, answer]);
  }
}
