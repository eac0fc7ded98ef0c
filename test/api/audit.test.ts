import { AuditCleaner } from '../../src/accounts/audit/audit-cleaner';
import { commands } from '../../src/tools/operator/commands';
import { AUDIT_ACTIONS } from '../../src/accounts/audit/audit-actions';
import { isSafeMethod } from '../../src/platform/http/safe-methods';
import { createAgent } from '../support/agents';
import type { ApiClient } from '../support/client';
import { createResources, prepareExample, restoreResources, sendTo } from '../support/examples';
import { OperatorProcess } from '../support/operator-process';
import { JWT_SECRET, type TestWorkspace, useOwnParley } from '../support/parley';
import { ROUTES } from '../support/routes';
import { bearer, createToken } from '../support/tokens';

interface Entry {
  at: string;
  actor: { kind: string; id: string; name: string };
  action: string;
  target: { kind: string; id: string | null; name: string | null };
  details: Record<string, unknown>;
  request_id: string | null;
  ip: string | null;
}

const unsafe = ROUTES.filter(({ method }) => !isSafeMethod(method));
const audited = unsafe.filter(({ action }) => action !== undefined);

/** The routes that change something and have no entry in the audit, with the reason. */
const elsewhere: Record<string, string> = {
  'POST /api/agents/{agent_id}/calls': "the call's timeline says it",
  'POST /api/calls/{call_id}/transfers': "the call's timeline says it",
  'POST /api/calls/{call_id}/tools/{tool_name}': "the call's timeline says it",
  'PUT /api/calls/{call_id}/recording': "the call's timeline says it",
  'POST /api/webhooks/deliveries/{delivery_id}/replay': 'the delivery shows it',
  'POST /api/webhooks/test': 'the delivery shows it',
  'POST /api/webhooks/endpoints/{endpoint_id}/test': 'the delivery shows it',
  'DELETE /api/knowledge-base': 'it is always refused',
  'POST /api/campaign/validate': 'it stores nothing',
  'POST /api/session/preview': 'it changes nothing',
  'POST /api/tools/{tool_id}/discover': 'it changes nothing',
};

/** The commands that change nothing that the audit records. */
const silentCommands = [
  'person list',
  'key list',
  'quota list',
  'rollups check',
  'rollups rebuild',
  'verify',
  'migrate',
];

async function readEntries({ api }: { api: ApiClient }, query = ''): Promise<Entry[]> {
  const { status, body } = await api.get(`/api/audit?${query || 'limit=100'}`);
  expect(status).toBe(200);
  return body.data as Entry[];
}

