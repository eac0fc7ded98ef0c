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
