import type { GivenDocument, ReadDocument } from './read-document';

/** What a reader process is asked for. */
export interface ReaderTasks {
  read: { task: GivenDocument; result: ReadDocument };
  split: { task: { text: string }; result: Passage[] };
}

export type ReaderTask = {
  [Name in keyof ReaderTasks]: { name: Name; task: ReaderTasks[Name]['task'] };
}[keyof ReaderTasks];

export interface Passage {
  text: string;
  /** What it is found by; the text itself where its script has spaces. */
  words: string;
}

export type ReaderReply =
  | { result: ReadDocument | Passage[] }
  /** The document's fault. */
  | { unreadable: string }
  /** The stack of an error that nobody foresaw. */
  | { fault: string };

/**
 * With this signal a reader ends itself when its document takes too much memory: one that nobody else sends, and that,
 * unlike an abort, leaves no core file. Windows can end a process in one way only.
 */
export const OVER_MEMORY = process.platform === 'win32' ? 'SIGKILL' : 'SIGUSR2';
