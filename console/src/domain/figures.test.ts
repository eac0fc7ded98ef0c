import type { Sums } from '../api/series';
import { texts } from '../texts';
import { FIGURES } from './figures';

const shown = (key: string, sums: Partial<Sums>) => {
  const figure = FIGURES.find((each) => each.key === key);
  return figure?.show(figure.of(sums as Sums));
};

test('without calls there are no rates, no talk time and no average', () => {
  const none = { calls: 0, connected: 0, reached: 0, seconds: 0, average_duration_sec: 0 };

  for (const key of ['rate', 'contact', 'seconds', 'average'])
    expect(shown(key, none)).toBe(texts.common.none);
  expect(shown('average', { connected: 2, average_duration_sec: 61 })).toBe('1:01');
  expect(shown('seconds', { calls: 1, connected: 0, seconds: 0 })).toBe('0:00');
});
