import { Resampler } from './resampler';

const tone = (hertz: number, rate: number, seconds: number) =>
  Float32Array.from({ length: rate * seconds }, (_, index) => Math.sin((2 * Math.PI * hertz * index) / rate));

/** Resamples in parts of 128 samples, as an AudioWorklet gets them. */
function resample(samples: Float32Array, from: number, to: number): number[] {
  const resampler = new Resampler(from, to);
  const output: number[] = [];
  for (let at = 0; at < samples.length; at += 128)
    output.push(...resampler.process(samples.slice(at, at + 128)));
  return output;
}

const loudness = (samples: number[]) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

test.each([
  [48_000, 16_000],
  [44_100, 16_000],
  [16_000, 48_000],
  [16_000, 44_100],
])('from %i to %i Hz, speech keeps its length and its loudness', (from, to) => {
  const output = resample(tone(1_000, from, 1), from, to);
  expect(Math.abs(output.length - to)).toBeLessThan(to / 100);
  expect(loudness(output.slice(to / 10))).toBeCloseTo(Math.SQRT1_2, 1);
});

test('frequencies above the new limit are removed, and do not return as others', () => {
  expect(loudness(resample(tone(12_000, 48_000, 1), 48_000, 16_000).slice(1_600))).toBeLessThan(0.01);
});

test('an equal rate changes nothing', () => {
  const samples = tone(440, 16_000, 0.1);
  expect(new Resampler(16_000, 16_000).process(samples)).toBe(samples);
});
