/** A file of 16-bit PCM. */
export interface WavFormat {
  channels: number;
  rate: number;
  /** The place of the first sample, in bytes. */
  start: number;
  /** The size of the samples, in bytes. */
  length: number;
}

const PCM = 1;
const MAX_HEADER = 65_536;

/**
 * Reads the header of a WAV file.
 * @param bytes the beginning of the file
 * @param size of the whole file
 * @returns 'more': the header is longer; undefined: it is another format
 */
export function readWavHeader(bytes: Uint8Array, size: number): WavFormat | 'more' | undefined {
  if (bytes.length < 12) return 'more';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const readTag = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));
  if (readTag(0) !== 'RIFF' || readTag(8) !== 'WAVE') return undefined;
  let format: Pick<WavFormat, 'channels' | 'rate'> | undefined;
  for (let at = 12; at + 8 <= bytes.length;) {
    const length = view.getUint32(at + 4, true);
    const start = at + 8;
    // The length of a file that was written as it grew may be wrong.
    if (readTag(at) === 'data')
      return format && { ...format, start, length: Math.min(length || size, size - start) };
    if (readTag(at) === 'fmt ' && start + 16 <= bytes.length) {
      const [kind, bits] = [view.getUint16(start, true), view.getUint16(start + 14, true)];
      if (kind !== PCM || bits !== 16) return undefined;
      format = { channels: view.getUint16(start + 2, true), rate: view.getUint32(start + 4, true) };
    }
    at = start + length + (length % 2);
  }
  return bytes.length < MAX_HEADER ? 'more' : undefined;
}

/**
 * Finds the loudest sample of each part and channel of a file that arrives in pieces, and keeps none of them.
 * @param parts the number of parts of the file
 */
export function createPeakMeter({ channels, length }: Pick<WavFormat, 'channels' | 'length'>, parts: number) {
  const peaks = Array.from({ length: channels }, () => new Float32Array(parts));
  const samples = Math.max(1, Math.floor(length / 2));
  let sample = 0;
  let half: number | undefined;
  const measure = (low: number, high: number) => {
    if (sample >= samples) return;
    const level = Math.abs(((high << 24) >> 16) | low) / 32_768;
    const part = Math.min(parts - 1, Math.floor((sample / samples) * parts));
    const channel = peaks[sample % channels];
    if (channel && level > (channel[part] ?? 0)) channel[part] = level;
    sample += 1;
  };
  return {
    add(bytes: Uint8Array) {
      let at = 0;
      if (half !== undefined && bytes.length > 0) measure(half, bytes[at++] ?? 0);
      else if (half !== undefined) return;
      half = undefined;
      for (; at + 1 < bytes.length; at += 2) measure(bytes[at] ?? 0, bytes[at + 1] ?? 0);
      if (at < bytes.length) half = bytes[at];
    },
    getPeaks: () => peaks.map((channel) => [...channel]),
  };
}
