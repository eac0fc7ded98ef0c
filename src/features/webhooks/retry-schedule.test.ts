import { delayAfter, retryAfterSeconds } from './retry-schedule';

describe('delayAfter', () => {
  test('grows with the failures, and adds up to a fifth', () => {
    const seconds = [5, 30, 120, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200];

    seconds.forEach((delay, failures) => {
      expect(delayAfter(failures)).toBeGreaterThanOrEqual(delay);
      expect(delayAfter(failures)).toBeLessThanOrEqual(delay * 1.2);
    });
  });

  test('allows eleven attempts within 24 hours, and cuts the delay before the twelfth', () => {
    const delays = Array.from({ length: 11 }, (_, failures) => delayAfter(failures));
    const sumDelays = (count: number) => delays.slice(0, count).reduce((sum, delay) => sum + delay, 0);

    expect(sumDelays(10)).toBeLessThan(86_400);
    expect(sumDelays(11)).toBeGreaterThan(86_400);
  });
});

describe('retryAfterSeconds', () => {
  const now = Date.parse('2026-03-02T09:30:00Z');

  test.each([
    ['0', 0],
    ['120', 120],
    ['Mon, 02 Mar 2026 09:32:00 GMT', 120],
    ['Mon, 02 Mar 2026 09:00:00 GMT', 0],
    ['Monday, 02-Mar-26 09:32:00 GMT', 120],
    ['Mon Mar  2 09:32:00 2026', 120],
    [['5', '120', 'soon'], 120],
    [[], 0],
    [undefined, 0],
    ['172800', 86_400],
    ['99999999999', 86_400],
    ['9'.repeat(400), 86_400],
    ['Fri, 02 Mar 2029 09:30:00 GMT', 86_400],
    ['', 0],
    ['soon', 0],
    ['-5', 0],
    ['1e3', 0],
    ['%2030', 0],
    ['2030-01-01T00:00:00Z', 0],
    ['02 Mar 2026 09:32:00 GMT', 0],
    ['Mon, 02 Mar 2026 09:32:00 +0000', 0],
    ['Mon, 99 Mar 2026 09:32:00 GMT', 0],
    ['Mon, 02 Mar 2026', 0],
    ['Invalid Date', 0],
  ])('reads %j as %i seconds', (header, seconds) => {
    expect(retryAfterSeconds(header, now)).toBe(seconds);
  });
});
