import { type FormEvent, Fragment, type ReactNode, useState } from 'react';
import { texts } from '../../texts';
import { Button } from '../button';
import { type Choice, SelectField } from '../fields';
import { formValues } from '../form-values';
import { MultiChoiceField } from '../multi-choice-field';
import { ClearFilters } from './clear-filters';
import { FilterField } from './filter-field';
import styles from './filter-form.module.css';
import { PeriodField } from './period-field';
import { isCustomPeriod, toDays, toMinutes } from './periods';
import type { useQueryParameters } from './use-query-parameters';

export interface Filter {
  name: string;
  label: string;
  /** The values to choose from. Without them, the filter is a text field. */
  choices?: Choice[];
  /** Whether several values may be chosen. */
  isMultiple?: boolean;
  /** The label of the choice that does not filter. */
  any?: string;
  /** The type of the text field. */
  type?: 'text' | 'search' | 'number' | 'datetime-local';
  /** Whether the filter is shown on demand. */
  isRare?: boolean;
  /** The field, if it is one of its own. It applies '' to filter no more. */
  render?: (value: string, onApply: (value: string) => void) => ReactNode;
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
  /** Buttons beside those of the form. */
  children?: ReactNode;
}

const isTime = (name: string) => name === 'start_date' || name === 'end_date';

/**
 * The filters of a list, which are stored in the address. A choice is applied at once, and a text when its field loses the
 * focus or Enter is pressed. A change of the filters shows the first page.
 */
export function FilterForm({
  label = texts.filters.label,
  filters,
  state: [parameters, setParameters],
  isCompact = false,
  onChange,
  children,
}: Props) {
  const hasRare = filters.some(({ isRare }) => isRare);
  const [isOpen, setOpen] = useState(filters.some(({ name, isRare }) => isRare && parameters.has(name)));
  const getValue = (name: string) => parameters.get(name) ?? '';
  const [start, end] = [getValue('start_date'), getValue('end_date')];
  // The fields stay while their user changes them, whatever the times are.
  const [asksTimes, setAsksTimes] = useState(false);
  const isCustom = asksTimes || isCustomPeriod(start, end, new Date());
  const set = (changes: Record<string, string | string[]>) => {
    if (Object.entries(changes).every(([name, value]) => value === getValue(name))) return;
    onChange?.();
    setParameters({ ...changes, page: undefined });
  };
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    set(formValues(event.currentTarget));
  };
  const isFiltered = filters.some(({ name }) => parameters.has(name));
  return (
    <form
      onSubmit={apply}
      aria-label={label}
      className={isCompact ? styles.compact : styles.filters}
      data-folded={(hasRare && !isOpen) || undefined}
    >
      {filters
        .filter(({ isRare }) => isOpen || !isRare)
        .map((filter) => (
          <Fragment key={filter.name}>
            {filter.name === 'start_date' && (
              <PeriodField
                days={toDays(start, end)}
                anyPeriod={start === '' && end === ''}
                isCustom={isCustom}
                onCustom={() => setAsksTimes(true)}
                onChange={(days) => {
                  setAsksTimes(false);
                  const times = days ? toMinutes(days) : { start: '', end: '' };
                  set({ start_date: times.start, end_date: times.end });
                }}
              />
            )}
            {(isCustom || !isTime(filter.name)) && (
              <OneFilter
                filter={filter}
                values={parameters.getAll(filter.name)}
                onApply={(value) => {
                  if (isTime(filter.name)) setAsksTimes(true);
                  set({ [filter.name]: value });
                }}
              />
            )}
          </Fragment>
        ))}
      {!isCompact && (
        <div className={styles.actions}>
          {hasRare && (
            <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? texts.filters.fewer : texts.filters.more}
            </Button>
          )}
          {isFiltered && (
            <ClearFilters
              onClear={() => {
                setAsksTimes(false);
                set(Object.fromEntries(filters.map(({ name }) => [name, ''])));
              }}
            />
          )}
          {children}
        </div>
      )}
      {/* Without it, Enter would not send a form of several fields. */}
      <button type="submit" hidden />
    </form>
  );
}

interface OneFilterProps {
  filter: Filter;
  values: string[];
  onApply: (value: string | string[]) => void;
}

function OneFilter({ filter, values, onApply }: OneFilterProps) {
  const { name, label, choices, isMultiple, any = texts.filters.any, type = 'text', render } = filter;
  const value = values[0] ?? '';
  if (render) return render(value, onApply);
  if (!choices)
    return (
      <FilterField
        {...{ name, type, label, value, onApply }}
        maxLength={type === 'search' ? MAX_SEARCH_LENGTH : undefined}
      />
    );
  if (isMultiple) return <MultiChoiceField {...{ label, any, choices }} chosen={values} onChange={onApply} />;
  return (
    <SelectField {...{ name, label, any, choices, value }} onChange={({ target }) => onApply(target.value)} />
  );
}
