import type { ReactNode } from 'react';
import type { Schemas } from '../api/client';
import { Button } from '../ui/button';
import { saveCsvText } from '../ui/save-file';
import { Table } from '../ui/table/table';
import { texts } from '../texts';
import styles from './left-out-rows.module.css';

const labels = texts.rowErrors;

export const RowErrorTable = ({ errors }: { errors: Schemas['RowErrorDto'][] }) => (
  <Table
    caption={labels.title}
    rows={errors}
    rowKey={({ row, column, message }) => `${row} ${column} ${message}`}
    columns={[
      { key: 'row', header: labels.row, cell: ({ row }) => row, align: 'end' },
      { key: 'message', header: labels.message, cell: ({ message }) => message },
      { key: 'column', header: labels.column, cell: ({ column }) => column, isMinor: true },
      { key: 'value', header: labels.value, cell: ({ value }) => value, isMinor: true },
    ]}
  />
);

interface Props {
  leftOut: Schemas['LeftOutRowsDto'];
  /** The fields beside the button that saves the rows. */
  children?: ReactNode;
}

/** The rows of a file that have errors, with a button that saves them as a file. */
export const LeftOutRows = ({ leftOut: { rows, errors, csv }, children }: Props) => (
  <>
    <RowErrorTable errors={errors} />
    {rows > errors.length && <p>{labels.first(errors.length)}</p>}
    <div className={styles.acts}>
      <Button onClick={() => saveCsvText('rows-with-errors.csv', csv)}>{labels.save}</Button>
      {children}
    </div>
  </>
);
