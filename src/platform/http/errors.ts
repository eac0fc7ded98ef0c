import { HttpException } from '@nestjs/common';
import { type ErrorCode, getErrorStatus } from './error-codes';

export interface FieldError {
  /** The field with its location: `body.llmConfig.temperature`, `query.limit`. */
  field: string;
  message: string;
}

/** The members that an error response can have in addition to `status`, `message` and `error_code`. */
export interface ErrorMembers {
  errors?: FieldError[];
  error?: { details: string };
  details?: string;
}

export type ErrorBody = { status: number; message: string; error_code: ErrorCode } & ErrorMembers;

/** A refusal. Its code decides the HTTP status. Features define theirs in `<feature>.errors.ts`. */
export class ApiError extends HttpException {
  constructor(
    readonly errorCode: ErrorCode,
    message: string,
    readonly members: ErrorMembers = {},
    readonly headers: Record<string, string> = {},
  ) {
    super(message, getErrorStatus(errorCode));
  }

  get body(): ErrorBody {
    return { status: this.getStatus(), message: this.message, error_code: this.errorCode, ...this.members };
  }
}

/** Makes the header with the time after which a client may try again. */
export const retryAfter = (seconds: number) => ({ 'Retry-After': String(Math.max(1, Math.ceil(seconds))) });

export const rateLimited = (sentence: string, seconds: number) =>
  new ApiError(
    'RATE_LIMITED',
    'Too many requests',
    { details: `${sentence}. Try again in ${seconds} s.` },
    retryAfter(seconds),
  );

/** Makes a 503: nothing was done, and the same request can succeed later. */
export const temporarilyRefused = (errorCode: ErrorCode, message: string, details: string, seconds = 1) =>
  new ApiError(errorCode, message, { error: { details } }, retryAfter(seconds));

export const unknownProperty = (field: string, name: string): FieldError => ({
  field,
  message: `${name} is not a known property`,
});

/** A list of a thousand items can have as many errors, and a request can have many such lists. */
const MAX_LISTED = 100;

export const validationFailed = (errors: FieldError[], errorCode: ErrorCode = 'VALIDATION_FAILED') =>
  new ApiError(errorCode, 'Validation failed', {
    errors: errors.slice(0, MAX_LISTED),
    ...(errors.length > MAX_LISTED && {
      details: `The first ${MAX_LISTED} of ${errors.length} errors are listed.`,
    }),
  });
