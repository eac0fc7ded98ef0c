import type { Series } from '../../api/series';
import { addDays, type DayPeriod as Period, readToday, resolvePeriod } from '../../ui/filters/periods';
import { getFormat, hour } from '../../ui/moment';
import { readClock } from '../../ui/zone-clock';

export type { Period };

const DAY_MS = 86_400_000;

const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** The period of an address; the last seven days if it has none. */
export function readPeriod(parameters: URLSearchParams): Period {
  const [start, end] = [parameters.get('start'), parameters.get('end')];
  const last = isDay(end) ? end : readToday(parameters);
  return { start: isDay(start) ? start : resolvePeriod('week', last).start, end: last };
}

export const countDays = ({ start, end }: Period) =>
  Math.round((Date.parse(end) - Date.parse(start)) / DAY_MS) + 1;

/** The period of the same length directly before. */
export function periodBefore(period: Period): Period {
  const days = countDays(period);
  return { start: addDays(period.start, -days), end: addDays(period.start, -1) };
}

/** The shortest interval that cuts a number of days into at most 31 buckets, or is a month. */
export const intervalFor = (days: number): Series['interval'] =>
  days <= 1 ? 'hour' : days <= 31 ? 'day' : days <= 7 * 31 ? 'week' : 'month';

/** The time by which the clock of a zone is ahead of UTC at a moment. */
const getOffset = (time: number, timeZone: string) =>
  readClock(time, timeZone) - Math.floor(time / 1_000) * 1_000;

/** The first moment at which the clock of a zone shows a day: a change of the clock may repeat or skip midnight. */
export function startOfDay(day: string, timeZone: string): number {
  const midnight = Date.parse(day);
  const moments = [midnight - DAY_MS, midnight + DAY_MS]
    .map((near) => midnight - getOffset(near, timeZone))
    .sort((one, other) => one - other);
  const isShown = (moment: number) => moment + getOffset(moment, timeZone) >= midnight;
  return moments.find(isShown) ?? midnight;
}

export interface Bounds {
  /** Milliseconds since 1970. */
  from: number;
  /** Exclusive. */
  until: number;
}

/** The first moment of a period, and the moment after the last one, by the clock of a zone. */
export const getBounds = ({ start, end }: Period, timeZone: string): Bounds => ({
  from: startOfDay(start, timeZone),
  until: startOfDay(addDays(end, 1), timeZone),
});

const FORMATS: Record<Series['interval'], Intl.DateTimeFormatOptions> = {
  hour: { day: 'numeric', month: 'short', hour, minute: '2-digit' },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'short', year: 'numeric' },
};

/** The names of the buckets of a series, by the clock of its zone. */
export function bucketNames({
  interval,
  timezone,
  buckets,
}: Pick<Series, 'interval' | 'timezone'> & { buckets: { start: string }[] }): string[] {
  const format = getFormat({ ...FORMATS[interval], timeZone: timezone });
  return buckets.map(({ start }) => format.format(new Date(start)));
}
