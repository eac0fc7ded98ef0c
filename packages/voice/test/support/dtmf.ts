import { decodeMulaw } from '../../src/audio/mulaw';

const RATE = 8_000;
const ROWS = [697, 770, 852, 941];
const COLUMNS = [1_209, 1_336, 1_477];
const KEYS = ['123', '456', '789', '*0#'];
/** The share of the energy that is in the two tones of a key. */
const PURE = 0.6;

/** The keys whose tones are in frames of μ-law at 8,000 Hz. */
export function findKeys(frames: readonly Uint8Array[]): string {
  let [keys, last] = ['', ''];
  for (const frame of frames) {
    const key = findKey(decodeMulaw(frame));
    if (key !== '' && key !== last) keys += key;
    last = key;
  }
  return keys;
}

function findKey(samples: Int16Array): string {
  const total = samples.reduce((sum, sample) => sum + sample * sample, 0);
  const strongest = (frequencies: number[]) =>
    frequencies
      .map((frequency, index) => ({ index, power: measurePower(samples, frequency) }))
      .reduce((best, each) => (each.power > best.power ? each : best));
  const [row, column] = [strongest(ROWS), strongest(COLUMNS)];
  return total > 0 && (row.power + column.power) / total > PURE
    ? (KEYS[row.index]?.[column.index] ?? '')
    : '';
}

/** The energy of one frequency. */
function measurePower(samples: Int16Array, frequency: number): number {
  let [cosine, sine] = [0, 0];
  for (const [at, sample] of samples.entries()) {
    const angle = (2 * Math.PI * frequency * at) / RATE;
    cosine += sample * Math.cos(angle);
    sine += sample * Math.sin(angle);
  }
  return (2 * (cosine ** 2 + sine ** 2)) / samples.length;
}
