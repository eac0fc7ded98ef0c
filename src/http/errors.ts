import { HttpException } from '@nestjs/common';

export interface FieldError {
  /** Where it is, with its location first: `body.llmConfig.temperature`, `query.limit`. */
  field: string;
  message: string;
}

/** What an error answer carries beside `status` and `message`. */
export interface ErrorMembers {
  errors?: FieldError[];
  error?: { details: string };
  details?: string;
  error_code?: string;
}

export type ErrorBody = { status: number; message: string } & ErrorMembers;

/** An answer that is not a success. Features name theirs in `<feature>.errors.ts`. */
export class ApiError extends HttpException {
  constructor(
    status: number,
    message: string,
    readonly members: ErrorMembers = {},
    readonly headers: Record<string, string> = {},
  ) {
    super(message, status);
  }

  get body(): ErrorBody {
    return { status: this.getStatus(), message: this.message, ...this.members };
  }
}

/** The header of an answer that says when to try again. */
export const retryAfter = (seconds: number) => ({ 'Retry-After': String(Math.max(1, Math.ceil(seconds))) });

export const unknownProperty = (field: string, name: string): FieldError => ({
  field,
  message: `${name} is not a known property`,
});

/** A list of a thousand items may have as many faults, and many fields may be such lists. */
const MAX_LISTED = 100;

export const validationFailed = (errors: FieldError[], error_code?: string) =>
  new ApiError(400, 'Validation failed', {
    errors: errors.slice(0, MAX_LISTED),
    ...(errors.length > MAX_LISTED && {
      details: `The first ${MAX_LISTED} of ${errors.length} errors are listed.`,
    }),
    ...(error_code !== undefined && { error_code }),
  });

export const unauthenticated = (details: string) => new ApiError(401, 'Unauthorized', { details });

export const forbidden = (message: string) => new ApiError(403, message);
