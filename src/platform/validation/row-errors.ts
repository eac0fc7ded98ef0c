/** How many rows with errors a response lists. */
export const MAX_REPORTED = 20;

export interface RowError {
  /** As in a spreadsheet: the header is row 1. */
  row: number;
  message: string;
  /** The name in the header, if one cell is wrong. */
  column?: string;
  value?: string;
}

/** The errors in a recipients file: those of the first rows, in the order of the file. */
export class RowErrors {
  private errors: RowError[] = [];

  get isEmpty(): boolean {
    return this.errors.length === 0;
  }

  /** Errors in later rows would not be reported. */
  get isFull(): boolean {
    return this.errors.length === MAX_REPORTED;
  }

  add(...errors: RowError[]): void {
    this.errors = [...this.errors, ...errors].sort((a, b) => a.row - b.row).slice(0, MAX_REPORTED);
  }

  toArray(): RowError[] {
    return [...this.errors];
  }

  /** One sentence for each row. */
  toString(): string {
    return this.errors.map(({ row, message }) => `Row ${row}: ${message}.`).join(' ');
  }
}
