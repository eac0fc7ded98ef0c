import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';

export interface DialledCall {
  conversationId: string;
  number: string;
}

/** The numbers that the runtimes dialled. A runtime writes each number before it dials. */
export class DialLog {
  constructor(readonly path: string) {
    if (!existsSync(path)) closeSync(openSync(path, 'w'));
  }

  /** Returns the dialled calls, oldest first. */
  read(): DialledCall[] {
    const lines = readFileSync(this.path, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => {
      const [conversationId = '', number = ''] = line.split(' ');
      return { conversationId, number };
    });
  }
}
