import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (...path: string[]) => readFileSync(join(__dirname, '..', '..', ...path), 'utf8');

describe('The decision about keeping and erasing', () => {
  test('says for each table what becomes of it, once', () => {
    const rows = read('docs', 'decisions', '0036-keeping-and-erasing.md').match(/^\| `.*?\|/gm) ?? [];
    const listed = rows.flatMap((row) => Array.from(row.matchAll(/`(\w+)`/g), ([, table]) => table));
    const schema = read('src', 'platform', 'database', 'schema.sql');
    const tables = Array.from(schema.matchAll(/^CREATE TABLE (\w+)/gm), ([, table]) => table);

    // The queue of jobs has a schema of its own.
    expect(listed.sort()).toEqual([...tables, 'graphile_worker'].sort());
  });
});
