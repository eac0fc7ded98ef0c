import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** How much of what a process writes is kept. */
const TAIL = 20_000;

/** A program of a suite in a process of its own. */
export class Child {
  /** The end of what it has written. */
  output = '';

  /** All that it has said. */
  readonly messages: unknown[] = [];

  private readonly child: ChildProcess;
  /** Resolves when it has ended, in whatever way. */
  readonly ended: Promise<void>;

  /** @param program the path of its file */
  constructor(
    private readonly program: string,
    settings: Record<string, string>,
  ) {
    this.child = spawn(process.execPath, ['-r', '@swc-node/register', this.program], {
      cwd: join(__dirname, '..', '..'),
      env: { PATH: process.env.PATH, ...settings },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.child.on('message', (message) => this.messages.push(message));
    this.ended = once(this.child, 'close').then(() => undefined);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output = (this.output + text).slice(-TAIL);
      });
    }
  }

  /** What it says next. @throws when it ends instead */
  async message(): Promise<unknown> {
    const said: Promise<unknown[]> = once(this.child, 'message');
    const first = await Promise.race([said, this.ended]);
    if (first) return first[0];
    throw new Error(`${this.program} ended:\n${this.output}`);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  send(message: object | string): void {
    this.child.send(message);
  }

  /** Ends it without a chance to finish anything. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}
