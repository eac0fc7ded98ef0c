import fc from 'fast-check';
import { withoutFormulas } from './without-formulas';

const SEPARATORS = [';', ',', '\t', '|', '\r', '\n'];
const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

const separator = fc.constantFrom(...SEPARATORS);
const filler = fc.string({ unit: fc.constantFrom(' ', '"', "'", '\u00A0', '\t', '\n'), maxLength: 5 });
const text = fc.string({ unit: fc.constantFrom('a', '1', ' ', '"', "'", ...SEPARATORS, ...SIGNS) });

/** The parts of a cell, in a spreadsheet that splits at a separator and removes quotes and spaces before a part. */
const splitCell = (cell: string, at: string) => cell.split(at).map((part) => part.replace(/^[\s"]+/, ''));

describe('A cell of an export', () => {
  test.each(SEPARATORS)('has no formula for a spreadsheet that splits it at %j', (at) =>
    fc.assert(
      fc.property(text, (cell) => {
        const [, ...parts] = splitCell(withoutFormulas(cell), at);

        expect(parts.filter((part) => SIGNS.some((sign) => part.startsWith(sign)))).toEqual([]);
        expect(SIGNS.some((sign) => withoutFormulas(cell).startsWith(sign))).toBe(/^\+\d{1,15}$/.test(cell));
      }),
    ),
  );

  test('gets an apostrophe before each sign after a separator, and after quotes and spaces', () =>
    fc.assert(
      fc.property(separator, filler, fc.constantFrom(...SIGNS), (before, between, sign) => {
        expect(withoutFormulas(`x${before}${between}${sign}1+1`)).toBe(`x${before}${between}'${sign}1+1`);
      }),
    ));

  test.each(['plain', '+15551234567', 'a=b', 'Ada Lovelace-King', 'x; y', '"=1', 'mail@example.com'])(
    'stays as it is if it is %s',
    (cell) => {
      expect(withoutFormulas(cell)).toBe(cell);
    },
  );

  test.each(['=1+1', '+1+cmd', '-2', '@SUM(A1)', '\t=1', '\r=1', '+1234567890123456'])(
    'begins with an apostrophe if it is %j',
    (cell) => {
      expect(withoutFormulas(cell).startsWith("'")).toBe(true);
    },
  );
});
