import { CsvError, Parser } from 'csv-parse';
import { detectSeparator, hasFirstLine, readDeclaration, withoutByteOrderMark } from './csv-dialect';

/** The size of one row, and of the search for the separator. The body of a start call request has the same limit. */
export const MAX_ROW_BYTES = 1_000_000;

/** Splits bytes into rows, as Latin-1, in which every byte is valid. */
export class CsvRows {
  /** The first bytes, until the separator is known. */
  private head: Buffer = Buffer.alloc(0);
  private parser: Parser | undefined;

  constructor(private readonly onRow: (row: string[]) => void) {}

  async write(chunk: Buffer): Promise<CsvError | undefined> {
    if (this.parser) return write(this.parser, chunk);
    this.head = Buffer.concat([this.head, chunk]);
    return hasFirstLine(withoutByteOrderMark(this.head)) || this.head.length > MAX_ROW_BYTES
      ? this.begin()
      : undefined;
  }

  async end(): Promise<CsvError | undefined> {
    const error = this.parser ? undefined : await this.begin();
    return error ?? catchCsvError((done) => this.parser?.end(done));
  }

  private begin(): Promise<CsvError | undefined> {
    const head = withoutByteOrderMark(this.head);
    const declared = readDeclaration(head);
    this.parser = new Parser({
      delimiter: declared?.separator ?? detectSeparator(head),
      encoding: 'latin1',
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: MAX_ROW_BYTES,
    });
    // The stream would drop the rows before an error. While the count is 0, the parser takes each row for the first one,
    // and does not make an error (25 µs) of each row that has another number of fields than the first.
    const { info } = this.parser as { info: { records: number } };
    this.parser.push = (row: string[] | null) => {
      if (row) this.onRow(row);
      info.records = 0;
      return true;
    };
    // The callback of the write receives the same error.
    this.parser.on('error', () => undefined);
    return write(this.parser, head.subarray(declared?.length ?? 0));
  }
}

const write = (parser: Parser, chunk: Buffer) => catchCsvError((done) => parser.write(chunk, done));

/** Resolves with an error in the file, and rejects with any other error. */
const catchCsvError = (work: (done: (error?: Error | null) => void) => void) =>
  new Promise<CsvError | undefined>((resolve, reject) =>
    work((error) => {
      if (!error || error instanceof CsvError) resolve(error ?? undefined);
      else reject(error);
    }),
  );
