import { texts } from '../../texts';
import { type Choice, SelectField } from '../fields';
import { type DayPeriod, findPeriod, PERIODS, type PeriodName, resolvePeriod } from './periods';

const { period: labels } = texts;

interface Props {
  /** The period that is chosen; undefined: it is not one of whole days. */
  days: DayPeriod | undefined;
  /** Whether there is no period at all. Left out: there always is one. */
  isAny?: boolean;
  onChange: (days: DayPeriod | undefined) => void;
}

const isName = (value: string): value is PeriodName => PERIODS.some((name) => name === value);

/** Sets the first and the last day of a filter by the name of a period. */
export function PeriodField({ days, isAny, onChange }: Props) {
  const name = days && findPeriod(days, new Date());
  const isCustom = !isAny && name === undefined;
  const choices: Choice[] = PERIODS.map((value) => ({ value, label: labels.names[value] }));
  if (isCustom) choices.push({ value: 'custom', label: labels.custom });
  return (
    <SelectField
      label={labels.label}
      choices={choices}
      any={isAny === undefined ? undefined : labels.any}
      value={isCustom ? 'custom' : (name ?? '')}
      onChange={({ target: { value } }) =>
        onChange(isName(value) ? resolvePeriod(value, new Date()) : undefined)
      }
    />
  );
}
