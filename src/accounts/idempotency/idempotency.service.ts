import { Injectable, Logger } from '@nestjs/common';
import { EnvelopedResponse } from '../../platform/http/envelope';
import { ApiError, type ErrorBody } from '../../platform/http/errors';
import { RequestStorage } from '../../platform/http/request-context';
import { Database, type Transaction } from '../../platform/database/database';
import { computeFingerprint } from './fingerprint';
import { keyReused, requestInProgress } from './idempotency.errors';
import { IdempotencyRepository } from './idempotency.repository';
import { ATTEMPT_LEASE_SECONDS, IdempotentAttempt, type StoredResponse } from './idempotent-attempt';
import type { IdempotentRequest } from './idempotent-request';

const REPLAYED = { 'Idempotent-Replayed': 'true' };

type StoredErrorBody = Omit<ErrorBody, 'error_code'> & Partial<Pick<ErrorBody, 'error_code'>>;

/** Does the work of an idempotent request once, however often the request is sent. */
@Injectable()
export class IdempotencyService {
  private readonly logger = new Logger(IdempotencyService.name);
  private readonly attempts = new RequestStorage<IdempotentAttempt>();

  constructor(
    private readonly keys: IdempotencyRepository,
    private readonly database: Database,
  ) {}

  /** The attempt that the current request makes; undefined if it has no Idempotency-Key. */
  get currentAttempt(): IdempotentAttempt | undefined {
    return this.attempts.getStore();
  }

  /**
   * Runs a handler, or replays the response of the first request with its key. The handler does its work within
   * {@link transaction}, or stores the response of {@link currentAttempt} itself.
   * @throws 409 while another attempt is in progress, 422 for another body, and the stored failure
   */
  async execute(request: IdempotentRequest, handler: () => Promise<unknown>): Promise<unknown> {
    const attempt = new IdempotentAttempt(request);
    const stored = await this.claim(attempt);
    return stored ? replay(stored) : this.withLease(attempt, handler);
  }

  /**
   * Returns what {@link execute} would replay, and leaves the key as it is.
   * @returns undefined if it would run the handler @throws what it would throw
   */
  async findReplay(request: IdempotentRequest): Promise<unknown> {
    const stored = await this.database.rehearse((transaction) =>
      this.claim(new IdempotentAttempt(request), transaction),
    );
    return stored && replay(stored);
  }

  /**
   * Runs `work` in a transaction, whose result is what the handler returns, and stores the response in it.
   * @throws 409, and rolls back, if the attempt has lost its key
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.database.transaction(async (transaction) => {
      const result = await work(transaction);
      const attempt = this.currentAttempt;
      if (attempt && !(await this.keys.storeResponse(attempt, attempt.toResponse(result), transaction))) {
        throw requestInProgress();
      }
      return result;
    });
  }

  /**
   * Replaces the stored success by a failure, within the transaction that undoes the work.
   * @returns false, and does nothing, if another request may have the success already
   */
  async replaceByFailure(
    attempt: IdempotentAttempt,
    failure: ApiError,
    undo: (transaction: Transaction) => Promise<boolean>,
  ): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      if (!(await this.keys.lockResponse(attempt, transaction)) || !(await undo(transaction))) return false;
      const response = { status: failure.getStatus(), body: failure.body };
      await this.keys.replaceResponse(attempt, response, transaction);
      return true;
    });
  }

  /**
   * Replaces the stored success by a later one, which completes the attempt.
   * @returns false if another request may have the first one already
   */
  async replaceSuccess(attempt: IdempotentAttempt, result: unknown): Promise<boolean> {
    try {
      return await this.keys.replaceSuccess(attempt, attempt.toResponse(result));
    } catch (error) {
      this.logger.warn({ err: error }, 'The answer of an idempotency key could not be replaced');
      return false;
    }
  }

  /** @returns undefined if the key is now the attempt's */
  private async claim(
    attempt: IdempotentAttempt,
    transaction?: Transaction,
  ): Promise<StoredResponse | undefined> {
    const fingerprint = await computeFingerprint(attempt.request.body);
    const claimed = await this.keys.claim(attempt, fingerprint, transaction);
    if (claimed.isOwned) return undefined;
    if (claimed.isInProgress || !claimed.response) throw requestInProgress();
    if (!claimed.isSameBody) throw keyReused();
    return claimed.response;
  }

  private async withLease(attempt: IdempotentAttempt, handler: () => Promise<unknown>): Promise<unknown> {
    const renewal = setInterval(
      () => void this.logFailure('renewed', this.keys.renewLease(attempt)),
      (ATTEMPT_LEASE_SECONDS * 1_000) / 3,
    );
    try {
      const result = await this.attempts.runWork(attempt, handler);
      if (!attempt.hasStored) throw new Error(`${attempt.request.endpoint} did not store its response`);
      await this.logFailure('completed', this.keys.complete(attempt));
      return result;
    } catch (error) {
      // Without a response nothing was committed, and nothing can be: a later commit needs the key. A commit that is
      // in progress has locked the row, and this waits for it.
      await this.logFailure('discarded', this.keys.discard(attempt));
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** A failure here costs a retry the rest of the lease, but not the request its response. */
  private async logFailure(outcome: string, change: Promise<void>): Promise<void> {
    await change.catch((error: unknown) => {
      const message = `The attempt of an idempotency key could not be ${outcome}; its lease will expire`;
      this.logger.warn({ err: error }, message);
    });
  }
}

function replay({ status, body, location }: StoredResponse): EnvelopedResponse {
  if (status < 400) return new EnvelopedResponse(status, body, location, REPLAYED);
  // A response that was stored before error codes existed is about a call that could not be published.
  const { status: _, message, error_code = 'DISPATCH_FAILED', ...members } = body as StoredErrorBody;
  throw new ApiError(error_code, message, members, REPLAYED);
}
