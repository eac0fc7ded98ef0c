/** The pause after a number of consecutive failures: it doubles from 100 ms, with full jitter. */
export function backoffMs(failures: number, longestMs: number): number {
  return Math.random() * Math.min(longestMs, 100 * 2 ** Math.min(20, Math.max(0, failures - 1)));
}
