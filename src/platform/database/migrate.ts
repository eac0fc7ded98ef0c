import { runMigrations as migrateJobs } from 'graphile-worker';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { Config } from '../../config';
import { dataSourceOptions } from './data-source';
import { statementTimeout } from './statement-timeouts';

/** The number of the lock. Every process that migrates uses it. */
const MIGRATION_LOCK = 7_077_001;

/**
 * Each new job wakes the job workers of every kind. Without this index, those with nothing to do would read all waiting
 * jobs of the other kinds each time.
 */
const INDEX_JOBS = `
  CREATE INDEX IF NOT EXISTS jobs_of_task ON graphile_worker._private_jobs (task_id, priority, run_at)
  WHERE is_available`;

/** Brings the schema up to date; several processes that start at once wait for each other. */
export async function migrate(config: Pick<Config, 'DATABASE_URL'>): Promise<void> {
  const options = dataSourceOptions({ ...config, DATABASE_POOL_SIZE: 2 });
  // The zeros are texts, since pg leaves out a number that is 0.
  const extra = {
    ...options.extra,
    statement_timeout: `${statementTimeout('migration')}`,
    lock_timeout: '0',
  };
  const dataSource = await new DataSource({ ...options, extra }).initialize();
  try {
    const runner = dataSource.createQueryRunner();
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await dataSource.runMigrations();
    const pgPool = (dataSource.driver as PostgresDriver).master as Pool;
    // The library warns about a pool that does not handle the errors of its connections.
    pgPool.on('connect', (client) => client.on('error', () => undefined));
    await migrateJobs({ pgPool });
    await runner.query(INDEX_JOBS);
  } finally {
    // Ends the session that holds the lock, and so the lock.
    await dataSource.destroy();
  }
}
