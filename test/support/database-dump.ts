import type { TestParley } from './parley';

type Sql = Pick<TestParley, 'sql'>;

/** The types of columns that can hold a text. */
const TEXT_TYPES = ['text', 'character varying', 'character', 'json', 'jsonb', 'tsvector', 'ARRAY'];

const columnsOf = ({ sql }: Sql, condition: string, values: unknown[]) =>
  sql<{ table: string; column: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS table, column_name AS column
     FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema') AND ${condition}
     ORDER BY 1, 2`,
    values,
  );

type Columns = Record<string, string[]>;

const byTable = (columns: { table: string; column: string }[]): Columns =>
  columns.reduce<Columns>(
    (tables, { table, column }) => ({ ...tables, [table]: [...(tables[table] ?? []), column] }),
    {},
  );

/** The columns that can hold a text, by table. */
export const readTextColumns = async (parley: Sql): Promise<Columns> =>
  byTable(await columnsOf(parley, 'data_type = ANY ($1)', [TEXT_TYPES]));

/** The columns, of whatever type, that contain one of these texts, by table. */
export async function columnsWith(parley: Sql, texts: readonly string[]): Promise<Columns> {
  const columns = await columnsOf(parley, 'true', []);
  const found = await Promise.all(
    columns.map(async (each) => {
      const [row] = await parley.sql<{ isFound: boolean }>(
        `SELECT EXISTS (SELECT FROM ${each.table} AS row, unnest($1::text[]) AS sought
           WHERE position(sought IN to_jsonb(row)->>$2) > 0) AS "isFound"`,
        [texts, each.column],
      );
      return row?.isFound ? [each] : [];
    }),
  );
  return byTable(found.flat());
}

/** Every row of every table, as text: the content of a copy of the database. */
export async function readDump({ sql }: Sql): Promise<{ table: string; text: string }[]> {
  const tables = await sql<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  );
  const rows = tables.map(({ name }) =>
    sql<{ table: string; text: string }>(
      `SELECT $1 AS table, to_json(row)::text AS text FROM ${name} AS row`,
      [name],
    ),
  );
  return (await Promise.all(rows)).flat();
}

/** The tables that contain each of these texts. */
export async function tablesWith(parley: Sql, texts: readonly string[]) {
  const dump = await readDump(parley);
  return Object.fromEntries(
    texts.map((sought) => [
      sought,
      [...new Set(dump.filter(({ text }) => text.includes(sought)).map(({ table }) => table))].sort(),
    ]),
  );
}
