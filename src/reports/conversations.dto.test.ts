import { asClock } from './conversations.dto';

test.each([
  [0, '00:00:00'],
  [9, '00:00:09'],
  [59, '00:00:59'],
  [60, '00:01:00'],
  [125, '00:02:05'],
  [3_599, '00:59:59'],
  [3_600, '01:00:00'],
  [86_399, '23:59:59'],
  [90_061, '25:01:01'],
  [359_999, '99:59:59'],
])('%i seconds are %s on the clock', (seconds, clock) => {
  expect(asClock(seconds)).toBe(clock);
});
