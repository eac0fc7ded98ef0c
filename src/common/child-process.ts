import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { extname } from 'node:path';
import { OVER_MEMORY } from './child-guard';

/** Tests run the sources as they are; so does their child. */
const EXTENSION = extname(__filename);
const COMPILE = EXTENSION === '.ts' ? ['--require', '@swc-node/register'] : [];

/** The exit code of an abort where there are no signals. */
const ABORTED = 134;

/** A third of the share that the server gets of a busy processor. */
const LOWER = 5;

interface ChildOptions {
  heapMegabytes: number;
  stdout?: 'ignore' | 'pipe';
  /** Whether the server's own work goes first; not for what has a short time limit. */
  isPatient?: boolean;
}

/**
 * Runs a module in a process of its own, which reads what strangers wrote: it can't hold up, fill up or crash the
 * server. The module calls `guardChild`.
 * @param module its path without extension
 */
export function startChild(
  module: string,
  { heapMegabytes, stdout = 'ignore', isPatient = false }: ChildOptions,
): ChildProcess {
  const child = fork(`${module}${EXTENSION}`, {
    serialization: 'advanced',
    // There is no secret to find here.
    env: {},
    execArgv: [...COMPILE, `--max-old-space-size=${heapMegabytes}`],
    stdio: ['ignore', stdout, 'ignore', 'ipc'],
  });
  if (isPatient && child.pid !== undefined) lowerPriority(child.pid);
  return child;
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, LOWER);
  } catch {
    // It may have ended already, which its exit event says; at any priority it does the same.
  }
}

/**
 * Whether a process ended because it took too much memory. V8 aborts at the limit of its heap, and for hardly anything
 * else. A process that the system killed because the machine ran out of memory looks like one that somebody killed.
 */
export const tookTooMuchMemory = (code: number | null, signal: NodeJS.Signals | null) =>
  signal === OVER_MEMORY || signal === 'SIGABRT' || code === ABORTED;
