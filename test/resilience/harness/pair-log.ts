import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';

/** A file to which runtimes append lines of two words. */
export class PairLog {
  constructor(readonly path: string) {
    if (!existsSync(path)) closeSync(openSync(path, 'w'));
  }

  /** Returns the words of each complete line, oldest first. */
  protected readPairs(): [string, string][] {
    const lines = readFileSync(this.path, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => {
      const [first = '', second = ''] = line.split(' ');
      return [first, second];
    });
  }
}
