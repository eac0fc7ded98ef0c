import { Expressions } from './re2';

const find = (...patterns: string[]) => {
  const expressions = new Expressions();
  return patterns.map((pattern) => expressions.findProblem(pattern));
};

test.each([
  '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2})?Z$',
  String.raw`^[\p{L} .'\-\]]{1,100}$`,
  '[]{1000}]',
  String.raw`\{1000}\(`,
  '(((a{3}){3}){3}){3}',
])('The expression %s is understood', (pattern) => expect(find(pattern)).toEqual([undefined]));

test.each([
  ['one that is repeated often', 'x{1000}'],
  ['a long group that is repeated often', `(${'[ab]c'.repeat(50)}){1000}`],
  ['repeated groups in each other', '(((abcdefgh){10}){10}){10}'],
  ['a class that never ends', '['.repeat(100_000)],
])('An expression is too large: %s', (_, pattern) =>
  expect(find(pattern)).toEqual([expect.stringContaining('is too large')]),
);

test('Expressions that are too large together are refused', () => {
  const problems = find(...Array.from({ length: 6 }, () => 'x{250}'));
  expect(problems).toEqual([...Array.from({ length: 5 }), expect.stringContaining('is too large')]);
});

test.each(['(a)\\1', '(?=a)', '(', ')'])('The text %s is no expression of RE2', (pattern) =>
  expect(find(pattern)).toEqual(['must be a regular expression of RE2']),
);
