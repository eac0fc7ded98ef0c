import { guardChild } from '../background/child-guard';
import { readDocument } from './formats/read-document';
import type { Passage, ReaderReply, ReaderTask } from './reader.protocol';
import { searchWords } from './search-words';
import { splitPages } from './split-text';
import { ForwardingPageError } from './forwarding-page.error';
import { UnreadableDocumentError } from './unreadable-document.error';

const split = (text: string): Passage[] =>
  splitPages(text).map((passage) => ({ ...passage, words: searchWords(passage.text) }));

async function replyTo(task: ReaderTask): Promise<ReaderReply> {
  try {
    return { result: task.name === 'read' ? await readDocument(task.task) : split(task.task.text) };
  } catch (error) {
    if (error instanceof ForwardingPageError) return { forwardsTo: error.target };
    return error instanceof UnreadableDocumentError
      ? { unreadable: error.message }
      : { error: (error as Error).stack ?? String(error) };
  }
}

guardChild();
process.on('message', (task: ReaderTask) => {
  void replyTo(task).then((reply) => process.send?.(reply));
});
