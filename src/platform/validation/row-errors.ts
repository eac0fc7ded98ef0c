/** The number of rows with errors that a response lists. */
export const MAX_REPORTED = 20;

export interface RowError {
  /** The number of the row, as in a spreadsheet: the header is row 1. */
  row: number;
  message: string;
  /** The name of the column in the header, if one cell is wrong. */
  column?: string;
  value?: string;
}

/** The errors in a file: those of the first rows, in the order of the file. */
export class RowErrors {
  private errors: RowError[] = [];

  get isEmpty(): boolean {
    return this.errors.length === 0;
  }

  /** Whether errors in later rows would not be reported. */
  get isFull(): boolean {
    return this.errors.length === MAX_REPORTED;
  }

  add(...errors: RowError[]): void {
    this.errors = [...this.errors, ...errors].sort((a, b) => a.row - b.row).slice(0, MAX_REPORTED);
  }

  toArray(): RowError[] {
    return [...this.errors];
  }

  /** Returns one sentence for each row. */
  toString(): string {
    return this.errors.map(({ row, message }) => `Row ${row}: ${message}.`).join(' ');
  }
}
