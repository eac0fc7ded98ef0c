import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { texts } from '../../texts';
import { type Column, cellClass } from './column';
import { placeRow, returnToPlace } from './place';
import { AllCell, type Selection } from './table-choice';
import { HeaderCell, type Sorting } from './table-header';
import { TableRow } from './table-row';
import styles from './table.module.css';
import { useShownItems } from './use-shown-items';

export type { Column } from './column';

export interface Grouping<Row> {
  /** The group of a row. The rows of a group follow each other. */
  key: (row: Row) => string;
  header: (key: string) => ReactNode;
}

interface Props<Row> {
  /** The name of the table, for screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** The page that a row opens. The first cell is the link. */
  rowHref?: (row: Row) => string;
  /** The row that is open in a panel beside the table; '': none is. Left out: a row opens a page of its own. */
  opened?: string;
  /** The state of the checkboxes, if rows can be chosen. */
  selection?: Selection<Row>;
  empty?: string;
  /** The order of the rows, if the headers of columns with `sortBy` change it. */
  sorting?: Sorting;
  /** The groups, if each begins with a header. */
  grouping?: Grouping<Row>;
  /** Whether there can be so many rows that only those near the window are rendered. Each row then has one line. */
  isLong?: boolean;
}

interface Item<Row> {
  id: string;
  /** The row; undefined: the item is the header of a group. */
  row?: Row;
  group?: string;
}

/** The rows, and a header before the first row of each group. */
function listItems<Row>({
  rows,
  rowKey,
  grouping,
}: Pick<Props<Row>, 'rows' | 'rowKey' | 'grouping'>): Item<Row>[] {
  let last: string | undefined;
  return rows.flatMap((row) => {
    const item = { id: rowKey(row), row };
    const group = grouping?.key(row);
    if (group === undefined || group === last) return [item];
    last = group;
    return [{ id: `group ${group}`, group }, item];
  });
}

/**
 * A table. Its rows are reached with Tab, and with j and k from anywhere on the page; see shortcuts. The roles are written
 * out, because a browser may drop them where the rows have two lines.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  rowHref,
  opened,
  selection,
  empty = texts.common.empty,
  sorting,
  grouping,
  isLong = false,
}: Props<Row>) {
  const table = useRef<HTMLTableElement>(null);
  // The row with the focus stays rendered: otherwise, it would lose the focus.
  const [focused, setFocused] = useState(placeRow);
  useEffect(() => {
    if (rowHref && table.current) returnToPlace(table.current);
  }, []);
  const items = listItems({ rows, rowKey, grouping });
  const { shown, height } = useShownItems({
    table,
    count: items.length,
    kept: [focused, opened].map((kept) => (isLong && kept ? items.findIndex(({ id }) => id === kept) : -1)),
    isLong,
  });
  if (rows.length === 0) return <p className={styles.empty}>{empty}</p>;
  const width = columns.length + (selection ? 1 : 0);
  const spacer = (count: number) =>
    count > 0 && (
      <tr aria-hidden="true" className={styles.spacer}>
        <td colSpan={width} style={{ height: count * height }} />
      </tr>
    );
  const hasPlaces = columns.some(({ phone }) => phone !== undefined);
  return (
    <div className={styles.frame} tabIndex={0} role="region" aria-label={caption}>
      <table
        ref={table}
        role="table"
        className={[styles.table, hasPlaces && styles.lines, isLong && styles.long].filter(Boolean).join(' ')}
        aria-rowcount={isLong ? items.length + 1 : undefined}
      >
        <caption className="visually-hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {selection && <AllCell keys={rows.map(rowKey)} {...selection} />}
            {columns.map((column, index) => (
              <HeaderCell
                key={column.key}
                header={column.header}
                sortBy={column.sortBy}
                className={cellClass(column, index)}
                width={isLong ? column.width : undefined}
                sorting={sorting}
              />
            ))}
          </tr>
        </thead>
        <tbody
          role="rowgroup"
          onFocus={isLong ? ({ target }) => setFocused(target.closest('tr')?.dataset.row) : undefined}
        >
          {shown.map((position, index) => {
            const item = items[position];
            if (!item) return null;
            const number = isLong ? position + 2 : undefined;
            return (
              <Fragment key={item.id}>
                {spacer(position - (shown[index - 1] ?? -1) - 1)}
                {item.row !== undefined ? (
                  <TableRow
                    {...{ row: item.row, id: item.id, number, columns, selection, opened }}
                    href={rowHref?.(item.row)}
                  />
                ) : (
                  <tr role="row" className={styles.group} aria-rowindex={number}>
                    <th colSpan={width} scope="rowgroup" role="rowheader">
                      {grouping?.header(item.group ?? '')}
                    </th>
                  </tr>
                )}
              </Fragment>
            );
          })}
          {spacer(items.length - 1 - (shown.at(-1) ?? -1))}
        </tbody>
      </table>
    </div>
  );
}
