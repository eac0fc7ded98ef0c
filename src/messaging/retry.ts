import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from './backoff';

export interface RetryOptions {
  tries: number;
  longestPauseMs: number;
  /** Ends a pause at once, with the last error. */
  signal: AbortSignal;
  shouldRetry: (error: unknown) => boolean;
}

/** Tries again, with growing pauses, until it works. @throws the last error */
export async function retry<T>(
  attempt: () => Promise<T>,
  { tries, longestPauseMs, signal, shouldRetry }: RetryOptions,
) {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (failures === tries || !shouldRetry(error)) throw error;
      // Not exponential-backoff's own pause: nothing can end it, and a shutdown would wait for it.
      await pause(backoffMs(failures, longestPauseMs), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw error;
    }
  }
}
