import { RUNTIME_DISCONNECT_REASONS } from '../../calls/model/call-states';

/** After these ends, it is unknown whether the person was reached, or another attempt would change nothing. */
const NEVER: readonly string[] = ['error', 'cancelled', 'invalid_destination'];

/** The ends of a call after which a campaign can make another attempt. */
export const RETRYABLE_REASONS = RUNTIME_DISCONNECT_REASONS.filter((reason) => !NEVER.includes(reason));

export const MAX_RETRIES = 5;

/** One month. */
export const MAX_PAUSE_MINUTES = 43_200;

/** The ends of a call after which its recipient is called again. */
export interface RetryPolicy {
  on: string[];
  /** The number of further attempts after the first one. */
  max: number;
  /** The pauses before them, from the end of the call; the last one counts for the rest. */
  afterMinutes: number[];
}

/** Returns the policy as it is stored: null without a further attempt. */
export const storedRetry = (retry: RetryPolicy | null | undefined) => (retry?.max ? retry : null);

/** @param isNeeded whether the list is required and must not be empty */
const isListOf = (value: unknown, isItem: (item: unknown) => boolean, max: number, isNeeded: boolean) =>
  value === undefined
    ? !isNeeded
    : Array.isArray(value) && value.length >= Number(isNeeded) && value.length <= max && value.every(isItem);

const isNumberWithin = (value: unknown, max: number) =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max;

const isReason = (value: unknown) => RETRYABLE_REASONS.some((reason) => reason === value);

const isPause = (value: unknown) => isNumberWithin(value, MAX_PAUSE_MINUTES);

/** Without further attempts, their reasons and pauses can be empty or left out. */
export function isRetryPolicy(value: unknown): value is RetryPolicy {
  if (typeof value !== 'object' || value === null) return false;
  const { on, max, afterMinutes, ...others } = value as Partial<Record<keyof RetryPolicy, unknown>>;
  const isNeeded = max !== 0;
  return (
    Object.keys(others).length === 0 &&
    isNumberWithin(max, MAX_RETRIES) &&
    isListOf(on, isReason, RETRYABLE_REASONS.length, isNeeded) &&
    isListOf(afterMinutes, isPause, MAX_RETRIES, isNeeded)
  );
}
