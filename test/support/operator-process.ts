import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { until } from './until';

/** Written after all that a command writes. */
const END = '\u001e';

const SCRIPT = `
  const { createInterface } = require('node:readline');
  const { operate } = require('./src/operator/operator');
  (async () => {
    for await (const line of createInterface({ input: process.stdin })) {
      const { args, settings } = JSON.parse(line);
      const before = { ...process.env };
      Object.assign(process.env, settings);
      const code = await operate(args);
      for (const name of Object.keys(settings)) delete process.env[name];
      Object.assign(process.env, before);
      process.stdout.write(code + '${END}');
      process.stderr.write('${END}');
    }
  })();
`;

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the operator's commands in a process of its own; one for several, because starting it takes a second. */
export class OperatorProcess {
  private stdout = '';
  private stderr = '';

  private readonly child: ChildProcess;

  constructor(settings: Record<string, string>) {
    const child = spawn(process.execPath, ['-r', '@swc-node/register', '-e', SCRIPT], {
      cwd: join(__dirname, '..', '..'),
      env: { PATH: process.env.PATH, ...settings },
    });
    this.child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  /** @param settings other ones than the process has, for this command */
  async run(args: string[], settings: Record<string, string> = {}): Promise<Ran> {
    this.stdout = '';
    this.stderr = '';
    this.child.stdin?.write(`${JSON.stringify({ args, settings })}\n`);
    await until(() => this.stdout.endsWith(END) && this.stderr.endsWith(END));
    const stdout = this.stdout.slice(0, -1);
    return { code: Number(stdout.at(-1)), stdout: stdout.slice(0, -1), stderr: this.stderr.slice(0, -1) };
  }

  /** What a command that must succeed prints with --json. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into results of every shape
  async json(...args: string[]): Promise<any> {
    const { code, stdout, stderr } = await this.run([...args, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^{.*}\n$/);
    return JSON.parse(stdout) as unknown;
  }

  /** Waits until it ends, which it does by itself when there is nothing left to do; its exit code. */
  async finish(): Promise<number | null> {
    this.child.stdin?.end();
    if (this.child.exitCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }
}
