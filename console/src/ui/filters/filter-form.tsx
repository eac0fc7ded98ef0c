import type { FormEvent } from 'react';
import { texts } from '../../texts';
import { type Choice, SelectField } from '../fields';
import { formValues } from '../form-values';
import { ClearFilters } from './clear-filters';
import { FilterField } from './filter-field';
import styles from './filter-form.module.css';
import { PeriodField } from './period-field';
import { toDays, toMinutes } from './periods';
import type { useQueryParameters } from './use-query-parameters';

export interface Filter {
  name: string;
  label: string;
  /** The values to choose from. Without them, the filter is a text field. */
  choices?: Choice[];
  /** The label of the choice that does not filter. */
  any?: string;
  /** The type of the text field. */
  type?: 'text' | 'search' | 'datetime-local';
}

/** The longest search that the API accepts. */
const MAX_SEARCH_LENGTH = 200;

interface Props {
  label?: string;
  filters: Filter[];
  state: ReturnType<typeof useQueryParameters>;
  /** Whether the form is narrower, for few filters, and has no button that clears them. */
  isCompact?: boolean;
  onChange?: () => void;
}

/**
 * The filters of a list, which are stored in the address. A choice is applied at once, and a text when its field loses the
 * focus or Enter is pressed. A change of the filters shows the first page.
 */
export function FilterForm({
  label = texts.calls.filters,
  filters,
  state: [parameters, setParameters],
  isCompact = false,
  onChange,
}: Props) {
  const getValue = (name: string) => parameters.get(name) ?? '';
  const set = (changes: Record<string, string>) => {
    if (Object.entries(changes).every(([name, value]) => value === getValue(name))) return;
    onChange?.();
    setParameters({ ...changes, page: undefined });
  };
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    set(formValues(event.currentTarget));
  };
  const hasPeriod = filters.some(({ name }) => name === 'start_date');
  const isFiltered = filters.some(({ name }) => parameters.has(name));
  return (
    <form onSubmit={apply} aria-label={label} className={isCompact ? styles.compact : styles.filters}>
      {hasPeriod && (
        <PeriodField
          days={toDays(getValue('start_date'), getValue('end_date'))}
          isAny={getValue('start_date') === '' && getValue('end_date') === ''}
          onChange={(days) => {
            const { start, end } = days ? toMinutes(days) : { start: '', end: '' };
            set({ start_date: start, end_date: end });
          }}
        />
      )}
      {filters.map(({ name, label: text, choices, any = texts.calls.any, type = 'text' }) =>
        choices ? (
          <SelectField
            key={name}
            {...{ name, choices, any }}
            label={text}
            value={getValue(name)}
            onChange={({ target }) => set({ [name]: target.value })}
          />
        ) : (
          <FilterField
            key={name}
            {...{ name, type }}
            label={text}
            value={getValue(name)}
            maxLength={type === 'search' ? MAX_SEARCH_LENGTH : undefined}
            onApply={(value) => set({ [name]: value })}
          />
        ),
      )}
      {!isCompact && (
        <div>
          {isFiltered && (
            <ClearFilters onClear={() => set(Object.fromEntries(filters.map(({ name }) => [name, ''])))} />
          )}
        </div>
      )}
      <button type="submit" className="visually-hidden">
        {label}
      </button>
    </form>
  );
}
