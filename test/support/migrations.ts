import { DataSource, Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source';

/** Connects to a database without migrating it. The caller destroys the connections. */
export const connectTo = (url: string): Promise<DataSource> =>
  new DataSource(dataSourceOptions({ DATABASE_URL: url, DATABASE_POOL_SIZE: 2 })).initialize();

/** Runs the migrations before the one whose name begins with this. */
export async function migrateUntil(dataSource: DataSource, prefix: string): Promise<void> {
  const executor = new MigrationExecutor(dataSource);
  const migrations = await executor.getPendingMigrations();
  const end = migrations.findIndex(({ name }) => name.startsWith(prefix));
  for (const migration of migrations.slice(0, end)) await executor.executeMigration(migration);
}

/** What one transaction of a migration does to existing tables. */
export interface MigrationTransaction {
  migration: string;
  /** the tables which other transactions cannot write until it ends */
  locked: string[];
  /** the locked tables whose rows it has read or changed, one after the other */
  read: string[];
}

const LOCKED = `
  SELECT DISTINCT relation::regclass::text AS name FROM pg_locks
  WHERE pid = pg_backend_pid() AND relation = ANY ($1::oid[])
    AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
  ORDER BY 1`;

/**
 * The scans and changes of tables that this session has not reported yet. Building an index, comparing all rows with a
 * check and NOT NULL are scans, too.
 */
const COUNTED = `
  SELECT relid::regclass::text AS name, seq_scan + n_tup_upd + n_tup_del AS count
  FROM pg_stat_xact_user_tables WHERE relid = ANY ($1::oid[])`;

/** @returns the object ids of all tables */
export async function findTables(dataSource: DataSource): Promise<number[]> {
  const tables: { oid: number }[] = await dataSource.query(
    `SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  return tables.map(({ oid }) => oid);
}

/** Runs a migration with the transactions of a server. @returns what each of them does to these tables */
export async function observeMigration(
  dataSource: DataSource,
  migration: Migration,
  tables: number[],
): Promise<MigrationTransaction[]> {
  const readNames = async (runner: QueryRunner, sql: string, values: unknown[]): Promise<string[]> =>
    ((await runner.query(sql, [values])) as { name: string }[]).map(({ name }) => name);
  const count = async (runner: QueryRunner): Promise<Map<string, number>> => {
    const rows = (await runner.query(COUNTED, [tables])) as { name: string; count: string }[];
    return new Map(rows.map((row) => [row.name, Number(row.count)]));
  };
  const transactions: MigrationTransaction[] = [];

  async function observe<Result>(runner: QueryRunner, work: () => Promise<Result>): Promise<Result> {
    await runner.query('BEGIN');
    const before = await count(runner);
    const result = await work();
    const locked = await readNames(runner, LOCKED, tables);
    const after = await count(runner);
    const read = locked.filter((name) => (after.get(name) ?? 0) > (before.get(name) ?? 0));
    transactions.push({ migration: migration.name, locked, read });
    await runner.query('COMMIT');
    return result;
  }

  const { instance } = migration;
  const up = async (runner: QueryRunner): Promise<void> => {
    if (instance!.transaction !== false) return observe(runner, () => instance!.up(runner));
    const query = (sql: string, values?: unknown[]): Promise<unknown> =>
      sql.includes('CONCURRENTLY') ? runner.query(sql) : observe(runner, () => runner.query(sql, values));
    await instance!.up({ query } as QueryRunner);
  };
  const { id, timestamp, name } = migration;
  const observed = new Migration(id, timestamp, name, { up, down: () => Promise.resolve() });
  await new MigrationExecutor(dataSource).executeMigration(observed);
  return transactions;
}
