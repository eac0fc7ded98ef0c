import { FRAME_MS } from './handset';

const MAX_LATE_FRAMES = 25;

/** One clock for all calls of a carrier. After a pause of this process, frames that are due come at once. */
export class Ticks {
  private readonly listeners = new Set<() => void>();
  private readonly timer: NodeJS.Timeout;
  private ticked = 0;
  private startedAt = performance.now();

  constructor() {
    this.timer = setInterval(() => this.tick(), FRAME_MS);
  }

  add(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private tick(): void {
    const due = Math.floor((performance.now() - this.startedAt) / FRAME_MS) - this.ticked;
    if (due > MAX_LATE_FRAMES) this.startedAt += (due - MAX_LATE_FRAMES) * FRAME_MS;
    for (let count = Math.min(due, MAX_LATE_FRAMES); count > 0; count--) {
      this.ticked++;
      for (const listener of this.listeners) listener();
    }
  }
}
