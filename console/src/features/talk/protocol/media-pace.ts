/** The runtime closes a connection after 100 frames a second; the others are for text and marks. */
const MAX_PER_SECOND = 70;
const SECOND_MS = 1_000;

/**
 * Decides when audio is sent. A page that was busy gets many frames of the microphone at once: they are joined into one.
 * What is older than a second is not sent any more.
 */
export class MediaPace {
  private waiting: Int16Array[] = [];
  private sentAt: number[] = [];

  constructor(private readonly maxSamples: number) {}

  /** @returns the audio to send now; undefined: it is sent with a later frame */
  add(samples: Int16Array, now: number): Int16Array | undefined {
    this.waiting.push(samples);
    while (countSamples(this.waiting) > this.maxSamples) this.waiting.shift();
    this.sentAt = this.sentAt.filter((at) => now - at < SECOND_MS);
    if (this.sentAt.length >= MAX_PER_SECOND) return undefined;
    this.sentAt.push(now);
    const joined = new Int16Array(countSamples(this.waiting));
    let at = 0;
    for (const part of this.waiting) {
      joined.set(part, at);
      at += part.length;
    }
    this.waiting = [];
    return joined;
  }
}

const countSamples = (parts: Int16Array[]) => parts.reduce((sum, { length }) => sum + length, 0);
