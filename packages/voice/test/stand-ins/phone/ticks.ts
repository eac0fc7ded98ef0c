import { FRAME_MS } from './handset';

/** On a machine that is too slow for all calls, their time passes more slowly. */
const MAX_LATE_FRAMES = 2;

/** One clock for all calls of a carrier. */
export class Ticks {
  private readonly listeners = new Set<() => void>();
  private readonly timer: NodeJS.Timeout;
  /** The lines are silent: no audio comes and goes. */
  isPaused = false;
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
    if (this.isPaused) {
      this.ticked += due;
      return;
    }
    for (let count = Math.min(due, MAX_LATE_FRAMES); count > 0; count--) {
      this.ticked++;
      for (const listener of this.listeners) listener();
    }
  }
}
