import type { ReaderOptions } from './recipient-rows';
import type { RowFault } from './row-errors';

/** What a process that reads a recipients file is asked for. */
export interface RecipientsTask {
  path: string;
  options: ReaderOptions;
}

/** After the last line of a file's recipients on the standard output: a byte that no text in Postgres has. */
export const END_OF_LINES = 0;

/** Comes when the recipients are written, as lines of COPY. */
export type RecipientsReply =
  | { recipients: number; faults: RowFault[] }
  /** The stack of an unexpected error. */
  | { failure: string };