describe('The audit', () => {
  const parley = useOwnParley({ ROLES: 'http' });

  const newest = async (workspace: TestWorkspace) => (await readEntries(workspace))[0];
  const count = async (workspace: TestWorkspace) => (await readEntries(workspace)).length;

  test('records every route that changes something, or another place shows the change', () => {
    const silent = unsafe.filter(({ action }) => action === undefined).map(({ name }) => name);

    expect(silent.sort()).toEqual(Object.keys(elsewhere).sort());
  });

  test('gets one entry from every change', async () => {
    const workspace = await parley.workspace();
    const keyId = (await workspace.api.get('/api/auth/api-keys')).body.data[0].keyId as string;
    let things = await createResources(workspace);
    // A key has no session to end; the tests of sessions show it.
    for (const route of audited.filter(({ name }) => name !== 'DELETE /api/session')) {
      if (route.name.endsWith('/unassign')) await assign(workspace, things.kb_id, things.agent_id);
      things = await prepareExample(parley, workspace, route, things);
      // The call of the examples may have been hung up before.
      if (/\/(hangup|listen)$/.test(route.name)) things = await restoreResources(workspace, route, things);
      // The calls of the examples have no runtime that offers their audio.
      if (route.name.endsWith('/listen')) await makeAudible(things.call_id);
      if (route.name.endsWith('/dismiss')) await giveUp(things.delivery_id);
      if (route.name.endsWith('/resume'))
        await workspace.api.post(`/api/campaign/${things.campaign_id}/pause`);
      const [last] = await readEntries(workspace, 'limit=1');

      const { status, headers } = await sendTo(workspace.api, route, things);

      // Each resource that is applied has an entry of its own, before that of the request.
      const own = route.name === 'POST /api/code' ? 1 : 0;
      const entries = await readEntries(workspace, `limit=${2 + own}`);
      const [entry, before] = [entries[0], entries[1 + own]];
      expect({ route: route.name, isDone: status < 300, before }).toEqual({
        route: route.name,
        isDone: true,
        before: last,
      });
      expect(entry).toMatchObject({
        actor: { kind: 'key', id: keyId },
        action: route.action,
        target: {
          kind: route.action?.split('.')[0],
          ...(route.action?.startsWith('agent.') && { name: expect.any(String) as string }),
        },
        request_id: headers.get('x-request-id'),
        ip: '127.0.0.1',
      });
      // An erasure or session that has ended cannot be changed again.
      const isEnd = route.method === 'DELETE' || route.name.endsWith('/cancel');
      if (isEnd) things = await restoreResources(workspace, route, things);
    }
  });

  test('has no entry of a request to a resource that does not exist', async () => {
    const things = await createResources(await parley.workspace());
    const stranger = await parley.workspace();

    for (const route of audited.filter(({ parameters }) => parameters.length > 0)) {
      expect((await sendTo(stranger.api, route, things)).status).toBe(404);
    }

    expect(await readEntries(stranger)).toEqual([]);
  });

  /** Before the time of the request's example. */
  const giveUp = (id = '') =>
    parley.sql(
      `UPDATE webhook_deliveries
       SET status = 'failed', next_attempt_at = NULL, leased_until = NULL, given_up_at = '2026-01-01'
       WHERE id = $1`,
      [id],
    );

  const makeAudible = (id = '') =>
    parley.sql(
      `UPDATE conversations
       SET status = 'connected', token = gen_random_uuid(), connected_at = now(),
           listen_url = 'wss://voice.example.com/listen', listen_expires_at = now() + interval '1 hour'
       WHERE id = $1`,
      [id],
    );

  const assign = (workspace: TestWorkspace, id = '', agent = '') =>
    workspace.api.post(`/api/agents/knowledge-bases/${id}/assign`, { assistant_ids: [agent] });

  test('says which fields of an agent were changed, and not their values', async () => {
    const workspace = await parley.workspace();
    const id = await createAgent(workspace, { name: 'Front desk', metaData: { patient: 'Ada Lovelace' } });

    await workspace.api.put(`/api/agents/${id.toUpperCase()}`, {
      type: 'outbound',
      name: 'Reception',
      prompt: 'The door code is 4711.',
      llmConfig: { temperature: 0.9 },
      deployment: { status: 'active' },
    });

    const [updated, created] = await readEntries(workspace);
    expect(created).toMatchObject({
      action: 'agent.created',
      target: { kind: 'agent', id, name: 'Front desk' },
    });
    expect(updated).toMatchObject({
      action: 'agent.updated',
      target: { kind: 'agent', id, name: 'Reception' },
      details: { changed: ['llmConfig.temperature', 'name', 'prompt'], version: 2 },
    });
    expect(JSON.stringify([updated, created])).not.toMatch(/4711|Lovelace|patient/);
  });

  test('has no entry of a request that changed nothing', async () => {
    const workspace = await parley.workspace();
    const things = await createResources(workspace);
    const { api } = workspace;
    const repeated: [string, string, object?][] = [
      ['PUT', `/api/agents/${things.agent_id}`, { type: 'outbound', name: 'Same' }],
      ['PUT', `/api/agents/${things.agent_id}/phone-number`, { phone_number: '+15558880001' }],
      ['POST', '/api/phone-number', { phone_number: '+15558880002' }],
      ['POST', `/api/agents/knowledge-bases/${things.kb_id}/assign`, { assistant_ids: [things.agent_id] }],
      ['DELETE', `/api/auth/api-keys/${things.key_id}`],
    ];
    for (const request of repeated) expect((await api.send(...request)).status).toBeLessThan(300);
    const before = await count(workspace);

    for (const request of repeated) expect((await api.send(...request)).status).toBeLessThan(300);

    expect(await count(workspace)).toBe(before);
  });

  test('has no entry of a request that a quota or the database refuses', async () => {
    const workspace = await parley.workspace();
    await workspace.api.post('/api/knowledge-base', { name: 'Hours', baseUrl: 'https://127.0.0.1/' });
    await parley.sql('UPDATE workspaces SET quotas_agents = 0, quotas_api_keys = 0 WHERE id = $1', [
      workspace.workspaceId,
    ]);

    const answers = [
      await workspace.api.post('/api/agents', { type: 'inbound' }),
      await workspace.api.post('/api/auth/api-keys', {}),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(await readEntries(workspace)).toEqual([]);
  });

  test('has one entry of a request that was sent twice with its Idempotency-Key', async () => {
    const workspace = await parley.workspace();
    const send = () =>
      workspace.api.raw('/api/agents', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'once' },
        body: JSON.stringify({ type: 'inbound' }),
      });

    const answers = [await send(), await send()];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.headers.get('idempotent-replayed')).toBe('true');
    expect(await readEntries(workspace)).toHaveLength(1);
  });

  test('contains no secret', async () => {
    const workspace = await parley.workspace();
    const { api } = workspace;
    const key = (await api.post('/api/auth/api-keys', {})).body.data;
    const token = (await api.post('/api/auth/tokens', {})).body.data;
    const secret = (await api.post('/api/webhooks/secret/rotate', {})).body.data;

    const shown = JSON.stringify(await readEntries(workspace));

    expect(shown).toContain(key.keyId);
    for (const each of [key.apiKey, token.token, secret.secret, workspace.apiKey]) {
      expect(shown).not.toContain(each);
    }
  });

  test('names the user of a token', async () => {
    const workspace = await parley.workspace();

    await bearer(parley, createToken(workspace, { sub: 'ada' })).post('/api/agents', { type: 'inbound' });
    const long = 'x'.repeat(3_000);
    await bearer(parley, createToken(workspace, { sub: long })).post('/api/agents', { type: 'inbound' });

    const [second, first] = await readEntries(workspace);
    expect(first?.actor).toEqual({ kind: 'token', id: 'ada', name: 'ada' });
    expect(second?.actor.id).toBe(long.slice(0, 255));
  });

  test('finds entries by their actor, action, target, request, address and time, newest first', async () => {
    const workspace = await parley.workspace();
    const other = await parley.workspace();
    const things = await createResources(workspace);
    await createAgent(other);
    const all = await readEntries(workspace);
    const first = all.at(-1) as Entry;

    expect(all.map(({ at }) => at)).toEqual([...all.map(({ at }) => at)].sort().reverse());
    expect(await readEntries(workspace, `limit=100&target_id=${things.agent_id?.toUpperCase()}`)).toEqual(
      all.filter(({ target }) => target.id === things.agent_id),
    );
    for (const [query, expected] of [
      ['action=campaign.created', all.filter(({ action }) => action === 'campaign.created')],
      ['target_kind=phone_number', all.filter(({ target }) => target.kind === 'phone_number')],
      [`request_id=${first.request_id}`, [first]],
      [`actor_id=${first.actor.id}&actor_kind=key`, all],
      ['actor_kind=operator', []],
      ['ip=::ffff:127.0.0.1', all],
      ['ip=127.0.0.2', []],
      [`end_date=${first.at}`, [first]],
      ['start_date=2999-01-01', []],
    ] as const) {
      expect({ query, found: await readEntries(workspace, `limit=100&${query}`) }).toEqual({
        query,
        found: expected,
      });
    }
    expect((await workspace.api.get('/api/audit?page=2&limit=3')).body).toMatchObject({
      data: all.slice(3, 6),
      pagination: { page: 2, limit: 3, total: all.length },
    });
  });

  test('keeps entries for their retention only', async () => {
    const workspace = await parley.workspace();
    await createAgent(workspace);
    await createAgent(workspace);
    const [kept] = await readEntries(workspace);
    await parley.sql(
      `UPDATE audit_entries SET created_at = now() - interval '731 days'
       WHERE id = (SELECT min(id) FROM audit_entries WHERE workspace_id = $1)`,
      [workspace.workspaceId],
    );
    await parley.sql('DELETE FROM audit_entries WHERE workspace_id <> $1', [workspace.workspaceId]);

    await parley.app.get(AuditCleaner, { strict: false }).clean();

    expect(await readEntries(workspace)).toEqual([kept]);
  });

  test('has the address that a trusted proxy forwards', async () => {
    const workspace = await parley.workspace();
    const send = () =>
      workspace.api.raw('/api/agents', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' },
        body: JSON.stringify({ type: 'inbound' }),
      });

    await send();

    expect((await newest(workspace))?.ip).toBe('127.0.0.1');
  });

  describe('of the operator', () => {
    let operator: OperatorProcess;

    beforeAll(() => {
      operator = new OperatorProcess({ DATABASE_URL: parley.database.url, JWT_SECRET });
    });
    afterAll(() => operator.finish());

    test('gets an entry from every command that changes something', async () => {
      const { workspaceId, api } = await parley.workspace();
      const key = await operator.json('key', 'create', '--workspace', workspaceId);
      const number = '+15557779001';
      const workspace = ['--workspace', workspaceId];
      await operator.json('console', 'link', '--workspace', workspaceId);
      const links = 'SELECT id FROM console_links WHERE workspace_id = $1';
      const [link] = await parley.sql<{ id: string }>(links, [workspaceId]);
      const invite = ['person', 'invite', ...workspace, '--role', 'viewer', '--name'];
      const { personId } = (await operator.json(...invite, 'Ada')) as { personId: string };
      await parley.sql('DELETE FROM audit_entries');
      const cases: Record<string, [args: string[], action: (typeof AUDIT_ACTIONS)[number], target?: string]> =
        {
          'key create': [workspace, 'api_key.created'],
          'key revoke': [['--key', key.keyId as string], 'api_key.revoked', key.keyId as string],
          'token create': [workspace, 'token.issued'],
          'console link': [workspace, 'session.link_created'],
          'console revoke': [[...workspace, '--link', link?.id ?? ''], 'session.link_revoked', link?.id],
          'person invite': [[...workspace, '--name', 'Bob', '--role', 'viewer'], 'person.invited'],
          'person link': [[...workspace, '--person', personId], 'person.link_created', personId],
          'person remove': [[...workspace, '--person', personId], 'person.removed', personId],
          'token revoke-all': [workspace, 'token.all_revoked'],
          'credits add': [[...workspace, '--amount', '7'], 'workspace.credits_granted', workspaceId],
          'subscription set': [
            [...workspace, '--status', 'inactive'],
            'workspace.subscription_set',
            workspaceId,
          ],
          'workspace suspend': [workspace, 'workspace.suspended', workspaceId],
          'workspace resume': [workspace, 'workspace.resumed', workspaceId],
          'quota set': [
            [...workspace, '--quota', 'agents', '--value', '7'],
            'workspace.quota_set',
            workspaceId,
          ],
          'number grant': [[...workspace, '--number', number], 'phone_number.added', number],
          'number release': [['--number', number], 'phone_number.released', number],
        };
      expect(Object.keys(cases).concat(silentCommands, 'workspace create', 'demo seed').sort()).toEqual(
        Object.keys(commands).sort(),
      );

      for (const [name, [args]] of Object.entries(cases)) await operator.json(...name.split(' '), ...args);

      const entries = await readEntries({ api });
      const [{ actor }] = entries as [Entry];
      expect(actor).toEqual({ kind: 'operator', id: expect.any(String) as unknown, name: actor.id });
      expect(entries.reverse()).toEqual(
        Object.values(cases).map(
          ([, action, target]) =>
            expect.objectContaining({
              actor,
              action,
              target: expect.objectContaining(target === undefined ? {} : { id: target }) as unknown,
              request_id: null,
              ip: null,
            }) as unknown,
        ),
      );
    });

    test('has entries of a new workspace and its key, and none of a failed or repeated command', async () => {
      const made = await operator.json('workspace', 'create', '--name', 'Acme', '--credits', '5');
      const workspace = ['--workspace', made.workspaceId as string];
      const api = parley.api.with({ 'x-api-key': made.apiKey as string });
      await operator.run(['credits', 'add', ...workspace, '--amount', '9999999999']);
      await operator.run(['workspace', 'resume', ...workspace]);
      await operator.run(['credits', 'add', ...workspace, '--amount', '0']);

      const [key, created, ...others] = await readEntries({ api });

      expect(others).toEqual([]);
      expect(key).toMatchObject({ action: 'api_key.created' });
      expect(created).toMatchObject({
        action: 'workspace.created',
        target: { kind: 'workspace', id: made.workspaceId, name: 'Acme' },
        details: { credits: 5 },
      });
    });
  });

  describe('behind a trusted proxy', () => {
    const proxied = useOwnParley({ ROLES: 'http', TRUST_PROXY: 'loopback' });

    test('has the address of the client', async () => {
      const workspace = await proxied.workspace();
      await workspace.api.raw('/api/agents', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' },
        body: JSON.stringify({ type: 'inbound' }),
      });

      expect((await readEntries(workspace))[0]?.ip).toBe('203.0.113.7');
    });
  });
});
