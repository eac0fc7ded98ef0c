import { sumBucket, NO_SUMS, type Series, type SeriesSums, addSums } from '../../api/series';
import { getTerm } from '../../domain/term';
import { texts } from '../../texts';
import { bucketNames } from './period';

export interface Row extends SeriesSums {
  key: string;
  /** An ISO 8601 time. */
  at: string;
  start: string;
  group: string;
}

const groupName = ({ key, label }: { key: string | null; label: string | null }) =>
  label ?? (key === null ? texts.analytics.none : getTerm(key));

/** The sums of each group in a bucket, in the order of the groups, and last those of all other groups, if any. */
const sumsIn = ({ groups, other }: Series['buckets'][number]): SeriesSums[] =>
  other ? [...groups, other] : groups;

/** The names of the sums of each bucket. */
function groupNames({ groups, buckets }: Series): string[] {
  const names = groups.map(groupName);
  return buckets[0]?.other ? [...names, texts.analytics.others] : names;
}

/** One row for each bucket, or for each bucket and group; groups without a call are left out. */
export function toRows(series: Series, isGrouped: boolean): Row[] {
  const names = bucketNames(series);
  const groups = groupNames(series);
  return series.buckets.flatMap((bucket, index) => {
    const common = { at: bucket.start, start: names[index] ?? bucket.start };
    if (!isGrouped) return [{ key: bucket.start, ...common, group: '', ...sumBucket(bucket) }];
    return sumsIn(bucket)
      .map((sums, place) => ({
        ...sums,
        ...common,
        key: `${bucket.start} ${place}`,
        group: groups[place] ?? '',
      }))
      .filter(({ calls }) => calls > 0);
  });
}

export interface GroupRow extends SeriesSums {
  /** The place of the group in the series. */
  place: number;
  group: string;
  share: number;
}

/** The groups over all buckets, sorted by their number of calls. */
export function toGroupRows(series: Series): GroupRow[] {
  const { buckets, totals } = series;
  const sums = buckets.map(sumsIn);
  return groupNames(series)
    .map((group, place) => ({ place, group, ...addSums(sums.map((each) => each[place] ?? NO_SUMS)) }))
    .map((row) => ({ ...row, share: row.calls / Math.max(1, totals.calls) }))
    .sort((one, other) => other.calls - one.calls);
}

/** The parts of a chart: the groups with the most calls, and all others as one part. */
export function toParts(series: Series, most: number): { names: string[]; of: (bucket: number) => number[] } {
  const rows = toGroupRows(series).filter(({ calls }) => calls > 0);
  const isOther = ({ place }: GroupRow) => place >= series.groups.length;
  const own = rows.length > most ? rows.filter((row) => !isOther(row)).slice(0, most - 1) : rows;
  return {
    names: [...own.map(({ group }) => group), ...(own.length < rows.length ? [texts.analytics.others] : [])],
    of: (index) => {
      const bucket = series.buckets[index];
      if (!bucket) return [];
      const sums = sumsIn(bucket);
      const parts = own.map(({ place }) => sums[place]?.calls ?? 0);
      const rest = sumBucket(bucket).calls - parts.reduce((sum, part) => sum + part, 0);
      return own.length < rows.length ? [...parts, rest] : parts;
    },
  };
}
