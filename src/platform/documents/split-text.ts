/** Ends each page of a document that has pages. */
export const END_OF_PAGE = '\f';

/** The length is that of a paragraph: long enough to answer a question, short enough for a prompt. */
const PASSAGE_LENGTH = 1_000;

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });
const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * The position where the first passage of a text ends: after a sentence, else after a word. It looks at no more
 * than one passage, because Intl.Segmenter takes quadratic time.
 */
function endOfPassage(text: string): number {
  const window = text.slice(0, PASSAGE_LENGTH + 1);
  for (const unit of [sentences, words]) {
    const unitAtEnd = unit.segment(window).containing(PASSAGE_LENGTH);
    if (unitAtEnd && unitAtEnd.index > 0) return unitAtEnd.index;
  }
  // One word is longer than a passage.
  return PASSAGE_LENGTH;
}

/** Splits a text into passages. Paragraphs stay whole and together if they fit. */
export function splitText(text: string): string[] {
  const passages: string[] = [];
  let passage = '';
  const flush = () => {
    // The text may have been split within a surrogate pair.
    if (passage.trim() !== '') passages.push(passage.trim().toWellFormed());
    passage = '';
  };
  for (const paragraph of text.split(/\n{2,}/)) {
    const separator = passage === '' ? '' : '\n\n';
    if (passage.length + separator.length + paragraph.length > PASSAGE_LENGTH) flush();
    let rest = paragraph;
    while (rest.length > PASSAGE_LENGTH) {
      const end = endOfPassage(rest);
      passage = rest.slice(0, end);
      flush();
      rest = rest.slice(end);
    }
    passage += passage === '' ? rest : separator + rest;
  }
  flush();
  return passages;
}

/** Splits the text of a document into passages, none of which continues on another page. */
export function splitPages(text: string): { text: string; page: number | null }[] {
  const pages = text.split(END_OF_PAGE);
  const hasPages = pages.length > 1;
  return pages.flatMap((each, index) =>
    splitText(each).map((passage) => ({ text: passage, page: hasPages ? index + 1 : null })),
  );
}
