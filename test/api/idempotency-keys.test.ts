import { randomUUID } from 'node:crypto';
import { Database } from '../../src/platform/database/database';
import { ExpiredKeysCleaner } from '../../src/accounts/idempotency/expired-keys-cleaner';
import { createAgent } from '../support/agents';
import { agentNotFound, invalid, outcome, refused, serverFailed, withoutTable } from '../support/answers';
import type { Answer } from '../support/client';
import {
  countCreated,
  expireLeases,
  IDEMPOTENT_ROUTE_NAMES,
  IDEMPOTENT_ROUTES,
  type IdempotentRouteName,
  sendIdempotent,
  startWithKeys,
  withKey,
} from '../support/keyed-requests';
import { fileForm, postForm } from '../support/knowledge-bases';
import { readLedger } from '../support/ledger';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';

const isReplayed = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';

const inProgress = refused(409, 'A request with this Idempotency-Key is in progress', {
  error_code: 'IDEMPOTENCY_KEY_IN_USE',
  error: { details: expect.any(String) as string },
});

const usedForAnotherRequest = refused(422, 'This Idempotency-Key was used for another request', {
  error_code: 'IDEMPOTENCY_KEY_REUSED',
  error: { details: expect.any(String) as string },
});

describe('With an Idempotency-Key', () => {
  const parley = useOwnParley();
  let workspace: TestWorkspace;
  let agentId: string;
  let key: string;

  beforeAll(async () => {
    workspace = await parley.workspace();
    agentId = await createAgent(workspace);
  });
  beforeEach(() => {
    key = randomUUID();
  });

  const send = (name: IdempotentRouteName, variant?: string) =>
    sendIdempotent(withKey(parley, workspace, key), name, agentId, variant);

  const records = () =>
    parley.sql<{ owner: string }>('SELECT owner FROM idempotency_keys WHERE key = $1', [key]);

  const ageBy = (interval: string) =>
    parley.sql('UPDATE idempotency_keys SET created_at = created_at - $2::interval WHERE key = $1', [
      key,
      interval,
    ]);

  /** Locks the agents against all other access during `work`. */
  const withAgentsLocked = (work: () => Promise<void>) =>
    parley.app.get(Database, { strict: false }).transaction(async ({ manager }) => {
      await manager.query('LOCK TABLE agents IN ACCESS EXCLUSIVE MODE');
      await work();
    });

  describe.each(IDEMPOTENT_ROUTE_NAMES)('%s', (name) => {
    test('repeated is answered with the stored response, and is executed once', async () => {
      const before = await countCreated(parley, name, workspace);

      const first = await send(name);
      const second = await send(name);

      expect(first.status).toBeLessThan(300);
      expect([isReplayed(first), isReplayed(second)]).toEqual([false, true]);
      expect(second.status).toBe(first.status);
      expect(JSON.stringify(second.body)).toBe(JSON.stringify(first.body));
      expect(second.headers.get('location')).toBe(first.headers.get('location'));
      expect(await countCreated(parley, name, workspace)).toBe(before + 1);
      await parley.sql(`DELETE FROM knowledge_bases`);
      await parley.sql(`DELETE FROM tools`);
      await parley.sql(`DELETE FROM rehearsals`);
      await parley.sql(`DELETE FROM rehearsal_runs`);
    });

    test('with another body is refused', async () => {
      const first = await send(name, 'Monday');

      expect(await outcome(send(name, 'Friday'))).toEqual(usedForAnotherRequest);

      expect((await send(name, 'Monday')).body).toEqual(first.body);
      await parley.sql(`DELETE FROM knowledge_bases`);
      await parley.sql(`DELETE FROM tools`);
      await parley.sql(`DELETE FROM rehearsals`);
      await parley.sql(`DELETE FROM rehearsal_runs`);
    });
  });

  test('the OpenAPI document has the header only for the routes that use it', async () => {
    const { body } = await parley.api.get('/docs-json');
    const operations = Object.entries(body.paths as Record<string, Record<string, object>>).flatMap(
      ([path, methods]) =>
        Object.entries(methods)
          .filter(([, operation]) => JSON.stringify(operation).includes('"name":"Idempotency-Key"'))
          .map(([method]) => `${method} ${path}`),
    );

    expect(operations.sort()).toEqual(
      [
        ...IDEMPOTENT_ROUTE_NAMES.map((name) => `post ${IDEMPOTENT_ROUTES[name].path('{agent_id}')}`),
        // These routes have no body; agent-versions.test.ts and publishing.test.ts repeat them.
        'post /api/agents/{agent_id}/deployment/rollback',
        'post /api/agents/{agent_id}/versions/{version}/restore',
        // tool-invocations.test.ts repeats it.
        'post /api/calls/{call_id}/tools/{tool_name}',
        // knowledge-base-sources.test.ts repeats these.
        'post /api/knowledge-base/{kb_id}/sources',
        'put /api/knowledge-base/{kb_id}/sources/{source_id}',
      ].sort(),
    );
  });

  test('a repeated creation of a knowledge base returns the same location', async () => {
    const first = await send('creating a knowledge base');
    const second = await send('creating a knowledge base');

    expect(first.headers.get('location')).toMatch(/^\/api\/knowledge-base\?kb_id=.{36}$/);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    await parley.sql(`DELETE FROM knowledge_bases`);
  });

  test('the keys of each route, agent and workspace are separate', async () => {
    const other = await parley.workspace();
    const answers = [
      ...(await Promise.all(IDEMPOTENT_ROUTE_NAMES.map((name) => send(name)))),
      await sendIdempotent(withKey(parley, workspace, key), 'starting a call', await createAgent(workspace)),
      await sendIdempotent(withKey(parley, other, key), 'creating an agent', ''),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 201, 201, 201, 200, 201, 201, 200, 200]);
    expect(answers.filter(isReplayed)).toEqual([]);
  });

  test('the order of fields and the case of an id do not change the request', async () => {
    const api = withKey(parley, workspace, key);
    const first = await api.post(`/api/agents/${agentId}/calls`, {
      to_number: '+15551234567',
      style: 'brief',
    });
    const second = await api.post(`/api/agents/${agentId.toUpperCase()}/calls`, {
      style: 'brief',
      to_number: '+15551234567',
    });

    expect(first.status).toBe(200);
    expect(isReplayed(second)).toBe(true);
    expect(second.body).toEqual(first.body);
  });

  test('a refusal leaves the key unused', async () => {
    const poor = await parley.workspace({ credits: 0, subscribed: false });
    const api = withKey(parley, poor, key);
    const grant = () =>
      parley.sql(
        `WITH granted AS (UPDATE workspaces SET credits = 1, subscription_status = 'active' WHERE id = $1)
         INSERT INTO credit_entries (workspace_id, kind, amount) VALUES ($1, 'grant', 1)`,
        [poor.workspaceId],
      );

    expect((await api.post('/api/agents', { type: 'outbound' })).status).toBe(403);
    expect(await outcome(sendIdempotent(api, 'starting a call', randomUUID()))).toEqual(agentNotFound());
    expect(await outcome(sendIdempotent(api, 'starting a call', 'x'.repeat(3_000)))).toEqual(agentNotFound());
    expect(await outcome(api.post('/api/agents', {}))).toEqual(invalid('body.type'));
    await parley.sql(`UPDATE workspaces SET subscription_status = 'active' WHERE id = $1`, [
      poor.workspaceId,
    ]);
    const created = await api.post('/api/agents', { type: 'inbound' });
    const { _id: createdId } = created.body.data as { _id: string };
    expect((await sendIdempotent(api, 'starting a call', createdId)).status).toBe(402);
    await grant();
    expect((await sendIdempotent(api, 'starting a call', createdId, 'Friday')).status).toBe(200);
    expect(await readLedger(parley, poor.workspaceId)).toEqual({ credits: 0, entries: ['hold -1'] });
  });

  test('a failure leaves the key unused', async () => {
    expect(await outcome(withoutTable(parley, 'agents', () => send('creating an agent')))).toEqual(
      serverFailed(),
    );

    const later = await send('creating an agent');
    expect(later.status).toBe(200);
    expect(isReplayed(later)).toBe(false);
  });

  test('a name in use and an unreadable file leave the key unused', async () => {
    const api = withKey(parley, workspace, key);
    const taken = await postForm(workspace.api, fileForm({ fields: { name: 'Taken' } }));

    expect(taken.status).toBe(201);
    expect((await postForm(api, fileForm({ fields: { name: 'Taken' } }))).status).toBe(409);
    expect((await postForm(api, fileForm({ fields: { name: 'Free' }, content: '' }))).status).toBe(400);
    expect((await postForm(api, fileForm({ fields: { name: 'Free' } }))).status).toBe(201);
  });

  test.each([
    ['is empty', ''],
    ['has 256 characters', 'k'.repeat(256)],
    ['has a byte beyond ASCII', 'k\xe9y'],
    ['has a tab', 'a\tb'],
  ])('a key that %s is refused', async (_, wrong) => {
    const before = await countCreated(parley, 'creating an agent', workspace);
    const api = withKey(parley, workspace, wrong);

    expect(await outcome(sendIdempotent(api, 'creating an agent', agentId))).toEqual(
      invalid('headers.idempotency-key'),
    );
    expect(await countCreated(parley, 'creating an agent', workspace)).toBe(before);
  });

  test('a key that is sent twice is refused, and left unused', async () => {
    const twice = startWithKeys(parley, workspace, agentId, [key, key]);
    expect(await outcome(twice)).toEqual(invalid('headers.idempotency-key'));

    const once = await send('starting a call');
    expect(once.status).toBe(200);
    expect(isReplayed(once)).toBe(false);
  });

  test('a key may have 255 printable characters', async () => {
    key = ` ~"'\\${randomUUID()}`.trim().padEnd(255, '!');

    expect((await send('creating an agent')).status).toBe(200);
    expect(isReplayed(await send('creating an agent'))).toBe(true);
  });

  test('other routes ignore it', async () => {
    const api = withKey(parley, workspace, 'k\xe9y');

    expect((await api.get('/api/agents')).status).toBe(200);
    expect((await api.put(`/api/agents/${agentId}`, { type: 'outbound', name: 'Renamed' })).status).toBe(200);
    expect((await api.put(`/api/agents/${agentId}`, { type: 'outbound', name: 'Again' })).status).toBe(200);
  });

  test('an answer is stored for 24 hours', async () => {
    const first = await send('creating an agent');
    await ageBy('23 hours 59 minutes');
    await parley.app.get(ExpiredKeysCleaner, { strict: false }).clean();
    expect((await send('creating an agent')).body).toEqual(first.body);

    await ageBy('1 minute');
    const later = await send('creating an agent', 'Friday');
    expect(later.status).toBe(200);
    expect(isReplayed(later)).toBe(false);
    expect(later.body).not.toEqual(first.body);

    await ageBy('24 hours');
    await parley.app.get(ExpiredKeysCleaner, { strict: false }).clean();
    expect(await records()).toEqual([]);
  });

  test.each<IdempotentRouteName>(['creating an agent', 'starting a call'])(
    '%s is executed once, even if its lease expired and a retry has taken over',
    async (name) => {
      const table = IDEMPOTENT_ROUTES[name].table;
      const count = async () => (await parley.sql(`SELECT id FROM ${table}`)).length;
      const before = await count();
      let slow: Promise<Answer> | undefined;
      let retry: Promise<Answer> | undefined;

      await withAgentsLocked(async () => {
        slow = send(name);
        const [first] = await until(async () => {
          const found = await records();
          return found.length > 0 && found;
        });
        const early = await send(name, 'Friday');
        expect(await outcome(Promise.resolve(early))).toEqual(inProgress);
        expect(early.headers.get('retry-after')).toBe('1');

        await expireLeases(parley, workspace);
        retry = send(name);
        await until(async () => (await records())[0]?.owner !== first?.owner);
      });

      expect(await outcome(slow as Promise<Answer>)).toEqual(inProgress);
      const { status, body } = (await retry) as Answer;
      expect(status).toBe(200);
      expect(await count()).toBe(before + 1);
      expect((await send(name)).body).toEqual(body);
      await readLedger(parley, workspace.workspaceId);
    },
  );
});
