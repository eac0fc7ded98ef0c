import { CsvError, parse, type Parser } from 'csv-parse';
import { isUtf8 } from 'node:buffer';
import { detectSeparator, hasFirstLine, readDeclaration, withoutByteOrderMark } from './csv-dialect';
import { scanRows } from './csv-scanner';

/** The size of one row, and of the search for the separator. The body of a start call request has the same limit. */
export const MAX_ROW_BYTES = 1_000_000;

/**
 * The size of a row that is scanned, also in characters, which have three bytes each at most. Each chunk scans an
 * incomplete row again, from its start.
 */
const MAX_SCANNED_BYTES = MAX_ROW_BYTES / 4;

const [CR, LF] = Buffer.from('\r\n') as unknown as [number, number];

type OnRow = (row: string[], encoding: 'utf8' | 'latin1') => void;

/**
 * Splits bytes into rows. The scanner splits rows until one is malformed or long. That row and all others are left to
 * csv-parse, which finds the error.
 */
export class CsvRows {
  /** The first bytes, until the separator is known. */
  private head: Buffer | undefined = Buffer.alloc(0);
  private separator = ',';
  /** The beginning of a row. */
  private rest: Buffer = Buffer.alloc(0);
  private parser: Parser | undefined;

  constructor(private readonly onRow: OnRow) {}

  async write(chunk: Buffer): Promise<CsvError | undefined> {
    if (!this.head) return this.pass(chunk);
    this.head = Buffer.concat([this.head, chunk]);
    return hasFirstLine(withoutByteOrderMark(this.head)) || this.head.length > MAX_ROW_BYTES
      ? this.begin()
      : undefined;
  }

  async end(): Promise<CsvError | undefined> {
    const error = (this.head && (await this.begin())) ?? (this.parser ? undefined : await this.parseRest());
    return error ?? catchCsvError((done) => this.parser?.end(done));
  }

  private begin(): Promise<CsvError | undefined> {
    const head = withoutByteOrderMark(this.head as Buffer);
    this.head = undefined;
    const declared = readDeclaration(head);
    this.separator = declared?.separator ?? detectSeparator(head);
    return this.pass(head.subarray(declared?.length ?? 0));
  }

  private async pass(chunk: Buffer): Promise<CsvError | undefined> {
    if (this.parser) return this.parse(this.parser, chunk);
    this.rest = this.scan(this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]));
    return this.rest.length > MAX_SCANNED_BYTES ? this.parseRest() : undefined;
  }

  /** @returns what follows the last row that was split */
  private scan(bytes: Buffer): Buffer {
    const lines = bytes.subarray(0, Math.max(bytes.lastIndexOf(LF), bytes.lastIndexOf(CR)) + 1);
    const encoding = isUtf8(lines) ? 'utf8' : 'latin1';
    const text = lines.toString(encoding);
    const end = scanRows(text, this.separator, MAX_SCANNED_BYTES, (row) => this.onRow(row, encoding));
    // The bytes are copied, because they may be a part of a much larger buffer.
    return Buffer.concat([Buffer.from(text.slice(end), encoding), bytes.subarray(lines.length)]);
  }

  private parseRest(): Promise<CsvError | undefined> {
    this.parser = parse({
      delimiter: this.separator,
      encoding: 'latin1',
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: MAX_ROW_BYTES,
      // The rows come from this callback, because the stream would drop the rows before an error.
      on_record: (row: string[]) => {
        this.onRow(row, 'latin1');
        return null;
      },
    });
    // The callback of the write receives the same error.
    this.parser.on('error', () => undefined);
    const { rest } = this;
    this.rest = Buffer.alloc(0);
    return this.parse(this.parser, rest);
  }

  private parse(parser: Parser, chunk: Buffer): Promise<CsvError | undefined> {
    return catchCsvError((done) => parser.write(chunk, done));
  }
}

/** Resolves with an error in the file, and rejects with any other error. */
const catchCsvError = (work: (done: (error?: Error | null) => void) => void) =>
  new Promise<CsvError | undefined>((resolve, reject) =>
    work((error) => {
      if (!error || error instanceof CsvError) resolve(error ?? undefined);
      else reject(error);
    }),
  );
