import { type ErrorFacts, ParleyError, readRefusal } from '../../../packages/client/src/errors';
import { hasNoAnswer } from '../../../packages/client/src/retries';
import { texts } from '../texts';
import { noteConnection } from './connection';

type SentRequest = Pick<Request, 'method' | 'headers'>;

/** A request that was refused, or that got no answer. */
export class ApiFailure extends ParleyError {
  private constructor(
    facts: ErrorFacts,
    /** The request that got no answer; undefined: the request was GET or HEAD. */
    private readonly change?: { isRepeatable: boolean },
  ) {
    super(facts);
  }

  static async fromResponse(response: Response, request?: SentRequest): Promise<ApiFailure> {
    const refusal = readRefusal(response, await readBody(response));
    if (hasNoAnswer(refusal)) return ApiFailure.fromNetworkError(response, request);
    noteConnection({ isAway: false });
    const isOfTheApi = refusal.code !== 'INVALID_RESPONSE';
    const message = isOfTheApi ? refusal.message : texts.failure.answered(response.status);
    return new ApiFailure({ ...refusal, message });
  }

  static fromNetworkError(cause: unknown, request?: SentRequest): ApiFailure {
    noteConnection({ isAway: true });
    const change =
      request && !['GET', 'HEAD'].includes(request.method)
        ? { isRepeatable: request.method !== 'POST' || request.headers.has('Idempotency-Key') }
        : undefined;
    return new ApiFailure({ code: 'CONNECTION_FAILED', message: texts.failure.silent, cause }, change);
  }

  /** Whether there was no answer, so that it is unknown whether the request was carried out. */
  get isSilent(): boolean {
    return this.status === 0;
  }

  /** The sentence that says whether the change may have happened; undefined: there was an answer. */
  get uncertainty(): string | undefined {
    if (!this.isSilent) return undefined;
    if (!this.change) return texts.failure.unread;
    return this.change.isRepeatable ? texts.failure.unconfirmed : texts.failure.unconfirmedOnce;
  }

  /** Whether the session has ended. */
  get isSignedOut(): boolean {
    return this.status === 401;
  }
}

/** The message of the server about a field of the request's body, or about an item in that field. */
export const fieldError = (failure: unknown, path: string): string | undefined =>
  failure instanceof ApiFailure
    ? failure.errors.find(({ field }) => `${field}.`.startsWith(`body.${path}.`))?.message
    : undefined;

/** The body may be an HTML page of a proxy. */
async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.clone().json();
  } catch {
    return undefined;
  }
}
