import { useQuery } from '@tanstack/react-query';
import { findPeaks } from './peaks';

/** About four minutes of both sides. A longer recording is played without a picture. */
const MAX_BYTES = 8_000_000;
/** The picture needs no more. A browser would decode to its own rate, which takes six times the memory. */
const RATE = 8_000;
const PARTS = 400;

export interface Waveform {
  seconds: number;
  /** One for each channel. */
  peaks: number[][];
}

/** The waveform of a recording that the server keeps; null: it is too long, or the browser can't decode it. */
async function readWaveform(path: string, signal: AbortSignal): Promise<Waveform | null> {
  const response = await fetch(path, { signal });
  if (!response.ok || Number(response.headers.get('Content-Length') ?? Infinity) > MAX_BYTES) {
    await response.body?.cancel();
    return null;
  }
  const decoder = new OfflineAudioContext(1, 1, RATE);
  const sound = await decoder.decodeAudioData(await response.arrayBuffer());
  const channels = Array.from({ length: sound.numberOfChannels }, (_, index) => sound.getChannelData(index));
  return { seconds: sound.duration, peaks: channels.map((channel) => findPeaks(channel, PARTS)) };
}

export const useWaveform = (path: string | undefined) =>
  useQuery({
    queryKey: ['waveform', path],
    queryFn: ({ signal }) => readWaveform(path ?? '', signal),
    enabled: path !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
