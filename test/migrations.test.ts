import { readFileSync } from 'node:fs';
import { DataSource, MigrationExecutor, type MigrationInterface } from 'typeorm';
import { SCHEMA_FILE, schemaOf } from '../scripts/schema';
import { dataSourceOptions } from '../src/database/data-source';
import { migrate } from '../src/database/migrate';
import { createDatabase, type TestDatabase } from './support/database';

const nameOf = (migration: MigrationInterface) => migration.name ?? migration.constructor.name;

describe('The migrations', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createDatabase({ empty: true });
  });
  afterEach(() => database.drop());

  async function withDataSource(use: (dataSource: DataSource) => Promise<void>): Promise<void> {
    const options = dataSourceOptions({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 2 });
    const dataSource = await new DataSource(options).initialize();
    try {
      await use(dataSource);
    } finally {
      await dataSource.destroy();
    }
  }

  test('leave nothing behind when they are undone, at whichever of them an upgrade stops', () =>
    withDataSource(async (dataSource) => {
      const executor = new MigrationExecutor(dataSource);
      const migrations = await executor.getPendingMigrations();
      const schemas = [await schemaOf(database.url)];
      for (const migration of migrations) {
        await executor.executeMigration(migration);
        schemas.push(await schemaOf(database.url));

        await dataSource.undoLastMigration();
        expect(await schemaOf(database.url)).toBe(schemas.at(-2));

        await executor.executeMigration(migration);
        expect(await schemaOf(database.url)).toBe(schemas.at(-1));
      }

      for (const schema of schemas.slice(0, -1).reverse()) {
        await dataSource.undoLastMigration();
        expect(await schemaOf(database.url)).toBe(schema);
      }

      await migrate({ DATABASE_URL: database.url });
      expect(await schemaOf(database.url)).toBe(schemas.at(-1));
    }));

  test('make the tables that the entities describe', async () => {
    await migrate({ DATABASE_URL: database.url });

    await withDataSource(async (dataSource) => {
      const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
      expect(upQueries.map(({ query }) => query)).toEqual([]);
    });
  });

  test('make what src/database/schema.sql says, which npm run docs:schema writes anew', async () => {
    await migrate({ DATABASE_URL: database.url });

    expect(await schemaOf(database.url)).toBe(readFileSync(SCHEMA_FILE, 'utf8'));
  });

  test('run once when twenty servers start on an empty database at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => migrate({ DATABASE_URL: database.url })));

    await withDataSource(async (dataSource) => {
      const executed = await new MigrationExecutor(dataSource).getExecutedMigrations();
      expect(executed.map(({ name }) => name).sort()).toEqual(dataSource.migrations.map(nameOf).sort());
    });
  });
});
