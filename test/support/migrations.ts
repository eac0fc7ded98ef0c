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
  /** the checks for which it has read a locked table as a whole */
  checked: string[];
}

const LOCKED = `
  SELECT DISTINCT relation::regclass::text AS name FROM pg_locks
  WHERE pid = pg_backend_pid() AND relation = ANY ($1::oid[])
    AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
  ORDER BY 1`;

const CHECKED = `
  SELECT conname AS name FROM pg_constraint
  WHERE conrelid = ANY ($1::text[]::regclass[]) AND contype = 'c' AND convalidated
    AND xmin = pg_current_xact_id()::xid
  ORDER BY 1`;

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
  const transactions: MigrationTransaction[] = [];

  async function observe(runner: QueryRunner, work: () => Promise<unknown>): Promise<void> {
    await runner.query('BEGIN');
    await work();
    const locked = await readNames(runner, LOCKED, tables);
    const checked = await readNames(runner, CHECKED, locked);
    transactions.push({ migration: migration.name, locked, checked });
    await runner.query('COMMIT');
  }

  const { instance } = migration;
  const up = async (runner: QueryRunner): Promise<void> => {
    if (instance!.transaction !== false) return observe(runner, () => instance!.up(runner));
    const query = (sql: string) =>
      sql.includes('CONCURRENTLY') ? runner.query(sql) : observe(runner, () => runner.query(sql));
    await instance!.up({ query } as QueryRunner);
  };
  const { id, timestamp, name } = migration;
  const observed = new Migration(id, timestamp, name, { up, down: () => Promise.resolve() });
  await new MigrationExecutor(dataSource).executeMigration(observed);
  return transactions;
}
