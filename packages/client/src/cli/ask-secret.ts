import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Surroundings } from './cli';
import { UsageError } from './errors';

/** Asks for a line on a terminal, which does not show it. @throws UsageError if the input ends */
export async function askSecret(
  question: string,
  { stdin, stderr }: Pick<Surroundings, 'stdin' | 'stderr'>,
): Promise<string> {
  const silent = new Writable({ write: (_part, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output: silent, terminal: true });
  // In raw mode, Ctrl-C is no signal.
  terminal.on('SIGINT', () => {
    terminal.close();
    process.kill(process.pid, 'SIGINT');
  });
  // Ctrl-D. Node.js 20.19 does not end the question itself, and later versions end it with an AbortError.
  const closed = once(terminal, 'close').then(() => undefined);
  stderr.write(question);
  try {
    const answer = terminal.question('').catch((error: Error) => {
      if (error.name !== 'AbortError') throw error;
    });
    const secret = await Promise.race([answer, closed]);
    if (secret === undefined) throw new UsageError('Nothing was entered.');
    return secret;
  } finally {
    terminal.close();
    stderr.write('\n');
  }
}
