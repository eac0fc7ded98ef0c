import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';

export interface Dialled {
  conversationId: string;
  number: string;
}

/** Every number that a runtime has dialled, written by the runtime before it did. */
export class DialLog {
  constructor(readonly path: string) {
    if (!existsSync(path)) closeSync(openSync(path, 'w'));
  }

  /** Oldest first. */
  read(): Dialled[] {
    const lines = readFileSync(this.path, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => {
      const [conversationId = '', number = ''] = line.split(' ');
      return { conversationId, number };
    });
  }
}
