import { searchedForm } from '../validation/plain-text';

/** Scripts without spaces between words, in which Postgres would take a whole clause for one word. */
export const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** If lc_ctype is C, Postgres takes these for letters, and lowercases ASCII only. */
const NON_ASCII_SIGNS = /(?!\p{ASCII})[\p{P}\p{S}\p{Z}]/gu;

/** The words of a passage or a query in one spelling, separated by spaces in every script. */
export function searchWords(text: string): string {
  const plain = searchedForm(text).replace(NON_ASCII_SIGNS, ' ').toLowerCase();
  return UNSPACED.test(plain) ? Array.from(words.segment(plain), ({ segment }) => segment).join(' ') : plain;
}
