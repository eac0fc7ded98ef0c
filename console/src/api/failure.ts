import { texts } from '../texts';

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

/** A request that was refused, or that got no answer. */
export class ApiFailure extends Error {
  private constructor(
    /** 0: there was no answer. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: string | undefined,
    readonly errors: FieldError[],
    readonly requestId: string | undefined,
    /** In seconds. */
    readonly retryAfter: number | undefined,
  ) {
    super(message);
  }

  static async of(response: Response): Promise<ApiFailure> {
    const body = await bodyOf(response);
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

  static ofNetwork(cause: unknown): ApiFailure {
    const failure = new ApiFailure(0, 'NO_ANSWER', texts.failure.silent, undefined, [], undefined, undefined);
    failure.cause = cause;
    return failure;
  }

  /** Whether the session has ended. */
  get isSignedOut(): boolean {
    return this.status === 401;
  }

  /** What is wrong with a field of the body; undefined: nothing. */
  of(field: string): string | undefined {
    return this.errors.find((error) => error.field === `body.${field}`)?.message;
  }
}

/** A proxy may answer with a page. */
async function bodyOf(response: Response): Promise<ErrorBody> {
  try {
    return (await response.clone().json()) as ErrorBody;
  } catch {
    return {};
  }
}
