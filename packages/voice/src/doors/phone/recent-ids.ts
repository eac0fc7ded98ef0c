const MAX_IDS = 10_000;

/** The ids of the last time, so that each counts once or is known later. */
export class RecentIds {
  /** The oldest one is the first. */
  private readonly times = new Map<string, number>();

  constructor(private readonly keptMs: number) {}

  has(id: string, now = Date.now()): boolean {
    return now - (this.times.get(id) ?? -Infinity) < this.keptMs;
  }

  delete(id: string): void {
    this.times.delete(id);
  }

  /** @returns whether it is new */
  add(id: string, now = Date.now()): boolean {
    for (const [other, at] of this.times) {
      if (this.times.size < MAX_IDS && now - at < this.keptMs) break;
      this.times.delete(other);
    }
    if (this.times.has(id)) return false;
    this.times.set(id, now);
    return true;
  }
}
