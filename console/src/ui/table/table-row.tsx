import type { KeyboardEvent, MouseEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { cellClass, type Column } from './column';
import { rememberPlace, toBeside } from './place';
import { ChoiceCell, type Selection } from './table-choice';
import styles from './table.module.css';

interface Props<Row> {
  row: Row;
  id: string;
  /** The number of the row in the whole table, if not all rows are rendered. */
  number: number | undefined;
  columns: Column<Row>[];
  /** The page that the row opens. The first cell is the link. */
  href: string | undefined;
  /** The row that is open in a panel beside the table; '': none is. Undefined: a row opens a page of its own. */
  opened: string | undefined;
  selection: Selection<Row> | undefined;
}

/** The elements that do something else than to open the row. */
const CONTROLS = 'a, button, input, select, textarea, label, summary, audio';

/** A row, which Enter and a click open, beside its controls. */
export function TableRow<Row>({ row, id, number, columns, href, opened, selection }: Props<Row>) {
  const [, navigate] = useLocation();
  const options = opened === undefined ? {} : toBeside(opened);
  const open = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !href || event.target !== event.currentTarget) return;
    rememberPlace(id);
    navigate(href, options);
  };
  const click = ({ target, currentTarget, button, metaKey, ctrlKey }: MouseEvent) => {
    const cell = target as Element;
    // A click in a dialog of the row comes here too.
    if (!href || button > 1 || !currentTarget.contains(cell) || cell.closest(CONTROLS)) return;
    if (window.getSelection()?.isCollapsed === false) return;
    if (button === 1 || metaKey || ctrlKey) return void window.open(href, '_blank', 'noopener');
    rememberPlace(id);
    navigate(href, options);
  };
  const leave = (event: MouseEvent) => {
    if (href && (event.target as Element).closest('a')) rememberPlace(id);
  };
  return (
    <tr
      role="row"
      data-row={id}
      aria-rowindex={number}
      aria-current={opened === id || undefined}
      tabIndex={href ? -1 : undefined}
      className={href && styles.opens}
      onKeyDown={open}
      onClick={click}
      onAuxClick={click}
      onClickCapture={leave}
    >
      {selection && <ChoiceCell row={row} id={id} {...selection} />}
      {columns.map((column, index) => (
        <td key={column.key} role="cell" className={cellClass(column, index)} data-header={column.header}>
          {index === 0 && href ? (
            <Link href={href} {...options} className={styles.link}>
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}
