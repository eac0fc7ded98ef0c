import type { CsvError } from 'csv-parse';
import { CsvRows, MAX_ROW_BYTES } from './csv-rows';
import { type ReaderOptions, type RecipientLines, RecipientRows } from './recipient-rows';
import type { RowErrors } from '../validation/row-errors';

const TEXT_AFTER_QUOTE = 'text after a closing quote; double each quote within a quoted field';

/** By csv-parse's code. */
const MESSAGES: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  CSV_INVALID_CLOSING_QUOTE: TEXT_AFTER_QUOTE,
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: TEXT_AFTER_QUOTE,
  INVALID_OPENING_QUOTE: 'a quote in an unquoted field; enclose the field in quotes and double the quote',
  CSV_MAX_RECORD_SIZE: `more than ${MAX_ROW_BYTES} bytes in one row, or a quote is opened and never closed`,
};

/**
 * Reads the recipients of a CSV file, chunk by chunk, and stops when no further error would be reported.
 * @param errors receives the errors in the file
 */
export async function* readRecipients(
  bytes: AsyncIterable<Buffer>,
  errors: RowErrors,
  options: ReaderOptions = {},
): AsyncGenerator<RecipientLines> {
  const rows = new RecipientRows(errors, options);
  const csv = new CsvRows((row, encoding) => rows.add(row, encoding));
  const hasFailed = (error: CsvError | undefined) => {
    if (error && !rows.isOverLimit) errors.add({ row: rows.count + 1, message: messageOf(error) });
    return error !== undefined || rows.isOverLimit;
  };
  for await (const chunk of bytes) {
    const isStopped = hasFailed(await csv.write(chunk)) || errors.isFull;
    yield { ...rows.take(), rows: Math.max(0, rows.count - 1) };
    if (isStopped) return;
  }
  hasFailed(await csv.end());
  yield { ...rows.take(), zones: rows.zoneNames, rows: Math.max(0, rows.count - 1) };
  if (!errors.isEmpty) return;
  if (!rows.hasHeader) errors.add({ row: 1, message: 'the file has no header' });
  else if (rows.found === 0) errors.add({ row: rows.count + 1, message: 'no recipients below the header' });
}

function messageOf(error: CsvError): string {
  const message = MESSAGES[error.code];
  if (!message) throw error;
  return message;
}
