import { useId, useState } from 'react';
import { texts } from '../../texts';
import { Button, buttonClass } from '../button';
import { closeWhenLeft } from '../close-when-left';
import type { Choice } from '../fields';
import popover from '../multi-choice-field.module.css';
import styles from './table.module.css';

interface Props {
  columns: Choice[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  onReset: () => void;
}

/** A button with a popover that chooses the columns of a table. */
export function ColumnChoice({ columns, chosen, onChange, onReset }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const toggle = (changed: string) =>
    onChange(
      columns.map(({ value }) => value).filter((value) => chosen.includes(value) !== (value === changed)),
    );
  return (
    <>
      <button type="button" popoverTarget={id} className={buttonClass()} onBlur={closeWhenLeft(id)}>
        {texts.common.columns}
      </button>
      <div
        id={id}
        popover="auto"
        role="group"
        aria-label={texts.common.columns}
        className={popover.list}
        onBlur={closeWhenLeft(id)}
        onBeforeToggle={({ newState }) => newState === 'open' && setOpen(true)}
        // The list stays until the browser has moved the focus back to the button.
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && (
          <>
            {columns.map(({ value, label }) => (
              <label key={value}>
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
      </div>
    </>
  );
}
