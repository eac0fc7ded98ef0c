import { sumBucket, type Series, type SeriesSums, addSums } from '../../api/series';
import { getBucketBounds } from './rows';
import type { Bounds } from './period';

export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;
export const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** One hour of the series in a cell of the week. */
export interface HourOfCell extends SeriesSums {
  at: string;
  within: Bounds;
}

export interface WeekCell {
  sums: SeriesSums;
  hours: HourOfCell[];
}

const DAYS: Record<string, number | undefined> = { Mon: 1, Tue: 2, Wed: 3, Thu: 4, Fri: 5, Sat: 6, Sun: 7 };

/** The name of a cell in an address. @param weekday from 1, Monday */
export const cellName = (weekday: number, hour: number) => `${weekday}-${hour}`;

/** The hours of a series by weekday and hour of its zone's clock, by {@link cellName}. */
export function toWeek({ buckets, timezone }: Series): Map<string, WeekCell> {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: timezone,
    weekday: 'short',
    hour: 'numeric',
    hourCycle: 'h23',
  });
  const hours = new Map<string, HourOfCell[]>();
  for (const bucket of buckets) {
    const parts = new Map(
      format.formatToParts(Date.parse(bucket.start)).map(({ type, value }) => [type, value]),
    );
    const name = cellName(DAYS[parts.get('weekday') ?? ''] ?? 0, Number(parts.get('hour')));
    const hour = { ...sumBucket(bucket), at: bucket.start, within: getBucketBounds(bucket) };
    hours.set(name, [...(hours.get(name) ?? []), hour]);
  }
  return new Map([...hours].map(([name, list]) => [name, { sums: addSums(list), hours: list }]));
}
