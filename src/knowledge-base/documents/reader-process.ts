import { type ChildProcess, fork } from 'node:child_process';
import { extname, join } from 'node:path';
import { Unreadable } from '../unreadable';
import { ReaderFailure } from './reader-failure';
import { OVER_MEMORY, type ReaderReply, type ReaderTask } from './reader.protocol';

export interface ProcessLimits {
  /** For one document; a PDF of a thousand pages takes some ten. */
  timeoutMs: number;
  heapMegabytes: number;
}

/** Tests run the sources as they are; so does their child. */
const COMPILE = extname(__filename) === '.ts' ? ['--require', '@swc-node/register'] : [];

/** The exit code of an abort where there are no signals. */
const ABORTED = 134;

/**
 * Whose fault it is that the process ended. V8 aborts at the limit of its heap, and for hardly anything else. A process
 * that the system killed because the machine ran out of memory looks like one that somebody killed.
 */
const failureOf = (code: number | null, signal: NodeJS.Signals | null): Error =>
  signal === OVER_MEMORY || signal === 'SIGABRT' || code === ABORTED
    ? new Unreadable('it takes too much memory to read')
    : new ReaderFailure(`the process that read it ended with ${signal ?? `exit code ${code}`}`);

/** A process that reads one document after the other, so that none can hold up, fill up or crash the server. */
export class ReaderProcess {
  private readonly child: ChildProcess;

  constructor(private readonly limits: ProcessLimits) {
    this.child = fork(join(__dirname, `reader.main${extname(__filename)}`), {
      serialization: 'advanced',
      // Documents come from strangers: there is no secret to find here.
      env: {},
      execArgv: [...COMPILE, `--max-old-space-size=${limits.heapMegabytes}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // Until a task waits for it, it keeps nobody's event loop alive.
    this.setWaiting(false);
    this.child.on('error', () => undefined);
  }

  get isAlive(): boolean {
    return (
      this.child.connected &&
      !this.child.killed &&
      this.child.exitCode === null &&
      this.child.signalCode === null
    );
  }

  end(): void {
    this.child.kill('SIGKILL');
  }

  /**
   * @throws Unreadable when the document takes too long or too much memory
   * @throws ReaderFailure when the process can't be reached or ends for another reason
   */
  async run(task: ReaderTask): Promise<ReaderReply> {
    const { timeoutMs } = this.limits;
    let timer: NodeJS.Timeout | undefined;
    const settled = new AbortController();
    this.setWaiting(true);
    try {
      return await new Promise<ReaderReply>((resolve, reject) => {
        timer = setTimeout(() => {
          this.end();
          reject(new Unreadable(`it can not be read within ${timeoutMs / 1_000} seconds`));
        }, timeoutMs);
        const onExit = (code: number | null, signal: NodeJS.Signals | null) =>
          reject(failureOf(code, signal));
        const onError = ({ message }: Error) =>
          reject(new ReaderFailure(`it can not be handed to a process: ${message}`));
        this.child.once('message', resolve).once('exit', onExit).once('error', onError);
        settled.signal.addEventListener('abort', () =>
          this.child.off('message', resolve).off('exit', onExit).off('error', onError),
        );
        this.child.send(task, (error) => error && onError(error));
      });
    } finally {
      clearTimeout(timer);
      settled.abort();
      this.setWaiting(false);
    }
  }

  private setWaiting(waiting: boolean) {
    const change = waiting ? 'ref' : 'unref';
    this.child[change]();
    this.child.channel?.[change]();
  }
}
