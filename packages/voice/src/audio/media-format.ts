import { FRAME_MS } from './voice-activity';
import { decodeMulaw, encodeMulaw } from './mulaw';

/** The format in which a client sends and receives audio. */
export interface MediaFormat {
  encoding: 'audio/x-mulaw' | 'audio/l16';
  sampleRate: 8000 | 16000 | 24000;
  channels: 1;
}

/** @returns the format, if it is one that this runtime speaks */
export function readMediaFormat(value: unknown): MediaFormat | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { encoding, sampleRate, channels } = value as Record<string, unknown>;
  if (channels !== 1) return undefined;
  if (encoding === 'audio/x-mulaw' && sampleRate === 8_000) return { encoding, sampleRate, channels };
  if (encoding === 'audio/l16' && (sampleRate === 16_000 || sampleRate === 24_000)) {
    return { encoding, sampleRate, channels };
  }
  return undefined;
}

/** The samples of one frame of {@link FRAME_MS}. */
export const frameLength = (sampleRate: number) => (sampleRate * FRAME_MS) / 1_000;

/** @returns the milliseconds of audio */
export const getDuration = ({ length }: Uint8Array, { encoding, sampleRate }: MediaFormat) =>
  (length * 1_000) / (sampleRate * (encoding === 'audio/l16' ? 2 : 1));

/** 16-bit samples are little endian. @returns undefined if the bytes are no whole samples */
export function decodeAudio(bytes: Uint8Array, { encoding }: MediaFormat): Int16Array | undefined {
  if (encoding === 'audio/x-mulaw') return decodeMulaw(bytes);
  if (bytes.length % 2 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Int16Array.from({ length: bytes.length / 2 }, (_, index) => view.getInt16(index * 2, true));
}

export function encodeAudio(samples: Int16Array, { encoding }: MediaFormat): Uint8Array {
  if (encoding === 'audio/x-mulaw') return encodeMulaw(samples);
  const bytes = Buffer.alloc(samples.length * 2);
  for (const [index, sample] of samples.entries()) bytes.writeInt16LE(sample, index * 2);
  return bytes;
}
