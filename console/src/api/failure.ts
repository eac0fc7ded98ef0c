import { texts } from '../texts';
import { isGateway, noteConnection } from './connection';

interface FieldError {
  field: string;
  message: string;
}

interface ErrorBody {
  message?: string;
  error_code?: string;
  errors?: FieldError[];
  error?: { details?: string };
  details?: string;
}

type SentRequest = Pick<Request, 'method' | 'headers'>;

/** A request that was refused, or that got no answer. */
export class ApiFailure extends Error {
  private constructor(
    /** The HTTP status; 0: there was no answer. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: string | undefined,
    readonly errors: FieldError[],
    readonly requestId: string | undefined,
    /** The value of Retry-After, in seconds. */
    readonly retryAfter: number | undefined,
    /** The request that got no answer; undefined: the request was GET or HEAD. */
    private readonly change?: { isRepeatable: boolean },
  ) {
    super(message);
  }

  static async fromResponse(response: Response, request?: SentRequest): Promise<ApiFailure> {
    const body = await readBody(response);
    if (isGateway(response.status) && body.error_code === undefined)
      return ApiFailure.fromNetworkError(response, request);
    noteConnection({ isAway: false });
    const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
    return new ApiFailure(
      response.status,
      body.error_code ?? 'UNKNOWN',
      body.message ?? texts.failure.answered(response.status),
      body.error?.details ?? body.details,
      body.errors ?? [],
      response.headers.get('X-Request-Id') ?? undefined,
      Number.isNaN(retryAfter) ? undefined : retryAfter,
    );
  }

  static fromNetworkError(cause: unknown, request?: SentRequest): ApiFailure {
    noteConnection({ isAway: true });
    const change =
      request && !['GET', 'HEAD'].includes(request.method)
        ? { isRepeatable: request.method !== 'POST' || request.headers.has('Idempotency-Key') }
        : undefined;
    const failure = new ApiFailure(
      0,
      'NO_ANSWER',
      texts.failure.silent,
      undefined,
      [],
      undefined,
      undefined,
      change,
    );
    failure.cause = cause;
    return failure;
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
async function readBody(response: Response): Promise<ErrorBody> {
  try {
    return (await response.clone().json()) as ErrorBody;
  } catch {
    return {};
  }
}
