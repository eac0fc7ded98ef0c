import { texts } from '../../texts';
import { Button } from '../button';
import type { Choice } from '../fields';
import { Menu } from '../menu';
import styles from './table.module.css';

interface Props {
  columns: Choice[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  onReset: () => void;
}

/** A button with a popover that chooses the columns of a table. */
export function ColumnChoice({ columns, chosen, onChange, onReset }: Props) {
  const toggle = (changed: string) =>
    onChange(
      columns.map(({ value }) => value).filter((value) => chosen.includes(value) !== (value === changed)),
    );
  return (
    <Menu name={texts.common.columns}>
      {() => (
        <>
          {columns.map(({ value, label }) => (
            <label key={value} className={styles.column}>
              <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
              {label}
            </label>
          ))}
          <div className={styles.reset}>
            <Button variant="quiet" onClick={onReset}>
              {texts.common.usualColumns}
            </Button>
          </div>
        </>
      )}
    </Menu>
  );
}
