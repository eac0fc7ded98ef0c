import { decodeMulaw, encodeMulaw } from './mulaw';
import { BeepDetector } from './tone';

const RATE = 8_000;
const FRAME = 160;

const sound = (ms: number, sample: (index: number) => number) =>
  decodeMulaw(encodeMulaw(Int16Array.from({ length: (ms * RATE) / 1_000 }, (_, index) => sample(index))));
const tone =
  (frequency: number, amplitude = 8_000) =>
  (index: number) =>
    amplitude * Math.sin((2 * Math.PI * frequency * index) / RATE);

/** The number of beeps that are detected, with silence after the sound. */
function beeps(samples: Int16Array): number {
  const detector = new BeepDetector(RATE);
  const all = new Int16Array(samples.length + 10 * FRAME);
  all.set(samples);
  let count = 0;
  for (let at = 0; at + FRAME <= all.length; at += FRAME)
    if (detector.frame(all.subarray(at, at + FRAME))) count++;
  return count;
}

test.each([440, 850, 1_000, 1_400])('a tone of %i Hz is a beep, also on a noisy line', (frequency) => {
  expect(beeps(sound(300, tone(frequency)))).toBe(1);
  let state = 1;
  const noise = () => ((state = (state * 16_807) % 2_147_483_647) / 2_147_483_647 - 0.5) * 500;
  expect(beeps(sound(300, (index) => tone(frequency)(index) + noise()))).toBe(1);
});

test.each<[string, (index: number) => number, number]>([
  ['a short tone', tone(1_000), 100],
  ['a quiet tone', tone(1_000, 200), 400],
  ['a chord', (index) => tone(440)(index) + tone(880)(index), 1_000],
  ['a tone that glides', (index) => tone(600 + index / 8)(index), 1_000],
  ['noise', (index) => 8_000 * Math.sin(index * index), 1_000],
])('%s is none', (_, sample, ms) => {
  expect(beeps(sound(ms, sample))).toBe(0);
});
