import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { texts } from '../../texts';
import { rememberPlace, returnToPlace } from './place';
import { HeaderCell, type Sorting } from './table-header';
import { AllCell, ChoiceCell, type Selection } from './table-choice';
import styles from './table.module.css';

export interface Column<Row> {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'end';
  /** Whether narrow screens leave the column out. */
  isMinor?: boolean;
  /** The name by which the API sorts the rows by this column. */
  sortBy?: string;
}

interface Props<Row> {
  /** The name of the table, for screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** The page that a row opens. The first cell is the link. */
  rowHref?: (row: Row) => string;
  /** The state of the checkboxes, if rows can be chosen. */
  selection?: Selection<Row>;
  empty?: string;
  /** The order of the rows, if the headers of columns with `sortBy` change it. */
  sorting?: Sorting;
}

/** A table. Its rows are reached with Tab, and with j and k from anywhere on the page; see shortcuts. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  rowHref,
  selection,
  empty = texts.common.empty,
  sorting,
}: Props<Row>) {
  const [, navigate] = useLocation();
  const table = useRef<HTMLTableElement>(null);
  useEffect(() => {
    if (rowHref && table.current) returnToPlace(table.current);
  }, []);
  const open = (event: KeyboardEvent, row: Row) => {
    if (event.key !== 'Enter' || !rowHref || event.target !== event.currentTarget) return;
    rememberPlace(rowKey(row));
    navigate(rowHref(row));
  };
  const leave = (event: MouseEvent, row: Row) => {
    if (rowHref && (event.target as Element).closest('a')) rememberPlace(rowKey(row));
  };
  if (rows.length === 0) return <p className={styles.empty}>{empty}</p>;
  const cellClass = ({ align, isMinor }: Column<Row>) =>
    [align && styles.end, isMinor && styles.minor].filter(Boolean).join(' ') || undefined;
  return (
    <div className={styles.frame} tabIndex={0} role="region" aria-label={caption}>
      <table ref={table} className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {selection && <AllCell keys={rows.map(rowKey)} {...selection} />}
            {columns.map((column) => (
              <HeaderCell
                key={column.key}
                header={column.header}
                sortBy={column.sortBy}
                className={cellClass(column)}
                sorting={sorting}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              data-row={rowKey(row)}
              tabIndex={rowHref ? -1 : undefined}
              onKeyDown={(event) => open(event, row)}
              onClickCapture={(event) => leave(event, row)}
            >
              {selection && <ChoiceCell row={row} id={rowKey(row)} {...selection} />}
              {columns.map((column, index) => (
                <td key={column.key} className={cellClass(column)}>
                  {index === 0 && rowHref ? (
                    <Link href={rowHref(row)} className={styles.link}>
                      {column.cell(row)}
                    </Link>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
