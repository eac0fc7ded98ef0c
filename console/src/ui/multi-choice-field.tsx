import { useId } from 'react';
import { closeWhenLeft } from './close-when-left';
import { type Choice } from './fields';
import fields from './fields.module.css';
import styles from './multi-choice-field.module.css';

interface Props {
  label: string;
  /** The label while nothing is chosen. */
  any: string;
  choices: Choice[];
  chosen: string[];
  onChange: (chosen: string[]) => void;
}

/** A field for several of a few values: a button that names them, and a popover with checkboxes. */
export function MultiChoiceField({ label, any, choices, chosen, onChange }: Props) {
  const id = useId();
  const isChosen = ({ value }: Choice) => chosen.includes(value);
  const toggle = (changed: Choice) =>
    onChange(
      choices
        .filter((choice) => (choice === changed ? !isChosen(choice) : isChosen(choice)))
        .map(({ value }) => value),
    );
  return (
    <div className={fields.field}>
      <span id={`${id}-label`} className={fields.label}>
        {label}
      </span>
      <button
        type="button"
        id={`${id}-button`}
        aria-labelledby={`${id}-label ${id}-button`}
        popoverTarget={id}
        onBlur={closeWhenLeft(id)}
        className={`${fields.control} ${styles.button}`}
      >
        <span>
          {choices
            .filter(isChosen)
            .map((choice) => choice.label)
            .join(', ') || any}
        </span>
      </button>
      <div
        id={id}
        popover="auto"
        role="group"
        aria-labelledby={`${id}-label`}
        className={styles.list}
        onBlur={closeWhenLeft(id)}
      >
        {choices.map((choice) => (
          <label key={choice.value}>
            <input type="checkbox" checked={isChosen(choice)} onChange={() => toggle(choice)} />
            {choice.label}
          </label>
        ))}
      </div>
    </div>
  );
}
