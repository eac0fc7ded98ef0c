import styles from './plan.module.css';

interface Props<Value extends string> {
  values: readonly Value[];
  labels: Record<Value, string>;
  /** The full name for screen readers, if the label is short. */
  names?: Record<Value, string>;
  chosen: Value[];
  onChange: (chosen: Value[]) => void;
}

/** Checkboxes for a few values, whose order is kept. */
export const Choices = <Value extends string>({ values, labels, names, chosen, onChange }: Props<Value>) => (
  <div className={styles.choices}>
    {values.map((value) => (
      <label key={value}>
        <input
          type="checkbox"
          aria-label={names?.[value]}
          checked={chosen.includes(value)}
          onChange={({ target }) =>
            onChange(values.filter((other) => (other === value ? target.checked : chosen.includes(other))))
          }
        />
        {labels[value]}
      </label>
    ))}
  </div>
);
