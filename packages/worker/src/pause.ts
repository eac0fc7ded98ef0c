import { setTimeout as wait } from 'node:timers/promises';

/** Waits. The pause ends early when the signal is aborted. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch(() => undefined);
}
