import { setTimeout as pause } from 'node:timers/promises';

/** Resolves when the promise has settled, fulfilled or rejected, or after `ms`. */
export async function settleWithin(ms: number, promise: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const settled = promise.then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([settled, pause(ms, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
}
