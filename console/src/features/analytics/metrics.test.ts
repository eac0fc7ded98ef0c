import { NO_SUMS, type SeriesSums } from '../../api/series';
import { findMetric, isSmallSample, showWithCalls } from './metrics';

const sumsOf = (calls: number, connected: number): SeriesSums => ({
  ...NO_SUMS,
  calls,
  connected,
  seconds: 60 * connected,
});

test('a rate of fewer than five calls is a small sample, and an average of fewer connected calls', () => {
  const [rate, average, calls] = ['rate', 'average', 'calls'].map(findMetric);
  const small = (...samples: [calls: number, connected: number][]) =>
    samples.map(([count, connected]) =>
      [rate, average, calls].map((metric) => metric && isSmallSample(metric, sumsOf(count, connected))),
    );
  expect(small([5, 5], [5, 4], [4, 0], [0, 0])).toEqual([
    [false, false, false],
    [false, true, false],
    [true, false, false],
    [false, false, false],
  ]);
});

test('a value names the calls that it is of', () => {
  const show = (metric: string, ...sample: [calls: number, connected: number]) =>
    showWithCalls(findMetric(metric), sumsOf(...sample));
  expect(show('rate', 1, 1)).toBe('100% (small sample: 1 call)');
  expect(show('rate', 1_200, 600)).toBe('50% (1,200 calls)');
  expect(show('average', 20, 1)).toBe('1:00 (small sample: 1 connected call)');
  expect(show('calls', 2, 2)).toBe('2 (2 calls)');
});
