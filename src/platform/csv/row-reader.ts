import { isUtf8 } from 'node:buffer';
import { cutText } from '../validation/plain-text';
import type { RowError, RowErrors } from '../validation/row-errors';
import { type LeftOut, LeftOutRows, MAX_LEFT_OUT } from './left-out-rows';

/** Lines of COPY, one for each row that was accepted. */
export interface Lines {
  text: string;
  count: number;
  /** The row of the first line; 0 if there is no line. */
  firstRow: number;
}

export interface RowProblem {
  message: string;
  /** The index of the column, if one cell is wrong. */
  index?: number;
}

export interface RowLimits {
  /** The largest number of rows below the header, including empty rows. */
  maxRows: number;
  /** Whether a row with an error is left out. Otherwise it is an error of the file. */
  leavesOut?: boolean;
}

const noLines = (): Lines => ({ text: '', count: 0, firstRow: 0 });

/** A call has a hundred variables at most; the other columns may be unnamed. */
const MAX_COLUMNS = 200;

/** The length of a wrong value in a message, in characters. */
const MAX_SHOWN = 100;

/** @returns undefined if the bytes are not valid UTF-8 */
function decodeUtf8(latin1: string): string | undefined {
  if (!/[\u0080-\u00ff]/.test(latin1)) return latin1;
  const bytes = Buffer.from(latin1, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** Makes a line of COPY, or an error, of each row of a file. Every row counts towards the maximum, also an empty one. */
export abstract class RowReader<Summary> {
  private headers: string[] | undefined;
  private lines = noLines();
  /** The number of rows so far, including the header and empty rows. */
  private read = 0;
  private hasRows = false;
  private hasLines = false;
  private readonly maxRows: number;
  private readonly leftOutRows: LeftOutRows | undefined;

  /** The noun for the rows below the header, in the plural. */
  protected abstract readonly noun: string;

  /** The data that the server needs in addition to the lines, once all are read. */
  abstract readonly summary: Summary;

  constructor(
    readonly errors: RowErrors,
    { maxRows, leavesOut = false }: RowLimits,
  ) {
    this.maxRows = maxRows;
    this.leftOutRows = leavesOut ? new LeftOutRows() : undefined;
  }

  /** The rows that are left out; undefined if a row with an error is an error of the file. */
  get leftOut(): LeftOut | undefined {
    return this.leftOutRows?.toObject();
  }

  /** The number of rows below the header, including empty ones. */
  get rows(): number {
    return Math.max(0, this.read - 1);
  }

  /** Whether the file has more rows, or more rows with errors, than allowed. */
  get isOverLimit(): boolean {
    return this.read > this.maxRows + 1 || (this.leftOutRows?.count ?? 0) > MAX_LEFT_OUT;
  }

  /** @returns the error in the header */
  protected abstract readHeader(fields: string[]): string | undefined;

  /** @param row as in a spreadsheet: the header is row 1 */
  protected abstract toLine(fields: string[], row: number): string | RowProblem;

  /** @param row as Latin-1 */
  add(row: string[]): void {
    if (this.isOverLimit) return;
    this.read += 1;
    if (this.isOverLimit)
      return this.refuse({
        message: `more than ${this.maxRows} rows below the header, including empty rows`,
      });
    // Rows cannot be read without the header.
    if (!this.headers && !this.errors.isEmpty) return;
    const fields = row.map(decodeUtf8);
    // Spreadsheets export empty rows as separators only.
    if (row.length <= MAX_COLUMNS && fields.every((field) => field?.trim() === '')) return;
    const message =
      row.length > MAX_COLUMNS ? `${row.length} fields; the maximum is ${MAX_COLUMNS}` : undefined;
    const decoded = fields.filter((field) => field !== undefined);
    const isUtf8Row = decoded.length === fields.length;
    const problem = message ?? (isUtf8Row ? undefined : 'not valid UTF-8');
    if (this.headers) this.addRow(isUtf8Row ? decoded : row, problem);
    else if (problem === undefined) this.addHeader(decoded);
    else this.refuse({ message: problem });
  }

  /** Adds the errors that only a whole file has. */
  end(): void {
    if (!this.errors.isEmpty) return;
    if (!this.headers) this.errors.add({ row: 1, message: 'the file has no header' });
    else if (!this.hasRows)
      this.errors.add({ row: this.read + 1, message: `no ${this.noun} below the header` });
    else if (!this.hasLines) this.errors.add({ row: 2, message: 'each row below the header has an error' });
  }

  /** Adds an error in the row after those that were read. */
  refuseNext(message: string): void {
    this.errors.add({ row: this.read + 1, message });
  }

  /** Returns and removes the lines that were added since the last invocation. */
  take(): Lines {
    const { lines } = this;
    this.lines = noLines();
    return lines;
  }

  private addHeader(fields: string[]): void {
    const message = this.readHeader(fields);
    if (message !== undefined) return this.refuse({ message });
    this.headers = fields;
    this.leftOutRows?.begin(fields);
  }

  private addRow(fields: string[], problem: string | undefined): void {
    this.hasRows = true;
    // A reader may change the fields.
    const original = this.leftOutRows ? [...fields] : fields;
    const line = problem === undefined ? this.toLine(fields, this.read) : { message: problem };
    if (typeof line !== 'string') return this.leaveOut(this.toError(line, original), original);
    if (this.lines.count === 0) this.lines.firstRow = this.read;
    this.lines.text += line;
    this.lines.count += 1;
    this.hasLines = true;
  }

  private leaveOut(error: RowError, fields: string[]): void {
    if (!this.leftOutRows) return this.errors.add(error);
    this.leftOutRows.add(error, fields);
    if (this.isOverLimit) this.refuse({ message: `more than ${MAX_LEFT_OUT} rows have errors` });
  }

  private refuse(problem: RowProblem): void {
    this.errors.add(this.toError(problem, []));
  }

  private toError({ message, index = -1 }: RowProblem, fields: string[]): RowError {
    const value = fields[index];
    const cell =
      value === undefined
        ? {}
        : { column: (this.headers?.[index] ?? '').trim(), value: cutText(value, MAX_SHOWN) };
    return { row: this.read, message, ...cell };
  }
}
