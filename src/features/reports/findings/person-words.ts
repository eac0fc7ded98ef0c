import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { compileExpression } from '../../../platform/validation/re2';

/**
 * The work for all expressions of a call: a search of a text takes up to a step of the expression for each character. It is
 * two seconds at worst. Each search goes on to the end of the text, so that many matches take more than one pass.
 */
const MAX_WORK = 40_000_000;

/** The matches in the words of a person, who may have spoken for hours. */
export class PersonWords {
  private work = 0;

  /** @param turns the words of the person, the last ones first */
  constructor(private readonly turns: readonly string[]) {}

  /**
   * Finds the first group of the last match, or the whole match of an expression without groups.
   * @returns null: nothing matches; undefined: the search takes too long
   */
  async findLast(pattern: string): Promise<string | null | undefined> {
    const expression = compileExpression(pattern);
    if (!expression) return null;
    const group = expression.groupCount() > 0 ? 1 : 0;
    for (const turn of this.turns) {
      const matcher = expression.matcher(turn);
      let found: string | null = null;
      let start = 0;
      do {
        this.work += (turn.length - start + 1) * expression.programSize();
        if (this.work > MAX_WORK) return undefined;
        await yieldToOthers();
        if (!matcher.find()) break;
        found = matcher.group(group) ?? found;
        start = matcher.end();
      } while (start < turn.length);
      if (found !== null) return found;
    }
    return null;
  }
}
