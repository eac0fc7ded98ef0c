import { type GROUPS, INTERVALS, type Series, type SeriesQuery } from '../../api/series';
import { daysBefore, dayText, hour, zone } from '../../ui/moment';

export interface Period {
  /** The first and the last day, as 2026-01-31. */
  start: string;
  end: string;
}

const DAY_MS = 86_400_000;

/** Days without a time zone are counted in UTC, where each has 24 hours. */
const addDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** The period of an address; the last seven days if it has none. */
export function readPeriod(parameters: URLSearchParams): Period {
  const [start, end] = [parameters.get('start'), parameters.get('end')];
  const last = isDay(end) ? end : dayText(new Date());
  const first = isDay(start) ? start : isDay(end) ? addDays(end, -6) : dayText(daysBefore(new Date(), 6));
  return { start: first, end: last };
}

/** The period of the same length directly before. */
export function periodBefore({ start, end }: Period): Period {
  const days = Math.round((Date.parse(end) - Date.parse(start)) / DAY_MS) + 1;
  return { start: addDays(start, -days), end: addDays(start, -1) };
}

/** The query of the API, without parameters that the API would refuse. */
export function toQuery(parameters: URLSearchParams, { start, end }: Period): SeriesQuery {
  const interval = parameters.get('interval') as Series['interval'] | null;
  const group_by = parameters.get('group_by') as (typeof GROUPS)[number] | null;
  return {
    start_date: start,
    end_date: end,
    interval: interval ?? 'day',
    timezone: parameters.get('timezone') ?? zone,
    ...(group_by && { group_by }),
  };
}

const FORMATS: Record<Series['interval'], Intl.DateTimeFormatOptions> = {
  hour: { day: 'numeric', month: 'short', hour, minute: '2-digit' },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'short', year: 'numeric' },
};

/** The names of the buckets of a series, by the clock of its zone. */
export function bucketNames({ interval, timezone, buckets }: Series): string[] {
  const known = INTERVALS.find((name) => name === interval) ?? 'day';
  const format = new Intl.DateTimeFormat(undefined, { ...FORMATS[known], timeZone: timezone });
  return buckets.map(({ start }) => format.format(new Date(start)));
}
