import type { ParleyError } from './errors';

/** Whether a request may be repeated: never, since it is harmless, or since the server does it once by its key. */
export type Repetition = 'never' | 'safe' | 'keyed';

/** A longer pause is not waited for: the error says how long it is. */
const LONGEST_RETRY_AFTER_SECONDS = 30;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;

/** The statuses with which a proxy says that it did not get an answer. */
const GATEWAY_STATUSES = new Set([502, 503, 504]);

/** Whether nobody knows if the server did what was asked. */
export const hasNoAnswer = ({ status, code }: ParleyError): boolean =>
  status === 0 || (GATEWAY_STATUSES.has(status) && code === 'INVALID_RESPONSE');

/** Whether the same request may succeed later. */
export const isTransient = (error: ParleyError): boolean =>
  hasNoAnswer(error) || error.status === 429 || error.status === 503;

/** Whether another request with the same key is still in progress. */
export const isKeyInUse = ({ code }: ParleyError, repetition: Repetition): boolean =>
  repetition === 'keyed' && code === 'IDEMPOTENCY_KEY_IN_USE';

/** Whether an attempt that failed with this error may be followed by another one. */
export function mayRepeat(error: ParleyError, repetition: Repetition): boolean {
  if (repetition === 'never') return false;
  if (error.code === 'OUTCOME_UNKNOWN') return repetition === 'keyed';
  if ((error.retryAfter ?? 0) > LONGEST_RETRY_AFTER_SECONDS) return false;
  return isTransient(error);
}

/**
 * The milliseconds before the next attempt: what the server asks for, else a time that doubles.
 * @param retries how many attempts have followed the first
 */
export function computePause(
  { retryAfter }: Pick<ParleyError, 'retryAfter'>,
  retries: number,
  random = Math.random(),
): number {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** retries, LONGEST_PAUSE_MS);
  const jitter = longest / 2 + (longest / 2) * random;
  return retryAfter === undefined ? jitter : retryAfter * 1_000 + (FIRST_PAUSE_MS / 5) * random;
}
