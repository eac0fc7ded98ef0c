import fc from 'fast-check';
import { searchWords } from './search-words';
import { splitPages, splitText } from './split-text';

const LIMIT = 1_000;

describe('A text', () => {
  test('that fits stays whole', () => {
    expect(splitText('One paragraph.\n\nAnd another.')).toEqual(['One paragraph.\n\nAnd another.']);
  });

  test('is split between paragraphs', () => {
    const paragraph = 'a'.repeat(600);

    expect(splitText([paragraph, paragraph, 'b'].join('\n\n'))).toEqual([paragraph, `${paragraph}\n\nb`]);
  });

  test('is split between sentences where a paragraph is too long', () => {
    const sentence = `Begin ${'word '.repeat(60)}end.`;
    const passages = splitText(Array.from({ length: 10 }, () => sentence).join(' '));

    expect(passages.length).toBeGreaterThan(1);
    for (const passage of passages) expect(passage).toMatch(/^Begin .*end\.$/);
  });

  test('is split between words where a sentence is too long', () => {
    const passages = splitText('word '.repeat(1_000));

    for (const passage of passages) expect(passage).toMatch(/^(word )*word$/);
  });

  test.each([
    ['sentences', 'One sentence after the other. '],
    ['words', 'word '],
    ['nothing but letters', 'x'],
  ])('of a million characters in one paragraph of %s is split', (_, part) => {
    expect(splitText(part.repeat(Math.ceil(1_000_000 / part.length))).length).toBeGreaterThan(900);
  });

  test('of white space has no passages', () => {
    expect(splitText(' \n\n \n')).toEqual([]);
  });

  test('of any kind loses only space, in passages that are never too long', () => {
    const anything = fc.array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 3_000 }), fc.lorem()), {
      maxLength: 20,
    });
    const withoutSpace = (text: string) => text.replace(/\s+/g, '');

    fc.assert(
      fc.property(anything, (parts) => {
        const text = parts.join('\n\n').toWellFormed();
        const passages = splitText(text);
        for (const passage of passages) expect(passage.length).toBeLessThanOrEqual(LIMIT);
        expect(withoutSpace(passages.join(''))).toBe(withoutSpace(text));
      }),
      { numRuns: 100 },
    );
  });
});

describe('A document', () => {
  test('with pages is split at each of them, so that a passage has one page', () => {
    expect(splitPages('Chairs.\n\nTables.\f\fLamps.\f')).toEqual([
      { text: 'Chairs.\n\nTables.', page: 1 },
      { text: 'Lamps.', page: 3 },
    ]);
  });

  test('with one page has its number', () => {
    expect(splitPages('Chairs.\f')).toEqual([{ text: 'Chairs.', page: 1 }]);
  });

  test('without pages has no numbers', () => {
    expect(splitPages('Chairs.')).toEqual([{ text: 'Chairs.', page: null }]);
  });
});

describe('The words of a text', () => {
  test('keep their spaces and become lower case', () => {
    expect(searchWords('Opening hours: 9-5')).toBe('opening hours: 9-5');
    for (const text of ['Gebu\u0308hr', 'Ge\u00adbühr', 'GEBÜHR']) expect(searchWords(text)).toBe('gebühr');
    expect(searchWords('ﬁrst ﬂoor')).toBe('first floor');
  });

  test('lose the signs of other scripts, which not every database recognizes', () => {
    expect(searchWords('«Часы» — “täglich”').split(/ +/)).toEqual(['', 'часы', 'täglich', '']);
  });

  test('are separated where their script has no spaces', () => {
    expect(searchWords('営業時間は九時から').split(' ').length).toBeGreaterThan(3);
    expect(searchWords('ร้านเปิดเก้าโมง').split(' ').length).toBeGreaterThan(2);
  });
});
