import type { FormEvent } from 'react';
import { texts } from '../texts';
import { Button } from './button';
import { type Choice, SelectField, TextField } from './fields';
import styles from './filter-form.module.css';
import { formValues } from './form-values';

export interface Filter {
  name: string;
  label: string;
  /** Left out: a text. */
  choices?: Choice[];
  type?: string;
}

interface Props {
  filters: Filter[];
  parameters: URLSearchParams;
  onChange: (changes: Record<string, string | undefined>) => void;
}

/** Filters of a list, kept in the address. A choice applies at once, a text when its field is left or Enter is pressed. */
export function FilterForm({ filters, parameters, onChange }: Props) {
  const valueOf = (name: string) => parameters.get(name) ?? '';
  const set = (name: string, value: string) => {
    if (value !== valueOf(name)) onChange({ [name]: value || undefined });
  };
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onChange(formValues(event.currentTarget));
  };
  return (
    <form onSubmit={apply} aria-label={texts.calls.filters} className={styles.filters}>
      {filters.map(({ name, label, choices, type = 'text' }) =>
        choices ? (
          <SelectField
            key={name}
            {...{ name, label, choices }}
            any={texts.calls.any}
            value={valueOf(name)}
            onChange={({ target }) => set(name, target.value)}
          />
        ) : (
          <TextField
            key={name + valueOf(name)}
            {...{ name, label, type }}
            defaultValue={valueOf(name)}
            onBlur={({ target }) => set(name, target.value)}
          />
        ),
      )}
      <div>
        {filters.some(({ name }) => parameters.has(name)) && (
          <Button
            variant="quiet"
            onClick={() => onChange(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
          >
            {texts.calls.clearFilters}
          </Button>
        )}
        <button type="submit" className="visually-hidden">
          {texts.calls.filters}
        </button>
      </div>
    </form>
  );
}
