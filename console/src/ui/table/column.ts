import type { ReactNode } from 'react';
import styles from './table.module.css';

export interface Column<Row> {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'end';
  /** Whether narrow screens leave the column out. */
  isMinor?: boolean;
  /** The CSS width in a long table, whose columns do not fit their contents. Left out: a share of the rest. */
  width?: string;
  /** The name by which the rows can be sorted by this column. */
  sortBy?: string;
}

export const cellClass = ({ align, isMinor }: Pick<Column<never>, 'align' | 'isMinor'>) =>
  [align && styles.end, isMinor && styles.minor].filter(Boolean).join(' ') || undefined;
