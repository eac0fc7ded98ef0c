import { PairLog } from './pair-log';

export interface DialledCall {
  conversationId: string;
  number: string;
}

/** The numbers that the runtimes dialled. A runtime writes each number before it dials. */
export class DialLog extends PairLog {
  /** Returns the dialled calls, oldest first. */
  read(): DialledCall[] {
    return this.readPairs().map(([conversationId, number]) => ({ conversationId, number }));
  }
}
