import { FRAME_BYTES, SILENCE } from './handset';

/** Plays the audio that a runtime has sent, 20 ms at a time, and echoes marks when what is before them was played. */
export class Playback {
  /** The frames that wait to be played. */
  frames = 0;
  private readonly waiting: (Buffer | { mark: string })[] = [];
  private rest = Buffer.alloc(0);

  constructor(private readonly echo: (mark: string) => void) {}

  add(audio: Buffer): void {
    const all = Buffer.concat([this.rest, audio]);
    let at = 0;
    for (; at + FRAME_BYTES <= all.length; at += FRAME_BYTES, this.frames++)
      this.waiting.push(all.subarray(at, at + FRAME_BYTES));
    this.rest = all.subarray(at);
  }

  /** Adds silence to a frame that is not whole. */
  fill(): void {
    if (this.rest.length > 0) this.add(SILENCE.subarray(this.rest.length));
  }

  mark(name: string): void {
    this.waiting.push({ mark: name });
    this.echoDue();
  }

  /** @returns the marks of the audio that is taken back */
  clear(): string[] {
    this.rest = Buffer.alloc(0);
    this.frames = 0;
    return this.waiting.splice(0).flatMap((item) => ('mark' in item ? item.mark : []));
  }

  /** @returns 20 ms */
  next(): Buffer {
    this.echoDue();
    const item = this.waiting.shift();
    if (item && 'mark' in item) throw new Error('A mark was not echoed');
    if (item) this.frames--;
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
