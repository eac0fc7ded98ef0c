import type { CsvError } from 'csv-parse';
import { CsvRows, MAX_ROW_BYTES } from './csv-rows';
import type { Lines, RowReader } from './row-reader';

const TEXT_AFTER_QUOTE = 'text after a closing quote; double each quote within a quoted field';

/** The messages by csv-parse's code. */
const MESSAGES: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  CSV_INVALID_CLOSING_QUOTE: TEXT_AFTER_QUOTE,
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: TEXT_AFTER_QUOTE,
  INVALID_OPENING_QUOTE: 'a quote in an unquoted field; enclose the field in quotes and double the quote',
  CSV_MAX_RECORD_SIZE: `more than ${MAX_ROW_BYTES} bytes in one row, or a quote is opened and never closed`,
};

/** Reads the rows of a CSV file, chunk by chunk, and stops when no further error would be reported. */
export async function* readLines(
  bytes: AsyncIterable<Buffer>,
  rows: RowReader<unknown>,
): AsyncGenerator<Lines> {
  const csv = new CsvRows((row) => rows.add(row));
  const hasFailed = (error: CsvError | undefined) => {
    if (error && !rows.isOverLimit) rows.refuseNext(toMessage(error));
    return error !== undefined || rows.isOverLimit;
  };
  for await (const chunk of bytes) {
    const isStopped = hasFailed(await csv.write(chunk)) || rows.errors.isFull;
    yield rows.take();
    if (isStopped) return;
  }
  hasFailed(await csv.end());
  yield rows.take();
  rows.end();
}

function toMessage(error: CsvError): string {
  const message = MESSAGES[error.code];
  if (!message) throw error;
  return message;
}
