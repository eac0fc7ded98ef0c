import type { Clock } from '../clock';

interface Timer {
  at: number;
  run: () => void;
}

/** Time that passes only when it is advanced. */
export class VirtualClock implements Clock {
  private time = 1_000;
  private timers: Timer[] = [];
  private holds = 0;
  private readonly waiting = new Set<() => void>();
  private readonly zero: number;

  /** @param start the time of day at the beginning */
  constructor(start = new Date('2026-01-31T09:30:00.000Z')) {
    this.zero = start.getTime() - this.time;
  }

  now(): number {
    return this.time;
  }

  date(): Date {
    return new Date(this.zero + this.time);
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.time + ms, run };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  /** The time of the next timer; Infinity: there is none. */
  get nextAt(): number {
    return this.findNext()?.at ?? Infinity;
  }

  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = this.findNext();
      if (!next || next.at > end) break;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.time = Math.max(this.time, next.at);
      next.run();
    }
    this.time = end;
  }

  /** Holds the time while something takes real time. @returns a function that lets it pass again */
  hold(): () => void {
    this.holds++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      if (--this.holds > 0) return;
      for (const wake of this.waiting) wake();
      this.waiting.clear();
    };
  }

  /** Resolves when the time may pass, and everything that is ready has happened. */
  async settled(): Promise<void> {
    await nextTurn();
    while (this.holds > 0) {
      await new Promise<void>((resolve) => this.waiting.add(resolve));
      await nextTurn();
    }
  }

  /** The first one of the earliest. */
  private findNext(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.timers) if (!next || timer.at < next.at) next = timer;
    return next;
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
