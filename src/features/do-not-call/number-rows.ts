import { COPY_NULL, copyField } from '../../platform/csv/copy-text';
import { type RowProblem, RowReader } from '../../platform/csv/row-reader';
import { readNumber } from '../../platform/validation/phone-number';
import { storedForm, visibleText } from '../../platform/validation/plain-text';
import type { RowErrors } from '../../platform/validation/row-errors';
import { isStorableText } from '../../platform/validation/storable';

/** The largest number of rows below the header, including empty rows. */
export const MAX_ROWS = 100_000;

export const MAX_FILE_MEGABYTES = 10;

export const MAX_REASON_LENGTH = 500;

const COLUMNS = ['phone_number', 'reason'] as const;

const normalized = (header: string) => visibleText(header).trim().toLowerCase().replace(/\s+/g, '_');

/** The options are plain data, so that they can be sent to another process. */
export interface NumbersOptions {
  /** Whether rows with errors are left out. Otherwise they are errors of the file. */
  leavesOut: boolean;
}

function problemIn(reason: string): string | undefined {
  if (reason.length > MAX_REASON_LENGTH) return `the reason has more than ${MAX_REASON_LENGTH} characters`;
  if (!isStorableText(reason)) return 'the reason has a NUL character';
  return undefined;
}

/** Makes lines of COPY: row number, phone number and reason. */
export class NumberRows extends RowReader<null> {
  readonly summary = null;
  protected readonly noun = 'numbers';
  private columns: { number: number; reason: number; count: number };

  constructor(errors: RowErrors, { leavesOut }: NumbersOptions) {
    super(errors, { maxRows: MAX_ROWS, leavesOut });
  }

  protected readHeader(fields: string[]): string | undefined {
    const headers = fields.map(normalized);
    const [number, reason] = COLUMNS.map((name) => headers.indexOf(name)) as [number, number];
    if (number === -1) return 'no column is named phone_number';
    const repeated = COLUMNS.find((name) => headers.indexOf(name) !== headers.lastIndexOf(name));
    if (repeated) return `two columns are named ${repeated}`;
    this.columns = { number, reason, count: fields.length };
    return undefined;
  }

  protected toLine(fields: string[], row: number): string | RowProblem {
    const { columns } = this;
    if (fields.length > columns.count)
      return { message: `${fields.length} fields, but the header has ${columns.count}` };
    const read = readNumber((fields[columns.number] ?? '').trim());
    if ('problem' in read) return { message: read.problem, index: columns.number };
    const reason = storedForm(fields[columns.reason] ?? '').trim();
    const message = problemIn(reason);
    return message
      ? { message, index: columns.reason }
      : `${row}\t${read.number}\t${reason === '' ? COPY_NULL : copyField(reason)}\n`;
  }
}
