import { dayText, isZone } from '../moment';

/** The times that operators filter by, the most frequent first. */
export const PERIODS = ['today', 'yesterday', 'week', 'month', 'lastWeek', 'thisMonth', 'lastMonth'] as const;

export type PeriodName = (typeof PERIODS)[number];

export interface DayPeriod {
  /** The first and the last day, as 2026-01-31. */
  start: string;
  end: string;
}

const DAY_MS = 86_400_000;

/** Days without a time zone are counted in UTC, where each has 24 hours. */
export const addDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** Today by the clock of the zone that an address names, or else of the viewer. */
export function readToday(parameters: URLSearchParams, now = new Date()): string {
  const timeZone = parameters.get('timezone');
  if (timeZone === null || !isZone(timeZone)) return dayText(now);
  // Swedish days are written as 2026-01-31.
  return new Intl.DateTimeFormat('sv', { timeZone }).format(now);
}

const firstOfMonth = (day: string) => `${day.slice(0, 8)}01`;

/** The first and the last day of a period that is named relative to a day. */
export function resolvePeriod(name: PeriodName, today: string): DayPeriod {
  const from = (days: number) => ({ start: addDays(today, -days), end: today });
  switch (name) {
    case 'today':
      return from(0);
    case 'yesterday': {
      const yesterday = addDays(today, -1);
      return { start: yesterday, end: yesterday };
    }
    case 'week':
      return from(6);
    case 'month':
      return from(29);
    case 'lastWeek': {
      // Weeks begin on Monday (ISO 8601).
      const sunday = addDays(today, -(new Date(today).getUTCDay() || 7));
      return { start: addDays(sunday, -6), end: sunday };
    }
    case 'thisMonth':
      return { start: firstOfMonth(today), end: today };
    case 'lastMonth': {
      const last = addDays(firstOfMonth(today), -1);
      return { start: firstOfMonth(last), end: last };
    }
  }
}

/** The last seven days of the viewer, of which today is one. */
export const getWeek = (): DayPeriod => resolvePeriod('week', dayText(new Date()));

/** The name of a period of days; undefined if none has these days. */
export const findPeriod = (period: DayPeriod, today: string): PeriodName | undefined =>
  PERIODS.find((name) => {
    const { start, end } = resolvePeriod(name, today);
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
