import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
export const PYTHON_PACKAGE = join(ROOT, 'packages/worker-python');

/** @returns the command of a Python that has pika, or undefined */
export const findPython = () =>
  ['python3', '/usr/bin/python3'].find((command) => spawnSync(command, ['-c', 'import pika']).status === 0);

/** A program in Python that uses the library of this repository. */
export class PythonProcess {
  output = '';
  private readonly child: ChildProcess;

  constructor(python: string, program: string, env: Record<string, string>, ...args: string[]) {
    this.child = spawn(python, [program, ...args], {
      env: { ...process.env, PYTHONPATH: PYTHON_PACKAGE, PYTHONDONTWRITEBYTECODE: '1', ...env },
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (chunk) => (this.output += String(chunk)));
  }

  write(line: string): void {
    this.child.stdin?.write(`${line}\n`);
  }

  /** Resolves with the exit code of the program. */
  async ended(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'close');
    return this.child.exitCode;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.ended();
  }

  kill(): Promise<number | null> {
    return this.stop('SIGKILL');
  }

  /** Adds the output of the program to a failure. */
  explain = (error: unknown): never => {
    throw new Error(`${String(error)}\nThe output of the program: ${this.output}`);
  };
}
