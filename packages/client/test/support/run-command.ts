import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Surroundings } from '../../src/cli/cli';
import { run as runFromSource } from '../../src/cli/run';

/** The end of a command. */
export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command of the command line without a process, with an empty standard input. */
export async function runCommand(
  words: string[],
  env: Record<string, string> = {},
  run = runFromSource,
): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const written = Promise.all([text(stdout), text(stderr)]);
  const status = await run(words, {
    stdin: Readable.from([]),
    stdout,
    stderr,
    env,
  } as unknown as Surroundings);
  stdout.end();
  stderr.end();
  const [out, notes] = await written;
  return { status, stdout: out, stderr: notes };
}
