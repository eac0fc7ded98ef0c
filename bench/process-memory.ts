import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** The resident memory of a process with its children, in MB. Pages that two of them share count twice. */
export interface Memory {
  /** The memory before the work. */
  atRest: number;
  peak: number;
}

function residentMegabytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
  } catch (error) {
    // A child may end between the two reads.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0;
    throw error;
  }
}

const listChildren = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

const measureMegabytes = (pid: number): number =>
  [pid, ...listChildren(pid)].reduce((sum, process) => sum + residentMegabytes(process), 0);

/** Measures a process with its children during some work. Linux only. */
export async function measureMemory(pid: number, work: () => Promise<void>): Promise<Memory> {
  const atRest = measureMegabytes(pid);
  let peak = atRest;
  let isDone = false;
  const working = work().finally(() => (isDone = true));
  while (!isDone) {
    peak = Math.max(peak, measureMegabytes(pid));
    await pause(20);
  }
  await working;
  return { atRest, peak };
}
