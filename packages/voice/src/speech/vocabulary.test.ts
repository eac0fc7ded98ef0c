import { Vocabulary } from './vocabulary';

test.each([
  [['Parley'], 'I called Parly.', 'I called Parley.'],
  [['Siobhan'], 'Is Sioban there?!', 'Is Siobhan there?!'],
  [['Ada Lovelace'], 'This is Ada Love lace, hello', 'This is Ada Lovelace, hello'],
  [['Lovelace', 'Loveland'], 'Loveland is a town', 'Loveland is a town'],
  [['Bo'], 'Bob said so', 'Bob said so'],
  [[], 'Parly', 'Parly'],
])('with the names %j, "%s" is written as "%s"', (terms, heard, written) => {
  expect(new Vocabulary(terms).correct(heard)).toBe(written);
});

test('the largest vocabulary takes no time that grows with the square of a text', () => {
  const letters = 'abdefghijklmnoprstuvx';
  const word = (length: number, seed: number) =>
    Array.from({ length }, (_, i) => letters[(i * 7 + seed * 3 + ((i * i) % 5)) % letters.length]).join('');
  const words = (count: number, length: number, seed: number) =>
    Array.from({ length: count }, (_, i) => word(length, seed + i)).join(' ');
  const text = words(4_000, 6, 50);

  for (const [count, length] of [
    [20, 9],
    [1, 200],
    [6, 5],
    [1, 32],
  ] as const) {
    const terms = Array.from({ length: 100 }, (_, i) => words(count, length, i));
    expect(new Vocabulary(terms).correct(text).split(' ').length).toBeGreaterThan(600);
  }
  const dots = '.'.repeat(200_000);
  expect(new Vocabulary(['Parley']).correct(`${dots}parly${dots}x`)).toHaveLength(400_006);
});
