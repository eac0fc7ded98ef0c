import { UNSPACED } from './search-words';

/** The place of a word in a text, in UTF-16 code units. */
interface Highlight {
  start: number;
  end: number;
}

const LETTER = /[\p{L}\p{M}\p{N}]/u;
const UNSPACED_ONLY = new RegExp(`^${UNSPACED.source}$`, 'u');

/** Whether a word may only begin or end with this character if no letter is beside it. */
const hasBoundary = (character: string) => LETTER.test(character) && !UNSPACED_ONLY.test(character);

function buildPattern(word: string): string {
  const characters = Array.from(word);
  const [first = '', last = ''] = [characters[0], characters.at(-1)];
  const before = hasBoundary(first) ? `(?<!${LETTER.source})` : '';
  const after = hasBoundary(last) ? `(?!${LETTER.source})` : '';
  return before + word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') + after;
}

/**
 * Finds where a text has some of these words, in its order and without overlaps. If several words are at one place,
 * the longest one counts. Words without anything between them are one highlight, as the parts of a code.
 * @param words as `searchWords` writes them
 */
export function findHighlights(text: string, words: string[]): Highlight[] {
  const unique = [...new Set(words)].filter((word) => word !== '').sort((a, b) => b.length - a.length);
  if (unique.length === 0) return [];
  const highlights: Highlight[] = [];
  for (const { 0: found, index } of text.matchAll(new RegExp(unique.map(buildPattern).join('|'), 'giu'))) {
    const last = highlights.at(-1);
    const end = index + found.length;
    if (last?.end === index) last.end = end;
    else highlights.push({ start: index, end });
  }
  return highlights;
}
