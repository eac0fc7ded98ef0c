import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { Demo } from '../../src/tools/operator/demo';
import { outcome, refused, succeeded } from '../support/answers';
import { createDatabase } from '../support/database';
import { JWT_SECRET, TestParley, type TestWorkspace, useOwnParley } from '../support/parley';
import { deleteTopology, rabbitmqUrl } from '../support/rabbitmq';
import { ServerProcess } from '../support/server-process';
import { TcpProxy } from '../support/tcp-proxy';
import { inSeconds, createToken } from '../support/tokens';
import { until } from '../support/until';

const parley = useOwnParley();
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await parley.workspace();
});

const broker = { kind: globalThis.BROKER, state: 'up' };

describe('The health probes', () => {
  test('need no credential and report liveness, readiness and the broker', async () => {
    expect(await outcome(parley.api.get('/health/live'))).toEqual({
      status: 200,
      body: { status: 200, message: 'Live' },
    });
    expect(await outcome(parley.api.get('/health/ready'))).toEqual(
      succeeded('Ready', { database: { state: 'up' }, broker }),
    );
  });
});

describe('The log', () => {
  test('has every request and failure, but no credential and no content of a body', async () => {
    const database = await createDatabase();
    const databaseUrl = new URL(database.url);
    databaseUrl.password ||= 'password-of-the-database';
    const databaseProxy = await TcpProxy.to(databaseUrl.href);
    const brokerProxy = globalThis.BROKER === 'rabbitmq' ? await TcpProxy.to(rabbitmqUrl ?? '') : undefined;
    const prefix = `test-${randomUUID()}`;
    const server = await ServerProcess.start({
      DATABASE_URL: databaseProxy.url,
      RABBITMQ_URL: brokerProxy?.url ?? '',
      BROKER_PREFIX: prefix,
      PUBLISH_TIMEOUT_MS: '100',
      JWT_SECRET,
      LOG_LEVEL: 'trace',
    });
    const { apiKey, workspaceId } = server.demo as Demo;
    const owner = server.api.with({ 'x-api-key': apiKey });
    const createdKey = (await owner.post('/api/auth/api-keys', {})).body.data.apiKey as string;
    const unknownKey = `parley_${'u'.repeat(43)}`;
    const issuedToken = (await owner.post('/api/auth/tokens', {})).body.data.token as string;
    const owned = { ...workspace, workspaceId };
    const expiredToken = createToken(owned, { exp: inSeconds(-60) });
    const forgedToken = createToken(owned, {}, 'another secret of thirty-two bytes');
    const agentId = (await owner.post('/api/agents', { type: 'outbound' })).body.data._id as string;
    const call = { to_number: '+15551234567', webhook_url: 'https://example.com/?key=key-of-the-hook' };
    const clients = [
      ...[apiKey, createdKey, unknownKey].map((value) => server.api.with({ 'x-api-key': value })),
      ...[issuedToken, expiredToken, forgedToken].map((value) =>
        server.api.with({ authorization: `Bearer ${value}` }),
      ),
      server.api.with({ cookie: `key=${apiKey}`, authorization: `Basic ${apiKey}` }),
    ];
    const sendAll = (path: string, body?: object) =>
      Promise.all(clients.map((client) => client.send(body ? 'POST' : 'GET', path, body)));

    await sendAll('/api/agents');
    await sendAll('/api/agents?unknown=1');
    await sendAll('/nothing');
    await sendAll('/api/agents/%ff');
    // The query is the wrong place for a key, but some clients use it.
    await sendAll(`/api/agents?api_key=${apiKey}&token=${issuedToken}`);
    await sendAll('/api/auth/api-keys', { scope: 'wrong' });
    await sendAll(`/api/agents/${agentId}/calls`, call);
    const refusing = new Client(database.url);
    await refusing.connect();
    await refusing.query('ALTER TABLE agents ADD CONSTRAINT no_agent CHECK (false) NOT VALID');
    const refusedAgent = await owner.post('/api/agents', { type: 'chat', prompt: 'prompt of a client' });
    await refusing.query('ALTER TABLE conversations ADD CONSTRAINT no_call CHECK (false) NOT VALID');
    const refusedCall = await owner.post(`/api/agents/${agentId}/calls`, call);
    await refusing.query('ALTER TABLE conversations DROP CONSTRAINT no_call');
    await refusing.end();
    await brokerProxy?.cut();
    await sendAll(`/api/agents/${agentId}/calls`, call);
    await databaseProxy.cut();
    await sendAll('/health/ready');
    const failed = await sendAll('/api/workspace');
    // The first failure may be that of an open connection.
    await until(async () => {
      await owner.get('/api/workspace');
      return server.output.includes('ECONNREFUSED');
    });
    await server.kill();
    await database.drop();
    if (brokerProxy) await deleteTopology(prefix);

    expect([refusedAgent, refusedCall].map(({ status }) => status)).toEqual([500, 500]);
    for (const constraint of ['no_agent', 'no_call']) expect(server.output).toContain(`"${constraint}"`);
    expect(failed.map(({ status }) => status)).toContain(503);
    const lines = server.output.trim().split('\n');
    const routes = lines.map((line) => (JSON.parse(line) as { req?: { route: string | null } }).req?.route);
    expect(routes.filter((route) => route === '/api/agents').length).toBeGreaterThanOrEqual(clients.length);
    expect(routes.filter((route) => route === '/api/agents/:agent_id')).toHaveLength(clients.length);
    expect(routes.filter((route) => route === null)).toHaveLength(clients.length);
    const secrets = {
      ...{ JWT_SECRET, apiKey, createdKey, unknownKey, issuedToken, expiredToken, forgedToken },
      DATABASE_URL: databaseUrl.password,
      RABBITMQ_URL:
        new URL(brokerProxy?.url ?? 'amqp://parley:password-of-the-broker@localhost').password + '@',
      webhook: 'key-of-the-hook',
      prompt: 'prompt of a client',
      number: call.to_number,
    };
    for (const [name, secret] of Object.entries(secrets)) {
      expect({ name, isLogged: server.output.includes(secret) }).toEqual({ name, isLogged: false });
    }
  });
});

