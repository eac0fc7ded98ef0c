import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { Balancer, PATIENT } from '../../support/balancer';
import { createAgent } from '../../support/agents';
import { ApiClient } from '../../support/client';
import { createDatabase, type TestDatabase } from '../../support/database';
import { countDeadlocks } from '../../support/deadlocks';
import { LastRelease } from '../../support/last-release';
import { OperatorProcess } from '../../support/operator-process';
import { JWT_SECRET } from '../../support/parley';
import { deleteTopology, rabbitmqUrl } from '../../support/rabbitmq';
import { ServerProcess } from '../../support/server-process';
import { until } from '../../support/until';

const COUNTS = `
  SELECT count(*)::int AS calls, count(*) FILTER (WHERE ended_at IS NOT NULL)::int AS ended FROM conversations`;

// Without the history of the repository, there is no last release.
const lastRelease = LastRelease.compile();
const withLastRelease = lastRelease ? describe : describe.skip;

withLastRelease('An upgrade from the last release', () => {
  const prefix = `test-${randomUUID()}`;
  const servers = new Map<string, ServerProcess>();
  let database: TestDatabase;
  let balancer: Balancer;
  let settings: Record<string, string>;

  beforeAll(async () => {
    database = await createDatabase({ empty: true });
    balancer = await Balancer.start(PATIENT);
    settings = {
      DATABASE_URL: database.url,
      RABBITMQ_URL: rabbitmqUrl ?? '',
      BROKER_PREFIX: prefix,
      ROLES: 'http,background,runtime',
      RUNTIME_OUTCOMES: 'busy=1',
      DEMO_WORKSPACE: 'false',
      JWT_SECRET,
      LOG_LEVEL: 'error',
      DRAIN_SECONDS: '5',
    };
  });
  afterAll(async () => {
    for (const server of servers.values()) await server.kill();
    await balancer.stop();
    await deleteTopology(prefix);
    await database.drop();
    lastRelease?.remove();
  });

  const older = () => lastRelease?.settings ?? {};

  async function add(name: string, release: Record<string, string>): Promise<void> {
    const server = await ServerProcess.start({ ...settings, ...release });
    servers.set(name, server);
    balancer.add(name, server.url);
    await until(() => balancer.isReady(name));
  }

  /** A server takes itself out of the proxy. */
  async function remove(name: string): Promise<void> {
    const server = servers.get(name);
    expect(await server?.stop()).toBe(0);
    balancer.remove(name);
    servers.delete(name);
    expect(server?.output).toBe('');
  }

  /** @returns a client with a session of the console */
  async function signIn(apiKey: string): Promise<ApiClient> {
    const headers = { 'x-api-key': apiKey, 'x-parley-session': '1', origin: balancer.url };
    const answer = await new ApiClient(balancer.url, headers).post('/api/session', {});
    expect(answer.status).toBe(201);
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    return new ApiClient(balancer.url, { cookie: cookies.join('; ') });
  }

  test('fails no request and loses no call, with both releases side by side, and neither does the way back', async () => {
    const operator = new OperatorProcess({ ...settings, ...older() });
    const { apiKey } = (await operator.json(
      'workspace',
      'create',
      '--name',
      'A',
      '--credits',
      '1000000',
    )) as {
      apiKey: string;
    };
    await operator.finish();
    await add('older 1', older());
    await add('older 2', older());
    const client = new ApiClient(balancer.url).with({ 'x-api-key': apiKey });
    const path = `/api/agents/${await createAgent({ api: client })}/calls`;
    const answers = new Map<number, number>();
    let started = 0;
    const record = ({ status }: { status: number }) => answers.set(status, (answers.get(status) ?? 0) + 1);
    const acceptMore = async () => {
      const before = started;
      await until(() => started > before + 20);
    };
    let isOver = false;
    const load = Array.from({ length: 3 }, async () => {
      while (!isOver) {
        record(await client.post(path, { to_number: '+15551234567' }));
        started++;
      }
    });
    const reader = await signIn(apiKey);
    const read = async () => {
      while (!isOver) record(await reader.get('/api/agents'));
    };
    load.push(read());
    await acceptMore();

    const newer = new OperatorProcess({ ...settings, MIGRATE: 'false' });
    const { pending } = (await newer.json('migrate', '--dry-run')) as { pending: { kind: string }[] };
    expect(pending.filter(({ kind }) => kind !== 'expand')).toEqual([]);
    await newer.json('migrate');
    expect(await newer.json('migrate', '--dry-run')).toEqual({ pending: [] });
    await acceptMore();

    await add('newer 1', { MIGRATE: 'false' });
    await acceptMore();
    await remove('older 1');
    await add('newer 2', { MIGRATE: 'false' });
    await remove('older 2');
    await acceptMore();

    await add('older 3', older());
    await remove('newer 1');
    await acceptMore();
    await remove('newer 2');
    await acceptMore();

    isOver = true;
    await Promise.all(load);
    expect([...answers.keys()]).toEqual([200]);
    const pool = new Pool({ connectionString: database.url, max: 1 });
    const counts = async () => (await pool.query<{ calls: number; ended: number }>(COUNTS)).rows[0];
    await until(async () => (await counts())?.ended === started);
    expect(await counts()).toEqual({ calls: started, ended: started });
    expect((await newer.json('verify')) as object).toMatchObject({ violations: [] });
    await newer.finish();
    await remove('older 3');
    expect(await countDeadlocks(pool)).toBe(0);
    await pool.end();
  });
});
