import { Continuation } from './continuation';

/** The words that are passed on of an answer that is complete, or of one that was cut. */
function join(said: string, pieces: readonly string[], isCut = false): string {
  const words = new Continuation(said);
  const passed = pieces.map((piece) => words.push(piece)).join('');
  return isCut ? passed : passed + words.flush();
}

test('the beginning of a word is not passed on, because the next model writes the word', () => {
  expect(join('', ['We have', ' a ta'], true)).toBe('We have a ');
  expect(join('', ['We have', ' a ta', 'ble.'])).toBe('We have a table.');
  expect(join('', ['At noon.', ' $2', '9.', '50'], true)).toBe('At noon. ');
});

test.each([
  ['goes on', ['table ', 'for two.'], 'table for two.'],
  ['begins with a space', [' ', ' table for two.'], 'table for two.'],
  ['repeats the beginning', ['We ha', 've a table', ' for two.'], 'table for two.'],
  ['repeats only the beginning', ['We have', ' a'], ''],
  ['begins in the same way', ['We have another.'], 'We have another.'],
])('after "We have a ", a model that %s doubles nothing', (_, pieces, passed) => {
  expect(join('We have a ', pieces)).toBe(passed);
});

test('languages without spaces are not held back', () => {
  expect(join('', ['窓際の', '席です。'], true)).toBe('窓際の席です。');
});

test('a run of signs without an end is passed on', () => {
  expect(join('', ['x'.repeat(60), 'x'.repeat(60)], true)).toHaveLength(120);
});
