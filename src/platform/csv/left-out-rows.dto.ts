import { IntegerField, ListField } from '../validation/fields';
import type { RowError } from '../validation/row-errors';
import { TextField } from '../validation/text-fields';
import type { LeftOut } from './left-out-rows';

const nullable = true;

/** The values of the field `invalidRows`: rows with errors refuse the file, or are left out. */
export const INVALID_ROWS = ['refuse', 'skip'] as const;
export type InvalidRows = (typeof INVALID_ROWS)[number];

export class RowErrorDto {
  @IntegerField({ description: 'As in a spreadsheet: the header is row 1.' }) row: number;
  @TextField({ nullable }) column: string | null;
  @TextField({ nullable }) value: string | null;
  @TextField() message: string;
}

export class LeftOutRowsDto {
  @IntegerField() rows: number;
  @ListField(() => RowErrorDto, { description: 'The errors of the first 20.' }) errors: RowErrorDto[];
  @TextField({
    description:
      'The rows as CSV with the header, and the error of each row in the column row_error: the first of them, up to ' +
      '1 MB.',
    max: 1_048_576,
  })
  csv: string;
}

export const presentRowError = ({ row, message, column, value }: RowError): RowErrorDto => ({
  row,
  column: column ?? null,
  value: value ?? null,
  message,
});

export const presentLeftOut = ({ count, errors, csv }: LeftOut): LeftOutRowsDto => ({
  rows: count,
  errors: errors.map(presentRowError),
  csv,
});
