import { Worker } from 'node:worker_threads';
import { Unreadable } from '../unreadable';
import { readDocument } from './read-document';
import { OVER_MEMORY, type Passage, type ReaderReply, type ReaderTask } from './reader.protocol';
import { searchWords } from './search-words';
import { splitText } from './split-text';

/** Of the whole process: what parsers allocate outside of the JavaScript heap has no limit of its own. */
const MAX_RESIDENT_BYTES = 768 * 1024 * 1024;

const split = (text: string): Passage[] =>
  splitText(text).map((passage) => ({ text: passage, words: searchWords(passage) }));

async function replyTo(task: ReaderTask): Promise<ReaderReply> {
  try {
    return { result: task.name === 'read' ? await readDocument(task.task) : split(task.task.text) };
  } catch (error) {
    return error instanceof Unreadable
      ? { unreadable: error.message }
      : { fault: (error as Error).stack ?? String(error) };
  }
}

/** A thread can look while the parser keeps the main thread busy: at the memory, and whether the server still lives. */
function watch() {
  const watching = `
    setInterval(() => {
      if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL');
      if (process.memoryUsage.rss() > ${MAX_RESIDENT_BYTES}) process.kill(process.pid, '${OVER_MEMORY}');
    }, 20);`;
  new Worker(watching, { eval: true }).unref();
}

watch();
process.on('message', (task: ReaderTask) => {
  void replyTo(task).then((reply) => process.send?.(reply));
});
process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole group; the server ends its readers itself, after the requests under way.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
