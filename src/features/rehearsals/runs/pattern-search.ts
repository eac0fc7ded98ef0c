import { RE2JS } from 're2js';
import { SearchWork } from '../../../platform/validation/re2';

/** Searches for the patterns of a rehearsal in what was said, of which both come from outside. */
export class PatternSearch {
  private readonly compiled = new Map<string, RE2JS>();
  private readonly work = new SearchWork();

  /** @returns undefined: it would take too long */
  async fits(pattern: string, text: string): Promise<boolean | undefined> {
    const expression = this.compiled.get(pattern) ?? RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    this.compiled.set(pattern, expression);
    if (!(await this.work.begin(expression, text.length))) return undefined;
    return expression.matcher(text).find();
  }
}
