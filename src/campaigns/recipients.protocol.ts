import type { ReaderOptions } from './recipient-rows';
import type { RowError } from '../validation/row-errors';

/** The task of a process that reads a recipients file. */
export interface RecipientsTask {
  path: string;
  options: ReaderOptions;
}

/** Ends the lines of a file on the standard output: a byte that no text in Postgres contains. */
export const END_OF_LINES = 0;

/** Is sent when all recipients are written to the standard output, as lines of COPY. */
export type RecipientsReply =
  | { recipients: number; errors: RowError[]; zones: string[]; rows: number }
  /** The stack of an unexpected error. */
  | { failure: string };
