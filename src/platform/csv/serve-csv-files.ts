import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { guardChild } from '../background/child-guard';
import type { Progress } from '../background/child-process';
import { RowErrors } from '../validation/row-errors';
import { type CsvReply, type CsvTask, END_OF_LINES, type ReadFile } from './csv.protocol';
import { readLines } from './read-lines';
import type { RowReader } from './row-reader';

/** The size of all lines. Each line of a million recipients repeats the names of up to a hundred variables. */
const MAX_BYTES = 1024 ** 3;

/** The time between two reports of how many lines are written. */
const PROGRESS_MS = 500;

async function writeLines<Summary>(path: string, rows: RowReader<Summary>): Promise<ReadFile<Summary>> {
  const { stdout } = process;
  let count = 0;
  let bytes = 0;
  let reportAt = performance.now() + PROGRESS_MS;
  for await (const { text, firstRow, ...read } of readLines(createReadStream(path), rows)) {
    const lines = Buffer.from(text);
    count += read.count;
    bytes += lines.length;
    if (bytes > MAX_BYTES) {
      rows.errors.add({ row: firstRow, message: 'the rows up to this one take more than 1 GB' });
      break;
    }
    if (performance.now() > reportAt) {
      process.send?.({ progress: count } satisfies Progress);
      reportAt = performance.now() + PROGRESS_MS;
    }
    if (lines.length > 0 && !stdout.write(lines)) await once(stdout, 'drain');
  }
  await new Promise((written) => stdout.write(Buffer.from([END_OF_LINES]), written));
  return {
    count,
    rows: rows.rows,
    errors: rows.errors.toArray(),
    leftOut: rows.leftOut,
    summary: rows.summary,
  };
}

/** Reads files in this child process, as its server requests. */
export function serveCsvFiles<Options, Summary>(
  createReader: (errors: RowErrors, options: Options) => RowReader<Summary>,
): void {
  guardChild();
  process.on('message', ({ path, options }: CsvTask<Options>) => {
    const failed = (error: Error): CsvReply<Summary> => ({ failure: error.stack ?? String(error) });
    void writeLines(path, createReader(new RowErrors(), options))
      .catch(failed)
      .then((reply) => process.send?.(reply));
  });
}
