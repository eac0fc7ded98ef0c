import { runMigrations as migrateJobs } from 'graphile-worker';
import { migrations as jobMigrations } from 'graphile-worker/dist/generated/sql';
import { BREAKING_MIGRATIONS } from 'graphile-worker/dist/lib';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseError, type Pool } from 'pg';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { Config } from '../../config';
import { buildIndex } from './build-index';
import { dataSourceOptions } from './data-source';
import { statementTimeout } from './statement-timeouts';

/** The number of the lock. Every process that migrates uses it. */
const MIGRATION_LOCK = 7_077_001;

/**
 * A migration that waits for a lock makes later statements on that table wait too. It waits this long, and is
 * repeated, so that servers that work meanwhile go on between its attempts.
 */
const LOCK_TIMEOUT_MS = 2_000;
const LOCK_ATTEMPTS = 100;
const LOCK_PAUSE_MS = 1_000;
const TURN_PAUSE_MS = 200;
const LOCK_NOT_AVAILABLE = '55P03';

/** Indexes of ours on the table of the jobs, which the library creates. */
const JOB_INDEXES = {
  // Each new job wakes the job workers of every kind. Without this index, those with nothing to do would read all
  // waiting jobs of the other kinds each time.
  jobs_of_task: '(task_id, priority, run_at) WHERE is_available',
  // The metric of failed jobs is read every few seconds.
  failed_jobs: '(id) WHERE attempts >= max_attempts',
};

/** A migration of the kind `contract` breaks servers of the last release. Without a kind it expands. */
export interface ClassifiedMigration extends MigrationInterface {
  kind?: 'contract';
}

export interface PendingMigration {
  name: string;
  kind: 'expand' | 'contract';
}

type MigrationConfig = Pick<Config, 'DATABASE_URL'>;

async function withDataSource<T>(
  config: MigrationConfig,
  use: (dataSource: DataSource, runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const options = dataSourceOptions({ ...config, DATABASE_POOL_SIZE: 2 });
  const extra = {
    ...options.extra,
    // The zero is a text, since pg leaves out a number that is 0.
    statement_timeout: `${statementTimeout('migration')}`,
    lock_timeout: LOCK_TIMEOUT_MS,
  };
  // Its default logger would write about a migration that waits to stdout, which has the result of the operator.
  const dataSource = await new DataSource({ ...options, extra, logger: 'debug' }).initialize();
  try {
    return await use(dataSource, dataSource.createQueryRunner());
  } finally {
    // Ends the sessions, and so their locks.
    await dataSource.destroy();
  }
}

/** Brings the schema up to date; several processes that start at once wait for each other. */
export async function migrate(config: MigrationConfig): Promise<void> {
  await withDataSource(config, async (dataSource, runner) => {
    await waitForTurn(runner);
    await repeatWhileLocked(() => dataSource.runMigrations());
    const pgPool = (dataSource.driver as PostgresDriver).master as Pool;
    // The library warns about a pool that does not handle the errors of its connections.
    pgPool.on('connect', (client) => client.on('error', () => undefined));
    await repeatWhileLocked(() => migrateJobs({ pgPool }));
    for (const [name, columns] of Object.entries(JOB_INDEXES)) {
      if (!(await isIndexBuilt(runner, name)))
        await buildIndex(runner, name, `graphile_worker._private_jobs ${columns}`, {
          schema: 'graphile_worker',
        });
    }
  });
}

/** Not by a statement that waits: a concurrent build of an index would wait for that one. */
async function waitForTurn(runner: QueryRunner): Promise<void> {
  for (;;) {
    const [found] = (await runner.query('SELECT pg_try_advisory_lock($1) AS "isOurs"', [MIGRATION_LOCK])) as [
      { isOurs: boolean },
    ];
    if (found.isOurs) return;
    await pause(TURN_PAUSE_MS);
  }
}

/** Postgres does not use an index whose build was interrupted. */
async function isIndexBuilt(runner: QueryRunner, name: string): Promise<boolean> {
  const [found] = (await runner.query(
    'SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass($1)',
    [`graphile_worker.${name}`],
  )) as [{ isValid: boolean }?];
  return found?.isValid ?? false;
}

/** @returns the migrations that this release has and the database has not, in the order in which they run */
export const findPendingMigrations = (config: MigrationConfig): Promise<PendingMigration[]> =>
  withDataSource(config, async (dataSource, runner) => {
    const executed = new Set(await readColumn<string>(runner, 'public.migrations', 'name'));
    const executedJobs = new Set(await readColumn<number>(runner, 'graphile_worker.migrations', 'id'));
    return [
      ...dataSource.migrations
        .map((migration) => ({ migration, name: migration.name ?? migration.constructor.name }))
        .filter(({ name }) => !executed.has(name))
        .map(({ migration, name }) => ({
          name,
          kind: (migration as ClassifiedMigration).kind ?? ('expand' as const),
        })),
      ...Object.keys(jobMigrations)
        .map((file) => Number.parseInt(file, 10))
        .filter((id) => !executedJobs.has(id))
        .map((id) => ({
          name: `graphile-worker ${id}`,
          kind: BREAKING_MIGRATIONS.includes(id) ? ('contract' as const) : ('expand' as const),
        })),
    ];
  });

/** Reads nothing if the table does not exist, as in an empty database. */
async function readColumn<Value>(runner: QueryRunner, table: string, column: string): Promise<Value[]> {
  const [found] = (await runner.query('SELECT to_regclass($1) IS NOT NULL AS exists', [table])) as [
    { exists: boolean },
  ];
  if (!found.exists) return [];
  const rows = (await runner.query(`SELECT ${column} AS value FROM ${table}`)) as { value: Value }[];
  return rows.map(({ value }) => value);
}

/** Each migration has a transaction of its own, so that those before the one that waits are not repeated. */
async function repeatWhileLocked(attempt: () => Promise<unknown>): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    try {
      await attempt();
      return;
    } catch (error) {
      const isLocked = error instanceof Error && findCode(error) === LOCK_NOT_AVAILABLE;
      if (!isLocked || attempts === LOCK_ATTEMPTS) throw error;
      await pause(LOCK_PAUSE_MS);
    }
  }
}

const findCode = (error: Error & { driverError?: unknown }): string | undefined =>
  [error, error.driverError].find((each) => each instanceof DatabaseError)?.code;
