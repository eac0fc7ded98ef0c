import fc from 'fast-check';
import { cutText, quoted, searchedForm, storedForm, visibleText } from './plain-text';

const WORDS = ['prénom', 'Müller', 'José', 'größe', 'Đặng', 'Å', 'ё', '한국', 'が', 'Kündigung', 'naïve'];
const MARKS = [...'\u200b\u200e\u202a\u2060\ufeff'];

describe('A text', () => {
  test.each(WORDS.flatMap((word) => MARKS.map((mark) => [word, mark] as const)))(
    'such as %j is the same in each normalization and with the mark %j in it',
    (word, mark) => {
      for (const form of ['NFC', 'NFD'] as const) {
        const other = mark + word.normalize(form).split('').join(mark);
        for (const same of [visibleText, storedForm, searchedForm])
          expect(same(word.normalize(form))).toBe(same(word));
        expect([visibleText(other), searchedForm(other)]).toEqual([visibleText(word), searchedForm(word)]);
      }
    },
  );

  test.each([
    ['ﬁrst ﬂoor', 'first floor'],
    ['Ge\u00adbühr', 'Gebühr'],
    ['Ｆｕｌｌ', 'Full'],
    ['№ 5', 'No 5'],
  ])('%j is searched as %j', (text, searched) => expect(searchedForm(text)).toBe(searched));

  test.each(['\u00a0', '\u202f', '\u2009', '\u3000'])('is stored with a space for the space %j', (space) =>
    expect(storedForm(`山田${space}太郎`)).toBe('山田 太郎'),
  );

  test('is stored with the characters that join letters and parts of emoji', () => {
    for (const text of ['می\u200cخواهم', '👩\u200d💻', '❤\ufe0f', 'क्\u200dष'])
      expect(storedForm(text)).toBe(text.normalize('NFC'));
  });

  test('has at most 30 marks on a letter, because ordering more takes quadratic time', () => {
    const marks = '\u0301'.repeat(200_000) + '\u0323'.repeat(200_000);
    for (const form of [storedForm, visibleText, searchedForm])
      expect(form(`a${marks}b`)).toBe(`${form(`a${'\u0301'.repeat(30)}`)}b`);
  });

  test('is cut between characters', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.integer({ min: 1, max: 12 }),
        (text, max) => {
          const cut = cutText(text, max);
          expect(cut.isWellFormed()).toBe(true);
          expect(text.startsWith(cut)).toBe(true);
          expect([...cut]).toEqual([...text].slice(0, text.length <= max ? undefined : max));
        },
      ),
    ));

  test.each([
    ['\u202a+1555\u202c', '"[U+202A]+1555[U+202C]"'],
    ['a\u00a0b\tc', '"a[U+00A0]b[U+0009]c"'],
    ['\u{e0001}', '"[U+E0001]"'],
    ['say "no"', '"say \\"no\\""'],
    [`${'1'.repeat(39)}😀😀`, `"${'1'.repeat(39)}😀…"`],
  ])('%j in a message is %s', (text, shown) => expect(quoted(text)).toBe(shown));
});
