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
  stderr.write(question);
  try {
    return await terminal.question('');
  } catch (error) {
    // Ctrl-D
    if ((error as Error).name === 'AbortError') throw new UsageError('Nothing was entered.');
    throw error;
  } finally {
    terminal.close();
    stderr.write('\n');
  }
}
