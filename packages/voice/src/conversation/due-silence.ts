import type { Clock } from '../clock';

/** The longest silence while an answer is due, and the time until the next sign. */
export const SILENCE_MS = 2_800;
/** The shortest time between two signs. One without sound ends no silence. */
const MIN_PAUSE_MS = 100;

/** Gives a sign while an answer is due and nothing is heard, again and again. */
export class DueSilence {
  private cancel?: () => void;
  /** No sign is given before. */
  private notBefore = 0;

  /**
   * @param since since when nothing is heard and an answer is due; undefined: none is due
   * @param sign lets something be heard
   */
  constructor(
    private readonly clock: Clock,
    private readonly since: () => number | undefined,
    private readonly sign: () => void,
  ) {}

  /** Something has happened, which may also move the beginning of the silence back. */
  watch(): void {
    this.stop();
    const since = this.since();
    if (since === undefined) return;
    const at = Math.max(since + SILENCE_MS, this.notBefore);
    this.cancel = this.clock.after(Math.max(0, at - this.clock.now()), () => this.check());
  }

  stop(): void {
    this.cancel?.();
    this.cancel = undefined;
  }

  private check(): void {
    this.cancel = undefined;
    const since = this.since();
    this.notBefore = this.clock.now() + MIN_PAUSE_MS;
    if (since !== undefined && this.clock.now() - since >= SILENCE_MS - 1) this.sign();
    this.watch();
  }
}
