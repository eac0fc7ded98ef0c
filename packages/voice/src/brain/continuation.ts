/** Longer runs of signs are no word. */
const MAX_WORD = 100;
/** Scripts without spaces between words. */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * The words of one model of several that write an answer, one after the other. It passes on whole words only, so that the next
 * model begins with a word, and leaves out what a model repeats of the beginning.
 */
export class Continuation {
  private held = '';
  private isNew: boolean;
  private isAtJoint: boolean;

  /** @param said the words before */
  constructor(private readonly said: string) {
    this.isNew = said.trim() === '';
    this.isAtJoint = /\s$/.test(said);
  }

  /** @returns the words that are whole */
  push(text: string): string {
    this.held += text;
    if (!this.isNew && !this.readsNew()) return '';
    if (this.isAtJoint) {
      this.held = this.held.trimStart();
      this.isAtJoint = this.held === '';
    }
    const end = findEndOfWords(this.held);
    const whole = this.held.slice(0, end);
    this.held = this.held.slice(end);
    return whole;
  }

  /** @returns the last word, when the model is done */
  flush(): string {
    // Everything of it was said before.
    if (!this.isNew) return '';
    const last = this.held;
    this.held = '';
    return last;
  }

  /** Whether the text differs from the beginning of the answer, or goes on after it. */
  private readsNew(): boolean {
    const [said, text] = [this.said.trim(), this.held.trimStart()];
    if (text.length <= said.length && said.startsWith(text)) return false;
    const isRepeated = text.startsWith(said) && !/[\p{L}\p{N}]/u.test(text[said.length] ?? '');
    if (isRepeated) this.held = text.slice(said.length);
    return (this.isNew = true);
  }
}

/** The end of the last word that is whole. */
function findEndOfWords(text: string): number {
  let end = text.length;
  while (end > 0 && text.length - end <= MAX_WORD && !/\s/.test(text[end - 1] ?? '')) end--;
  const word = text.slice(end);
  return word.length > MAX_WORD || SPACELESS.test(word) ? text.length : end;
}
