import type { Schemas } from '../types';

type RowError = Schemas['RowErrorDto'];

/** The columns of a table of the errors in a CSV file. */
export const ROW_ERROR_COLUMNS = {
  row: ({ row }: RowError) => row,
  column: ({ column }: RowError) => column,
  value: ({ value }: RowError) => value,
  message: ({ message }: RowError) => message,
};
