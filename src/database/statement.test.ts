import { statement, valuesOf } from './statement';

describe('A statement', () => {
  const RENAME = statement<{ id: string; name: string | null }>(
    'rename',
    `UPDATE agents SET name = $name::text WHERE id = $id AND name <> $name AND label = '$5'`,
  );

  test('numbers its parameters by their first place', () => {
    expect(RENAME.text).toBe(
      `UPDATE agents SET name = $1::text WHERE id = $2 AND name <> $1 AND label = '$5'`,
    );
    expect(valuesOf(RENAME, { id: '7', name: null })).toEqual([null, '7']);
  });

  test('is refused without a value for one of its parameters', () => {
    expect(() => valuesOf(RENAME, { id: '7' } as never)).toThrow(
      new TypeError('The statement rename has no value for $name'),
    );
  });
});
