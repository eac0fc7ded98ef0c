import { sumBucket, NO_SUMS, type Series, type SeriesSums, addSums } from '../../api/series';
import { getTerm } from '../../domain/term';
import { texts } from '../../texts';
import type { Part } from '../../ui/chart/part-fills';
import type { CsvColumn } from '../../ui/csv';
import { type Bounds, bucketNames } from './period';

export interface Row extends SeriesSums {
  key: string;
  /** An ISO 8601 time. */
  at: string;
  start: string;
  group: string;
  /** The key of the group; null: the calls that have none; undefined: all other groups, or no group. */
  groupKey?: string | null;
  within: Bounds;
}

/** The status of connected calls that have ended. Others have no outcome. */
export const ENDED = 'disconnected';

type Bucket = Series['buckets'][number];

/** The name of a group: that of an agent or a campaign, or the word of a code. */
export const groupName = ({ key, label }: Pick<Series['groups'][number], 'key' | 'label'>) =>
  key === null ? texts.analytics.none : label === null || label === key ? getTerm(key) : label;

/** The sums of each group in a bucket, in the order of the groups, and last those of all other groups, if any. */
const sumsIn = ({ groups, other }: Bucket): SeriesSums[] => (other ? [...groups, other] : groups);

/** The names of the sums of each bucket. */
function groupNames({ groups, buckets }: Series): string[] {
  const names = groups.map(groupName);
  return buckets[0]?.other ? [...names, texts.analytics.others] : names;
}

export const getBucketBounds = ({ start, end }: Pick<Bucket, 'start' | 'end'>): Bounds => ({
  from: Date.parse(start),
  until: Date.parse(end),
});

/** A series without the buckets that begin in the future. */
export function untilNow(series: Series): Series {
  const now = Date.parse(series.as_of);
  return { ...series, buckets: series.buckets.filter(({ start }) => Date.parse(start) <= now) };
}

/** One row for each bucket, or for each bucket and group; groups without a call are left out. */
export function toRows(series: Series, isGrouped: boolean): Row[] {
  const names = bucketNames(series);
  const groups = groupNames(series);
  return series.buckets.flatMap((bucket, index) => {
    const common = {
      at: bucket.start,
      start: names[index] ?? bucket.start,
      within: getBucketBounds(bucket),
    };
    if (!isGrouped) return [{ key: bucket.start, ...common, group: '', ...sumBucket(bucket) }];
    return sumsIn(bucket)
      .map((sums, place) => ({
        ...sums,
        ...common,
        key: `${bucket.start} ${place}`,
        group: groups[place] ?? '',
        groupKey: series.groups[place]?.key,
      }))
      .filter(({ calls }) => calls > 0);
  });
}

export interface GroupRow extends SeriesSums {
  /** The place of the group in the series. */
  place: number;
  /** The key of the group; null: the calls that have none; undefined: all other groups. */
  key: string | null | undefined;
  group: string;
  share: number;
}

/** The groups over all buckets, sorted by their number of calls. */
export function toGroupRows(series: Series): GroupRow[] {
  const { buckets, totals } = series;
  const sums = buckets.map(sumsIn);
  return groupNames(series)
    .map((group, place) => ({
      place,
      key: series.groups[place]?.key,
      group,
      ...addSums(sums.map((each) => each[place] ?? NO_SUMS)),
    }))
    .map((row) => ({ ...row, share: row.calls / Math.max(1, totals.calls) }))
    .filter(({ calls }) => calls > 0)
    .sort((one, other) => other.calls - one.calls);
}

const getKind = ({ key }: GroupRow): Part['kind'] =>
  key === undefined ? 'others' : key === null ? 'none' : 'group';

/** The order of the kinds of parts in a bar, from the bottom. */
const KINDS: Part['kind'][] = ['group', 'none', 'others'];

export interface Parts {
  list: Part[];
  /** The sums of the parts in a bucket. */
  of: (bucket: Bucket) => SeriesSums[];
}

/** The parts of a chart: the groups with the most calls, and all others as one part. */
export function toParts(series: Series, most: number): Parts {
  const rows = toGroupRows(series);
  const own = rows.length > most ? rows.filter((row) => getKind(row) !== 'others').slice(0, most - 1) : rows;
  const sorted = own.toSorted((one, other) => KINDS.indexOf(getKind(one)) - KINDS.indexOf(getKind(other)));
  const rest = rows.filter((row) => !own.includes(row));
  return {
    list: [
      ...sorted.map((row) => ({ name: row.group, kind: getKind(row) })),
      ...(rest.length > 0 ? [{ name: texts.analytics.others, kind: 'others' as const }] : []),
    ],
    of: (bucket) => {
      const sums = sumsIn(bucket);
      const at = ({ place }: GroupRow) => sums[place] ?? NO_SUMS;
      return [...sorted.map(at), ...(rest.length > 0 ? [addSums(rest.map(at))] : [])];
    },
  };
}

const round = (value: number) => (Number.isFinite(value) ? Math.round(value * 10_000) / 10_000 : NaN);

/** The columns of sums in exports, by the names of the API. */
export const SUM_CELLS: CsvColumn<SeriesSums>[] = [
  ['calls', ({ calls }) => calls],
  ['connected', ({ connected }) => connected],
  ['failed', ({ failed }) => failed],
  ['seconds', ({ seconds }) => seconds],
  ['credits', ({ credits }) => credits],
  ['answer_rate', ({ connected, calls }) => round(connected / calls)],
  ['average_duration_sec', ({ seconds, connected }) => round(seconds / connected)],
];
