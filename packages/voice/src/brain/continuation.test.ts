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

test.each([
  ['repeats its last sentence', ['We have', ' a table.'], 'table.'],
  ['repeats its last two sentences', ['It is late. We ', 'have a', ' table.'], 'table.'],
  ['repeats only its last sentence', ['We have a'], ''],
  ['begins as its last sentence', ['We', ' close at ten.'], 'We close at ten.'],
  ['answers with the beginning of its last sentence', ['We'], 'We'],
])('after several sentences, a model that %s doubles and loses nothing', (_, pieces, passed) => {
  expect(join('Good evening. It is late. We have a ', pieces)).toBe(passed);
});

test('a sentence is known also without spaces', () => {
  expect(join('こんばんは。窓際の', ['窓際の', '席です。'])).toBe('席です。');
});

test('languages without spaces are not held back', () => {
  expect(join('', ['窓際の', '席です。'], true)).toBe('窓際の席です。');
});

test('a run of signs without an end is passed on', () => {
  expect(join('', ['x'.repeat(60), 'x'.repeat(60)], true)).toHaveLength(120);
});
