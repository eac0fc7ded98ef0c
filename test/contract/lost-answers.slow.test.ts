import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FileCleaner } from '../../src/features/knowledge-base/file-cleaner';
import { createAgent } from '../support/agents';
import type { Answer, ApiClient } from '../support/client';
import { createDatabase } from '../support/database';
import {
  countCreated,
  expireLeases,
  IDEMPOTENT_ROUTE_NAMES,
  type IdempotentRouteName,
  sendIdempotent,
  withKey,
} from '../support/keyed-requests';
import { readLedger } from '../support/ledger';
import { JWT_SECRET, TestParley, type TestWorkspace } from '../support/parley';
import { rabbitmqAvailable, rabbitmqUrl } from '../support/rabbitmq';
import { ServerProcess } from '../support/server-process';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';

/** The server loses its broker while it starts a call, so that the call is accepted but not answered. */
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
    sendIdempotent(
      api.with({ 'x-api-key': workspace.apiKey, 'idempotency-key': key }),
      'starting a call',
      agentId,
    );

  const retry = () => sendIdempotent(withKey(parley, workspace, key), 'starting a call', agentId);

  const accepted = () =>
    until(async () => {
      const [call] = await parley.sql<{ id: string }>(
        'SELECT id FROM conversations WHERE workspace_id = $1',
        [workspace.workspaceId],
      );
      return call?.id;
    });

  const expectOneHold = async () => {
    expect(await countCreated(parley, 'starting a call', workspace)).toBe(1);
    expect(await readLedger(parley, workspace.workspaceId)).toEqual({ credits: 4, entries: ['hold -1'] });
  };

  test('because the server was killed is found by a retry after the lease has expired', async () => {
    const server = await ServerProcess.start(settings());
    await until(async () => (await server.api.get('/health/ready')).status === 200);
    proxy.freeze();
    const lost = start(server.api).catch(() => 'no answer');
    const id = await accepted();
    await server.kill();
    expect(await lost).toBe('no answer');

    expect((await retry()).status).toBe(409);
    await expireLeases(parley, workspace);
    expect(await retry()).toMatchObject({ status: 200, body: { data: { conversation_id: id } } });
    await expectOneHold();
  });

  test('is not cancelled after a retry was answered with it', async () => {
    const slow = await TestParley.start(settings(), parley.database);
    await until(async () => (await slow.api.get('/health/ready')).status === 200);
    proxy.freeze();
    const first = start(slow.api);
    const id = await accepted();
    await expireLeases(parley, workspace);

    const retried = await retry();

    expect(retried).toMatchObject({ status: 200, body: { data: { conversation_id: id } } });
    await proxy.cut();
    expect(await first).toMatchObject({ status: 200, body: retried.body as object });
    await expectOneHold();
    await proxy.restore();
    await slow.stop({ keepDatabase: true });
  });
});

/** The server loses its database connection during a commit. */
describe('A request with an Idempotency-Key whose commit was not confirmed', () => {
  let parley: TestParley;
  let proxy: TcpProxy;
  let workspace: TestWorkspace;
  let agentId: string;
  let key: string;

  beforeAll(async () => {
    const database = await createDatabase();
    proxy = await TcpProxy.to(database.url);
    parley = await TestParley.start({ DATABASE_URL: proxy.url, ROLES: 'http' }, database);
  });
  beforeEach(async () => {
    workspace = await parley.workspace();
    agentId = await createAgent(workspace);
    key = randomUUID();
  });
  afterAll(async () => {
    await parley.stop();
    await proxy.cut();
  });

  const send = (name: IdempotentRouteName) => sendIdempotent(withKey(parley, workspace, key), name, agentId);

  const cutAtCommit = (name: IdempotentRouteName, at: 'request' | 'answer') =>
    proxy.cutOnce(name === 'starting a call' ? 'accept-unlocked-calls' : 'COMMIT\0', at);

  const countOwn = (name: IdempotentRouteName) => countCreated(parley, name, workspace);

  const storedFiles = () => readdir(join(parley.dataFolder, 'files'));

  const getOutcome = ({ status, body }: Answer) => {
    const { message, details, error } = body as {
      message: string;
      details?: string;
      error?: { details: string };
    };
    return { status, message, details: details ?? error?.details };
  };

  const outcomeUnknown = {
    status: 500,
    message: expect.stringMatching(/^The .+ may not have been (accepted|applied|created|started)$/) as string,
    details: expect.stringMatching(/ send the same request with the same Idempotency-Key again\./) as string,
  };

  test.each(IDEMPOTENT_ROUTE_NAMES)(
    'is answered with an unknown outcome, and a retry returns the stored response: %s',
    async (name) => {
      const before = await countOwn(name);
      cutAtCommit(name, 'answer');
      expect(getOutcome(await send(name))).toEqual(outcomeUnknown);
      expect(await countOwn(name)).toBe(before + 1);

      await expireLeases(parley, workspace);
      const retry = await send(name);

      expect(retry.status).toBeLessThan(300);
      expect(retry.headers.get('idempotent-replayed')).toBe('true');
      expect(await countOwn(name)).toBe(before + 1);
    },
  );

  test.each(IDEMPOTENT_ROUTE_NAMES)('is executed by a retry if it was not committed: %s', async (name) => {
    const before = await countOwn(name);
    cutAtCommit(name, 'request');
    expect(getOutcome(await send(name))).toEqual(outcomeUnknown);
    expect(await countOwn(name)).toBe(before);

    const retry = await send(name);

    expect(retry.status).toBeLessThan(300);
    expect(retry.headers.has('idempotent-replayed')).toBe(false);
    expect(await countOwn(name)).toBe(before + 1);
  });

  test('keeps the uploaded file, which is removed later if it is unreferenced', async () => {
    const clean = () => parley.app.get(FileCleaner, { strict: false }).clean(0);
    await clean();
    const before = await storedFiles();

    cutAtCommit('creating a knowledge base', 'answer');
    await send('creating a knowledge base');
    await clean();
    const [source] = await parley.sql<{ key: string }>(
      'SELECT file_key AS key FROM knowledge_base_sources WHERE workspace_id = $1',
      [workspace.workspaceId],
    );
    const expected = [...before, source?.key].sort();
    expect((await storedFiles()).sort()).toEqual(expected);

    const other = await parley.workspace();
    cutAtCommit('creating a knowledge base', 'request');
    await sendIdempotent(withKey(parley, other, key), 'creating a knowledge base', agentId);
    expect(await storedFiles()).toHaveLength(expected.length + 1);
    await clean();
    expect((await storedFiles()).sort()).toEqual(expected);
  });
});
