import { CsvError, parse, type Parser } from 'csv-parse';
import { hasFirstLine, separatorOf, withoutByteOrderMark } from './csv-dialect';
import { type ReaderOptions, type Recipient, RecipientRows } from './recipient-rows';
import { RowErrors } from './row-errors';

/** Of one row, and of the search for the separator. The body of a start call request has the same limit. */
const MAX_ROW_BYTES = 1_000_000;

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
): AsyncGenerator<Recipient[]> {
  const rows = new RecipientRows(errors, options);
  const csv = new CsvRows((row) => rows.add(row));
  const hasFailed = (error: CsvError | undefined) => {
    if (error && !rows.isOverLimit) errors.add({ row: rows.count + 1, message: messageOf(error) });
    return error !== undefined || rows.isOverLimit;
  };
  for await (const chunk of bytes) {
    const isStopped = hasFailed(await csv.write(chunk)) || errors.isFull;
    yield rows.take();
    if (isStopped) return;
  }
  hasFailed(await csv.end());
  yield rows.take();
  if (!errors.isEmpty) return;
  if (!rows.hasHeader) errors.add({ row: 1, message: 'the file has no header' });
  else if (rows.found === 0) errors.add({ row: rows.count + 1, message: 'no recipients below the header' });
}

function messageOf(error: CsvError): string {
  const message = MESSAGES[error.code];
  if (!message) throw error;
  return message;
}

/** Splits bytes into rows. Buffers the first bytes until the separator is known. */
class CsvRows {
  private head: Buffer | undefined = Buffer.alloc(0);
  private parser: Parser | undefined;

  constructor(private readonly onRow: (row: string[]) => void) {}

  async write(chunk: Buffer): Promise<CsvError | undefined> {
    if (!this.head) return this.pass(chunk);
    this.head = Buffer.concat([this.head, chunk]);
    return hasFirstLine(this.head) || this.head.length > MAX_ROW_BYTES ? this.begin() : undefined;
  }

  async end(): Promise<CsvError | undefined> {
    const error = this.head && (await this.begin());
    return error ?? csvErrorOf((done) => this.parser?.end(done));
  }

  private begin(): Promise<CsvError | undefined> {
    const head = withoutByteOrderMark(this.head as Buffer);
    this.head = undefined;
    this.parser = parse({
      delimiter: separatorOf(head),
      encoding: 'latin1',
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: MAX_ROW_BYTES,
      // Not from the stream, which would drop the rows before an error.
      on_record: (row: string[]) => {
        this.onRow(row);
        return null;
      },
    });
    // The callback of the write receives the same error.
    this.parser.on('error', () => undefined);
    return this.pass(head);
  }

  private pass(chunk: Buffer): Promise<CsvError | undefined> {
    return csvErrorOf((done) => this.parser?.write(chunk, done));
  }
}

/** Resolves with an error in the file, and rejects with any other error. */
const csvErrorOf = (work: (done: (error?: Error | null) => void) => void) =>
  new Promise<CsvError | undefined>((resolve, reject) =>
    work((error) => {
      if (!error || error instanceof CsvError) resolve(error ?? undefined);
      else reject(error);
    }),
  );
