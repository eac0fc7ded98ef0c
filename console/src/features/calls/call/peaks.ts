/** The loudest sample of each part of a sound, from 0 to 1. */
export function findPeaks(samples: Float32Array, parts: number): number[] {
  const length = Math.max(1, samples.length / parts);
  return Array.from({ length: parts }, (_, part) =>
    samples
      .subarray(Math.floor(part * length), Math.floor((part + 1) * length))
      .reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0),
  );
}
