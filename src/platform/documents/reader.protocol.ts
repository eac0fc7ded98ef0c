import type { InputDocument, ReadDocument } from './formats/read-document';

/** A part of a text, which a search finds on its own. */
export interface Passage {
  text: string;
  /** The number of the page, from 1; null if the document has no pages. */
  page: number | null;
  /** The words of the passage as they are indexed; see `searchWords`. */
  words: string;
}

/** The tasks of a reader process, by name. */
export interface ReaderTasks {
  read: { task: InputDocument; result: ReadDocument };
  split: { task: { text: string }; result: Passage[] };
}

export type ReaderTask = {
  [Name in keyof ReaderTasks]: { name: Name; task: ReaderTasks[Name]['task'] };
}[keyof ReaderTasks];

export type ReaderReply =
  | { result: ReadDocument | Passage[] }
  /** The target of a ForwardingPageError. */
  | { forwardsTo: string }
  /** The message of an UnreadableDocumentError. */
  | { unreadable: string }
  /** The stack of any other error. */
  | { error: string };
