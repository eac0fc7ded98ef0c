/** Scripts that write without spaces between words; Postgres takes a whole clause of them for one word. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** A Postgres whose lc_ctype is C takes these for letters, and knows capitals of ASCII only. */
const FOREIGN_SIGNS = /(?!\p{ASCII})[\p{P}\p{S}\p{Z}]/gu;

/** A text as it is indexed and asked for: its words apart from each other, also where its script does not say so. */
export function searchWords(text: string): string {
  const plain = text.replace(FOREIGN_SIGNS, ' ').toLowerCase();
  return UNSPACED.test(plain) ? Array.from(words.segment(plain), ({ segment }) => segment).join(' ') : plain;
}
