import { withoutFormulas } from './without-formulas';

test.each([
  ['spaces', ' ', ''],
  ['tabs', '\t', "'"],
  ['quotes', '"', ''],
  ['signs', '=', "'"],
  ['spaces and signs', ' =', ''],
])('A cell of a hundred thousand characters that are %s is made a text within a second', (_, part, added) => {
  const cell = part.repeat(100_000 / part.length);
  const started = performance.now();

  expect(withoutFormulas(cell) === added + cell).toBe(true);

  expect(performance.now() - started).toBeLessThan(1_000);
});
