import { randomUUID } from 'node:crypto';
import { createAgent } from '../support/agents';
import type { ApiClient } from '../support/client';
import { countMade, endLeases, sendKeyed, withKey } from '../support/keyed-requests';
import { ledgerOf } from '../support/ledger';
import { JWT_SECRET, TestParley, type TestWorkspace } from '../support/parley';
import { rabbitmqAvailable, rabbitmqUrl } from '../support/rabbitmq';
import { ServerProcess } from '../support/server-process';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';

/** A server that starts a call is cut off from its broker, so that the call is accepted and not yet answered. */
(rabbitmqAvailable ? describe : describe.skip)('A call whose answer was lost', () => {
  let parley: TestParley;
  let proxy: TcpProxy;
  let workspace: TestWorkspace;
  let agentId: string;
  let key: string;

  beforeAll(async () => {
    parley = await TestParley.start({ RABBITMQ_URL: rabbitmqUrl ?? '' });
  });
  beforeEach(async () => {
    proxy = await TcpProxy.to(rabbitmqUrl ?? '');
    workspace = await parley.workspace({ credits: 5 });
    agentId = await createAgent(workspace);
    key = randomUUID();
  });
  afterEach(() => proxy.cut());
  afterAll(() => parley.stop());

  const settings = () => ({
    DATABASE_URL: parley.database.url,
    RABBITMQ_URL: proxy.url,
    BROKER_PREFIX: parley.topology.calls.replace(/\.calls$/, ''),
    ROLES: 'http',
    JWT_SECRET,
    LOG_LEVEL: 'silent',
    PUBLISH_TIMEOUT_MS: '60000',
  });

  const start = (api: ApiClient) =>
    sendKeyed(
      api.with({ 'x-api-key': workspace.apiKey, 'idempotency-key': key }),
      'starting a call',
      agentId,
    );

  const retry = () => sendKeyed(withKey(parley, workspace, key), 'starting a call', agentId);

  const accepted = () =>
    until(async () => {
      const [call] = await parley.sql<{ id: string }>(
        'SELECT id FROM conversations WHERE workspace_id = $1',
        [workspace.workspaceId],
      );
      return call?.id;
    });

  const heldOnce = async () => {
    expect(await countMade(parley, 'starting a call', workspace)).toBe(1);
    expect(await ledgerOf(parley, workspace.workspaceId)).toEqual({ credits: 4, entries: ['hold -1'] });
  };

  test('because the server was killed is found by the retry, once the lease has run out', async () => {
    const server = await ServerProcess.start(settings());
    await until(async () => (await server.api.get('/health/ready')).status === 200);
    proxy.freeze();
    const lost = start(server.api).catch(() => 'no answer');
    const id = await accepted();
    await server.kill();
    expect(await lost).toBe('no answer');

    expect((await retry()).status).toBe(409);
    await endLeases(parley, workspace);
    expect(await retry()).toMatchObject({ status: 200, body: { data: { conversation_id: id } } });
    await heldOnce();
  });

  test('is not taken back any more when a retry has been told of it', async () => {
    const slow = await TestParley.start(settings(), parley.database);
    await until(async () => (await slow.api.get('/health/ready')).status === 200);
    proxy.freeze();
    const first = start(slow.api);
    const id = await accepted();
    await endLeases(parley, workspace);

    const told = await retry();

    expect(told).toMatchObject({ status: 200, body: { data: { conversation_id: id } } });
    await proxy.cut();
    expect(await first).toMatchObject({ status: 200, body: told.body as object });
    await heldOnce();
    await proxy.restore();
    await slow.stop({ keepDatabase: true });
  });
});
