import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The number of characters of the output that are kept. */
const MAX_OUTPUT = 20_000;

const TYPESCRIPT = [process.execPath, '-r', '@swc-node/register'];

/** A child process that runs a program of a suite. */
export class Child {
  /** The end of the output of the process. */
  output = '';

  /** All messages that the process has sent. */
  readonly messages: unknown[] = [];

  private readonly child: ChildProcess;
  /** Resolves when the process has ended for any reason. */
  readonly ended: Promise<void>;

  /** @param program the path of its file */
  constructor(
    private readonly program: string,
    settings: Record<string, string>,
    [command = '', ...parameters]: string[] = TYPESCRIPT,
  ) {
    this.child = spawn(command, [...parameters, this.program], {
      cwd: join(__dirname, '..', '..'),
      env: { PATH: process.env.PATH, TS_NODE_PROJECT: 'tsconfig.build.json', ...settings },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.child.on('message', (message) => this.messages.push(message));
    this.ended = once(this.child, 'close').then(() => undefined);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output = (this.output + text).slice(-MAX_OUTPUT);
      });
    }
  }

  /**
   * Waits for the next message of the process.
   * @throws if it ends before
   */
  async message(): Promise<unknown> {
    const received: Promise<unknown[]> = once(this.child, 'message');
    const first = await Promise.race([received, this.ended]);
    if (first) return first[0];
    throw new Error(`${this.program} ended:\n${this.output}`);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  send(message: object | string): void {
    this.child.send(message);
  }

  /** Ends the process with SIGTERM. Resolves with its exit code. */
  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    await this.ended;
    return this.child.exitCode;
  }

  /** Kills the process with SIGKILL. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}
