import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Surroundings } from './cli';

/** Asks for a line on a terminal, which does not show it. */
export async function askSecret(question: string, { stdin, stderr }: Surroundings): Promise<string> {
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
  } finally {
    terminal.close();
    stderr.write('\n');
  }
}
