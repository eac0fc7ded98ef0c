import { countWords, readOutline } from './outline';

describe('The outline of a prompt', () => {
  test('has its headings with their levels and lines', () => {
    expect(readOutline('# Role\nYou answer.\n\n## Tone of voice \n#no heading\n#\n####### seven')).toEqual([
      { title: 'Role', level: 1, line: 1 },
      { title: 'Tone of voice', level: 2, line: 4 },
    ]);
    expect(readOutline('')).toEqual([]);
  });
});

test.each([
  ['', 0],
  [' \n', 0],
  ['Be brief.\nBe {{kind}}.', 4],
])('The words of %j are %i', (text, count) => {
  expect(countWords(text)).toBe(count);
});
