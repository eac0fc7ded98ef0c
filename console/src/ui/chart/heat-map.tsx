import { type KeyboardEvent, type SyntheticEvent, useRef, useState } from 'react';
import { Link } from 'wouter';
import styles from './heat-map.module.css';
import { Tooltip } from './tooltip';

export interface HeatCell {
  /** From 0, none, to 1, the most. */
  share: number;
  /** The value, which wide screens show in the cell. */
  text: string;
  /** The name of the link: the row, the column and the value. */
  title: string;
  href: string;
  /** Whether the value is that of a small sample, which is hatched instead of shaded. */
  isSmall: boolean;
  isChosen: boolean;
}

interface Props {
  /** The name of the table, for screen readers. */
  label: string;
  /** The header of the names of the rows. */
  corner: string;
  rows: string[];
  columns: string[];
  /** Narrow screens show the name of every column with this distance, from the first one. */
  labelEvery: number;
  /** undefined: there is nothing to show */
  cells: (HeatCell | undefined)[][];
  scale: { low: string; high: string };
}

const LEVELS = 5;

const getLevel = (share: number) => (share <= 0 ? 0 : Math.min(LEVELS, Math.ceil(share * LEVELS)));

const STEPS: Record<string, readonly [number, number] | undefined> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** A table of shades, each a link. Tab leads to one cell, and the arrow keys to the others. */
export function HeatMap({ label, corner, rows, columns, labelEvery, cells, scale }: Props) {
  const table = useRef<HTMLTableElement>(null);
  const [place, setPlace] = useState<readonly [number, number]>();
  const [pointed, setPointed] = useState<HTMLElement | null>(null);
  const point = ({ target }: SyntheticEvent) => setPointed((target as Element).closest('a'));
  const isLink = (row: number, column: number) => cells[row]?.[column] !== undefined;
  const firstRow = rows.findIndex((_, row) => columns.some((__, column) => isLink(row, column)));
  const first = [firstRow, columns.findIndex((_, column) => isLink(firstRow, column))] as const;
  const [stopRow, stopColumn] = place && isLink(...place) ? place : first;
  const move = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    let [row, column] = [stopRow, stopColumn];
    do {
      row += step[0];
      column += step[1];
    } while (row >= 0 && row < rows.length && column >= 0 && column < columns.length && !isLink(row, column));
    if (!isLink(row, column)) return;
    setPlace([row, column]);
    table.current?.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`)?.focus();
  };
  return (
    <div className={styles.heatMap}>
      <div className={styles.frame}>
        <table
          ref={table}
          role="grid"
          aria-label={label}
          className={styles.map}
          onKeyDown={move}
          onPointerOver={point}
          onPointerLeave={() => setPointed(null)}
          onFocus={point}
          onBlur={() => setPointed(null)}
        >
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">{corner}</span>
              </th>
              {columns.map((name, column) => (
                <th key={name} scope="col">
                  <span className={column % labelEvery === 0 ? undefined : styles.rare}>{name}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((name, row) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {columns.map((_, column) => {
                  const cell = cells[row]?.[column];
                  if (!cell) return <td key={column} />;
                  return (
                    <td key={column}>
                      <Link
                        href={cell.href}
                        className={styles.cell}
                        data-cell={`${row} ${column}`}
                        data-level={cell.isSmall ? undefined : getLevel(cell.share)}
                        data-small={cell.isSmall || undefined}
                        tabIndex={row === stopRow && column === stopColumn ? 0 : -1}
                        aria-label={cell.title}
                        aria-current={cell.isChosen ? 'true' : undefined}
                        onFocus={() => setPlace([row, column])}
                      >
                        <span className={styles.value}>{cell.text}</span>
                      </Link>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Tooltip anchor={pointed} text={pointed?.ariaLabel ?? ''} />
      <p className={styles.scale} aria-hidden="true">
        {scale.low}
        {Array.from({ length: LEVELS }, (_, level) => (
          <span key={level} className={styles.cell} data-level={level + 1} />
        ))}
        {scale.high}
      </p>
    </div>
  );
}
