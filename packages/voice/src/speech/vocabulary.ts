/** Shorter names look like too many other words. */
const MIN_LETTERS = 4;
/** The share of the letters of a name that may differ, by its sound. */
const TOLERANCE = 0.25;

interface Term {
  written: string;
  words: number;
  sound: string;
}

/**
 * Writes the names that an agent expects where recognition wrote something that sounds nearly like them: it knows
 * English words, and no names of products or towns.
 */
export class Vocabulary {
  private readonly terms: Term[];
  private readonly known: Set<string>;

  constructor(terms: readonly string[]) {
    this.terms = terms
      .map((written) => ({ written, words: splitWords(written).length, sound: toSound(written) }))
      .filter(({ sound }) => sound.length >= MIN_LETTERS);
    this.known = new Set(this.terms.map(({ sound }) => sound));
  }

  correct(text: string): string {
    const words = text.split(/(?<=\s)(?=\S)/);
    for (let at = 0; at < words.length; at++) {
      const found = this.best(words, at);
      if (found) words.splice(at, found.length, found.text);
    }
    return words.join('');
  }

  /** The name that the words from here on sound like. It may have been heard as one word more or less. */
  private best(words: string[], at: number): { text: string; length: number } | undefined {
    let best: { text: string; length: number; distance: number } | undefined;
    for (const term of this.terms) {
      for (const length of [term.words, term.words + 1, term.words - 1]) {
        if (length < 1 || at + length > words.length) continue;
        const heard = words.slice(at, at + length).join('');
        const sound = toSound(heard);
        if (this.known.has(sound) && sound !== term.sound) continue;
        const distance = measureDistance(sound, term.sound);
        if (
          distance > Math.floor(term.sound.length * TOLERANCE) ||
          distance >= (best?.distance ?? Infinity)
        ) {
          continue;
        }
        const after = /[^\p{L}\p{N}]*$/u.exec(heard)?.[0] ?? '';
        best = { text: `${term.written}${after}`, length, distance };
      }
    }
    return best;
  }
}

const splitWords = (text: string) => text.match(/[\p{L}\p{N}']+/gu) ?? [];

/** The letters of a text as they sound in English, roughly. */
export function toSound(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replaceAll(/ph/g, 'f')
    .replaceAll(/ck|q|c(?![eiy])/g, 'k')
    .replaceAll(/c|z/g, 's')
    .replaceAll(/y/g, 'i')
    .replaceAll(/w/g, 'v')
    .replaceAll(/(.)\1+/g, '$1');
}

/** The number of letters that must be added, removed or changed. */
function measureDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
