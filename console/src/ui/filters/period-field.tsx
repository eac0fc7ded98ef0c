import { texts } from '../../texts';
import { type Choice, SelectField } from '../fields';
import { type DayPeriod, findPeriod, PERIODS, type PeriodName, resolvePeriod } from './periods';

const labels = texts.period;

interface Props {
  /** The period that is chosen; undefined: it is not one of whole days. */
  days: DayPeriod | undefined;
  /** Whether there is no period at all. Left out: there always is one. */
  anyPeriod?: boolean;
  /** Whether other times are chosen, although these have a name. */
  isCustom?: boolean;
  onChange: (days: DayPeriod | undefined) => void;
  /** Called when other times are to be chosen. Left out: the page always shows the fields for them. */
  onCustom?: () => void;
}

const CUSTOM = 'custom';

const isName = (value: string): value is PeriodName => PERIODS.some((name) => name === value);

/** Sets the first and the last day of a filter by the name of a period. */
export function PeriodField({ days, anyPeriod, isCustom = false, onChange, onCustom }: Props) {
  const name = days && findPeriod(days, new Date());
  const isOther = isCustom || (!anyPeriod && name === undefined);
  const choices: Choice[] = PERIODS.map((value) => ({ value, label: labels.names[value] }));
  if (isOther || onCustom) choices.push({ value: CUSTOM, label: labels.custom });
  return (
    <SelectField
      label={labels.label}
      choices={choices}
      any={anyPeriod === undefined ? undefined : labels.any}
      value={isOther ? CUSTOM : (name ?? '')}
      onChange={({ target: { value } }) =>
        value === CUSTOM
          ? onCustom?.()
          : onChange(isName(value) ? resolvePeriod(value, new Date()) : undefined)
      }
    />
  );
}
