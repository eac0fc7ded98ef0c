import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from './client';

async function residentMegabytes(api: ApiClient): Promise<number> {
  const { body } = await api.get('/metrics');
  const [, bytes] = /^process_resident_memory_bytes (\S+)$/m.exec(body as string) ?? [];
  if (bytes === undefined) throw new Error('The metrics have no process_resident_memory_bytes.');
  return Number(bytes) / 1024 / 1024;
}

export interface Memory {
  /** MB, before. */
  atRest: number;
  /** MB, at most. */
  peak: number;
}

/** Watches the resident memory of a server, as its metrics tell it, while something is done. */
export async function memoryDuring(api: ApiClient, work: () => Promise<unknown>): Promise<Memory> {
  const atRest = await residentMegabytes(api);
  let done = false;
  const working = work().finally(() => (done = true));
  let peak = atRest;
  while (!done) {
    peak = Math.max(peak, await residentMegabytes(api));
    // Looking without a break would take a processor from what is watched.
    await pause(10);
  }
  await working;
  return { atRest, peak: Math.max(peak, await residentMegabytes(api)) };
}
