/** How many rows at fault an answer names. */
export const MAX_REPORTED = 20;

export interface RowFault {
  /** As a spreadsheet counts: the header is row 1. */
  row: number;
  message: string;
}

/** What is wrong with a recipients file: the first rows at fault, in the order of the file. */
export class RowErrors {
  private faults: RowFault[] = [];

  get isEmpty(): boolean {
    return this.faults.length === 0;
  }

  /** Nothing that a later row has wrong with it would be named any more. */
  get isFull(): boolean {
    return this.faults.length === MAX_REPORTED;
  }

  add(...faults: RowFault[]): void {
    this.faults = [...this.faults, ...faults].sort((a, b) => a.row - b.row).slice(0, MAX_REPORTED);
  }

  toArray(): RowFault[] {
    return [...this.faults];
  }

  /** One sentence a row. */
  toString(): string {
    return this.faults.map(({ row, message }) => `Row ${row}: ${message}.`).join(' ');
  }
}
