import { useQuery } from '@tanstack/react-query';
import { findPeaks } from './peaks';
import { createPeakMeter, readWavHeader, type WavFormat } from './wav-peaks';

/** About half an hour of both sides of a phone call. A longer recording is played without a picture. */
const MAX_BYTES = 64_000_000;
/** A file of another format than WAV is decoded as a whole. */
const MAX_DECODED_BYTES = 8_000_000;
/** The picture needs no more. A browser would decode to its own rate, which takes six times the memory. */
const RATE = 8_000;
const PARTS = 400;

export interface Waveform {
  seconds: number;
  /** One for each channel. */
  peaks: number[][];
}

/** Why there is no waveform. */
export type Undrawn = 'long' | 'unreadable';

export const isDrawn = (waveform: Waveform | Undrawn | undefined): waveform is Waveform =>
  typeof waveform === 'object';

const join = (pieces: Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const joined = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
};

/** Reads the waveform of a recording of the page's own server, in little memory if it is a WAV file. */
async function readWaveform(path: string, signal: AbortSignal): Promise<Waveform | Undrawn> {
  const response = await fetch(path, { signal });
  const size = Number(response.headers.get('Content-Length') ?? Infinity);
  if (!response.ok || !response.body || size > MAX_BYTES) {
    await response.body?.cancel();
    return size > MAX_BYTES ? 'long' : 'unreadable';
  }
  const reader = response.body.getReader();
  const read = async () => (await reader.read()).value;
  const head: Uint8Array[] = [];
  let format: WavFormat | 'more' | undefined = 'more';
  for (let piece = await read(); piece && format === 'more'; piece = await read()) {
    head.push(piece);
    format = readWavHeader(join(head), size);
    if (format !== 'more') break;
  }
  if (typeof format === 'object') {
    const meter = createPeakMeter(format, PARTS);
    meter.add(join(head).subarray(format.start));
    for (let piece = await read(); piece; piece = await read()) meter.add(piece);
    return { seconds: format.length / 2 / format.channels / format.rate, peaks: meter.getPeaks() };
  }
  if (size > MAX_DECODED_BYTES) {
    await reader.cancel();
    return 'long';
  }
  for (let piece = await read(); piece; piece = await read()) head.push(piece);
  return decode(join(head).buffer);
}

async function decode(file: ArrayBuffer): Promise<Waveform | Undrawn> {
  try {
    const sound = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(file);
    const channels = Array.from({ length: sound.numberOfChannels }, (_, index) =>
      sound.getChannelData(index),
    );
    return { seconds: sound.duration, peaks: channels.map((channel) => findPeaks(channel, PARTS)) };
  } catch {
    // The browser does not know the format, or the file is broken. It says no more.
    return 'unreadable';
  }
}

/** @param path undefined: the recording is on another server, whose files a page cannot read */
export const useWaveform = (path: string | undefined) =>
  useQuery({
    queryKey: ['waveform', path],
    queryFn: ({ signal }) => readWaveform(path ?? '', signal),
    enabled: path !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
