import { compileExpression, SearchWork } from '../../../platform/validation/re2';

/** The matches in the words of a person, who may have spoken for hours. */
export class PersonWords {
  /** The work of all expressions. Each search goes on to the end of the text, so that many matches take more than one pass. */
  private readonly work = new SearchWork();

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
        if (!(await this.work.begin(expression, turn.length - start))) return undefined;
        if (!matcher.find()) break;
        found = matcher.group(group) ?? found;
        start = matcher.end();
      } while (start < turn.length);
      if (found !== null) return found;
    }
    return null;
  }
}
