import { useState } from 'react';
import { texts } from '../../texts';
import { ChoiceList } from '../choice-list';
import { Menu } from '../menu';
import { dayName, momentText } from '../moment';
import styles from './filter-bar.module.css';
import { FilterField, FilterFields } from './filter-field';
import {
  type DayPeriod,
  findPeriod,
  PERIODS,
  type PeriodParameters,
  readToday,
  resolvePeriod,
} from './periods';

const labels = texts.period;

const CUSTOM = 'custom';

const isNamed = (value: string) => PERIODS.find((name) => name === value);

/** A moment of an address, which may be no time at all. */
const timeText = (value: string) => (Number.isNaN(Date.parse(value)) ? value : momentText(value));

interface Props {
  times: PeriodParameters;
  /** The period without one in the address. Left out: any time. */
  usualDays?: DayPeriod;
  parameters: URLSearchParams;
  onApply: (changes: Record<string, string>) => void;
}

/** Names the period of a filter, and chooses another one by its name or by its times. */
export function PeriodMenu({ times, usualDays, parameters, onApply }: Props) {
  // The fields stay while their user changes them, whatever the times are.
  const [asksTimes, setAsksTimes] = useState(false);
  // An address can have what is no day. The page shows the usual days then.
  const start = usualDays?.start ?? parameters.get(times.start) ?? '';
  const end = usualDays?.end ?? parameters.get(times.end) ?? '';
  const days = times.toDays(start, end);
  const isAny = start === '' && end === '';
  const name = days && findPeriod(days, readToday(parameters));
  const isCustom = asksTimes || (!isAny && name === undefined);
  const [from, until] = days ? [dayName(days.start), dayName(days.end)] : [timeText(start), timeText(end)];
  const choices = [
    ...(usualDays ? [] : [{ value: '', label: labels.any }]),
    ...PERIODS.map((value) => ({ value, label: labels.names[value] })),
    { value: CUSTOM, label: labels.custom },
  ];
  const applyTimes = (changes: Record<string, string>) => {
    setAsksTimes(true);
    onApply(changes);
  };
  const set = (values: { start: string; end: string }) =>
    onApply({ [times.start]: values.start, [times.end]: values.end });
  return (
    <span
      className={styles.chip}
      data-set={parameters.has(times.start) || parameters.has(times.end) || undefined}
    >
      <Menu
        name={labels.label}
        button={
          <>
            {labels.label}:{' '}
            <b>{isAny ? labels.any : name ? labels.names[name] : labels.range(from, until)}</b>
          </>
        }
        className={styles.value}
        onToggle={() => setAsksTimes(false)}
      >
        {(close) => (
          <>
            <ChoiceList
              label={labels.label}
              choices={choices}
              chosen={[isCustom ? CUSTOM : (name ?? '')]}
              onChoose={(value) => {
                if (value === CUSTOM) return setAsksTimes(true);
                const named = isNamed(value);
                set(
                  named
                    ? times.fromDays(resolvePeriod(named, readToday(parameters)))
                    : { start: '', end: '' },
                );
                close();
              }}
            />
            {isCustom && (
              <FilterFields className={styles.times} onApply={applyTimes}>
                {(['start', 'end'] as const).map((side) => (
                  <FilterField
                    key={side}
                    type={times.type}
                    name={times[side]}
                    label={labels[side]}
                    autoFocus={asksTimes && side === 'start'}
                    value={side === 'start' ? start : end}
                    onApply={(value) => applyTimes({ [times[side]]: value })}
                  />
                ))}
              </FilterFields>
            )}
          </>
        )}
      </Menu>
    </span>
  );
}
