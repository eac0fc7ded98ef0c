import { dayText, daysBefore } from '../moment';

/** The times that operators filter by, the most frequent first. */
export const PERIODS = ['today', 'yesterday', 'week', 'month', 'lastWeek', 'thisMonth', 'lastMonth'] as const;

export type PeriodName = (typeof PERIODS)[number];

export interface DayPeriod {
  /** The first and the last day in the viewer's zone, as 2026-01-31. */
  start: string;
  end: string;
}

/** The first and the last day of a period that is named relative to a time. */
export function resolvePeriod(name: PeriodName, now: Date): DayPeriod {
  const today = dayText(now);
  const from = (days: number) => ({ start: dayText(daysBefore(now, days)), end: today });
  switch (name) {
    case 'today':
      return from(0);
    case 'yesterday': {
      const yesterday = dayText(daysBefore(now, 1));
      return { start: yesterday, end: yesterday };
    }
    case 'week':
      return from(6);
    case 'month':
      return from(29);
    case 'lastWeek': {
      // Weeks begin on Monday (ISO 8601).
      const sunday = daysBefore(now, now.getDay() || 7);
      return { start: dayText(daysBefore(sunday, 6)), end: dayText(sunday) };
    }
    case 'thisMonth':
      return from(now.getDate() - 1);
    case 'lastMonth': {
      const last = daysBefore(now, now.getDate());
      return { start: dayText(daysBefore(last, last.getDate() - 1)), end: dayText(last) };
    }
  }
}

/** The name of a period of days; undefined if none has these days. */
export const findPeriod = (period: DayPeriod, now: Date): PeriodName | undefined =>
  PERIODS.find((name) => {
    const { start, end } = resolvePeriod(name, now);
    return start === period.start && end === period.end;
  });

/** Days as the first minute of the first one and the last minute of the last one, as inputs have them. */
export const toMinutes = ({ start, end }: DayPeriod) => ({ start: `${start}T00:00`, end: `${end}T23:59` });

/** The days of two minutes of inputs; undefined if these are not whole days. */
export function toDays(start: string, end: string): DayPeriod | undefined {
  const isWhole = /^\d{4}-\d\d-\d\dT00:00$/.test(start) && /^\d{4}-\d\d-\d\dT23:59$/.test(end);
  return isWhole ? { start: start.slice(0, 10), end: end.slice(0, 10) } : undefined;
}

/** The first and the last day of a period, in the address of a page. */
export interface PeriodParameters {
  /** The names of the parameters. */
  start: string;
  end: string;
  /** The type of a field for one of the values. */
  type: 'datetime-local' | 'date';
  /** @returns undefined if the values are no whole days */
  toDays: (start: string, end: string) => DayPeriod | undefined;
  fromDays: (days: DayPeriod) => { start: string; end: string };
}

export const MINUTES: PeriodParameters = {
  start: 'start_date',
  end: 'end_date',
  type: 'datetime-local',
  toDays,
  fromDays: toMinutes,
};

export const DAYS: PeriodParameters = {
  start: 'start',
  end: 'end',
  type: 'date',
  toDays: (start, end) => ({ start, end }),
  fromDays: (days) => days,
};
