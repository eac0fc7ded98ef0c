import { type ChildProcess, fork } from 'node:child_process';
import { extname, join } from 'node:path';
import { Unreadable } from '../unreadable';
import type { ReaderReply, ReaderTask } from './reader.protocol';

const HEAP_MEGABYTES = 512;

/** Tests run the sources as they are; so does their child. */
const COMPILE = extname(__filename) === '.ts' ? ['--require', '@swc-node/register'] : [];

/** A process that reads one document after the other, so that none can hold up, fill up or crash the server. */
export class ReaderProcess {
  private readonly child: ChildProcess;

  constructor(private readonly timeoutMs: number) {
    this.child = fork(join(__dirname, `reader.process${extname(__filename)}`), {
      serialization: 'advanced',
      // Documents come from strangers: there is no secret to find here.
      env: {},
      execArgv: [...COMPILE, `--max-old-space-size=${HEAP_MEGABYTES}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // Until a task waits for it, it keeps nobody's event loop alive.
    this.setWaiting(false);
    this.child.on('error', () => undefined);
  }

  get isAlive(): boolean {
    return this.child.connected && !this.child.killed && this.child.exitCode === null;
  }

  end(): void {
    this.child.kill('SIGKILL');
  }

  /** @throws Unreadable also when the document takes too long or too much memory */
  async run(task: ReaderTask): Promise<unknown> {
    this.setWaiting(true);
    try {
      const reply = await this.reply(task);
      if ('result' in reply) return reply.result;
      if ('unreadable' in reply) throw new Unreadable(reply.unreadable);
      throw new Error(`A document could not be read: ${reply.fault}`);
    } finally {
      this.setWaiting(false);
    }
  }

  private async reply(task: ReaderTask): Promise<ReaderReply> {
    let timer: NodeJS.Timeout | undefined;
    const settled = new AbortController();
    try {
      return await new Promise<ReaderReply>((resolve, reject) => {
        timer = setTimeout(() => {
          this.end();
          reject(new Unreadable(`it can not be read within ${this.timeoutMs / 1_000} seconds`));
        }, this.timeoutMs);
        const onExit = () => reject(new Unreadable('it takes too much memory to read'));
        this.child.once('message', resolve).once('exit', onExit);
        settled.signal.addEventListener('abort', () =>
          this.child.off('message', resolve).off('exit', onExit),
        );
        this.child.send(task, (error) => error && reject(error));
      });
    } finally {
      clearTimeout(timer);
      settled.abort();
    }
  }

  private setWaiting(waiting: boolean) {
    const change = waiting ? 'ref' : 'unref';
    this.child[change]();
    this.child.channel?.[change]();
  }
}
