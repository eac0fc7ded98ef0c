import { CsvError, parse } from 'csv-parse';
import { createReadStream } from 'node:fs';
import { isE164 } from '../validation/phone-number';
import { RowErrors } from '../validation/row-errors';
import { isStorableText } from '../validation/storable';

/** Below the header. The server parses them itself: so many take it a quarter of a second, in slices of milliseconds. */
export const MAX_ROWS = 100_000;

export const MAX_FILE_MEGABYTES = 10;

export const MAX_REASON_LENGTH = 500;

const MAX_ROW_BYTES = 10_000;

/** The reasons are in the order of the numbers. */
export interface NumbersFile {
  numbers: string[];
  reasons: (string | null)[];
  errors: RowErrors;
}

const normalized = (header: string) => header.trim().toLowerCase().replace(/\s+/g, '_');

const quoted = (text: string) => JSON.stringify(text.slice(0, 40));

/** Reads the rows of a file until the errors are as many as a response lists. */
class NumberRows implements NumbersFile {
  readonly numbers: string[] = [];
  readonly reasons: (string | null)[] = [];
  readonly errors = new RowErrors();
  /** Rows so far, the header included. */
  count = 0;
  private columns: { number: number; reason: number; count: number } | undefined;

  add(fields: string[]): void {
    this.count += 1;
    if (fields.every((field) => field.trim() === '')) return;
    // Rows cannot be read without the header.
    if (!this.columns && !this.errors.isEmpty) return;
    if (!this.columns) this.readHeader(fields);
    else if (this.numbers.length >= MAX_ROWS) this.refuse(`more than ${MAX_ROWS} numbers`);
    else this.addNumber(fields, this.columns);
  }

  end(): void {
    if (!this.columns && this.errors.isEmpty) this.refuse('the file has no header', 1);
    else if (this.numbers.length === 0 && this.errors.isEmpty)
      this.refuse('no numbers below the header', this.count + 1);
  }

  refuse(message: string, row = this.count): void {
    this.errors.add({ row, message });
  }

  private readHeader(fields: string[]): void {
    const headers = fields.map(normalized);
    const [number, reason] = ['phone_number', 'reason'].map((name) => headers.indexOf(name)) as [
      number,
      number,
    ];
    const repeated = ['phone_number', 'reason'].find(
      (name) => headers.indexOf(name) !== headers.lastIndexOf(name),
    );
    if (number === -1) this.refuse('no column is named phone_number');
    else if (repeated) this.refuse(`two columns are named ${repeated}`);
    else this.columns = { number, reason, count: fields.length };
  }

  private addNumber(fields: string[], columns: { number: number; reason: number; count: number }): void {
    const number = (fields[columns.number] ?? '').trim();
    const reason = (fields[columns.reason] ?? '').trim();
    if (fields.length > columns.count) {
      this.refuse(`it has ${fields.length} fields, and the header has ${columns.count}`);
    } else if (fields.some((field) => field.includes('\uFFFD'))) {
      this.refuse('it is not UTF-8');
    } else if (!isE164(number)) {
      this.refuse(
        `the phone number ${quoted(number)} is not a possible number in E.164 form, such as +15551234567`,
      );
    } else if (reason.length > MAX_REASON_LENGTH) {
      this.refuse(`the reason has more than ${MAX_REASON_LENGTH} characters`);
    } else if (!isStorableText(reason)) {
      this.refuse('the reason has a NUL character');
    } else {
      this.numbers.push(number);
      this.reasons.push(reason === '' ? null : reason);
    }
  }
}

/** The numbers of a CSV file, and its errors. Stops at the first row that is malformed. */
export async function readNumbers(path: string): Promise<NumbersFile> {
  const rows = new NumberRows();
  const parser = parse({
    bom: true,
    delimiter: [',', ';', '\t'],
    relax_column_count: true,
    skip_empty_lines: false,
    max_record_size: MAX_ROW_BYTES,
  });
  const file = createReadStream(path);
  file.on('error', (error) => parser.destroy(error));
  try {
    for await (const row of file.pipe(parser)) {
      rows.add(row as string[]);
      if (rows.errors.isFull || rows.numbers.length > MAX_ROWS) break;
    }
    rows.end();
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    rows.refuse('a quote is not closed, or the row is too long', rows.count + 1);
  } finally {
    file.destroy();
  }
  return rows;
}
