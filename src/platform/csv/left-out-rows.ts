import { unparse } from 'papaparse';
import { type RowError, RowErrors } from '../validation/row-errors';

/** The rows of a file that an import leaves out because of their errors. */
export interface LeftOut {
  /** The number of rows. */
  count: number;
  /** The errors of the first rows. */
  errors: RowError[];
  /** The header and the rows as CSV, with the error of each row in the last column. It has 1 MB at most. */
  csv: string;
}

/** The name of the column of the errors. A corrected file may still have it. */
const ERROR_COLUMN = 'row_error';

const MAX_CSV_BYTES = 1024 ** 2;

/** The time for a row with an error can be a hundred times that of another row. */
export const MAX_LEFT_OUT = 100_000;

// The cells stay as they were, also those that a spreadsheet takes for formulas: it is the reader's own file.
const toCsvLine = (fields: string[]) => `${unparse([fields], { newline: '\r\n' })}\r\n`;

/** Collects the rows that are left out. */
export class LeftOutRows {
  private readonly errors = new RowErrors();
  count = 0;
  private csv = '';
  private csvBytes = 0;
  private isFull = false;
  /** The number of columns of the header, and of those that are written in front of the error. */
  private columns = { all: 0, kept: 0 };

  begin(headers: string[]): void {
    const all = headers.length;
    const hasErrors = headers.at(-1)?.trim() === ERROR_COLUMN;
    this.columns = { all, kept: hasErrors ? all - 1 : all };
    this.write(headers, ERROR_COLUMN);
  }

  add(error: RowError, fields: string[]): void {
    this.count += 1;
    this.errors.add(error);
    this.write(fields, error.message);
  }

  toObject(): LeftOut {
    return { count: this.count, errors: this.errors.toArray(), csv: this.csv };
  }

  private write(fields: string[], last: string): void {
    if (this.isFull) return;
    const { all, kept } = this.columns;
    const cells = fields.length > all ? fields : fields.slice(0, kept);
    const missing = Array.from({ length: Math.max(0, kept - cells.length) }, () => '');
    const line = toCsvLine([...cells, ...missing, last]);
    this.csvBytes += Buffer.byteLength(line);
    this.isFull = this.csvBytes > MAX_CSV_BYTES;
    if (!this.isFull) this.csv += line;
  }
}
