import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PRODUCT_FOLDER, PRODUCT_OPTIONS } from './product';
import { until } from './until';

/** Written after the output of a command. */
const END = '\u001e';

const SCRIPT = `
  const { createInterface } = require('node:readline');
  const { operate } = require(process.env.PRODUCT + '/tools/operator/operator');
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

export interface OperatorResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs several commands of the operator in one process, because its start takes a second. */
export class OperatorProcess {
  private stdout = '';
  private stderr = '';

  private readonly child: ChildProcess;

  constructor(settings: Record<string, string>) {
    const child = spawn(process.execPath, [...PRODUCT_OPTIONS, '-e', SCRIPT], {
      cwd: join(__dirname, '..', '..'),
      env: { PATH: process.env.PATH, PRODUCT: PRODUCT_FOLDER, ...settings },
    });
    this.child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  /**
   * @param settings override those of the process for this command
   * @param timeoutMs left out: a minute
   */
  async run(
    args: string[],
    settings: Record<string, string> = {},
    timeoutMs?: number,
  ): Promise<OperatorResult> {
    this.stdout = '';
    this.stderr = '';
    this.child.stdin?.write(`${JSON.stringify({ args, settings })}\n`);
    await until(() => this.stdout.endsWith(END) && this.stderr.endsWith(END), timeoutMs);
    const stdout = this.stdout.slice(0, -1);
    return { code: Number(stdout.at(-1)), stdout: stdout.slice(0, -1), stderr: this.stderr.slice(0, -1) };
  }

  /** Runs a command with --json, which must succeed. @returns the printed result */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into results of every shape
  async json(...args: string[]): Promise<any> {
    const { code, stdout, stderr } = await this.run([...args, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^{.*}\n$/);
    return JSON.parse(stdout) as unknown;
  }

  /** Closes its input and waits until it ends. @returns its exit code */
  async finish(): Promise<number | null> {
    this.child.stdin?.end();
    if (this.child.exitCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }
}
