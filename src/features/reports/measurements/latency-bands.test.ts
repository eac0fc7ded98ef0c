import { findBand, findPercentile, LATENCY_BANDS } from './latency-bands';

const countBands = (latencies: number[]) => {
  const counts = new Map<number, number>();
  for (const ms of latencies) counts.set(findBand(ms), (counts.get(findBand(ms)) ?? 0) + 1);
  return counts;
};

test('a band has the latencies from its beginning to that of the next one', () => {
  expect(LATENCY_BANDS.slice(0, 4)).toEqual([0, 100, 110, 121]);
  expect([0, 99, 100, 109, 110, 30_000, 3_600_000].map(findBand)).toEqual([
    ...[0, 0, 1, 1, 2],
    ...[LATENCY_BANDS.length - 1, LATENCY_BANDS.length - 1],
  ]);
});

test('percentiles from bands are off by a tenth at most', () => {
  // A long tail, as latencies have it.
  const latencies = Array.from({ length: 1_000 }, (_, index) => Math.round(400 * Math.exp(index / 400)));
  for (const some of [latencies, latencies.slice(0, 3), latencies.slice(-1)]) {
    for (const share of [0.5, 0.9, 0.95]) {
      const exact = some[Math.ceil(share * some.length) - 1] ?? 0;
      const found = findPercentile(countBands(some), share) ?? 0;
      expect(Math.abs(found / exact - 1)).toBeLessThan(0.1);
    }
  }
});

test('no latencies have no percentile, and those beyond the last band are as long as its beginning', () => {
  expect(findPercentile(new Map(), 0.5)).toBeNull();
  expect(findPercentile(countBands([90_000]), 0.9)).toBe(30_000);
});
