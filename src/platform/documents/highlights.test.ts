import fc from 'fast-check';
import { findHighlights } from './highlights';
import { searchWords } from './search-words';

const highlighted = (text: string, ...words: string[]) =>
  findHighlights(text, words).map(({ start, end }) => text.slice(start, end));

describe('Highlights', () => {
  test('are the words in any case, and no parts of other words', () => {
    expect(highlighted('Refund: a refund, REFUNDS and refundable.', 'refund')).toEqual(['Refund', 'refund']);
  });

  test('are in the order of the text, whatever the order of the words', () => {
    expect(findHighlights('one two one', ['two', 'one'])).toEqual([
      { start: 0, end: 3 },
      { start: 4, end: 7 },
      { start: 8, end: 11 },
    ]);
  });

  test('are the longest of several words that begin at one place', () => {
    expect(highlighted('a part-time job', 'part', 'time', 'part-time')).toEqual(['part-time']);
  });

  test.each([
    ['an accent', 'In the café.', 'café', ['café']],
    ['a code with signs', 'screw X-200 (new)', 'x-200', ['X-200']],
    ['a sign at the beginning', 'at -5 degrees', '-5', ['-5']],
    ['signs of regular expressions', 'a.b*c [d] acb', 'a.b*c', ['a.b*c']],
    ['another alphabet', 'Мы открыты, открытых нет', 'открыты', ['открыты']],
    ['a script without spaces', '日曜日は定休日です', '定休', ['定休']],
    ['a character of two code units', '🦊 fox 🦊', 'fox', ['fox']],
  ])('find a word with %s', (_, text, word, found) => {
    expect(highlighted(text, word)).toEqual(found);
  });

  test('of no words are none', () => {
    expect(findHighlights('text', [])).toEqual([]);
  });

  test('of words without anything between them are one', () => {
    expect(highlighted('screw X-201, X 201', 'x', '-201')).toEqual(['X-201', 'X']);
    expect(highlighted('日曜日は定休日です', '定休', '日')).toEqual(['日', '日', '定休日']);
  });

  test('of any words are in order, do not touch, and have all of each word that stands alone', () => {
    const anything = fc.array(fc.oneof(fc.lorem({ maxCount: 1 }), fc.string({ unit: 'grapheme' })));

    fc.assert(
      fc.property(anything, fc.lorem({ maxCount: 1 }), (parts, word) => {
        const text = [...parts, word, ...parts].join(' ').toWellFormed();
        const words = searchWords(parts.slice(0, 3).join(' ')).split(' ');
        let last = -1;
        for (const { start, end } of findHighlights(text, [word.toLowerCase(), ...words])) {
          expect(start).toBeGreaterThan(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          last = end;
        }
        expect(highlighted(text, word)).toContain(word);
      }),
    );
  });
});
