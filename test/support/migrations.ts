import { DataSource, MigrationExecutor } from 'typeorm';
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
