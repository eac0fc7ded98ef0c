import type { Schemas } from './types';

/** The reasons for which the server refuses a request, as in docs/errors.md, and those of the client. */
export type ParleyErrorCode =
  | NonNullable<Schemas['ErrorEnvelope']['error_code']>
  /** No answer came within `timeoutMs`. */
  | 'TIMEOUT'
  /** The server could not be reached, or the connection was lost before the answer. */
  | 'CONNECTION_FAILED'
  /** The answer is not one of Parley's: the address is probably wrong. */
  | 'INVALID_RESPONSE'
  /** The signature of a webhook is wrong, missing or too old. */
  | 'INVALID_SIGNATURE'
  /** A newer server has codes that this version does not know. */
  | (string & {});

export interface FieldError {
  /** Such as `body.to_number`. */
  field: string;
  message: string;
}

export interface ErrorFacts {
  status?: number;
  code: ParleyErrorCode;
  message: string;
  details?: string;
  errors?: FieldError[];
  requestId?: string;
  retryAfter?: number;
  cause?: unknown;
}

/** A request that was refused, or that got no answer. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError';
  /** The HTTP status; 0: there was no answer. */
  readonly status: number;
  readonly code: ParleyErrorCode;
  /** More words of the server than its message has. */
  readonly details: string | undefined;
  /** The fields that are not valid, each with the reason. */
  readonly errors: FieldError[];
  /** The id under which the server's log has the request. */
  readonly requestId: string | undefined;
  /** The seconds after which the server accepts the request again. */
  readonly retryAfter: number | undefined;

  constructor({ status = 0, code, message, details, errors = [], requestId, retryAfter, cause }: ErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.details = details;
    this.errors = errors;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/**
 * Reads why a request was refused.
 * @param body the parsed body, or its text if it is no JSON
 */
export function readRefusal(response: Response, body: unknown): ParleyError {
  const envelope = isEnvelope(body) ? body : {};
  return new ParleyError({
    status: response.status,
    code: envelope.error_code ?? 'INVALID_RESPONSE',
    message: envelope.message ?? `${response.url || 'The server'} answered with status ${response.status}`,
    details: envelope.error?.details ?? envelope.details,
    errors: envelope.errors,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfter: readRetryAfter(response.headers.get('retry-after')),
  });
}

interface ErrorEnvelope {
  message?: string;
  error_code?: string;
  errors?: FieldError[];
  error?: { details?: string };
  details?: string;
}

const isEnvelope = (body: unknown): body is ErrorEnvelope =>
  typeof body === 'object' && body !== null && 'error_code' in body;

/** Reads a header Retry-After, which has seconds or a date. */
export function readRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1_000));
}
