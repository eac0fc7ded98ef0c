import { texts } from '../../texts';
import styles from './table.module.css';

export interface Selection<Row> {
  /** The keys of the chosen rows. */
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  /** The label of a row's checkbox. */
  label: (row: Row) => string;
  /** Whether one checkbox chooses all rows. Left out: it does. */
  hasAll?: boolean;
}

/** The checkbox that chooses all rows on the page, or none. */
export function AllCell<Row>({ keys, chosen, onChange, hasAll = true }: { keys: string[] } & Selection<Row>) {
  if (!hasAll)
    return (
      <th scope="col" role="columnheader" className={styles.choice}>
        <span className="visually-hidden">{texts.common.choice}</span>
      </th>
    );
  const isAll = keys.every((key) => chosen.has(key));
  return (
    <th scope="col" role="columnheader" className={styles.choice}>
      <input
        type="checkbox"
        aria-label={texts.common.chooseAll}
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = !isAll && keys.some((key) => chosen.has(key));
        }}
        onChange={() => onChange(new Set(isAll ? [] : keys))}
      />
    </th>
  );
}

interface Props<Row> extends Selection<Row> {
  row: Row;
  id: string;
}

export function ChoiceCell<Row>({ row, id, chosen, onChange, label }: Props<Row>) {
  const toggle = () => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <td role="cell" className={styles.choice}>
      <input type="checkbox" aria-label={label(row)} checked={chosen.has(id)} onChange={toggle} />
    </td>
  );
}
