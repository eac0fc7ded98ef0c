import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { migrate } from '../../src/platform/database/migrate';
import { primaryClient } from '../../src/platform/database/primary-client';
import { createAgent } from '../support/agents';
import { databaseUrl } from '../support/database';
import { TestParley } from '../support/parley';
import { ReplicatedPostgres } from '../support/replicated-postgres';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';

describe('A server whose DATABASE_URL has a primary and its standby', () => {
  let folder: string;
  let postgres: ReplicatedPostgres;
  let parley: TestParley;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-failover-'));
    postgres = await ReplicatedPostgres.start(folder);
    await migrate({ DATABASE_URL: postgres.url });
    parley = await TestParley.start({ DATABASE_URL: postgres.url });
  });
  afterEach(async () => {
    await parley.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true });
  });

  test.each([
    { what: 'is killed', fail: () => postgres.kill() },
    { what: 'answers no more', fail: () => Promise.resolve(postgres.freeze()) },
  ])('goes on with the promoted standby after the primary $what', async ({ fail }) => {
    const workspace = await parley.workspace();
    const before = await createAgent(workspace, { name: 'Before' });
    await postgres.followed();

    await fail();
    const refused = await workspace.api.post('/api/agents', { type: 'outbound', name: 'Meanwhile' });
    expect([500, 503]).toContain(refused.status);
    expect(refused.body).toMatchObject({
      error_code: refused.status === 503 ? 'DATABASE_UNAVAILABLE' : 'OUTCOME_UNKNOWN',
    });
    await postgres.promote();

    await until(
      async () =>
        (await workspace.api.post('/api/agents', { type: 'outbound', name: 'After' })).status === 200,
    );
    expect((await workspace.api.get(`/api/agents/${before}`)).status).toBe(200);
    await until(async () => (await parley.api.get('/health/ready')).status === 200);
  });
});

test('A connection that breaks while its host is checked fails, and the next one is made', async () => {
  const url = databaseUrl('postgres');
  const proxy = await TcpProxy.to(url);
  const pool = new Pool({ Client: primaryClient([proxy.url, url]) });
  proxy.cutOnce('pg_is_in_recovery', 'request');

  await expect(pool.query('SELECT 1')).rejects.toThrow('Connection terminated unexpectedly');

  expect(proxy.awaitsCut).toBe(false);
  expect((await pool.query('SELECT 1')).rowCount).toBe(1);
  await pool.end();
  await proxy.cut();
});

test('A connection whose host falls silent while it is checked fails, and holds up neither the next one nor the end', async () => {
  const url = databaseUrl('postgres');
  const proxy = await TcpProxy.to(url);
  const pool = new Pool({ Client: primaryClient([proxy.url, url]), max: 1 });
  // A process that is too busy leaves the host, which ends the connections.
  pool.on('error', () => undefined);
  proxy.silenceOnce('pg_is_in_recovery');

  await expect(pool.query('SELECT 1')).rejects.toThrow('timeout');

  expect(proxy.awaitsCut).toBe(false);
  await until(() => pool.query('SELECT 1').catch(() => undefined));
  await pool.end();
  await proxy.cut();
});

test('A host that is silent once, as for a process that is too busy to read, keeps its connections', async () => {
  const url = databaseUrl('postgres');
  const proxy = await TcpProxy.to(url);
  const pool = new Pool({ Client: primaryClient([proxy.url, url]) });
  const client = await pool.connect();
  proxy.hold();

  await expect(pool.query('SELECT 1')).rejects.toThrow('timeout');
  await until(() => proxy.holds > 1);
  proxy.release();

  // The host was asked again, and has answered.
  await until(() => proxy.connections === 1);
  expect((await client.query('SELECT 1')).rowCount).toBe(1);
  client.release();
  await pool.end();
  await proxy.cut();
});
