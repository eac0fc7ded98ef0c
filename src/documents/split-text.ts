/** About a paragraph: long enough to answer a question, short enough to be read out of a prompt. */
const PASSAGE_LENGTH = 1_000;

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });
const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * The length of a text's beginning that is no longer than a passage: to the end of a sentence, else of a word. Looked
 * for in one passage's worth at a time, because Intl.Segmenter takes the square of a text's length.
 */
function beginningOf(text: string): number {
  const window = text.slice(0, PASSAGE_LENGTH + 1);
  for (const unit of [sentences, words]) {
    const lastBegun = unit.segment(window).containing(PASSAGE_LENGTH);
    if (lastBegun && lastBegun.index > 0) return lastBegun.index;
  }
  // A "word" that is longer than a passage is no word of a language.
  return PASSAGE_LENGTH;
}

/** Splits a text into passages to be found one by one; paragraphs stay whole and together where they fit. */
export function splitText(text: string): string[] {
  const passages: string[] = [];
  let passage = '';
  const flush = () => {
    // A cut may go through a surrogate pair.
    if (passage.trim() !== '') passages.push(passage.trim().toWellFormed());
    passage = '';
  };
  for (const paragraph of text.split(/\n{2,}/)) {
    const separator = passage === '' ? '' : '\n\n';
    if (passage.length + separator.length + paragraph.length > PASSAGE_LENGTH) flush();
    let rest = paragraph;
    while (rest.length > PASSAGE_LENGTH) {
      const end = beginningOf(rest);
      passage = rest.slice(0, end);
      flush();
      rest = rest.slice(end);
    }
    passage += passage === '' ? rest : separator + rest;
  }
  flush();
  return passages;
}
