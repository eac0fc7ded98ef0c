import type { Pool } from 'pg';

/** The bytes of every table with its indexes, of all schemas but those of Postgres. */
export async function bytesOfTables(
  sql: Pool,
  cleaning: 'VACUUM' | 'VACUUM FULL',
): Promise<Map<string, number>> {
  await sql.query(cleaning);
  const { rows } = await sql.query<{ name: string; bytes: string }>(`
    SELECT pg_class.oid::regclass::text AS name, pg_total_relation_size(pg_class.oid) AS bytes
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind = 'r' AND nspname NOT IN ('pg_catalog', 'information_schema')`);
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}
