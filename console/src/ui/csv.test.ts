import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { withoutFormulas } from '../../../src/platform/http/without-formulas';
import { toCell } from './csv';

describe('A cell of a report', () => {
  test('is the same as in an export of the API', () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '"', "'", ...'1;,|\t\n=+-@＝') }), (text) => {
        expect(parse(`x,${toCell(text)}\r\n`)).toEqual([['x', withoutFormulas(text)]]);
      }),
    ));

  test('keeps a negative number', () => {
    expect(toCell(-5)).toBe('-5');
  });
});
