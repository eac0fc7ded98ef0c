import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { statementsOfProduct } from '../../generate/statements';
import { comparedValuesIn, sqlTextsIn, tablesIn } from './sql-texts';

const root = join(__dirname, '..', '..');

interface Rule {
  name: string;
  from: { path?: string | string[] };
  to: { pathNot?: string | string[] };
}

/** The rules of the import directions: from one folder of `src` to the folders that it may import. */
const rules = (
  createRequire(__filename)(join(root, '.dependency-cruiser.cjs')) as { forbidden: Rule[] }
).forbidden
  .filter(({ name, from }) => name.endsWith('-imports') && typeof from.path === 'string')
  .map(({ from, to }) => ({
    room: /^\^(src\/.+\/)$/.exec(from.path as string)?.[1] ?? '',
    allowed: [to.pathNot ?? []].flat().map((path) => new RegExp(path)),
  }))
  // The folders inside a feature share its tables.
  .filter(({ room }) => room !== '' && room.split('/').length <= 4);

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file.replaceAll(sep, '/')}`)
  .filter((file) => /(?<!\.test)\.ts$/.test(file) && !file.includes('/migrations/'))
  .map((file) => ({ file, source: readFileSync(join(root, file), 'utf8') }));

/** The rule of the innermost folder that has one. `src/app/` puts the application together and has none. */
const getRule = (file: string) =>
  rules
    .filter(({ room }) => file.startsWith(room))
    .sort((a, b) => b.room.length - a.room.length)
    .at(0);

const getRoom = (file: string) => getRule(file)?.room ?? file.split('/').slice(0, 2).join('/');

const mayImport = (file: string, room: string) => {
  const rule = getRule(file);
  return !rule || rule.room === room || rule.allowed.some((path) => path.test(room));
};

/** The file of each table's entity. */
const owners = new Map(
  sources.flatMap(({ file, source }) =>
    [...source.matchAll(/@Entity\('(\w+)'/g)].map(([, table]) => [table as string, file] as const),
  ),
);

/** The files whose closed lists, such as those of statuses, have a value. */
const listsWith = new Map<string, string[]>();
for (const { file } of sources.filter(({ source }) => source.includes('byName('))) {
  const exported = createRequire(__filename)(join(root, file)) as Record<string, unknown>;
  const lists = Object.values(exported).filter(
    (value): value is Record<string, string> =>
      typeof value === 'object' &&
      value !== null &&
      Object.entries(value).every(([name, text]) => name === text),
  );
  for (const value of lists.flatMap((list) => Object.keys(list))) {
    listsWith.set(value, [...(listsWith.get(value) ?? []), file]);
  }
}

interface Sql {
  file: string;
  text: string;
}

const literals: Sql[] = sources.flatMap(({ file, source }) =>
  sqlTextsIn(file, source).map((text) => ({ file, text })),
);

const foreignTablesIn = ({ file, text }: Sql) =>
  [...tablesIn(text)].filter((table) => {
    const owner = owners.get(table);
    return owner !== undefined && !mayImport(file, getRoom(owner));
  });

const violationsIn = (texts: Sql[]) => [
  ...new Set(
    texts.flatMap((sql) =>
      foreignTablesIn(sql).map((table) => `${sql.file}: ${table} of ${getRoom(owners.get(table) as string)}`),
    ),
  ),
];

const copiedStatusesIn = (texts: Sql[]) => [
  ...new Set(
    texts.flatMap(({ file, text }) =>
      comparedValuesIn(text).flatMap((value) => {
        const rooms = listsWith.get(value)?.map(getRoom) ?? [];
        const isForeign = rooms.length > 0 && !rooms.includes(getRoom(file));
        return isForeign ? [`${file}: '${value}' of ${[...new Set(rooms)].join(' or ')}`] : [];
      }),
    ),
  ),
];

const isReadModel = (file: string) => file.startsWith('src/read-models/');

/*
 * A folder that names a table of a folder above it depends on that folder, and no import shows it. The folder
 * above exports a part of the statement instead, and `src/read-models/` puts the statement together.
 */
describe('The SQL of a folder', () => {
  test('names only its own tables and those of rooms that it may import', () => {
    expect(violationsIn(literals)).toEqual([]);
  });

  test('names no other tables in the form in which it is sent', () => {
    expect(violationsIn(statementsOfProduct())).toEqual([]);
  });

  test('names no table in the list of read models, which consists of exports of the owners of the tables', () => {
    const named = literals.filter(({ file }) => isReadModel(file)).flatMap(({ text }) => [...tablesIn(text)]);

    expect(named).toEqual([]);
  });

  test('contains no status of another folder', () => {
    expect(copiedStatusesIn(literals)).toEqual([]);
  });
});

describe('The check', () => {
  const sql = (text: string, file = 'src/accounts/workspaces/example.sql.ts') => ({ file, text });

  test.each([
    'SELECT 1 FROM campaigns WHERE id = $1',
    'SELECT count(*) FROM workspaces, campaigns AS c',
    'SELECT * FROM workspaces LEFT JOIN "campaigns" ON true',
    'SELECT * FROM workspaces CROSS JOIN LATERAL (SELECT 1 FROM campaigns) AS c',
    'UPDATE campaigns SET status = $1',
    'INSERT INTO campaigns (id) VALUES ($1)',
    'DELETE FROM workspaces USING campaigns WHERE true',
    'WITH a AS (SELECT 1), b AS (DELETE FROM campaigns) SELECT * FROM b',
  ])('finds a table above in: %s', (text) => {
    expect(violationsIn([sql(text)])).toEqual([
      'src/accounts/workspaces/example.sql.ts: campaigns of src/features/campaigns/',
    ]);
  });

  test.each([
    "SELECT 'from campaigns' FROM workspaces",
    'SELECT 1 -- FROM campaigns',
    'SELECT campaigns FROM workspaces',
    'SELECT * FROM workspaces ORDER BY 1, campaigns',
    'UPDATE workspaces SET credits = 1, campaigns = 2',
  ])('finds none in: %s', (text) => {
    expect(violationsIn([sql(text)])).toEqual([]);
  });

  test('allows a folder the tables below it', () => {
    expect(violationsIn([sql('SELECT FROM workspaces', 'src/features/campaigns/example.sql.ts')])).toEqual(
      [],
    );
  });

  test('finds a status of another folder', () => {
    const text = "SELECT 1 WHERE status IN ('scheduled', 'queued') AND 'paused' <> $1";

    expect(copiedStatusesIn([sql(text, 'src/features/calls/example.sql.ts')])).toEqual([
      "src/features/calls/example.sql.ts: 'scheduled' of src/features/campaigns/",
    ]);
  });

  test('reads the SQL of a source file', () => {
    const source = 'const A = `SELECT * FROM ${x} JOIN agents`; const B = "no text"; // FROM calls';

    expect(sqlTextsIn('a.ts', source)).toEqual(['SELECT * FROM  ?  JOIN agents']);
  });

  test('finds the values that columns are compared with', () => {
    expect(comparedValuesIn(`WHERE status = 'queued' AND kind IN ('a', 'b') AND c = ANY ('{d}')`)).toEqual([
      'queued',
      'a',
      'b',
      'd',
    ]);
  });
});
