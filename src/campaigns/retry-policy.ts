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

/** What is stored: null without a further attempt. */
export const storedRetry = (retry: RetryPolicy | null | undefined) => (retry?.max ? retry : null);

const isOneOf = (list: readonly string[], value: unknown) => list.includes(value as string);

const areReasons = (value: unknown) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= RETRYABLE_REASONS.length &&
  value.every((reason) => isOneOf(RETRYABLE_REASONS, reason));

const isNumberWithin = (value: unknown, max: number) =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max;

const arePauses = (value: unknown) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= MAX_RETRIES &&
  value.every((minutes) => isNumberWithin(minutes, MAX_PAUSE_MINUTES));

/** Without further attempts, their reasons and pauses can be left out. */
export function isRetryPolicy(value: unknown): value is RetryPolicy {
  if (typeof value !== 'object' || value === null) return false;
  const { on, max, afterMinutes, ...others } = value as Partial<Record<keyof RetryPolicy, unknown>>;
  return (
    Object.keys(others).length === 0 &&
    isNumberWithin(max, MAX_RETRIES) &&
    (areReasons(on) || (max === 0 && on === undefined)) &&
    (arePauses(afterMinutes) || (max === 0 && afterMinutes === undefined))
  );
}
