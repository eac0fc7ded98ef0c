import { ValidKeys } from './valid-keys';

describe('The API keys that were valid lately', () => {
  test('are known until they are found to be wrong', () => {
    const keys = new ValidKeys();
    keys.add('one', 'workspace');
    keys.add('other', 'workspace');

    keys.delete('one');

    expect(keys.has('one')).toBe(false);
    expect(keys.has('other')).toBe(true);
  });

  test('are the newest hundred of a workspace, which displace nothing of another one', () => {
    const keys = new ValidKeys();
    keys.add('theirs', 'other');

    for (let index = 0; index < 200_000; index++) keys.add(`key ${index}`, 'workspace');

    expect(keys.has('theirs')).toBe(true);
    expect(keys.has('key 199900')).toBe(true);
    expect(keys.has('key 199899')).toBe(false);
  });
});
