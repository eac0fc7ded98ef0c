import type { TestParley } from './parley';

/** Every row of every table, as text: the content of a copy of the database. */
export async function readDump({ sql }: Pick<TestParley, 'sql'>): Promise<{ table: string; text: string }[]> {
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
export async function tablesWith(parley: Pick<TestParley, 'sql'>, texts: readonly string[]) {
  const dump = await readDump(parley);
  return Object.fromEntries(
    texts.map((sought) => [
      sought,
      [...new Set(dump.filter(({ text }) => text.includes(sought)).map(({ table }) => table))].sort(),
    ]),
  );
}
