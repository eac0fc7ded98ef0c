import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { extname } from 'node:path';
import { OVER_MEMORY } from './child-guard';
import { childPermissions } from './child-permissions';

/** In tests, which run the TypeScript sources, the child runs them too. */
const EXTENSION = extname(__filename);
const COMPILE = EXTENSION === '.ts' ? ['--require', '@swc-node/register'] : [];

/** The exit code of an aborted process on systems without signals. */
const ABORTED = 134;

/** A nice value: on a busy processor, the child gets a third of the server's share. */
const LOWER_PRIORITY = 5;

export interface ChildOptions {
  heapMegabytes: number;
  /**
   * A third of the memory that V8 gives to new objects before it collects them. Default: V8 decides, up to 16 MB.
   */
  semiSpaceMegabytes?: number;
  /** Whether the server reads the standard output of the process. */
  hasOutput?: boolean;
  /** Whether the process runs at a lower priority than the server. It is not for tasks with a short time limit. */
  isPatient?: boolean;
  /** The folders that the process may read beside its code. */
  readableFolders?: string[];
}

/** A message that a process may send before its reply. */
export interface Progress {
  progress: number;
}

const isProgress = (message: object): message is Progress => 'progress' in message;

/** A process ended, or could not be reached, before it replied. The message completes a sentence about it. */
export class NoReplyError extends Error {
  /**
   * V8 aborts at the limit of its heap, and rarely for other reasons. If the system kills a process because the
   * machine has no memory left, this is false: the signal is that of any other kill.
   */
  readonly tookTooMuchMemory: boolean;

  constructor(code: number | null, signal: NodeJS.Signals | null, message?: string) {
    super(message ?? `ended with ${signal ?? `exit code ${code}`}`);
    this.tookTooMuchMemory = signal === OVER_MEMORY || signal === 'SIGABRT' || code === ABORTED;
  }
}

/**
 * A process that reads untrusted input, one task at a time, so that no input can block the server, fill its memory or
 * crash it. Its module calls `guardChild`.
 */
export class Child<Task extends object, Reply extends object> {
  private readonly process: ChildProcess;

  /** @param module the path without extension */
  constructor(module: string, options: ChildOptions) {
    const { heapMegabytes, semiSpaceMegabytes, hasOutput = false, isPatient = false } = options;
    this.process = fork(`${module}${EXTENSION}`, {
      serialization: 'advanced',
      // The environment of the server contains secrets.
      env: {},
      execArgv: [
        ...COMPILE,
        ...childPermissions(options.readableFolders),
        `--max-old-space-size=${heapMegabytes}`,
        ...(semiSpaceMegabytes ? [`--max-semi-space-size=${semiSpaceMegabytes}`] : []),
      ],
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

  /** The standard output of the process, for all of its tasks. */
  get output(): Socket | null {
    return this.process.stdout as Socket | null;
  }

  end(): void {
    this.process.kill('SIGKILL');
    this.output?.destroy();
  }

  /** @throws NoReplyError */
  async run(task: Task, onProgress?: (progress: number) => void): Promise<Reply> {
    const { process } = this;
    const settled = new AbortController();
    this.setWaiting(true);
    try {
      return await new Promise<Reply>((resolve, reject) => {
        // `close` is emitted after all messages, but `exit` may be emitted before.
        const onClose = (code: number | null, signal: NodeJS.Signals | null) =>
          reject(new NoReplyError(code, signal));
        const onError = ({ message }: Error) =>
          reject(new NoReplyError(null, null, `cannot be reached: ${message}`));
        const onMessage = (message: Reply | Progress) =>
          isProgress(message) ? onProgress?.(message.progress) : resolve(message);
        process.on('message', onMessage).once('close', onClose).once('error', onError);
        settled.signal.addEventListener('abort', () =>
          process.off('message', onMessage).off('close', onClose).off('error', onError),
        );
        process.send(task, (error) => error && onError(error));
      });
    } finally {
      settled.abort();
      this.setWaiting(false);
    }
  }

  /** The child keeps the server's event loop alive only while a task waits for it. */
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
    // The process may have ended, which its events report. The priority does not change what it does.
  }
}
