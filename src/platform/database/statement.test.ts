import { buildQuery, statement, unpreparedStatement, bindValues } from './statement';

describe('A statement', () => {
  const RENAME = statement<{ id: string; name: string | null }>(
    'test-rename',
    `UPDATE agents SET name = $name::text WHERE id = $id AND name <> $name AND label = '$5'`,
  );

  test('numbers its parameters in the order of their first use', () => {
    expect(RENAME.text).toBe(
      `UPDATE agents SET name = $1::text WHERE id = $2 AND name <> $1 AND label = '$5'`,
    );
    expect(bindValues(RENAME, { id: '7', name: null })).toEqual([null, '7']);
  });

  test('is refused without a value for one of its parameters', () => {
    expect(() => bindValues(RENAME, { id: '7' } as never)).toThrow(
      new TypeError('The statement test-rename has no value for $name'),
    );
  });

  test('is sent under its name, unless Postgres must plan it each time', () => {
    const FIND = unpreparedStatement<{ id: string }>('test-find', 'SELECT FROM agents WHERE id = $id');

    expect(buildQuery(RENAME, { id: '7', name: 'Ada' })).toMatchObject({
      name: 'test-rename',
      values: ['Ada', '7'],
    });
    expect(buildQuery(FIND, { id: '7' })).toEqual({
      name: undefined,
      text: 'SELECT FROM agents WHERE id = $1',
      values: ['7'],
    });
  });

  test('has a name that no other statement has', () => {
    expect(() => statement('', 'SELECT 1')).toThrow(
      'A statement needs a name, which no other statement has: SELECT 1',
    );
    expect(() => unpreparedStatement('test-rename', 'SELECT 2')).toThrow(
      'Two statements have the name "test-rename". Rename this one: SELECT 2',
    );
  });
});
