import type { RowFault } from './row-faults';

/** What a process that reads a recipients file is asked for. */
export interface RecipientsTask {
  path: string;
  /** Names of variables as the agent spells them. */
  spellings: string[];
  /** Below the header, empty ones included. */
  maxRows: number;
}

/** Comes after the recipients, which go to the standard output as lines of COPY. */
export type RecipientsReply =
  | { recipients: number; faults: RowFault[] }
  /** The stack of an error that nobody foresaw. */
  | { failure: string };
