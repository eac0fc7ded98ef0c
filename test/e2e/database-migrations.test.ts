import { readFileSync } from 'node:fs';
import { type DataSource, MigrationExecutor, type MigrationInterface } from 'typeorm';
import { SCHEMA_FILE, schemaOf } from '../../scripts/schema';
import { migrate } from '../../src/database/migrate';
import { createDatabase, type TestDatabase } from '../support/database';
import { connectTo, migrateUntil } from '../support/migrations';

const idOf = (last: number) => `01890000-0000-7000-8000-00000000000${last}`;
const ids = {
  workspace: idOf(1),
  agent: idOf(2),
  gone: idOf(3),
  ended: idOf(4),
  queued: idOf(5),
  campaign: idOf(6),
  number: idOf(7),
  orphan: idOf(8),
  knowledgeBase: idOf(9),
};

const nameOf = (migration: MigrationInterface) => migration.name ?? migration.constructor.name;

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

  test('create the schema of src/database/schema.sql (npm run docs:schema regenerates it)', async () => {
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

  test('keep calls and campaigns, and clean up references to an agent that was deleted manually', () =>
    withDataSource(async (dataSource) => {
      await migrateUntil(dataSource, 'Integrity');
      await dataSource.query(`
        INSERT INTO workspaces (id, name) VALUES ('${ids.workspace}', 'Acme');
        INSERT INTO agents (id, workspace_id, user_id, name, type, config, deployment_last_updated)
        VALUES ('${ids.agent}', '${ids.workspace}', 'u', 'Ada', 'outbound', '{}', now());
        INSERT INTO conversations (
          id, workspace_id, agent_id, user_id, call_type, direction, channel, to_number, from_number, request,
          agent_version, agent_snapshot, hold, expires_at, last_publish_at, status, ended_at, disconnect_reason)
        VALUES ('${ids.ended}', '${ids.workspace}', '${ids.agent}', 'u', 'phonecall', 'outbound', 'voice', '', '', '{}',
                1, '{}', 1, now(), now(), 'failed', now(), 'dispatch_expired'),
               ('${ids.queued}', '${ids.workspace}', '${ids.agent}', 'u', 'webcall', 'inbound', 'voice', '', '', '{}',
                1, '{}', 1, now(), now(), 'queued', NULL, NULL);
        INSERT INTO campaigns (id, workspace_id, agent_id, user_id, name, schedule_time, recipient_count)
        VALUES ('${ids.campaign}', '${ids.workspace}', '${ids.agent}', 'u', 'Autumn', now(), 1);
        INSERT INTO phone_numbers (id, workspace_id, number, agent_id, type)
        VALUES ('${ids.number}', '${ids.workspace}', '+15550000001', '${ids.agent}', 'outbound'),
               ('${ids.orphan}', '${ids.workspace}', '+15550000002', '${ids.gone}', 'outbound');
        INSERT INTO knowledge_bases (id, workspace_id, name, type)
        VALUES ('${ids.knowledgeBase}', '${ids.workspace}', 'Handbook', 'link');
        INSERT INTO knowledge_base_assignments (agent_id, knowledge_base_id, position)
        VALUES ('${ids.agent}', '${ids.knowledgeBase}', 0), ('${ids.gone}', '${ids.knowledgeBase}', 0)`);

      await migrate({ DATABASE_URL: database.url });

      expect(await dataSource.query('SELECT id FROM conversations ORDER BY id')).toEqual([
        { id: ids.ended },
        { id: ids.queued },
      ]);
      expect(await dataSource.query('SELECT id FROM campaigns')).toEqual([{ id: ids.campaign }]);
      expect(await dataSource.query('SELECT id, agent_id, type FROM phone_numbers ORDER BY id')).toEqual([
        { id: ids.number, agent_id: ids.agent, type: 'outbound' },
        { id: ids.orphan, agent_id: null, type: 'inbound' },
      ]);
      expect(await dataSource.query('SELECT agent_id FROM knowledge_base_assignments')).toEqual([
        { agent_id: ids.agent },
      ]);
    }));

  test('count the bytes of the text in existing knowledge bases', () =>
    withDataSource(async (dataSource) => {
      await migrateUntil(dataSource, 'QuotaUsage');
      const [indexed, waiting, failed] = [idOf(1), idOf(2), idOf(3)];
      await dataSource.query(`
        INSERT INTO workspaces (id, name) VALUES ('${ids.workspace}', 'Acme');
        INSERT INTO knowledge_bases (id, workspace_id, name, type)
        VALUES ('${ids.knowledgeBase}', '${ids.workspace}', 'Handbook', 'link');
        INSERT INTO knowledge_base_sources (
          id, workspace_id, knowledge_base_id, position, type, name, status, reason, text)
        VALUES ('${indexed}', '${ids.workspace}', '${ids.knowledgeBase}', 0, 'link', 'a', 'completed', NULL, NULL),
               ('${waiting}', '${ids.workspace}', '${ids.knowledgeBase}', 1, 'link', 'b', 'pending', NULL, 'Köln'),
               ('${failed}', '${ids.workspace}', '${ids.knowledgeBase}', 2, 'link', 'c', 'failed', 'gone', NULL);
        INSERT INTO knowledge_base_passages (source_id, knowledge_base_id, position, text, search)
        VALUES ('${indexed}', '${ids.knowledgeBase}', 0, 'Grüße', ''), ('${indexed}', '${ids.knowledgeBase}', 1, 'x', '')`);

      await migrate({ DATABASE_URL: database.url });

      expect(
        await dataSource.query('SELECT bytes::int FROM knowledge_base_sources ORDER BY position'),
      ).toEqual([{ bytes: 8 }, { bytes: 5 }, { bytes: 0 }]);
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
