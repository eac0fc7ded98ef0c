import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { createDatabase, type TestDatabase } from '../support/database';
import { connectTo, migrateUntil } from '../support/migrations';
import { OperatorProcess } from '../support/operator-process';
import { JWT_SECRET } from '../support/parley';
import { ServerProcess } from '../support/server-process';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';

const TABLES = `SELECT count(*)::int AS tables FROM pg_class WHERE relkind = 'r'`;

async function findFreePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

describe('With MIGRATE=false', () => {
  let database: TestDatabase;
  let operator: OperatorProcess;
  let settings: Record<string, string>;

  beforeEach(async () => {
    database = await createDatabase({ empty: true });
    settings = { DATABASE_URL: database.url, JWT_SECRET, MIGRATE: 'false', LOG_LEVEL: 'warn' };
    operator = new OperatorProcess(settings);
  });
  afterEach(async () => {
    await operator.finish();
    await database.drop();
  });

  test('a server on a database that is behind is alive, is not ready, and changes nothing until it is migrated', async () => {
    const dataSource = await connectTo(database.url);
    await migrateUntil(dataSource, 'Listening');
    const countTables = () => dataSource.query<{ tables: number }[]>(TABLES);
    const before = await countTables();
    const port = await findFreePort();
    const proxy = await TcpProxy.to(database.url);
    const starting = ServerProcess.start({ ...settings, DATABASE_URL: proxy.url, PORT: port });
    const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    await until(() =>
      get('/health/live').then(
        ({ status }) => status === 200,
        () => false,
      ),
    );

    // A probe of TCP, or a proxy in advance, connects and sends nothing.
    const silent = connect(Number(port), '127.0.0.1');
    await once(silent, 'connect');
    const ready = await get('/health/ready');
    expect([ready.status, await ready.json()]).toEqual([
      503,
      {
        status: 503,
        message: 'Not ready',
        error_code: 'NOT_READY',
        details: 'The database is behind this release. Run operator -- migrate.',
      },
    ]);
    expect((await get('/api/agents')).status).toBe(503);
    proxy.cutOnce('to_regclass', 'request');
    await until(() => !proxy.awaitsCut);
    expect((await get('/health/live')).status).toBe(200);
    expect(await countTables()).toEqual(before);
    await dataSource.destroy();

    const { pending } = (await operator.json('migrate', '--dry-run')) as { pending: object[] };
    expect(pending).toContainEqual({ name: 'Listening1795830000100', kind: 'expand' });
    expect(await operator.json('migrate')).toEqual({ applied: pending, pending: [] });
    const server = await starting;
    expect((await get('/health/ready')).status).toBe(200);
    expect(server.output).toContain(
      `The database is behind this release by ${pending.length} migrations. This server waits for operator -- migrate.`,
    );
    expect(server.output).toContain('The migrations of the database could not be read');
    expect(await server.stop()).toBe(0);
    await proxy.cut();
  });

  test('other commands of the operator refuse a database that is behind', async () => {
    const { code, stdout, stderr } = await operator.run(['workspace', 'create', '--name', 'A']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^The database is behind this release by \d+ migrations, and MIGRATE is false\. Run operator -- migrate first\.\n$/,
    );
  });

  test('a migration waits for a table that is in use, and lets the statements of others pass meanwhile', async () => {
    const dataSource = await connectTo(database.url);
    await migrateUntil(dataSource, 'Listening');
    const user = dataSource.createQueryRunner();
    await user.startTransaction();
    await user.query('LOCK TABLE conversations IN ACCESS SHARE MODE');
    const migrated = operator.json('migrate');
    const waits = `SELECT count(*)::int AS locks FROM pg_locks JOIN pg_class ON pg_class.oid = relation
                   WHERE relname = 'conversations' AND NOT granted`;
    const countWaits = async () => (await dataSource.query<{ locks: number }[]>(waits))[0]?.locks;
    await until(async () => (await countWaits()) === 1);
    // This statement waits behind the migration, whose own wait is short.
    await dataSource.query('SELECT count(*) FROM conversations');
    await user.commitTransaction();
    await user.release();
    await dataSource.destroy();
    expect(await migrated).toMatchObject({ pending: [] });
  });

  test('an index that is built on the jobs lets others add jobs meanwhile', async () => {
    await operator.json('migrate');
    const dataSource = await connectTo(database.url);
    await dataSource.query('DROP INDEX graphile_worker.failed_jobs');
    const user = dataSource.createQueryRunner();
    await user.startTransaction();
    await user.query('LOCK TABLE graphile_worker._private_jobs IN ROW EXCLUSIVE MODE');
    const migrated = operator.json('migrate');
    const builds = `SELECT count(*)::int AS builds FROM pg_stat_activity
                    WHERE datname = current_database() AND query LIKE '%CREATE INDEX%' AND wait_event_type = 'Lock'`;
    await until(async () => (await dataSource.query<{ builds: number }[]>(builds))[0]?.builds === 1);
    await dataSource.query('DELETE FROM graphile_worker._private_jobs WHERE false');
    await user.commitTransaction();
    await user.release();
    expect(await migrated).toEqual({ applied: [], pending: [] });
    const valid = `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'graphile_worker.failed_jobs'::regclass`;
    expect(await dataSource.query(valid)).toEqual([{ valid: true }]);
    await dataSource.destroy();
  });
});
