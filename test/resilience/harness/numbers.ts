/** The line of these numbers is busy. */
export const IS_BUSY = /7$/;
/** The persons of these numbers opt out of further calls, after a busy line that is otherwise called again. */
export const OPTS_OUT = /[37]7$/;

/**
 * The calls to these numbers are claimed so late that the suite can put the number on the do-not-call list before.
 */
export const IS_CLAIMED_LATE = /[49]$/;
export const LATE_MS = 800;

/** The runtimes ask for tools in the calls to these numbers. */
export const ASKS_FOR_TOOLS = /[05]$/;

/** Generates possible phone numbers, each once and in ascending order of their text. */
export class PhoneNumbers {
  readonly retried = new Set<string>();
  private last = 2_000_000_000;

  next(): string {
    this.last += 1;
    return `+1${this.last}`;
  }

  /** Returns numbers that campaigns may call again. */
  nextRetried(count: number): string[] {
    const numbers = this.nextMany(count);
    for (const number of numbers) this.retried.add(number);
    return numbers;
  }

  nextMany(count: number): string[] {
    return Array.from({ length: count }, () => this.next());
  }
}
