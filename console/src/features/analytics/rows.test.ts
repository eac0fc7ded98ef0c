import { NO_SUMS, type Series } from '../../api/series';
import { findMetric } from './metrics';
import { toParts } from './rows';

/** A series of one day. The groups have these calls, of which these are connected. */
function seriesOf(groups: [key: string | null, calls: number, connected: number][]): Series {
  const total = groups.reduce((sum, [, calls]) => sum + calls, 0);
  return {
    timezone: 'UTC',
    interval: 'day',
    as_of: '2026-03-03T00:00:00.000Z',
    totals: { ...NO_SUMS, calls: total, under_way: 0, average_duration_sec: 0 },
    groups: groups.map(([key]) => ({ key, label: key })),
    buckets: [
      {
        start: '2026-03-02T00:00:00.000Z',
        end: '2026-03-03T00:00:00.000Z',
        groups: groups.map(([key, calls, connected]) => ({ ...NO_SUMS, key, calls, connected })),
        other: null,
      },
    ],
  };
}

const ratesOf = (series: Series, most: number) => {
  const { list, of } = toParts(series, most);
  const rates = series.buckets.flatMap(of).map(findMetric('rate').of);
  return Object.fromEntries(list.map(({ name }, place) => [name, rates[place]]));
};

test('the rate of all other groups is that of their calls together', () => {
  const series = seriesOf([
    ['a', 10, 5],
    ['b', 8, 8],
    ['c', 6, 0],
    ['d', 2, 2],
  ]);
  expect(ratesOf(series, 4)).toEqual({ a: 0.5, b: 1, c: 0, d: 1 });
  expect(ratesOf(series, 3)).toEqual({ a: 0.5, b: 1, 'All others': 0.25 });
});

test('the calls of no group are a part beside all others', () => {
  const series = seriesOf([
    [null, 10, 5],
    ['b', 8, 8],
    ['c', 6, 3],
    ['d', 2, 2],
  ]);
  expect(toParts(series, 3).list.map(({ kind }) => kind)).toEqual(['group', 'none', 'others']);
  expect(ratesOf(series, 3)).toEqual({ b: 1, '(none)': 0.5, 'All others': 0.625 });
});
