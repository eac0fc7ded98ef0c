/** A frame that is this many frames late is lost. */
const MAX_WAITING = 5;

/** Puts frames of audio in their order, where a carrier does not promise it. */
export class FrameOrder {
  private next?: number;
  private readonly waiting = new Map<number, Uint8Array>();

  /** @returns the frames that are due now */
  push(chunk: number, payload: Uint8Array): Uint8Array[] {
    this.next ??= chunk;
    // It was given up, or came twice.
    if (chunk < this.next) return [];
    this.waiting.set(chunk, payload);
    if (this.waiting.size > MAX_WAITING) this.next = Math.min(...this.waiting.keys());
    const due: Uint8Array[] = [];
    for (let frame = this.waiting.get(this.next); frame; frame = this.waiting.get(this.next)) {
      due.push(frame);
      this.waiting.delete(this.next++);
    }
    return due;
  }
}
