import styles from './campaign.module.css';

interface Props<Value extends string> {
  values: readonly Value[];
  labels: Record<Value, string>;
  /** For screen readers, where the label is short. */
  names?: Record<Value, string>;
  chosen: Value[];
  onChange: (chosen: Value[]) => void;
}

/** Some of a few values, which stay in their order. */
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
