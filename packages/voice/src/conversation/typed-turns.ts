import type { Clock } from '../clock';

/** The limits of typed texts, far above what a person types. `turnLetters` and `callLetters` are numbers of characters. */
export const TYPING = {
  /** The turns that may come at once, and the time after which there may be another one. */
  burst: 4,
  everyMs: 500,
  /** The longest turn of texts that were joined. */
  turnLetters: 8_000,
  /** All texts of a call. Each counts as at least `leastLetters`: a model reads the whole conversation for it. */
  callLetters: 100_000,
  leastLetters: 100,
};

/** Why a text is not taken: it is more than is answered in time, or than a call may have. */
export type TypingRefusal = 'typedTooFast' | 'typedTooMuch';

/**
 * Texts and keys as turns of the person. The first ones are turns at once. Those that come faster are joined into one
 * turn, a line each, because each turn is a request to a language model with everything that was said.
 */
export class TypedTurns {
  private readonly waiting: string[] = [];
  private waitingLetters = 0;
  private callLetters = 0;
  /** The time at which as many turns as possible are allowed at once. */
  private restedAt = -Infinity;
  private cancelTimer?: () => void;

  constructor(
    private readonly clock: Clock,
    private readonly take: (text: string) => void,
  ) {}

  /** @returns why it is not taken, or undefined */
  push(text: string): TypingRefusal | undefined {
    const counted = Math.max(TYPING.leastLetters, text.length);
    if (this.callLetters + counted > TYPING.callLetters) return 'typedTooMuch';
    const isTooLong = this.waitingLetters + text.length > TYPING.turnLetters;
    if (this.waiting.length > 0 && isTooLong) return 'typedTooFast';
    this.callLetters += counted;
    this.waiting.push(text);
    this.waitingLetters += text.length + 1;
    this.takeDue();
    return undefined;
  }

  stop(): void {
    this.cancelTimer?.();
    this.waiting.length = 0;
  }

  private takeDue(): void {
    const now = this.clock.now();
    const restedAt = Math.max(now, this.restedAt) + TYPING.everyMs;
    const missingMs = restedAt - now - TYPING.burst * TYPING.everyMs;
    if (missingMs > 0) {
      this.cancelTimer ??= this.clock.after(missingMs, () => {
        this.cancelTimer = undefined;
        this.takeDue();
      });
      return;
    }
    this.restedAt = restedAt;
    const text = this.waiting.join('\n');
    this.waiting.length = 0;
    this.waitingLetters = 0;
    this.take(text);
  }
}
