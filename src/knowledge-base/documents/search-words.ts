/** Scripts that write without spaces between words; Postgres takes a whole clause of them for one word. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** A text as it is indexed and asked for: its words apart from each other, also where its script does not say so. */
export const searchWords = (text: string): string =>
  UNSPACED.test(text) ? Array.from(words.segment(text), ({ segment }) => segment).join(' ') : text;
