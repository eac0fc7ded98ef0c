import type { FormEvent } from 'react';
import { type Choice, SelectField, TextField } from './fields';
import { formValues } from './form-values';
import styles from './list-filters.module.css';
import type { useQueryParameters } from './use-query-parameters';

interface Filter {
  name: string;
  label: string;
  /** A list to choose from; left out: a text. */
  choices?: Choice[];
  /** Of no choice. */
  any?: string;
}

interface Props {
  label: string;
  filters: Filter[];
  state: ReturnType<typeof useQueryParameters>;
}

/** Filters of a list in the address. A choice applies at once, a text when its field is left or Enter is pressed. */
export function ListFilters({ label, filters, state: [parameters, setParameters] }: Props) {
  const valueOf = (name: string) => parameters.get(name) ?? '';
  const set = (changes: Record<string, string>) => {
    if (Object.entries(changes).some(([name, value]) => value !== valueOf(name)))
      setParameters({ ...changes, page: undefined });
  };
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    set(formValues(event.currentTarget));
  };
  return (
    <form onSubmit={apply} aria-label={label} className={styles.filters}>
      {filters.map(({ name, label: text, choices, any }) =>
        choices ? (
          <SelectField
            key={name}
            name={name}
            label={text}
            value={valueOf(name)}
            choices={choices}
            any={any}
            onChange={({ target }) => set({ [name]: target.value })}
          />
        ) : (
          <TextField
            key={name + valueOf(name)}
            name={name}
            type="search"
            label={text}
            defaultValue={valueOf(name)}
            maxLength={200}
            onBlur={({ target }) => set({ [name]: target.value })}
          />
        ),
      )}
      <button type="submit" className="visually-hidden">
        {label}
      </button>
    </form>
  );
}
