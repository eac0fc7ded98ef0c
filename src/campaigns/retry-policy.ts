import { RUNTIME_DISCONNECT_REASONS } from '../calls/call-states';

/** After these, nobody knows whether the person was reached, or another attempt would change nothing. */
const NEVER: readonly string[] = ['error', 'cancelled', 'invalid_destination'];

/** The ends of a call after which another attempt can be asked for. */
export const RETRYABLE_REASONS = RUNTIME_DISCONNECT_REASONS.filter((reason) => !NEVER.includes(reason));

export const MAX_RETRIES = 5;

/** A month. */
export const MAX_PAUSE_MINUTES = 43_200;

/** After which ends of a call its recipient is called again. */
export interface RetryPolicy {
  on: string[];
  /** Further attempts after the first one. */
  max: number;
  /** The pauses before them, from the end of the call; the last one counts for the rest. */
  afterMinutes: number[];
}

const isOneOf = (list: readonly string[], value: unknown) => list.includes(value as string);

export function isRetryPolicy(value: unknown): value is RetryPolicy {
  if (typeof value !== 'object' || value === null) return false;
  const { on, max, afterMinutes, ...others } = value as Partial<Record<keyof RetryPolicy, unknown>>;
  return (
    Object.keys(others).length === 0 &&
    Array.isArray(on) &&
    on.length > 0 &&
    on.length <= RETRYABLE_REASONS.length &&
    on.every((reason) => isOneOf(RETRYABLE_REASONS, reason)) &&
    Number.isInteger(max) &&
    (max as number) >= 0 &&
    (max as number) <= MAX_RETRIES &&
    Array.isArray(afterMinutes) &&
    afterMinutes.length > 0 &&
    afterMinutes.length <= MAX_RETRIES &&
    afterMinutes.every(
      (minutes) =>
        Number.isInteger(minutes) && (minutes as number) >= 0 && (minutes as number) <= MAX_PAUSE_MINUTES,
    )
  );
}
