import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Surroundings } from '../../src/cli/cli';
import { run } from '../../src/cli/run';

const MAIN = join(__dirname, '..', '..', 'dist', 'cli', 'main.js');

export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

interface RunOptions {
  /** The standard input. */
  input?: string;
  env?: Record<string, string | undefined>;
}

/** Runs a command without a process of its own. */
export async function runInProcess(words: string[], env: Record<string, string>): Promise<Ended> {
  const stdin = Readable.from([]) as unknown as Surroundings['stdin'];
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const written = Promise.all([text(stdout), text(stderr)]);
  const status = await run(words, {
    stdin,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    env,
  });
  stdout.end();
  stderr.end();
  const [out, notes] = await written;
  return { status, stdout: out, stderr: notes };
}

/** The command line in processes, with a home of its own. */
export class CommandLine {
  readonly home = mkdtempSync(join(tmpdir(), 'parley-home-'));
  /** The commands that were run, such as `agents list`. */
  readonly ran = new Set<string>();

  /** @param env the environment of each run */
  constructor(private readonly env: () => Record<string, string | undefined>) {}

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
    this.ran.add(words.slice(0, 2).join(' ')).add(words[0] ?? '');
    return spawn(process.execPath, [MAIN, ...words], {
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

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}
