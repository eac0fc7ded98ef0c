import { JitterBuffer } from './jitter-buffer';
import { fromPcm, RATE } from './pcm';
import { Resampler } from './resampler';

/** The messages of the page: audio, a mark, or the order to discard what was not played. */
export type PlaybackOrder = Int16Array | { mark: string } | 'clear';
export interface PlaybackNews {
  marks: string[];
}

/** Plays what the page sends, and says which marks were passed. */
class Playback extends AudioWorkletProcessor {
  private readonly buffer = new JitterBuffer(sampleRate);
  private resampler = new Resampler(RATE, sampleRate);

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<PlaybackOrder>) => this.obey(data);
  }

  process(_: Float32Array[][], [output]: Float32Array[][]): boolean {
    const [channel] = output ?? [];
    if (channel) this.tell(this.buffer.read(channel));
    return true;
  }

  private obey(order: PlaybackOrder): void {
    if (order === 'clear') {
      this.resampler = new Resampler(RATE, sampleRate);
      this.tell(this.buffer.clear());
    } else if ('mark' in order) this.buffer.mark(order.mark);
    else this.buffer.push(this.resampler.process(fromPcm(order)));
  }

  private tell(marks: string[]): void {
    if (marks.length > 0) this.port.postMessage({ marks } satisfies PlaybackNews);
  }
}

registerProcessor('playback', Playback);
