/** The two frequencies of each key of a telephone, in Hz. */
const ROWS = [697, 770, 852, 941];
const COLUMNS = [1_209, 1_336, 1_477, 1_633];
const KEYS = ['123A', '456B', '789C', '*0#D'];
const TONE_S = 0.1;
const LEVEL = 6_000;

/** Keys that were pressed one after the other, with a pause behind each. Other characters are left out. */
export function createKeyTones(digits: string, sampleRate: number): Int16Array {
  const tone = Math.round(TONE_S * sampleRate);
  const keys = [...digits].flatMap((digit) => {
    const row = KEYS.findIndex((keys) => keys.includes(digit));
    return row < 0 ? [] : [[ROWS[row] ?? 0, COLUMNS[KEYS[row]?.indexOf(digit) ?? 0] ?? 0] as const];
  });
  const samples = new Int16Array(keys.length * 2 * tone);
  for (const [index, [low, high]] of keys.entries()) {
    for (let at = 0; at < tone; at++) {
      const angle = (2 * Math.PI * at) / sampleRate;
      samples[index * 2 * tone + at] = LEVEL * (Math.sin(low * angle) + Math.sin(high * angle));
    }
  }
  return samples;
}
