import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { guardChild } from '../background/child-guard';
import type { Progress } from '../background/child-process';
import { readRecipients } from './recipient-reader';
import { END_OF_LINES, type RecipientsReply, type RecipientsTask } from './recipients.protocol';
import { RowErrors } from '../validation/row-errors';

/** Of all lines. Each of a million rows repeats the names of up to a hundred variables. */
const MAX_BYTES = 1024 ** 3;

/** Between two reports of how many recipients are read. */
const PROGRESS_MS = 500;

async function writeRecipients({ path, options }: RecipientsTask): Promise<RecipientsReply> {
  const { stdout } = process;
  const errors = new RowErrors();
  let count = 0;
  let bytes = 0;
  let reportAt = performance.now() + PROGRESS_MS;
  let zones: string[] = [];
  let rows = 0;
  for await (const { text, firstRow, ...read } of readRecipients(createReadStream(path), errors, options)) {
    const lines = Buffer.from(text);
    count += read.count;
    zones = read.zones ?? zones;
    rows = read.rows ?? rows;
    bytes += lines.length;
    if (bytes > MAX_BYTES) {
      errors.add({
        row: firstRow,
        message: 'the recipients up to this row take more than 1 GB',
      });
      break;
    }
    if (performance.now() > reportAt) {
      process.send?.({ progress: count } satisfies Progress);
      reportAt = performance.now() + PROGRESS_MS;
    }
    if (lines.length > 0 && !stdout.write(lines)) await once(stdout, 'drain');
  }
  await new Promise((written) => stdout.write(Buffer.from([END_OF_LINES]), written));
  return { recipients: count, errors: errors.toArray(), zones, rows };
}

guardChild();
process.on('message', (task: RecipientsTask) => {
  const failed = (error: Error): RecipientsReply => ({ failure: error.stack ?? String(error) });
  void writeRecipients(task)
    .catch(failed)
    .then((reply) => process.send?.(reply));
});
