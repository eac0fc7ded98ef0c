import { RE2JS } from 're2js';

/** The work of all searches of a rehearsal: a step of a pattern for each character. It is two seconds at worst. */
const MAX_WORK = 40_000_000;

/** The patterns of a rehearsal. They ignore case and take linear time. */
export class Patterns {
  private work = 0;

  /** @param pattern undefined: everything fits @returns a search, which throws if all searches take too long */
  compile(pattern: string | undefined): (text: string) => boolean {
    if (pattern === undefined) return () => true;
    const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    // A person who is silent is asked again and again about the same turn.
    let last: { text: string; isFound: boolean } | undefined;
    return (text) => {
      if (last?.text === text) return last.isFound;
      this.work += (text.length + 1) * compiled.programSize();
      if (this.work > MAX_WORK)
        throw new Error('To search for the patterns of the rehearsal takes too long.');
      last = { text, isFound: compiled.matcher(text).find() };
      return last.isFound;
    };
  }
}
