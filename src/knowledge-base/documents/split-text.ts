/** About a paragraph: long enough to answer a question, short enough to be read out of a prompt. */
const PASSAGE_LENGTH = 1_000;

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });
const words = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Intl.Segmenter takes the square of a text's length: four seconds for 400,000 characters at once, a moment in parts. */
const WINDOW_LENGTH = 8_000;

function* windowsOf(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = start + WINDOW_LENGTH;
    const space = end < text.length ? text.slice(start, end).search(/\s\S*$/) : -1;
    const next = space > 0 ? start + space : end;
    yield text.slice(start, next);
    start = next;
  }
}

/** Parts no longer than a passage: at ends of sentences, within a longer sentence between words. */
function* partsOf(paragraph: string): Generator<string> {
  if (paragraph.length <= PASSAGE_LENGTH) {
    yield paragraph;
    return;
  }
  for (const window of windowsOf(paragraph)) {
    for (const { segment: sentence } of sentences.segment(window)) {
      if (sentence.length <= PASSAGE_LENGTH) yield sentence;
      else for (const { segment: word } of words.segment(sentence)) yield* slicesOf(word);
    }
  }
}

/** A "word" that is longer than a passage is no word of a language. */
function* slicesOf(word: string): Generator<string> {
  for (let start = 0; start < word.length; start += PASSAGE_LENGTH) {
    yield word.slice(start, start + PASSAGE_LENGTH);
  }
}

/** Splits a text into passages to be found one by one; paragraphs stay whole and together where they fit. */
export function splitText(text: string): string[] {
  const passages: string[] = [];
  let passage = '';
  const flush = () => {
    // A slice may cut a surrogate pair in two.
    if (passage.trim() !== '') passages.push(passage.trim().toWellFormed());
    passage = '';
  };
  for (const paragraph of text.split(/\n{2,}/)) {
    let separator = passage === '' ? '' : '\n\n';
    for (const part of partsOf(paragraph)) {
      if (passage.length + separator.length + part.length > PASSAGE_LENGTH) flush();
      passage += passage === '' ? part : separator + part;
      separator = '';
    }
  }
  flush();
  return passages;
}
