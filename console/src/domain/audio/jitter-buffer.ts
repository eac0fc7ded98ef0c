/** The audio that must be there before the sound begins, so that a late frame is not heard as a gap. */
const START_SECONDS = 0.06;
/** A runtime may send a long answer at once. What is beyond this is not played. */
const MAX_SECONDS = 60;

type Item = { samples: Float32Array; at: number } | { mark: string };

/** The agent's audio that was received and not played, with the marks between. */
export class JitterBuffer {
  private items: Item[] = [];
  private length = 0;
  private playing = false;

  constructor(private readonly sampleRate: number) {}

  get isPlaying(): boolean {
    return this.playing;
  }

  push(samples: Float32Array): void {
    if (this.length + samples.length > MAX_SECONDS * this.sampleRate) return;
    this.items.push({ samples, at: 0 });
    this.length += samples.length;
  }

  mark(name: string): void {
    this.items.push({ mark: name });
  }

  /** @returns the marks that were dropped */
  clear(): string[] {
    const dropped = this.items.flatMap((item) => ('mark' in item ? [item.mark] : []));
    this.items = [];
    this.length = 0;
    this.playing = false;
    return dropped;
  }

  /** Fills the output with what comes next, and with silence. @returns the marks whose audio was played */
  read(output: Float32Array): string[] {
    const passed: string[] = [];
    let filled = 0;
    // Audio that ends with a mark is complete, and may be shorter than the start.
    this.playing ||= this.length >= START_SECONDS * this.sampleRate || 'mark' in (this.items.at(-1) ?? {});
    while (this.playing) {
      const [item] = this.items;
      if (!item) this.playing = false;
      else if ('mark' in item) passed.push(item.mark);
      else {
        const part = item.samples.subarray(item.at, item.at + output.length - filled);
        output.set(part, filled);
        filled += part.length;
        item.at += part.length;
        this.length -= part.length;
        if (item.at < item.samples.length) break;
      }
      this.items.shift();
    }
    output.fill(0, filled);
    return passed;
  }
}
