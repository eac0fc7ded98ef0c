import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { withoutFormulas } from '../../../../src/platform/http/without-formulas';
import { cellOf } from './csv';

describe('A cell of a report', () => {
  test('is what an export of the API has for the same text', () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '"', "'", ...'1;,|\t\n=+-@＝') }), (text) => {
        expect(parse(`x,${cellOf(text)}\r\n`)).toEqual([['x', withoutFormulas(text)]]);
      }),
    ));

  test('keeps a negative number', () => {
    expect(cellOf(-5)).toBe('-5');
  });
});
