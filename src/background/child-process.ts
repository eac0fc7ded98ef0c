import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { extname } from 'node:path';
import { OVER_MEMORY } from './child-guard';

/** Tests run the sources as they are; so does their child. */
const EXTENSION = extname(__filename);
const COMPILE = EXTENSION === '.ts' ? ['--require', '@swc-node/register'] : [];

/** The exit code of an abort where there are no signals. */
const ABORTED = 134;

/** A third of the share that the server gets of a busy processor. */
const LOWER_PRIORITY = 5;

export interface ChildOptions {
  heapMegabytes: number;
  /** Whether it also writes to its standard output. */
  hasOutput?: boolean;
  /** Whether the server's own work goes first; not for what has a short time limit. */
  isPatient?: boolean;
}

/** A process ended, or could not be reached, before it replied; the message follows its name. */
export class NoReply extends Error {
  /**
   * V8 aborts at the limit of its heap, and for hardly anything else. A process that the system killed because the
   * machine ran out of memory looks like one that somebody killed.
   */
  readonly tookTooMuchMemory: boolean;

  constructor(code: number | null, signal: NodeJS.Signals | null, message?: string) {
    super(message ?? `ended with ${signal ?? `exit code ${code}`}`);
    this.tookTooMuchMemory = signal === OVER_MEMORY || signal === 'SIGABRT' || code === ABORTED;
  }
}

/**
 * A process that reads untrusted input, one task after the other, so that none can hold up, fill up or crash the
 * server. Its module calls `guardChild`.
 */
export class Child<Task extends object, Reply> {
  private readonly process: ChildProcess;

  /** @param module its path without extension */
  constructor(module: string, { heapMegabytes, hasOutput = false, isPatient = false }: ChildOptions) {
    this.process = fork(`${module}${EXTENSION}`, {
      serialization: 'advanced',
      // There is no secret to find here.
      env: {},
      execArgv: [...COMPILE, `--max-old-space-size=${heapMegabytes}`],
      stdio: ['ignore', hasOutput ? 'pipe' : 'ignore', 'ignore', 'ipc'],
    });
    this.process.on('error', () => undefined);
    if (isPatient) lowerPriority(this.process);
    this.setWaiting(false);
  }

  get isAlive(): boolean {
    const { connected, killed, exitCode, signalCode } = this.process;
    return connected && !killed && exitCode === null && signalCode === null;
  }

  /** What it writes, of all its tasks. */
  get output(): Socket | null {
    return this.process.stdout as Socket | null;
  }

  end(): void {
    this.process.kill('SIGKILL');
    this.output?.destroy();
  }

  /** @throws NoReply */
  async ask(task: Task): Promise<Reply> {
    const { process } = this;
    const settled = new AbortController();
    this.setWaiting(true);
    try {
      return await new Promise<Reply>((resolve, reject) => {
        // It comes after all messages, which exit may not.
        const onClose = (code: number | null, signal: NodeJS.Signals | null) =>
          reject(new NoReply(code, signal));
        const onError = ({ message }: Error) =>
          reject(new NoReply(null, null, `can not be reached: ${message}`));
        process.once('message', resolve).once('close', onClose).once('error', onError);
        settled.signal.addEventListener('abort', () =>
          process.off('message', resolve).off('close', onClose).off('error', onError),
        );
        process.send(task, (error) => error && onError(error));
      });
    } finally {
      settled.abort();
      this.setWaiting(false);
    }
  }

  /** Until a task waits for it, it keeps no event loop alive. */
  private setWaiting(waiting: boolean) {
    const change = waiting ? 'ref' : 'unref';
    this.process[change]();
    this.process.channel?.[change]();
    this.output?.[change]();
  }
}

function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, LOWER_PRIORITY);
  } catch {
    // It may have ended already, which its events say; at any priority it does the same.
  }
}
