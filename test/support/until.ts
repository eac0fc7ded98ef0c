import { setTimeout as pause } from 'node:timers/promises';

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 50;

/** Checks a condition until it is truthy, first every few milliseconds and then less often. @returns its value */
export async function until<T>(
  condition: () => T | Promise<T>,
  timeoutMs = 60_000,
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  const deadline = Date.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.3, LONGEST_PAUSE_MS)) {
    const value = await condition();
    if (value) return value as Exclude<T, false | null | undefined | 0 | ''>;
    if (Date.now() > deadline)
      throw new Error(`This was not fulfilled within ${timeoutMs} ms: ${condition.toString()}`);
    // A test that waits must leave the processor to the work that it waits for.
    await pause(pauseMs);
  }
}
