import type { Clock } from '../clock';

/** The longest silence while an answer is due, and the time until the next sign. */
export const SILENCE_MS = 2_800;

/** Gives a sign while an answer is due and nothing is heard, again and again. */
export class DueSilence {
  private cancel?: () => void;

  /**
   * @param since since when nothing is heard and an answer is due; undefined: none is due
   * @param sign lets something be heard
   */
  constructor(
    private readonly clock: Clock,
    private readonly since: () => number | undefined,
    private readonly sign: () => void,
  ) {}

  /** Something has happened. The time of a silence only moves on, so a timer that runs is early enough. */
  watch(): void {
    const since = this.since();
    if (since === undefined) return this.stop();
    this.cancel ??= this.clock.after(Math.max(0, since + SILENCE_MS - this.clock.now()), () => this.check());
  }

  stop(): void {
    this.cancel?.();
    this.cancel = undefined;
  }

  private check(): void {
    this.cancel = undefined;
    const since = this.since();
    if (since !== undefined && this.clock.now() - since >= SILENCE_MS - 1) this.sign();
    this.watch();
  }
}
