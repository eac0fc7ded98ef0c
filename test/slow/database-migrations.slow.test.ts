import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DataSource, type Migration, MigrationExecutor, type MigrationInterface } from 'typeorm';
import { readSchema, SCHEMA_FILE, readSchemaFrom } from '../../generate/schema';
import { MIGRATIONS_OF_1_1_0 } from '../../src/platform/database/migrations/baseline/migrations';
import { migrate } from '../../src/platform/database/migrate';
import { createDatabase, type TestDatabase } from '../support/database';
import { findLastRelease, listFiles } from '../support/last-release';
import { connectTo, findTables, type MigrationTransaction, observeMigration } from '../support/migrations';

const getName = (migration: MigrationInterface) => migration.name ?? migration.constructor.name;

/** Forgets that the baseline ran, as in a database that an earlier release has made. */
const forgetBaseline = (dataSource: DataSource) =>
  dataSource.query(`DELETE FROM migrations WHERE name LIKE 'Baseline%'`);

describe('The migrations', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createDatabase({ empty: true });
  });
  afterEach(() => database.drop());

  async function withDataSource(use: (dataSource: DataSource) => Promise<void>): Promise<void> {
    const dataSource = await connectTo(database.url);
    try {
      await use(dataSource);
    } finally {
      await dataSource.destroy();
    }
  }

  test('restore the previous schema when they are reverted, each one and all of them', () =>
    withDataSource(async (dataSource) => {
      const schema = () => readSchema((sql) => dataSource.query(sql));
      const executor = new MigrationExecutor(dataSource);
      const schemas = [await schema()];
      for (const migration of await executor.getPendingMigrations()) {
        await executor.executeMigration(migration);
        schemas.push(await schema());
      }

      for (const previous of schemas.slice(0, -1).reverse()) {
        await dataSource.undoLastMigration();
        expect(await schema()).toBe(previous);
      }

      await migrate({ DATABASE_URL: database.url });
      expect(await schema()).toBe(schemas.at(-1));
    }));

  test('have a time of their own each, so that all databases have them in one order', () =>
    withDataSource((dataSource) => {
      const times = dataSource.migrations.map((migration) => getName(migration).slice(-13));

      expect(times.filter((time, index) => times.indexOf(time) !== index)).toEqual([]);
      return Promise.resolve();
    }));

  const release = findLastRelease(join(__dirname, '..', '..'));
  const testWithHistory = release ? test : test.skip;

  testWithHistory('lock the tables of the last release one at a time, and read none meanwhile', () =>
    withDataSource(async (dataSource) => {
      const files = listFiles(release!, 'src/platform/database/migrations');
      const released = new Set(files.map((file) => file.slice(0, 13)));
      const executor = new MigrationExecutor(dataSource);
      const migrations = await executor.getPendingMigrations();
      const isReleased = ({ timestamp }: Migration) => released.has(`${timestamp}`);
      for (const migration of migrations.filter(isReleased)) await executor.executeMigration(migration);
      const tables = await findTables(dataSource);
      const transactions: MigrationTransaction[] = [];
      for (const migration of migrations.filter((migration) => !isReleased(migration))) {
        transactions.push(...(await observeMigration(dataSource, migration, tables)));
      }

      const isHarmful = ({ locked, read }: MigrationTransaction) => locked.length > 1 || read.length > 0;
      expect(transactions.filter(isHarmful)).toEqual([]);
    }),
  );

  test('create the tables that the entities describe', async () => {
    await migrate({ DATABASE_URL: database.url });

    await withDataSource(async (dataSource) => {
      const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
      expect(upQueries.map(({ query }) => query)).toEqual([]);
    });
  });

  test('create the constraints that the entities describe, of which TypeORM compares only the names', async () => {
    const constraints = `
      SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid <> 'migrations'::regclass
      ORDER BY 1, 2`;
    const described = await createDatabase({ empty: true });
    await migrate({ DATABASE_URL: database.url });

    await withDataSource(async (migrated) => {
      const synchronized = await connectTo(described.url);
      await synchronized.query('CREATE TABLE migrations ()');
      await synchronized.synchronize();

      expect(await migrated.query(constraints)).toEqual(await synchronized.query(constraints));
      await synchronized.destroy();
    });
    await described.drop();
  });

  test('create the schema of src/platform/database/schema.sql (npm run generate regenerates it)', async () => {
    await migrate({ DATABASE_URL: database.url });

    expect(await readSchemaFrom(database.url)).toBe(readFileSync(SCHEMA_FILE, 'utf8'));
  });

  test('run once when twenty servers start on an empty database at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => migrate({ DATABASE_URL: database.url })));

    await withDataSource(async (dataSource) => {
      const executed = await new MigrationExecutor(dataSource).getExecutedMigrations();
      const names = executed.map(({ name }) => name).filter((name) => !MIGRATIONS_OF_1_1_0.includes(name));
      expect(names.sort()).toEqual(dataSource.migrations.map(getName).sort());
      expect(executed).toHaveLength(names.length + MIGRATIONS_OF_1_1_0.length);
    });
  });

  test('leave a database of release 1.1.0 or later as it is', () =>
    withDataSource(async (dataSource) => {
      await migrate({ DATABASE_URL: database.url });
      await forgetBaseline(dataSource);
      const schema = await readSchemaFrom(database.url);

      await migrate({ DATABASE_URL: database.url });

      expect(await readSchemaFrom(database.url)).toBe(schema);
    }));

  test('refuse a database of a release before 1.1.0, and name the way', () =>
    withDataSource(async (dataSource) => {
      await migrate({ DATABASE_URL: database.url });
      await forgetBaseline(dataSource);
      await dataSource.query('DELETE FROM migrations WHERE name = $1', [MIGRATIONS_OF_1_1_0.at(-1)]);

      await expect(migrate({ DATABASE_URL: database.url })).rejects.toThrow('Upgrade to 1.2.0 first');
    }));

  test('refuse a database that has calls as release 1.0.0 stored them, and name the way', () =>
    withDataSource(async (dataSource) => {
      await migrate({ DATABASE_URL: database.url });
      await forgetBaseline(dataSource);
      const key = 'conversations_agent_id_agent_version_workspace_id_fkey';
      await dataSource.query(`
        ALTER TABLE conversations DROP CONSTRAINT ${key};
        ALTER TABLE conversations ADD CONSTRAINT ${key} FOREIGN KEY (agent_id, agent_version, workspace_id)
          REFERENCES agent_versions (agent_id, version, workspace_id) NOT VALID`);

      await expect(migrate({ DATABASE_URL: database.url })).rejects.toThrow(
        'Start a server of release 1.2.0',
      );
    }));

  test('have no time limit, unlike other statements', () =>
    withDataSource(async (dataSource) => {
      // TypeORM's table, with a column that stores the statement_timeout of each migration.
      await dataSource.query(`
        ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET statement_timeout = '1h';
        CREATE TABLE migrations (
          id serial PRIMARY KEY, timestamp bigint NOT NULL, name text NOT NULL,
          timeout text DEFAULT current_setting('statement_timeout'))`);

      await migrate({ DATABASE_URL: database.url });

      expect(await dataSource.query('SELECT DISTINCT timeout FROM migrations')).toEqual([{ timeout: '0' }]);
    }));
});
