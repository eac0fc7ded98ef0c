import { type FormEvent, useState } from 'react';
import { AgentField } from '../../../domain/agent-field';
import { Button } from '../../../ui/button';
import { ClearFilters } from '../../../ui/filters/clear-filters';
import { SelectField } from '../../../ui/fields';
import { FilterField } from '../../../ui/filters/filter-field';
import { PeriodField } from '../../../ui/filters/period-field';
import { toDays, toMinutes } from '../../../ui/filters/periods';
import { formValues } from '../../../ui/form-values';
import { MultiChoiceField } from '../../../ui/multi-choice-field';
import { useIsScoped } from '../../../session/session';
import { getTerm } from '../../../domain/term';
import { texts } from '../../../texts';
import { CALL_TYPES, DIRECTIONS, REASONS, STATUSES } from './choices';
import { FILTERS, hasFilters } from './call-filters';
import styles from './calls.module.css';

interface Props {
  parameters: URLSearchParams;
  onChange: (changes: Record<string, string | string[] | undefined>) => void;
}

const { fields } = texts.calls;

const toChoices = (values: readonly string[], label = getTerm) =>
  values.map((value) => ({ value, label: label(value) }));

const RARE = [
  'direction',
  'call_type',
  'channel',
  'external_id',
  'worker_id',
  'duration_min',
  'duration_max',
  'campaign_id',
  'agent_version',
];

/** All filters of the API. A choice applies at once, a text when its field loses the focus or Enter is pressed. */
export function CallFilterForm({ parameters, onChange }: Props) {
  const isRareUsed = RARE.some((name) => parameters.has(name));
  const [isOpen, setOpen] = useState(isRareUsed);
  // A scoped credential may not list the agents; their ids are typed then.
  const isScoped = useIsScoped();
  const getValue = (name: string) => parameters.get(name) ?? '';
  const set = (name: string, value: string) => {
    if (value !== getValue(name)) onChange({ [name]: value || undefined });
  };
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onChange(formValues(event.currentTarget));
  };
  const text = (name: keyof typeof fields, type = 'text') => (
    <FilterField
      name={name}
      type={type}
      label={fields[name]}
      value={getValue(name)}
      onApply={(value) => set(name, value)}
    />
  );
  const select = (name: keyof typeof fields, choices: { value: string; label: string }[]) => (
    <SelectField
      name={name}
      label={fields[name]}
      value={getValue(name)}
      choices={choices}
      any={texts.calls.any}
      onChange={({ target }) => set(name, target.value)}
    />
  );
  const several = (name: keyof typeof fields, choices: { value: string; label: string }[]) => (
    <MultiChoiceField
      label={fields[name]}
      any={texts.calls.any}
      choices={choices}
      chosen={parameters.getAll(name)}
      onChange={(chosen) => onChange({ [name]: chosen })}
    />
  );
  return (
    <form
      onSubmit={apply}
      aria-label={texts.calls.filters}
      className={styles.filters}
      data-open={isOpen || undefined}
    >
      {text('number')}
      {text('customer_name')}
      {several(
        'status',
        toChoices(STATUSES, (status) => texts.status[status as keyof typeof texts.status]),
      )}
      {several('disconnect_reason', toChoices(REASONS))}
      {isScoped ? (
        text('agent_id')
      ) : (
        <AgentField
          value={getValue('agent_id')}
          any={texts.calls.any}
          onChange={(id) => set('agent_id', id)}
        />
      )}
      {text('outcome')}
      <PeriodField
        days={toDays(getValue('start_date'), getValue('end_date'))}
        isAny={!parameters.has('start_date') && !parameters.has('end_date')}
        onChange={(days) => {
          const period = days && toMinutes(days);
          onChange({ start_date: period?.start, end_date: period?.end });
        }}
      />
      {text('start_date', 'datetime-local')}
      {text('end_date', 'datetime-local')}
      {isOpen && (
        <>
          {select('direction', toChoices(DIRECTIONS))}
          {select('call_type', toChoices(CALL_TYPES))}
          {text('channel')}
          {text('external_id')}
          {text('campaign_id')}
          {text('agent_version', 'number')}
          {text('worker_id')}
          {text('duration_min', 'number')}
          {text('duration_max', 'number')}
        </>
      )}
      <div className={styles.filterActions}>
        <Button variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? texts.calls.fewerFilters : texts.calls.moreFilters}
        </Button>
        {hasFilters(parameters) && (
          <ClearFilters
            onClear={() => onChange(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}
          />
        )}
        <button type="submit" className="visually-hidden">
          {texts.calls.filters}
        </button>
      </div>
    </form>
  );
}
