import { foldRows, toRows, type Row } from './rows';

const toText = (row: Row) =>
  row.kind === 'skipped'
    ? `… ${row.count}`
    : [row.left, row.right].map((line) => (line ?? []).map(({ text }) => text).join('')).join(' | ');

const toWords = (text: string) => text.split(' ').filter(Boolean);

describe('Two texts beside each other', () => {
  test('mark the words that only one of them has', () => {
    expect(toRows(['Be very brief.'], ['Be rather brief.'])).toEqual([
      {
        kind: 'changed',
        left: [
          { text: 'Be ', isOwn: false },
          { text: 'very', isOwn: true },
          { text: ' brief.', isOwn: false },
        ],
        right: [
          { text: 'Be ', isOwn: false },
          { text: 'rather', isOwn: true },
          { text: ' brief.', isOwn: false },
        ],
      },
    ]);
  });

  test.each([
    ['', '', []],
    ['a b', 'a b', ['a | a', 'b | b']],
    ['', 'a', [' | a']],
    ['a', '', ['a | ']],
    ['a b c', 'a x c', ['a | a', 'b | x', 'c | c']],
    ['a b', 'a b c d', ['a | a', 'b | b', ' | c', ' | d']],
    [
      'a b c a b b a',
      'c b a b a c',
      ['a | ', 'b | ', 'c | c', ' | b', 'a | a', 'b | b', 'b | ', 'a | a', ' | c'],
    ],
  ])('align the lines that both of "%s" and "%s" have', (left, right, rows) => {
    expect(toRows(toWords(left), toWords(right)).map(toText)).toEqual(rows);
  });

  test('are complete when there are too many differences to look for the shortest', () => {
    const left = Array.from({ length: 5_000 }, (_, index) => `left ${index}`);
    const right = Array.from({ length: 5_100 }, (_, index) => `right ${index}`);
    const rows = toRows(left, right);

    expect(rows.every(({ kind }) => kind === 'changed')).toBe(true);
    expect(rows).toHaveLength(5_100);
  });

  test('leave out equal lines that are far from a change', () => {
    const left = Array.from({ length: 12 }, (_, index) => `line ${index}`);
    const right = [...left.slice(0, 6), 'new', ...left.slice(6)];

    expect(foldRows(toRows(left, right)).map(toText)).toEqual([
      '… 3',
      ...['line 3 | line 3', 'line 4 | line 4', 'line 5 | line 5'],
      ' | new',
      ...['line 6 | line 6', 'line 7 | line 7', 'line 8 | line 8'],
      '… 3',
    ]);
  });
});
