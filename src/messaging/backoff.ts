/** How long to pause after so many failures in a row: doubling from 100 ms, with full jitter. */
export function backoffMs(failures: number, longestMs: number): number {
  return Math.random() * Math.min(longestMs, 100 * 2 ** Math.max(0, failures - 1));
}
