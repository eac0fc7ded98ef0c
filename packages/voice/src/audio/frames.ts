/** Cuts audio of any length into frames of one length. */
export class Framer {
  private rest = new Int16Array(0);

  constructor(private readonly length: number) {}

  push(samples: Int16Array): Int16Array[] {
    const all = new Int16Array(this.rest.length + samples.length);
    all.set(this.rest);
    all.set(samples, this.rest.length);
    const frames: Int16Array[] = [];
    let at = 0;
    for (; at + this.length <= all.length; at += this.length) frames.push(all.slice(at, at + this.length));
    this.rest = all.slice(at);
    return frames;
  }

  /** The last frame, filled up with silence. */
  flush(): Int16Array[] {
    if (this.rest.length === 0) return [];
    const frame = new Int16Array(this.length);
    frame.set(this.rest);
    this.rest = new Int16Array(0);
    return [frame];
  }
}
