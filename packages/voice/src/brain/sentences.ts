/** Shorter pieces sound cut off. */
const MIN_LENGTH = 12;
/** A sentence that is longer is cut at a comma or space, so that its sound begins. */
const MAX_LENGTH = 240;
/** A run of marks is looked at from its first one only, or a text of marks would take the square of its length. */
const END = /(?<![.!?…])[.!?…]+["')\]]*\s+|[。！？]|\n+/g;
const TITLE = /\b(mr|mrs|ms|dr|st|no|e\.g|i\.e|vs)$/i;
const TITLE_LENGTH = 4;

/** Cuts a text that comes in parts into sentences to speak. */
export class Sentences {
  private rest = '';

  /** @returns the sentences that are complete */
  push(text: string): string[] {
    this.rest += text;
    const complete: string[] = [];
    let start = 0;
    for (const { 0: mark, index } of this.rest.matchAll(END)) {
      const end = index + mark.length;
      if (end - start < MIN_LENGTH || this.isTitle(mark, index)) continue;
      complete.push(this.rest.slice(start, end));
      start = end;
    }
    for (let end = this.cut(start); end > start; end = this.cut(start)) {
      complete.push(this.rest.slice(start, end));
      start = end;
    }
    this.rest = this.rest.slice(start);
    return complete.filter((sentence) => sentence.trim() !== '');
  }

  flush(): string[] {
    const last = this.rest;
    this.rest = '';
    return last.trim() === '' ? [] : [last];
  }

  /** Whether "$29." goes on as "$29.50" is known after the next character. */
  private isTitle(mark: string, index: number): boolean {
    return /^\.\s/.test(mark) && TITLE.test(this.rest.slice(Math.max(0, index - TITLE_LENGTH), index));
  }

  /** The end of the next piece of a sentence that is too long; `start`: it is not. */
  private cut(start: number): number {
    if (this.rest.length - start <= MAX_LENGTH) return start;
    const head = this.rest.slice(start, start + MAX_LENGTH);
    const comma = head.lastIndexOf(', ') + 2;
    if (comma > MIN_LENGTH) return start + comma;
    // A pair of surrogates stays together.
    return start + (head.lastIndexOf(' ') + 1 || head.replace(/[\uD800-\uDBFF]$/, '').length);
  }
}

/** Whether a text has more than spaces and punctuation. */
export const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text);
