import { folded, linesOf, toRows, type Row } from './rows';

const textOf = (row: Row) =>
  row.kind === 'skipped'
    ? `… ${row.count}`
    : [row.left, row.right]
        .map((line) => (line ? line.pieces.map(({ text }) => text).join('') : ''))
        .join(' | ');

describe('Two texts beside each other', () => {
  test('show a text with several lines in lines', () => {
    expect(linesOf({ prompt: 'One\nTwo\\n', name: 'A' })).toEqual([
      '{',
      '  "prompt": "One\\n',
      '      Two\\\\n",',
      '  "name": "A"',
      '}',
    ]);
  });

  test('mark the words that only one of them has', () => {
    const [row] = toRows(['"speed": 1.2,'], ['"speed": 1.5,']);

    expect(row).toEqual({
      kind: 'changed',
      left: {
        number: 1,
        pieces: [
          { text: '"speed": 1.', isOwn: false },
          { text: '2', isOwn: true },
          { text: ',', isOwn: false },
        ],
      },
      right: {
        number: 1,
        pieces: [
          { text: '"speed": 1.', isOwn: false },
          { text: '5', isOwn: true },
          { text: ',', isOwn: false },
        ],
      },
    });
  });

  test('leave out equal lines that are far from a change', () => {
    const left = Array.from({ length: 12 }, (_, index) => `line ${index}`);
    const right = [...left.slice(0, 6), 'new', ...left.slice(6)];

    expect(folded(toRows(left, right)).map(textOf)).toEqual([
      '… 3',
      ...['line 3 | line 3', 'line 4 | line 4', 'line 5 | line 5'],
      ' | new',
      ...['line 6 | line 6', 'line 7 | line 7', 'line 8 | line 8'],
      '… 3',
    ]);
  });
});
