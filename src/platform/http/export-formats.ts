import { unparse } from 'papaparse';
import { TextField } from '../validation/text-fields';
import { withoutFormulas } from './without-formulas';

export const EXPORT_FORMATS = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export class ExportQuery {
  @TextField({ optional: true, choices: EXPORT_FORMATS, default: 'csv' }) format: ExportFormat = 'csv';
}

/** The value of a cell: a time as in the API, null as an empty cell. */
function toCell(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? withoutFormulas(value) : value;
}

const csvLines = (rows: unknown[][]) =>
  rows.length === 0 ? '' : `${unparse(rows, { newline: '\r\n' })}\r\n`;

interface Writer<Item> {
  contentType: string;
  /** The beginning of the file. */
  head: string;
  /** Writes these items as lines of the file. */
  lines(items: Item[]): string;
}

export type ExportWriters<Item> = Record<ExportFormat, Writer<Item>>;

/** @param columns the cells of an item in CSV, by the names of the columns */
export const exportWriters = <Item>(
  columns: Record<string, (item: Item) => unknown>,
): ExportWriters<Item> => ({
  /** RFC 4180 */
  csv: {
    contentType: 'text/csv; charset=utf-8; header=present',
    head: csvLines([Object.keys(columns)]),
    lines: (items) => csvLines(items.map((item) => Object.values(columns).map((cell) => toCell(cell(item))))),
  },
  jsonl: {
    contentType: 'application/x-ndjson; charset=utf-8',
    head: '',
    lines: (items) => items.map((item) => `${JSON.stringify(item)}\n`).join(''),
  },
});
