import { saveCsvText } from './save-file';

/** The same expression as in the exports of the API. */
const FORMULA = /^(?!\+\d{1,15}$)[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const FORMULA_WITHIN = /[=+\-@\uFF1D\uFF0B\uFF0D\uFF20](?<=[;,|\t\r\n][\s"']*.)/g;

/** A cell by RFC 4180. An apostrophe makes a formula a text, so that no spreadsheet runs it. */
export function toCell(value: string | number): string {
  if (typeof value === 'number') return Number.isNaN(value) ? '' : String(value);
  const text = value.replace(FORMULA_WITHIN, "'$&").replace(FORMULA, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A column of an export. Its name is for programs, and the same in every language. */
export type CsvColumn<Row> = [name: string, value: (row: Row) => string | number];

export const toCsv = <Row>(columns: CsvColumn<Row>[], rows: Row[]): string =>
  [columns.map(([name]) => name), ...rows.map((row) => columns.map(([, valueOf]) => valueOf(row)))]
    .map((cells) => `${cells.map(toCell).join(',')}\r\n`)
    .join('');

/** Saves rows as a file. @param name the name without its extension */
export function saveCsv<Row>(name: string, columns: CsvColumn<Row>[], rows: Row[]): void {
  saveCsvText(`${name}.csv`, toCsv(columns, rows));
}
