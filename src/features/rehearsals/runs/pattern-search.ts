import { RE2JS } from 're2js';
import { setImmediate as othersTurn } from 'node:timers/promises';

/** The work of all searches of a rehearsal: a step of the pattern for each character. It is two seconds at worst. */
const MAX_WORK = 40_000_000;

/** Searches for patterns in what was said, of which both come from outside. */
export class PatternSearch {
  private readonly compiled = new Map<string, RE2JS>();
  private work = 0;

  /** @returns undefined: it would take too long */
  async fits(pattern: string, text: string): Promise<boolean | undefined> {
    const expression = this.compiled.get(pattern) ?? RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    this.compiled.set(pattern, expression);
    this.work += (text.length + 1) * expression.programSize();
    if (this.work > MAX_WORK) return undefined;
    await othersTurn();
    return expression.matcher(text).find();
  }
}
