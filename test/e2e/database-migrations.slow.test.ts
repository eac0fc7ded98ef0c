import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DataSource, type Migration, MigrationExecutor, type MigrationInterface } from 'typeorm';
import { readSchema, SCHEMA_FILE, readSchemaFrom } from '../../scripts/schema';
import { migrate } from '../../src/platform/database/migrate';
import { createDatabase, type TestDatabase } from '../support/database';
import { findLastRelease, listFiles } from '../support/last-release';
import {
  connectTo,
  findTables,
  migrateUntil,
  type MigrationTransaction,
  observeMigration,
} from '../support/migrations';

const createId = (last: number) => `01890000-0000-7000-8000-${String(last).padStart(12, '0')}`;
const ids = {
  workspace: createId(1),
  agent: createId(2),
  gone: createId(3),
  ended: createId(4),
  queued: createId(5),
  campaign: createId(6),
  number: createId(7),
  orphan: createId(8),
  knowledgeBase: createId(9),
};

const getName = (migration: MigrationInterface) => migration.name ?? migration.constructor.name;

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

      const isHarmful = ({ locked, checked }: MigrationTransaction) =>
        locked.length > 1 || checked.length > 0;
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

  test('create the schema of src/platform/database/schema.sql (npm run docs:schema regenerates it)', async () => {
    await migrate({ DATABASE_URL: database.url });

    expect(await readSchemaFrom(database.url)).toBe(readFileSync(SCHEMA_FILE, 'utf8'));
  });

  test('run once when twenty servers start on an empty database at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => migrate({ DATABASE_URL: database.url })));

    await withDataSource(async (dataSource) => {
      const executed = await new MigrationExecutor(dataSource).getExecutedMigrations();
      expect(executed.map(({ name }) => name).sort()).toEqual(dataSource.migrations.map(getName).sort());
    });
  });

  test('add the sums of long outcomes to those of their first 100 characters', () =>
    withDataSource(async (dataSource) => {
      await migrateUntil(dataSource, 'CountedOutcomes');
      const beginning = 'é'.repeat(100);
      const idOfValue = (value: string) =>
        `encode(substring(sha256(convert_to('${ids.workspace}outcome:${value}', 'UTF8')) FROM 1 FOR 16), 'hex')::uuid`;
      await dataSource.query(`
        INSERT INTO workspaces (id, name) VALUES ('${ids.workspace}', 'Acme');
        INSERT INTO call_rollup_states (workspace_id) VALUES ('${ids.workspace}')`);
      for (const value of ['short', `${beginning}1`, `${beginning}2`, beginning]) {
        await dataSource.query(`
          INSERT INTO call_values (id, workspace_id, dimension, value)
          VALUES (${idOfValue(value)}, '${ids.workspace}', 'outcome', '${value}');
          INSERT INTO call_value_rollups (value_id, starts_at, connected, failed, seconds, credits)
          VALUES (${idOfValue(value)}, '2026-03-01', 1, 2, 60, 3);
          INSERT INTO call_value_corrections (value_id, starts_at, connected, failed, seconds, credits)
          VALUES (${idOfValue(value)}, '2026-03-01', -1, 1, 30, 0)`);
      }

      await dataSource.runMigrations();

      const sumsIn = (table: string) =>
        dataSource.query(
          `SELECT value, connected, failed, seconds::int, credits::int FROM call_values JOIN ${table} ON value_id = id
           WHERE id = ${idOfValue(beginning)} OR value = 'short' ORDER BY connected DESC, failed DESC`,
        );
      expect(await dataSource.query('SELECT value FROM call_values ORDER BY length(value)')).toEqual([
        { value: 'short' },
        { value: beginning },
      ]);
      expect(await sumsIn('call_value_rollups')).toEqual([
        { value: beginning, connected: 3, failed: 6, seconds: 180, credits: 9 },
        { value: 'short', connected: 1, failed: 2, seconds: 60, credits: 3 },
      ]);
      expect(await sumsIn('call_value_corrections')).toEqual([
        { value: 'short', connected: -1, failed: 1, seconds: 30, credits: 0 },
        { value: beginning, connected: -3, failed: 3, seconds: 90, credits: 0 },
      ]);
    }));

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

  test('count voicemails apart, and the outcomes of those who will be called again, in existing campaigns', () =>
    withDataSource(async (dataSource) => {
      await migrateUntil(dataSource, 'ContactResults');
      const recipients: [status: string, callStatus: string, reason: string, outcome: string][] = [
        ['disconnected', 'disconnected', 'user_hangup', 'booked'],
        ['disconnected', 'disconnected', 'voicemail_reached', 'left_message'],
        ['disconnected', 'disconnected', 'inactivity', ''],
        ['failed', 'failed', 'voicemail_reached', ''],
        ['retrying', 'failed', 'dial_busy', ''],
        ['retrying', 'failed', 'dial_busy', ''],
        ['retrying', 'disconnected', 'voicemail_reached', 'left_message'],
      ];
      await dataSource.query(`
        INSERT INTO workspaces (id, name) VALUES ('${ids.workspace}', 'Acme');
        INSERT INTO agents (id, workspace_id, user_id, name, type, config, deployment_last_updated)
        VALUES ('${ids.agent}', '${ids.workspace}', 'u', 'Ada', 'outbound', '{}', now());
        INSERT INTO agent_versions (agent_id, version, workspace_id, snapshot)
        VALUES ('${ids.agent}', 1, '${ids.workspace}', '{}');
        INSERT INTO campaigns (id, workspace_id, agent_id, user_id, name, schedule_time, recipient_count,
                               count_disconnected, count_failed, count_retrying)
        VALUES ('${ids.campaign}', '${ids.workspace}', '${ids.agent}', 'u', 'Autumn', now(), 7, 3, 1, 3)`);
      for (const [index, [status, callStatus, reason, outcome]] of recipients.entries()) {
        await dataSource.query(`
          INSERT INTO conversations (
            id, workspace_id, agent_id, user_id, campaign_id, call_type, direction, channel, to_number, from_number,
            request, agent_version, hold, expires_at, last_publish_at, status, ended_at, disconnect_reason, outcome)
          VALUES ('${createId(20 + index)}', '${ids.workspace}', '${ids.agent}', 'u', '${ids.campaign}', 'phonecall',
                  'outbound', 'voice', '', '', '{}', 1, 1, now(), now(), '${callStatus}', now(), '${reason}', '${outcome}');
          INSERT INTO campaign_recipients (campaign_id, phone_number, row_number, customer_name, dynamic_variables,
                                           status, attempts, conversation_id)
          VALUES ('${ids.campaign}', '+1555000000${index}', ${index}, '', '{}', '${status}', 1, '${createId(20 + index)}')`);
      }

      await migrate({ DATABASE_URL: database.url });

      expect(
        await dataSource.query('SELECT count_voicemail, count_inactivity, retrying_outcomes FROM campaigns'),
      ).toEqual([
        { count_voicemail: 1, count_inactivity: 1, retrying_outcomes: { dial_busy: 2, left_message: 1 } },
      ]);
    }));

  test('keep the sessions of links, which can issue tokens', () =>
    withDataSource(async (dataSource) => {
      await migrateUntil(dataSource, 'TokensOfLinks');
      const [ofLink, ofToken] = [createId(1), createId(2)];
      await dataSource.query(`
        INSERT INTO workspaces (id, name) VALUES ('${ids.workspace}', 'Acme');
        INSERT INTO sessions (id, workspace_id, hash, credential_kind, user_id, name, expires_at)
        VALUES ('${ofLink}', '${ids.workspace}', 'a', 'link', 'u', 'Ada', now() + interval '1 day'),
               ('${ofToken}', '${ids.workspace}', 'b', 'token', 'u', NULL, now() + interval '1 day')`);

      await migrate({ DATABASE_URL: database.url });

      expect(await dataSource.query('SELECT id, link_id FROM sessions ORDER BY id')).toEqual([
        { id: ofLink, link_id: ofLink },
        { id: ofToken, link_id: null },
      ]);
      expect(
        await dataSource.query(
          `SELECT id, workspace_id, name, expires_at <= now() AS expired, used_at = expires_at AS used, revoked_at
           FROM console_links`,
        ),
      ).toEqual([
        {
          ...{ id: ofLink, workspace_id: ids.workspace, name: 'Ada' },
          ...{ expired: true, used: true, revoked_at: null },
        },
      ]);
    }));

  test('put the recipients that a search reads into the order of their numbers', () =>
    withDataSource(async (dataSource) => {
      await migrateUntil(dataSource, 'OrderedRecipientSearch');
      const older = createId(10);
      await dataSource.query(`
        INSERT INTO workspaces (id, name) VALUES ('${ids.workspace}', 'Acme');
        INSERT INTO agents (id, workspace_id, user_id, name, type, config, deployment_last_updated)
        VALUES ('${ids.agent}', '${ids.workspace}', 'u', 'Ada', 'outbound', '{}', now());
        INSERT INTO campaigns (id, workspace_id, agent_id, user_id, name, schedule_time, recipient_count, count_pending)
        VALUES ('${ids.campaign}', '${ids.workspace}', '${ids.agent}', 'u', 'Autumn', now(), 140, 140),
               ('${older}', '${ids.workspace}', '${ids.agent}', 'u', 'Spring', now(), 140, 140);
        INSERT INTO campaign_recipients (campaign_id, phone_number, row_number, customer_name, dynamic_variables)
        SELECT id, CASE place WHEN 0 THEN '#2' ELSE '+' || 4930200640 - place END, place + 2,
               CASE place WHEN 1 THEN '' WHEN 2 THEN 'Johann JOHNSON' WHEN 139 THEN 'Room 1' ELSE 'Ada' END, '{}'
        FROM campaigns CROSS JOIN generate_series(0, 139) AS place;
        INSERT INTO recipient_search_blocks (campaign_id, block, numbers, names)
        VALUES ('${ids.campaign}', 0, 'anything', 'anything')`);

      await migrate({ DATABASE_URL: database.url });

      const blocks = await dataSource.query(`
        SELECT campaign_id, block, string_to_array(numbers, chr(30)) AS numbers, string_to_array(names, chr(30)) AS names,
               irregular
        FROM recipient_search_blocks ORDER BY block`);
      const numbers = Array.from({ length: 139 }, (_, index) => `+${4930200501 + index}`);
      const names = ['room 1', ...Array<string>(136).fill('ada'), 'johann johnson', ''];
      const [first, second] = [`${numbers[0]}\x1droom 1`, `${numbers[137]}\x1djohann johnson`];
      expect(blocks).toEqual(
        [first, second].map((irregular, block) => ({
          campaign_id: ids.campaign,
          block,
          numbers: numbers.slice(block * 128, (block + 1) * 128),
          names: names.slice(block * 128, (block + 1) * 128),
          irregular,
        })),
      );
    }));

  test('count the bytes of the text in existing knowledge bases', () =>
    withDataSource(async (dataSource) => {
      await migrateUntil(dataSource, 'QuotaUsage');
      const [indexed, waiting, failed] = [createId(1), createId(2), createId(3)];
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
