import { diff } from './diff';

const words = (text: string) => text.split(' ').filter(Boolean);

const shown = (left: string, right: string) =>
  diff(words(left), words(right)).map(({ kind, items }) => `${kind}: ${items.join(' ')}`);

describe('The difference of two lists', () => {
  test.each([
    ['', '', []],
    ['a b', 'a b', ['same: a b']],
    ['', 'a', ['added: a']],
    ['a', '', ['removed: a']],
    ['a b c', 'a x c', ['same: a', 'removed: b', 'added: x', 'same: c']],
    ['a b', 'a b c d', ['same: a b', 'added: c d']],
    [
      'a b c a b b a',
      'c b a b a c',
      ['removed: a b', 'same: c', 'added: b', 'same: a b', 'removed: b', 'same: a', 'added: c'],
    ],
  ])('of "%s" and "%s" keeps as much as it can', (left, right, parts) => {
    expect(shown(left, right)).toEqual(parts);
  });

  test('is complete when there are too many differences to look for the shortest', () => {
    const left = Array.from({ length: 5_000 }, (_, index) => `left ${index}`);
    const right = Array.from({ length: 5_000 }, (_, index) => `right ${index}`);

    expect(diff(left, right)).toEqual([
      { kind: 'removed', items: left },
      { kind: 'added', items: right },
    ]);
  });
});
