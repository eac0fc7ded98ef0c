import type { Sums } from '../api/series';
import { texts } from '../texts';
import { FIGURES, findSmallText } from './figures';

const shown = (key: string, sums: Partial<Sums>) => {
  const figure = FIGURES.find((each) => each.key === key);
  return figure?.show(figure.of(sums as Sums));
};

test('without calls there are no rates, no talk time and no average', () => {
  const none = { calls: 0, connected: 0, reached: 0, seconds: 0, average_duration_sec: 0 };

  for (const key of ['rate', 'contact', 'seconds', 'average'])
    expect(shown(key, none)).toBe(texts.common.none);
  expect(shown('average', { connected: 2, average_duration_sec: 61 })).toBe('1:01');
  expect(shown('cost', { credits: 0, connected: 0 })).toBe(texts.common.none);
  expect(shown('seconds', { calls: 1, connected: 0, seconds: 0 })).toBe('0:00');
});

test('credits are divided by the people reached, if there are any', () => {
  expect(shown('reachedCost', { credits: 7, reached: 4 })).toBe('1.75');
  expect(shown('reachedCost', { credits: 7, reached: 0 })).toBe(texts.common.none);
  expect(shown('reachedCost', { credits: 7 })).toBe(texts.common.none);
});

test('a rate, an average or a price of fewer than five calls is a small sample, and a sum is not', () => {
  const small = (key: string, sums: Partial<Sums>) => {
    const figure = FIGURES.find((each) => each.key === key);
    return figure && findSmallText(figure, sums);
  };
  expect(small('rate', { calls: 4 })).toBe('small sample: 4 calls');
  expect(small('average', { calls: 9, connected: 1 })).toBe('small sample: 1 connected call');
  expect(small('reachedCost', { calls: 9, reached: 1 })).toBe('small sample: 1 person reached');
  for (const calls of [0, 5]) expect(small('contact', { calls })).toBeUndefined();
  expect(small('credits', { calls: 1 })).toBeUndefined();
});
