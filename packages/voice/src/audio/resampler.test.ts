import { resample, Resampler } from './resampler';

const tone = (hertz: number, rate: number, seconds: number) =>
  Int16Array.from({ length: rate * seconds }, (_, index) =>
    Math.round(10_000 * Math.sin((2 * Math.PI * hertz * index) / rate)),
  );

const level = (samples: Int16Array) => {
  const middle = samples.subarray(samples.length / 4, (samples.length * 3) / 4);
  return Math.sqrt(middle.reduce((sum, sample) => sum + sample * sample, 0) / middle.length);
};

test.each([
  [8_000, 16_000],
  [24_000, 8_000],
  [16_000, 24_000],
  [16_000, 8_000],
])('a tone keeps its time and level from %i to %i Hz', (from, to) => {
  const result = resample(tone(440, from, 1), from, to);
  const expected = tone(440, to, 1);
  expect(result).toHaveLength(to);
  const middle = [...result.subarray(to / 4, to / 2)];
  const off = middle.map((sample, index) => Math.abs(sample - (expected[to / 4 + index] ?? 0)));
  expect(Math.max(...off)).toBeLessThan(150);
});

test('a tone that the lower rate cannot have is removed', () => {
  expect(level(resample(tone(6_000, 16_000, 1), 16_000, 8_000))).toBeLessThan(30);
});

test('a stream in parts has the same samples as a stream in one part', () => {
  const input = tone(440, 24_000, 1);
  const whole = new Resampler(24_000, 16_000).process(input);
  const inParts = new Resampler(24_000, 16_000);
  const parts: number[] = [];
  for (let at = 0; at < input.length; at += 77) parts.push(...inParts.process(input.subarray(at, at + 77)));
  expect(parts).toEqual([...whole]);
});
