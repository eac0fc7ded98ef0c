import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from './client';

async function residentMegabytes(api: ApiClient): Promise<number> {
  const { body } = await api.get('/metrics');
  const [, bytes] = /^process_resident_memory_bytes (\S+)$/m.exec(body as string) ?? [];
  if (bytes === undefined) throw new Error('The metrics have no process_resident_memory_bytes.');
  return Number(bytes) / 1024 / 1024;
}

export interface Memory {
  /** The memory before the work, in MB. */
  atRest: number;
  /** The maximum, in MB. */
  peak: number;
}

/** Measures the resident memory of a server during some work, by its metrics. */
export async function memoryDuring(api: ApiClient, work: () => Promise<unknown>): Promise<Memory> {
  const atRest = await residentMegabytes(api);
  let done = false;
  const working = work().finally(() => (done = true));
  let peak = atRest;
  while (!done) {
    peak = Math.max(peak, await residentMegabytes(api));
    // Without a pause, the requests for the metrics would use a processor that the server needs.
    await pause(10);
  }
  await working;
  return { atRest, peak: Math.max(peak, await residentMegabytes(api)) };
}
