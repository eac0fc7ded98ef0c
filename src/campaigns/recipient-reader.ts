import { CsvError, parse, type Parser } from 'csv-parse';
import { hasFirstLine, separatorOf, withoutByteOrderMark } from './csv-dialect';
import { type ReaderOptions, type Recipient, RecipientRows } from './recipient-rows';
import { RowErrors } from './row-errors';

/** Bytes of one row, and what is looked at for the separator at most; a request for one call has the same bound. */
const MAX_ROW = 1_000_000;

export type { ReaderOptions };

const FAULTS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  CSV_INVALID_CLOSING_QUOTE:
    'a quote is closed in the middle of a field; a quote within quotes is written twice',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE:
    'a quote is closed in the middle of a field; a quote within quotes is written twice',
  INVALID_OPENING_QUOTE:
    'a quote stands in the middle of a field; put the field into quotes and write the quote twice',
  CSV_MAX_RECORD_SIZE: `more than ${MAX_ROW} bytes in one row, or a quote is opened and never closed`,
};

/**
 * Reads the recipients of a CSV file as its bytes come, a few at a time, and stops where no further fault would be
 * named. After the last ones `faults` has whatever is wrong with the file.
 */
export async function* readRecipients(
  bytes: AsyncIterable<Buffer>,
  faults: RowErrors,
  options: ReaderOptions = {},
): AsyncGenerator<Recipient[]> {
  const rows = new RecipientRows(faults, options);
  const csv = new CsvRows((row) => rows.add(row));
  const failed = (error: CsvError | undefined) => {
    if (error && !rows.isOver) faults.add({ row: rows.count + 1, message: faultOf(error) });
    return error !== undefined || rows.isOver;
  };
  for await (const chunk of bytes) {
    const stopped = failed(await csv.write(chunk)) || faults.isFull;
    yield rows.take();
    if (stopped) return;
  }
  failed(await csv.end());
  yield rows.take();
  if (!faults.isEmpty) return;
  if (!rows.hasHeader) faults.add({ row: 1, message: 'the file has no header' });
  else if (rows.found === 0) faults.add({ row: rows.count + 1, message: 'no recipients below the header' });
}

function faultOf(error: CsvError): string {
  const fault = FAULTS[error.code];
  if (!fault) throw error;
  return fault;
}

/** Splits bytes into rows once it has seen enough of them to tell the separator. */
class CsvRows {
  private head: Buffer | undefined = Buffer.alloc(0);
  private parser: Parser | undefined;

  constructor(private readonly onRow: (row: string[]) => void) {}

  async write(chunk: Buffer): Promise<CsvError | undefined> {
    if (!this.head) return this.pass(chunk);
    this.head = Buffer.concat([this.head, chunk]);
    return hasFirstLine(this.head) || this.head.length > MAX_ROW ? this.begin() : undefined;
  }

  async end(): Promise<CsvError | undefined> {
    const error = this.head && (await this.begin());
    return error ?? faultIn((done) => this.parser?.end(done));
  }

  private begin(): Promise<CsvError | undefined> {
    const head = withoutByteOrderMark(this.head as Buffer);
    this.head = undefined;
    this.parser = parse({
      delimiter: separatorOf(head),
      encoding: 'latin1',
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: MAX_ROW,
      // Rows are taken here rather than off the stream, which would drop those before a fault.
      on_record: (row: string[]) => {
        this.onRow(row);
        return null;
      },
    });
    // A fault also comes back from the write that met it.
    this.parser.on('error', () => undefined);
    return this.pass(head);
  }

  private pass(chunk: Buffer): Promise<CsvError | undefined> {
    return faultIn((done) => this.parser?.write(chunk, done));
  }
}

/** What was wrong with the file, if that is what went wrong. */
const faultIn = (work: (done: (problem?: Error | null) => void) => void) =>
  new Promise<CsvError | undefined>((resolve, reject) =>
    work((problem) => {
      if (!problem || problem instanceof CsvError) resolve(problem ?? undefined);
      else reject(problem);
    }),
  );
