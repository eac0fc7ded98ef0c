import type { ReaderOptions } from './recipient-rows';
import type { RowFault } from './row-faults';

/** What a process that reads a recipients file is asked for. */
export interface RecipientsTask {
  path: string;
  options: ReaderOptions;
}

/** Comes after the recipients, which go to the standard output as lines of COPY. */
export type RecipientsReply =
  | { recipients: number; faults: RowFault[] }
  /** The stack of an error that nobody foresaw. */
  | { failure: string };
