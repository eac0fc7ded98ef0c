import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const KEPT_OUTPUT = 4_000;
const KILL_AFTER_MS = 20_000;

/** The runtime under test, as a process. */
export class Command {
  output = '';
  private readonly child: ChildProcess;
  private hasEnded = false;

  constructor(command: string[], env: Record<string, string>) {
    const [program, ...args] = command as [string, ...string[]];
    this.child = spawn(program, args, { env: { ...process.env, ...env } });
    this.child.on('error', (error) => this.end(`${error.message}\n`));
    this.child.on('exit', () => this.end(''));
    this.child.stdin?.on('error', () => undefined); // The process may have ended, which the scenario detects.
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (chunk) => (this.output = `${this.output}${String(chunk)}`.slice(-KEPT_OUTPUT)));
  }

  get isOver(): boolean {
    return this.hasEnded;
  }

  /** null: a signal ended the process */
  get exitCode(): number | null {
    return this.child.exitCode;
  }

  write(line: string): void {
    this.child.stdin?.write(`${line}\n`);
  }

  terminate(): void {
    this.child.kill('SIGTERM');
  }

  /** Ends the process by SIGTERM, and by SIGKILL 20 seconds later. */
  async stop(): Promise<void> {
    if (this.hasEnded) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const kill = setTimeout(() => this.child.kill('SIGKILL'), KILL_AFTER_MS);
    await exited;
    clearTimeout(kill);
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  private end(message: string): void {
    this.hasEnded = true;
    this.output += message;
  }
}
