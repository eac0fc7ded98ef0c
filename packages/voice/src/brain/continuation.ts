import { isSpaceless } from '../spaceless';

/** Longer runs of signs are no word. */
const MAX_WORD = 100;
/** A model repeats its last sentences, or all. */
const MAX_SENTENCES = 10;

/**
 * The words of one model of several that write an answer, one after the other. It passes on whole words only, so that the next
 * model begins with a word, and leaves out what a model repeats of the answer before: all of it, or its last sentences.
 */
export class Continuation {
  private held = '';
  private isNew: boolean;
  private isAtJoint: boolean;
  /** The texts that a model may repeat, the longest first. */
  private readonly repeatable: string[];

  /** @param said the words before */
  constructor(said: string) {
    this.isNew = said.trim() === '';
    this.repeatable = listRepeatable(said.trim());
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
    const [last, text] = [this.held, this.held.trim()];
    this.held = '';
    if (this.isNew) return last;
    // A few words may be new, although a sentence began with them.
    const isRepeated = this.repeatable[0]?.startsWith(text) || this.repeatable.includes(text);
    if (isRepeated) return '';
    return this.isAtJoint ? last.trimStart() : last;
  }

  /** Whether the text differs from what may be repeated, or goes on after it. */
  private readsNew(): boolean {
    const text = this.held.trimStart();
    if (this.repeatable.some((said) => said.startsWith(text))) return false;
    const repeated = this.repeatable.find(
      (said) => text.startsWith(said) && !isSameWord(said, text[said.length] ?? ''),
    );
    if (repeated !== undefined) this.held = text.slice(repeated.length);
    return (this.isNew = true);
  }
}

/** Whether a letter after a text belongs to its last word. */
const isSameWord = (text: string, letter: string): boolean =>
  /[\p{L}\p{N}]$/u.test(text) && /[\p{L}\p{N}]/u.test(letter) && !isSpaceless(letter);

/** The text, and its ends that begin with a sentence. */
function listRepeatable(text: string): string[] {
  const begins = [...text.matchAll(/(?=\S)(?<=[.!?…][)"'”’]?\s+|[。！？])/gu)].map(({ index }) => index);
  return [text, ...begins.slice(-MAX_SENTENCES).map((at) => text.slice(at))];
}

/** The end of the last word that is whole. */
function findEndOfWords(text: string): number {
  let end = text.length;
  while (end > 0 && text.length - end <= MAX_WORD && !/\s/.test(text[end - 1] ?? '')) end--;
  const word = text.slice(end);
  return word.length > MAX_WORD || isSpaceless(word) ? text.length : end;
}
