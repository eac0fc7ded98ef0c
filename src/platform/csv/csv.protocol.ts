import type { RowError } from '../validation/row-errors';
import type { LeftOut } from './left-out-rows';

/** The task of a process that reads files of one kind. */
export interface CsvTask<Options> {
  path: string;
  options: Options;
}

/** The result of reading a file, apart from its lines. */
export interface ReadFile<Summary> {
  /** The number of the lines. */
  count: number;
  /** The number of rows below the header, including empty ones, as far as the file was read. */
  rows: number;
  errors: RowError[];
  /** The rows that were left out, if the reader leaves out rows with errors. */
  leftOut?: LeftOut;
  summary: Summary;
}

/** Ends the lines of a file on the standard output: a byte that no text in Postgres contains. */
export const END_OF_LINES = 0;

/** A reply is sent when all lines are written to the standard output. */
export type CsvReply<Summary> =
  | ReadFile<Summary>
  /** The stack of an unexpected error. */
  | { failure: string };
