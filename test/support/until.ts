import { setTimeout as pause } from 'node:timers/promises';

/** Checks a condition every few milliseconds until it is truthy. @returns its value */
export async function until<T>(
  condition: () => T | Promise<T>,
  timeoutMs = 10_000,
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value) return value as Exclude<T, false | null | undefined | 0 | ''>;
    if (Date.now() > deadline)
      throw new Error(`This was not fulfilled within ${timeoutMs} ms: ${condition.toString()}`);
    await pause(5);
  }
}
