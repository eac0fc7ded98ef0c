import { dayText } from '../moment';
import { findPeriod, PERIODS, readToday, resolvePeriod, toDays, toMinutes } from './periods';

describe('The periods of a filter', () => {
  const today = '2026-03-03';
  const night = new Date('2026-03-03T00:05:00Z');

  test.each([
    ['today', '2026-03-03', '2026-03-03'],
    ['yesterday', '2026-03-02', '2026-03-02'],
    ['week', '2026-02-25', '2026-03-03'],
    ['month', '2026-02-02', '2026-03-03'],
    ['lastWeek', '2026-02-23', '2026-03-01'],
    ['thisMonth', '2026-03-01', '2026-03-03'],
    ['lastMonth', '2026-02-01', '2026-02-28'],
  ] as const)('are whole days: %s', (name, start, end) => {
    expect(resolvePeriod(name, today)).toEqual({ start, end });
  });

  test.each(PERIODS)('are found again by their days: %s', (name) => {
    const { start, end } = toMinutes(resolvePeriod(name, today));
    const days = toDays(start, end);
    expect(days && findPeriod(days, today)).toBe(name);
  });

  test('are not found for other days, nor for a part of a day', () => {
    expect(findPeriod({ start: '2026-01-01', end: '2026-01-02' }, today)).toBeUndefined();
    expect(toDays('2026-03-03T08:00', '2026-03-03T23:59')).toBeUndefined();
    expect(toDays('', '')).toBeUndefined();
  });

  test.each([
    ['', dayText(night)],
    ['timezone=Asia/Tokyo', '2026-03-03'],
    ['timezone=America/Los_Angeles', '2026-03-02'],
    ['timezone=nowhere', dayText(night)],
  ])('end on the day that the clock of the address shows: %s', (query, day) => {
    expect(readToday(new URLSearchParams(query), night)).toBe(day);
  });
});
