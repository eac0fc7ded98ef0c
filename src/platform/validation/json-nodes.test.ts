import fc from 'fast-check';
import { countJsonNodes } from './json-nodes';

/**
 * Counts the nodes of a value by their definition: each list and object, each comma between items and each colon
 * after a name.
 */
function countNodes(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const items = Object.values(value);
  const commas = Math.max(0, items.length - 1);
  const colons = Array.isArray(value) ? 0 : items.length;
  return 1 + commas + colons + items.reduce<number>((sum, item) => sum + countNodes(item), 0);
}

const json = fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' });
const toBytes = (value: unknown, indent?: number) => Buffer.from(JSON.stringify(value, null, indent));

describe('The nodes of JSON text', () => {
  test.each([
    ['', 0],
    ['7', 0],
    ['{}', 1],
    ['[1,2]', 2],
    ['{"a":1,"b":[true]}', 5],
    ['{"a{[,:":"\\"{[,:"}', 2],
    ['["\\\\",{}]', 3],
    ['"never closed {[,:', 0],
  ])('of %s are counted outside of its strings', (text, nodes) => {
    expect(countJsonNodes(Buffer.from(text))).toBe(nodes);
  });

  test('are counted exactly, whatever the value and the white space', () =>
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 2), (value, indent) => {
        expect(countJsonNodes(toBytes(value, indent))).toBe(countNodes(value));
      }),
      { numRuns: 500 },
    ));

  test('are at least as many as the values that are built of them', () =>
    fc.assert(
      fc.property(json, (value) => {
        let values = 0;
        JSON.parse(JSON.stringify(value), (_, each: unknown) => {
          values += 1;
          return each;
        });
        expect(countJsonNodes(toBytes(value))).toBeGreaterThanOrEqual(values - 1);
      }),
    ));

  test('are counted up to a limit and no further', () =>
    fc.assert(
      fc.property(json, fc.nat(20), (value, limit) => {
        expect(countJsonNodes(toBytes(value), limit)).toBe(Math.min(limit, countNodes(value)));
      }),
    ));

  test('of any bytes are counted, whether they are JSON or not', () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(countJsonNodes(bytes)).toBeLessThanOrEqual(bytes.length);
      }),
    ));
});
