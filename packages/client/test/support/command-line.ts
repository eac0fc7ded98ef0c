import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PackedPackage } from '../../../../test/support/packed-package';
import { type Ended, runCommand } from './run-command';

interface RunOptions {
  /** The standard input. */
  input?: string;
  env?: Record<string, string | undefined>;
}

/** The command line as its users have it, packed and installed into an empty folder, with a home of its own. */
export class CommandLine {
  readonly home = mkdtempSync(join(tmpdir(), 'parley-home-'));
  /** The commands that were run, such as `agents list`. */
  readonly ran = new Set<string>();

  private constructor(
    private readonly packed: PackedPackage,
    private readonly env: () => Record<string, string | undefined>,
  ) {}

  /** @param env the environment of each run */
  static async install(env: () => Record<string, string | undefined>): Promise<CommandLine> {
    return new CommandLine(await PackedPackage.install('client'), env);
  }

  /** Runs a command without a process and a home of its own. */
  async runInProcess(words: string[], env: Record<string, string>): Promise<Ended> {
    const folder = join(this.packed.folder, 'node_modules', '@parley', 'client', 'dist', 'cli');
    const { run } = (await import(join(folder, 'run.js'))) as typeof import('../../src/cli/run');
    return runCommand(words, env, run);
  }

  /** Runs a command until it ends. */
  async run(words: string[], { input, env }: RunOptions = {}): Promise<Ended> {
    const child = this.start(words, env);
    const ended: Ended = { status: null, stdout: '', stderr: '' };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (ended.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (ended.stderr += text));
    child.stdin?.end(input ?? '');
    [ended.status] = (await once(child, 'close')) as [number | null];
    return ended;
  }

  start(words: string[], env: Record<string, string | undefined> = {}): ChildProcess {
    for (const depth of [1, 2, 3]) this.ran.add(words.slice(0, depth).join(' '));
    return spawn(join(this.packed.folder, 'node_modules', '.bin', 'parley'), words, {
      cwd: this.home,
      env: { PATH: process.env.PATH, HOME: this.home, ...this.env(), ...env },
    });
  }

  /** Runs a command that must succeed. @returns its output without the last line break */
  async print(...words: string[]): Promise<string> {
    const { status, stdout, stderr } = await this.run(words);
    if (status !== 0) throw new Error(`parley ${words.join(' ')} ended with ${status}:\n${stderr}`);
    return stdout.trimEnd();
  }

  /** Runs a command with --json. @returns the values of the lines */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers of every shape
  async json(...words: string[]): Promise<any[]> {
    const output = await this.print(...words, '--json');
    return output === '' ? [] : output.split('\n').map((line) => JSON.parse(line) as unknown);
  }

  stop(): Promise<void> {
    rmSync(this.home, { recursive: true, force: true });
    this.packed.remove();
    return Promise.resolve();
  }
}
