import { type Series, type SeriesSums, sumOf } from '../../api/series';
import { texts } from '../../texts';
import { bucketNames } from './period';

export interface Row extends SeriesSums {
  key: string;
  /** ISO 8601 */
  at: string;
  start: string;
  group: string;
}

export const groupName = ({ key, label }: { key: string | null; label: string | null }) =>
  (label ?? key)?.replaceAll('_', ' ') ?? texts.analytics.none;

/** One row a bucket, or a bucket and group; groups without a call are left out. */
export function rowsOf(series: Series, isGrouped: boolean): Row[] {
  const names = bucketNames(series);
  return series.buckets.flatMap(({ start: at, groups }, index) => {
    const common = { at, start: names[index] ?? at };
    if (!isGrouped) return [{ key: at, ...common, group: '', ...sumOf(groups) }];
    return groups
      .filter(({ calls }) => calls > 0)
      .map((group) => ({ ...group, ...common, key: `${at} ${group.key}`, group: groupName(group) }));
  });
}

export interface GroupRow extends SeriesSums {
  key: string;
  group: string;
  share: number;
}

/** The groups over all buckets, those with the most calls first. */
export function groupRowsOf({ buckets, totals }: Series): GroupRow[] {
  const groups = new Map<string | null, { group: string; sums: SeriesSums[] }>();
  for (const group of buckets.flatMap(({ groups: all }) => all)) {
    const found = groups.get(group.key) ?? { group: groupName(group), sums: [] };
    found.sums.push(group);
    groups.set(group.key, found);
  }
  return [...groups]
    .map(([key, { group, sums }]) => ({ key: key ?? '', group, ...sumOf(sums) }))
    .map((row) => ({ ...row, share: row.calls / Math.max(1, totals.calls) }))
    .sort((one, other) => other.calls - one.calls);
}

/** The groups with the most calls, and the others as one, which a chart can show. */
export function partsOf(series: Series, most: number): { names: string[]; of: (bucket: number) => number[] } {
  const rows = groupRowsOf(series).filter(({ calls }) => calls > 0);
  const own = rows.length > most ? rows.slice(0, most - 1) : rows;
  return {
    names: [...own.map(({ group }) => group), ...(own.length < rows.length ? [texts.analytics.others] : [])],
    of: (bucket) => {
      const groups = series.buckets[bucket]?.groups ?? [];
      const parts = own.map(({ key }) => sumOf(groups.filter((group) => (group.key ?? '') === key)).calls);
      const rest = sumOf(groups).calls - parts.reduce((sum, part) => sum + part, 0);
      return own.length < rows.length ? [...parts, rest] : parts;
    },
  };
}

/** A cell by RFC 4180. What a spreadsheet would run as a formula begins with an apostrophe. */
function cellOf(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvOf = (rows: Row[], isGrouped: boolean): string =>
  [
    ['start', ...(isGrouped ? ['group'] : []), 'calls', 'connected', 'failed', 'seconds', 'credits'],
    ...rows.map(({ at, group, calls, connected, failed, seconds, credits }) => [
      at,
      ...(isGrouped ? [group] : []),
      ...[calls, connected, failed, seconds, credits],
    ]),
  ]
    .map((cells) => `${cells.map(cellOf).join(',')}\r\n`)
    .join('');
