import { Injectable, Logger } from '@nestjs/common';
import { ApiError, type ErrorBody } from '../http/errors';
import {
  type StoredResponse,
  keyUsedOtherwise,
  REPLAYED,
  Replayed,
  requestUnderWay,
} from '../http/idempotency-responses';
import { isOutcomeUnknown } from '../database/outcome-unknown';
import { type Statement, Sql } from '../database/sql';
import { Attempt } from './attempt';
import { fingerprintOf } from './fingerprint';
import { GIVE_BACK, LEASE_SECONDS, RELEASE, RENEW, TAKE } from './idempotency.sql';
import type { IdempotentRequest } from './idempotent-request';

type Taken = { isMine: boolean; isUnderWay: boolean; isSame: boolean; answer: StoredResponse | null };

/** Does what a keyed request asks for once, however often it is sent. */
@Injectable()
export class IdempotencyService {
  private readonly logger = new Logger(IdempotencyService.name);

  constructor(private readonly sql: Sql) {}

  /**
   * @param work is to write its answer with `attempt`, in the transaction of what it does; it gets none for a request
   * without a key
   * @param inDoubt what is answered where it is not known whether the work was done
   * @throws 409 while another attempt is under way, 422 for another body, and what the first attempt failed with
   */
  async once<Result>(
    request: IdempotentRequest | undefined,
    work: (attempt?: Attempt) => Promise<Result>,
    inDoubt: () => ApiError,
  ): Promise<Result | Replayed> {
    const telling = (attempt?: Attempt) =>
      work(attempt).catch((error: unknown) => {
        if (!isOutcomeUnknown(error)) throw error;
        const answer = inDoubt();
        this.logger.error({ err: error }, answer.message);
        throw answer;
      });
    if (!request) return telling();
    const attempt = new Attempt(request);
    const known = await this.take(attempt);
    return known ? replay(known) : this.holding(attempt, () => telling(attempt));
  }

  /** The answer to an earlier request with this key; undefined: it is now the attempt's. */
  private async take(attempt: Attempt): Promise<StoredResponse | undefined> {
    const fingerprint = await fingerprintOf(attempt.request.body);
    const [known] = await this.sql.run<Taken>(TAKE, [...attempt.values, fingerprint]);
    if (!known || known.isMine) return undefined;
    if (known.isUnderWay || !known.answer) throw requestUnderWay();
    if (!known.isSame) throw keyUsedOtherwise();
    return known.answer;
  }

  private async holding<Result>(attempt: Attempt, work: () => Promise<Result>): Promise<Result> {
    const renewing = setInterval(() => void this.settle(RENEW, attempt), (LEASE_SECONDS * 1_000) / 3);
    try {
      const result = await work();
      await this.settle(RELEASE, attempt);
      return result;
    } catch (error) {
      // Without an answer nothing was done, and nothing can be any more: what comes late wants the record. A commit
      // that is still under way has the record locked, and is waited for.
      await this.settle(GIVE_BACK, attempt);
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  /** What fails here costs a retry the rest of the lease, but not the request its answer. */
  private async settle(statement: Statement, attempt: Attempt): Promise<void> {
    await this.sql.run(statement, attempt.values).catch((error: unknown) => {
      this.logger.warn({ err: error, statement: statement.name }, 'An idempotency key was left to its lease');
    });
  }
}

function replay(answer: StoredResponse): Replayed {
  if (answer.status < 400) return new Replayed(answer);
  const { status, message, ...members } = answer.body as ErrorBody;
  throw new ApiError(status, message, members, REPLAYED);
}
