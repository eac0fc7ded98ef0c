import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify } from '../launch/process/processes.cjs';

const MAX_ERRORS = 10_000;

/** A process of a benchmark, which sends a message when it is ready. */
export class ServerChild {
  /** The end of the process's standard error. Its standard output goes to /dev/null. */
  private errors = '';

  private constructor(private readonly child: ChildProcess) {
    // test/run/clean-up.mjs kills the process if this process is killed: a paused process does not notice that.
    writeFileSync(join(tmpdir(), `${this.pid}.pid`), identify(this.pid) ?? '');
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.errors = (this.errors + text).slice(-MAX_ERRORS);
    });
  }

  /** Starts a process and waits for its first message. */
  static async start(args: string[], env: Record<string, string>): Promise<[ServerChild, unknown]> {
    const child = spawn(process.execPath, args, {
      cwd: join(__dirname, '..'),
      env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, NODE_ENV: 'production', ...env },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const started = new ServerChild(child);
    return [started, await started.message()];
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /**
   * Waits for the next message of the process.
   * @throws if it ends before
   */
  async message(): Promise<unknown> {
    const [received] = (await Promise.race([
      once(this.child, 'message'),
      once(this.child, 'exit'),
    ])) as unknown[];
    if (typeof received === 'object' && received !== null) return received;
    throw new Error(`A process of the benchmark ended:\n${this.errors}`);
  }

  /** Pauses the process. */
  freeze(): void {
    this.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.child.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }
}
