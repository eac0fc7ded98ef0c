import type { ReactNode } from 'react';
import styles from './table.module.css';

/**
 * The place of a column on a phone, where each row has two lines: the title and the asides above, the others below.
 * A `named` detail has the header before it, and the `rest` is cut at the end of the line.
 */
export type PhonePlace = 'title' | 'aside' | 'detail' | 'named' | 'rest' | 'act' | 'hidden';

export interface Column<Row> {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'end';
  /** Whether narrow screens leave the column out. */
  isMinor?: boolean;
  /** Whether its button is shown only in the row with the pointer or the focus, and takes no room in the others. */
  isOnHover?: boolean;
  /** The place on a phone. If no column of a table has one, its rows keep one line there. */
  phone?: PhonePlace;
  /** The CSS width in a long table, whose columns do not fit their contents. Left out: a share of the rest. */
  width?: string;
  /** The name by which the rows can be sorted by this column. */
  sortBy?: string;
}

function getPlace({ phone, align, isMinor }: Omit<Column<never>, 'cell'>, index: number): PhonePlace {
  if (phone) return phone;
  if (index === 0) return 'title';
  if (isMinor) return 'hidden';
  return align ? 'named' : 'detail';
}

/** The class of the cells of a column. @param index the position of the column */
export const cellClass = (column: Omit<Column<never>, 'cell'>, index: number) =>
  [
    column.align && styles.end,
    column.isMinor && styles.minor,
    column.isOnHover && styles.onHover,
    styles[getPlace(column, index)],
  ]
    .filter(Boolean)
    .join(' ') || undefined;