// This test is the last one, because Passport has one set of strategies for each process, that of the newest
// server.
describe('A server that loses its database or broker', () => {
  const notReady = (data: object) => refused(503, 'Not ready', { error_code: 'NOT_READY', data });
  let server: TestParley;
  let proxy: TcpProxy;
  let api: TestWorkspace['api'];

  beforeEach(async () => {
    const database = await createDatabase();
    proxy = await TcpProxy.to(database.url);
    server = await TestParley.start({ DATABASE_URL: proxy.url, DATABASE_POOL_SIZE: '2' }, database);
    ({ api } = await server.workspace());
  });
  afterEach(async () => {
    await server.stop();
    await proxy.cut();
  });

  const ready = () => outcome(server.api.get('/health/ready'));

  test('is not ready while the database is unreachable, and becomes ready again without a restart', async () => {
    const inProgress = Array.from({ length: 20 }, () => api.post('/api/agents', { type: 'chat' }));
    await proxy.cut();

    for (const { status, body } of await Promise.all(inProgress)) {
      expect([200, 500, 503]).toContain(status);
      expect(body).toMatchObject({
        status,
        ...(status === 500 && { error_code: 'OUTCOME_UNKNOWN' }),
        ...(status === 503 && { error_code: 'DATABASE_UNAVAILABLE' }),
      });
    }
    expect(await ready()).toEqual(notReady({ database: { state: 'down' }, broker }));
    expect((await server.api.get('/health/live')).status).toBe(200);
    for (const answer of [await api.get('/api/agents'), await api.post('/api/agents', { type: 'chat' })]) {
      expect(await outcome(Promise.resolve(answer))).toEqual(
        refused(503, 'The database cannot be reached', {
          error_code: 'DATABASE_UNAVAILABLE',
          error: { details: 'Nothing was changed. Send the request again later.' },
        }),
      );
      expect(answer.headers.get('retry-after')).toBe('5');
    }

    await proxy.restore();
    await until(async () => (await ready()).status === 200);
    expect((await api.get('/api/agents')).status).toBe(200);
  });

  test('is not ready when the database does not answer within seconds', async () => {
    const other = new Client(server.database.url);
    await other.connect();
    await other.query('SELECT pg_advisory_lock(1)');
    // All connections of the server wait for the lock of the other one.
    const busy = Promise.all([1, 2].map(() => server.sqlOfServer('SELECT pg_advisory_xact_lock(1)')));

    expect(await ready()).toEqual(notReady({ database: { state: 'down' }, broker }));

    await other.end();
    await busy;
    expect((await ready()).status).toBe(200);
  });

  test('is not ready without its broker, but serves requests that do not need it', async () => {
    await server.broker.close();

    expect(await ready()).toEqual(
      notReady({ database: { state: 'up' }, broker: { ...broker, state: 'down' } }),
    );
    expect((await api.get('/api/agents')).status).toBe(200);
  });
});
