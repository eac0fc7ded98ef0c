import { texts } from '../../texts';
import styles from './table.module.css';

export interface Sorting {
  by: string;
  order: 'asc' | 'desc';
  onChange: (by: string, order: 'asc' | 'desc') => void;
}

const ARIA = { asc: 'ascending', desc: 'descending' } as const;
const ARROWS = { asc: '↑', desc: '↓' };

interface Props {
  header: string;
  /** The name by which the API sorts the rows by the column. */
  sortBy: string | undefined;
  className: string | undefined;
  width: string | undefined;
  sorting: Sorting | undefined;
}

/** The header of a column. If the rows can be sorted by it, it is a button that sorts them or turns the order round. */
export function HeaderCell({ header, sortBy, className, width, sorting }: Props) {
  if (!sorting || !sortBy)
    return (
      <th scope="col" role="columnheader" className={className} style={{ width }}>
        {header}
      </th>
    );
  const order = sorting.by === sortBy ? sorting.order : undefined;
  return (
    <th
      scope="col"
      role="columnheader"
      className={className}
      style={{ width }}
      aria-sort={order && ARIA[order]}
    >
      <button
        type="button"
        className={styles.sort}
        title={texts.common.sortBy(header)}
        onClick={() => sorting.onChange(sortBy, order === 'desc' ? 'asc' : 'desc')}
      >
        {header}
        <span aria-hidden="true">{order ? ARROWS[order] : '↕'}</span>
      </button>
    </th>
  );
}
