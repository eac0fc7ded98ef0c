import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { startChild, tookTooMuchMemory } from '../../common/child-process';
import { Unreadable } from '../unreadable';
import { ReaderFailure } from './reader-failure';
import type { ReaderReply, ReaderTask } from './reader.protocol';

export interface ProcessLimits {
  /** For one document; a PDF of a thousand pages takes some ten. */
  timeoutMs: number;
  heapMegabytes: number;
}

/** Whose fault it is that the process ended. */
const failureOf = (code: number | null, signal: NodeJS.Signals | null): Error =>
  tookTooMuchMemory(code, signal)
    ? new Unreadable('it takes too much memory to read')
    : new ReaderFailure(`the process that read it ended with ${signal ?? `exit code ${code}`}`);

/** A process that reads one document after the other, so that none can hold up, fill up or crash the server. */
export class ReaderProcess {
  private readonly child: ChildProcess;

  constructor(private readonly limits: ProcessLimits) {
    this.child = startChild(join(__dirname, 'reader.main'), limits);
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
