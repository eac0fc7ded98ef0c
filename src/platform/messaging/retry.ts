import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from './backoff';

export interface RetryOptions {
  maxAttempts: number;
  longestPauseMs: number;
  /** The signal ends a pause immediately, and with it the attempts. */
  signal: AbortSignal;
  shouldRetry: (error: unknown) => boolean;
}

/** Repeats an attempt, with growing pauses, until it succeeds. @throws the last error */
export async function retry<T>(
  attempt: () => Promise<T>,
  { maxAttempts, longestPauseMs, signal, shouldRetry }: RetryOptions,
) {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (failures === maxAttempts || !shouldRetry(error)) throw error;
      // The pause of the package exponential-backoff is not used: a shutdown could not end it.
      await pause(backoffMs(failures, longestPauseMs), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw error;
    }
  }
}
