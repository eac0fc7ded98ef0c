import { RecentlyValid } from './recently-valid';

describe('RecentlyValid', () => {
  test('contains a key until it is deleted', () => {
    const keys = new RecentlyValid(100);
    keys.add('one', 'workspace');
    keys.add('other', 'workspace');

    keys.delete('one');

    expect(keys.has('one')).toBe(false);
    expect(keys.has('other')).toBe(true);
  });

  test('keeps the newest hundred keys of a workspace, and the keys of other workspaces', () => {
    const keys = new RecentlyValid(100);
    keys.add('theirs', 'other');

    for (let index = 0; index < 200_000; index++) keys.add(`key ${index}`, 'workspace');

    expect(keys.has('theirs')).toBe(true);
    expect(keys.has('key 199900')).toBe(true);
    expect(keys.has('key 199899')).toBe(false);
  });
});
