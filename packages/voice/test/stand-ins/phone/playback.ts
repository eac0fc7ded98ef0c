import { FRAME_BYTES, FRAME_MS, SILENCE } from './handset';

/** Audio that waits to be played. A carrier drops what is beyond. */
const MAX_FRAMES = 60_000 / FRAME_MS;

/** Plays the audio that a runtime has sent, 20 ms at a time, and echoes marks when what is before them was played. */
export class Playback {
  private readonly waiting: (Buffer | { mark: string })[] = [];
  private rest = Buffer.alloc(0);

  constructor(private readonly echo: (mark: string) => void) {}

  add(audio: Buffer): void {
    const all = Buffer.concat([this.rest, audio]);
    let at = 0;
    for (; at + FRAME_BYTES <= all.length && this.waiting.length < MAX_FRAMES; at += FRAME_BYTES)
      this.waiting.push(all.subarray(at, at + FRAME_BYTES));
    this.rest = all.subarray(at);
  }

  mark(name: string): void {
    this.waiting.push({ mark: name });
    this.echoDue();
  }

  /** Marks of audio that is taken back are echoed at once. */
  clear(): void {
    this.rest = Buffer.alloc(0);
    for (const item of this.waiting.splice(0)) if ('mark' in item) this.echo(item.mark);
  }

  /** @returns 20 ms */
  next(): Buffer {
    this.echoDue();
    const item = this.waiting.shift();
    if (item && 'mark' in item) throw new Error('A mark was not echoed');
    this.echoDue();
    return item ?? SILENCE;
  }

  private echoDue(): void {
    for (let first = this.waiting[0]; first && 'mark' in first; first = this.waiting[0]) {
      this.waiting.shift();
      this.echo(first.mark);
    }
  }
}
