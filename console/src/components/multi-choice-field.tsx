import { useId } from 'react';
import { type Choice } from './fields';
import fields from './fields.module.css';
import styles from './multi-choice-field.module.css';

interface Props {
  label: string;
  /** What no choice is called. */
  any: string;
  choices: Choice[];
  chosen: string[];
  onChange: (chosen: string[]) => void;
}

/** Any number of a few values: a button that says which, and a popover with a box for each. */
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
        className={`${fields.control} ${styles.button}`}
      >
        <span>
          {choices
            .filter(isChosen)
            .map((choice) => choice.label)
            .join(', ') || any}
        </span>
      </button>
      <div id={id} popover="auto" role="group" aria-labelledby={`${id}-label`} className={styles.list}>
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
