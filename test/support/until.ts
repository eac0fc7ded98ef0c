import { setTimeout as pause } from 'node:timers/promises';

/** Waits for a condition, looking every few milliseconds; its value, once it is truthy. */
export async function until<T>(
  condition: () => T | Promise<T>,
  timeoutMs = 10_000,
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value) return value as Exclude<T, false | null | undefined | 0 | ''>;
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs} ms in vain for ${condition.toString()}`);
    await pause(5);
  }
}
