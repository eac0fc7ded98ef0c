const HERTZ = 440;
const SECONDS = 0.4;
/** Quieter than a voice. */
const LEVEL = 1_800;

/** A tone that rises and falls, at a sample rate. It says in every language that the other side is still there. */
export function createSoftTone(sampleRate: number): Int16Array {
  const length = Math.round(SECONDS * sampleRate);
  return Int16Array.from({ length }, (_, at) => {
    const envelope = Math.sin((Math.PI * at) / length);
    return LEVEL * envelope * Math.sin((2 * Math.PI * HERTZ * at) / sampleRate);
  });
}
