import { setImmediate as othersTurn } from 'node:timers/promises';
import { RE2JS } from 're2js';

/** The steps to which an expression compiles. RE2JS does 20 million of them, each on a character, in a second. */
const MAX_STEPS = 300;
const MAX_LENGTH = 1_000;
/** An estimate may count an escape or a group twice. */
const MAX_ESTIMATE = 2 * MAX_STEPS;

/** An escape, a class, a count, or any other character. */
const PARTS = /\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gsu;

/** The work of searches that belong together, on characters: two seconds at worst. */
const MAX_WORK = 40_000_000;

/** Counts the work of searches in texts from outside. A search takes up to a step of the expression for each character. */
export class SearchWork {
  private done = 0;

  /** Lets others have their turn before a search. @returns false: all searches together would take too long */
  async begin(expression: RE2JS, characters: number): Promise<boolean> {
    this.done += (characters + 1) * expression.programSize();
    if (this.done > MAX_WORK) return false;
    await othersTurn();
    return true;
  }
}

/** Regular expressions of RE2 from outside, which take linear time for each text. */
export class Expressions {
  private steps = 0;

  /** @param maxSteps to which all expressions together may compile */
  constructor(private readonly maxSteps = 1_500) {}

  /** @returns what is wrong with one more expression; after the first problem, no further one should be given */
  findProblem(pattern: string): string | undefined {
    if (pattern.length > MAX_LENGTH || estimateSteps(pattern) > MAX_ESTIMATE) return this.tooLarge;
    const compiled = compileExpression(pattern);
    if (!compiled) return 'must be a regular expression of RE2';
    const steps = compiled.programSize();
    this.steps += steps;
    return steps > MAX_STEPS || this.steps > this.maxSteps ? this.tooLarge : undefined;
  }

  private get tooLarge(): string {
    return (
      `is too large: a regular expression has up to ${MAX_STEPS} steps, and all together ` +
      this.maxSteps.toLocaleString('en')
    );
  }
}

/** @returns undefined: it is no regular expression of RE2 */
export function compileExpression(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}

/** The steps of an expression, about. To compile a long group that is repeated a thousand times takes seconds. */
function estimateSteps(pattern: string): number {
  const groups = [0];
  let last = 0;
  const add = (steps: number) => groups.push((groups.pop() ?? 0) + steps);
  for (const [part, least, most] of pattern.matchAll(PARTS)) {
    if (part === '(') groups.push(0);
    else if (part === ')' && groups.length > 1) add((last = groups.pop() ?? 0));
    else if (least === undefined) add((last = 1));
    else {
      const repeated = last * Math.max(Number(least), Number(most ?? 0));
      add(repeated - last);
      last = repeated;
    }
  }
  return groups.reduce((sum, steps) => sum + steps);
}
