import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAgent } from '../support/agents';
import { type Outcome, outcome, outOfScope } from '../support/answers';
import type { ApiClient } from '../support/client';
import { createResources, type ResourceIds, sendTo } from '../support/examples';
import { rsaKey } from '../support/identity-provider';
import { TestParley, type TestWorkspace, useParley } from '../support/parley';
import { ROUTES, type Route } from '../support/routes';
import { bearer, createToken } from '../support/tokens';
import { until } from '../support/until';

const document = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, unknown>>;
};

/** Every operation of the interface document. */
const OPERATIONS = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);
const OPEN = ROUTES.filter(({ access }) => access?.reach === 'public').map(({ name }) => name);
const MUTATING = OPERATIONS.filter((name) => !name.startsWith('GET '));

/** The operations with another method than GET that a credential with `read` has access to. */
const CHANGES_NOTHING = 'POST /api/campaign/validate';
const SIGNING_IN = ['POST /api/session', 'POST /api/session/preview'];

const route = (name: string) => ROUTES.find((each) => each.name === name) as Route;

describe('A credential with a scope word', () => {
  const parley = useParley();
  let workspace: TestWorkspace;
  let things: ResourceIds;

  beforeAll(async () => {
    workspace = await parley.workspace();
    things = await createResources(workspace);
    // The server notes a moment later that the broker has confirmed a call.
    await until(async () => {
      const [row] = await parley.sql(
        `SELECT FROM conversations WHERE workspace_id = $1 AND ended_at IS NULL AND dispatched_at IS NULL`,
        [workspace.workspaceId],
      );
      return row === undefined;
    });
  });

  const keyWith = async (...scope: string[]): Promise<ApiClient> => {
    const { body } = await workspace.api.post('/api/auth/api-keys', { scope });
    return parley.api.with({ 'x-api-key': body.data.apiKey });
  };

  const answersOf = async (api: ApiClient, names: string[]): Promise<Record<string, Outcome>> => {
    const answers: Record<string, Outcome> = {};
    for (const name of names) answers[name] = await outcome(sendTo(api, route(name), things));
    return answers;
  };

  /** All rows of the workspace, but for what every use of a credential notes. */
  const readRows = async () => {
    const tables = await parley.sql<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'workspace_id' AND table_name <> 'api_keys' ORDER BY 1`,
    );
    const rows = tables.map(({ name }) =>
      parley.sql(`SELECT to_jsonb(t) AS row FROM "${name}" AS t WHERE workspace_id = $1 ORDER BY 1`, [
        workspace.workspaceId,
      ]),
    );
    return Object.fromEntries((await Promise.all(rows)).map((found, index) => [tables[index]?.name, found]));
  };

  test.each([['read'], ['read', 'mcp:act']])(
    'that has read changes nothing on any route (%s %s)',
    async (...scope) => {
      const api = await keyWith(...scope.filter(Boolean));
      const before = await readRows();

      const answers = await answersOf(
        api,
        MUTATING.filter((name) => !SIGNING_IN.includes(name)),
      );

      const { [CHANGES_NOTHING]: validated, ...others } = answers;
      expect(validated?.status).toBe(200);
      expect(others).toEqual(Object.fromEntries(Object.keys(others).map((name) => [name, outOfScope()])));
      expect(Object.keys(others).length).toBeGreaterThan(30);
      expect(await readRows()).toEqual(before);
    },
  );

  test('that has read begins a session, which changes nothing either and can be ended', async () => {
    const api = await keyWith('read');
    expect((await api.post('/api/session/preview', {})).status).toBe(200);
    const begun = await api.post('/api/session', {});
    expect(begun).toMatchObject({ status: 201, body: { data: { scopes: ['read'] } } });
    const [cookie = ''] = begun.headers.get('set-cookie')?.split(';') ?? [];
    const session = parley.api.with({ cookie, 'x-parley-session': '1', origin: parley.url });

    expect((await session.get('/api/agents')).status).toBe(200);
    expect(await outcome(session.post('/api/agents', { type: 'chat' }))).toEqual(outOfScope());
    expect((await session.delete('/api/session')).status).toBe(200);
    expect((await session.get('/api/agents')).status).toBe(401);
  });

  test('that has read sees the whole workspace, but no secret', async () => {
    const reads = OPERATIONS.filter((name) => name.startsWith('GET ') && !OPEN.includes(name));

    const answers = await answersOf(await keyWith('read'), reads);

    const refused = Object.entries(answers).filter(([, { status }]) => status !== 200);
    expect(Object.fromEntries(refused)).toEqual({
      'GET /api/webhooks/secret': outOfScope(),
      'GET /api/webhooks/endpoints/{endpoint_id}/secret': outOfScope(),
      // It is for the runtime of the call.
      'GET /api/calls/{call_id}/tools/invocations/{invocation_id}': outOfScope(),
      // The call has none.
      'GET /api/calls/{call_id}/recording': expect.objectContaining({ status: 404 }) as unknown,
    });
  });

  test('that has read and an agent reads this agent only, and changes nothing', async () => {
    const other = await createAgent(workspace);
    const api = await keyWith(`agent:${other}`, 'read');

    expect((await api.get(`/api/agents/${other}`)).status).toBe(200);
    expect(await outcome(api.get(`/api/agents/${things.agent_id}`))).toEqual(outOfScope());
    expect(await outcome(api.get('/api/agents'))).toEqual(outOfScope());
    expect(await outcome(api.post(`/api/agents/${other}/calls`, { to_number: '+15551234567' }))).toEqual(
      outOfScope(),
    );
  });

  test('that has mcp:act can do over REST what it could without', async () => {
    const ofAll = await keyWith('mcp:act');
    const ofAgent = await keyWith(`agent:${things.agent_id}`, 'mcp:act');
    const start = (api: ApiClient, agentId: string) =>
      api.post(`/api/agents/${agentId}/calls`, { to_number: '+15551234567' });

    expect((await ofAll.post('/api/agents', { type: 'chat' })).status).toBe(200);
    expect((await ofAll.get('/api/webhooks/secret')).status).toBe(200);
    expect((await start(ofAgent, things.agent_id as string)).status).toBe(200);
    expect(await outcome(start(ofAgent, await createAgent(workspace)))).toEqual(outOfScope());
    expect(await outcome(ofAgent.post('/api/agents', { type: 'chat' }))).toEqual(outOfScope());
  });

  test('hands it on to what it creates, unless the new credential names its own', async () => {
    const api = await keyWith('mcp:act');

    await api.post('/api/session', {});
    const [session] = (await workspace.api.get('/api/sessions?limit=1')).body.data as { scopes: string[] }[];
    expect(session?.scopes).toEqual(['mcp:act']);

    const made = await api.post('/api/auth/api-keys', { name: 'Made by a key' });
    const named = await api.post('/api/auth/api-keys', { scope: ['read'] });
    const { data: keys } = (await workspace.api.get('/api/auth/api-keys?limit=100')).body as {
      data: { keyId: string; scope: string[] | null }[];
    };
    const scopeOf = (id: string) => keys.find(({ keyId }) => keyId === id)?.scope;
    expect(scopeOf(made.body.data.keyId as string)).toEqual(['mcp:act']);
    expect(scopeOf(named.body.data.keyId as string)).toEqual(['read']);

    const { token } = (await api.post('/api/auth/tokens', { expiresIn: 60 })).body.data as { token: string };
    const { body } = await bearer(parley, token).get('/api/session');
    expect(body.data.scopes).toEqual(['mcp:act']);
  });

  test('beside an unknown one, which a token may have, reaches nothing but named agents', async () => {
    const api = parley.scoped(workspace, 'read', 'admin');

    expect(await outcome(api.get('/api/workspace'))).toEqual(outOfScope());
    expect((await api.get('/api/calls')).body.data).toEqual([]);
  });

  test('ends its own session, which has read, and no other', async () => {
    const cookieOf = async (api: ApiClient) =>
      ((await api.post('/api/session', {})).headers.get('set-cookie') ?? '').split(';')[0] as string;
    const cookie = await cookieOf(workspace.api);
    const other = await cookieOf(workspace.api);
    const [{ id: otherId } = { id: '' }, { id } = { id: '' }] = (
      await workspace.api.get('/api/sessions?limit=2')
    ).body.data as { id: string }[];
    await parley.sql(`UPDATE sessions SET scopes = '{read}' WHERE id = $1`, [id]);
    const own = parley.api.with({ cookie, origin: parley.url, 'x-parley-session': '1' });

    expect(await outcome(own.delete(`/api/sessions/${otherId}`))).toEqual(outOfScope());
    expect((await own.get('/api/workspace')).status).toBe(200);
    expect((await own.delete('/api/session')).status).toBe(200);
    expect((await own.get('/api/workspace')).status).toBe(401);
    expect((await parley.api.with({ cookie: other }).get('/api/session')).status).toBe(200);
  });
});

test('With JWT_REQUIRED_SCOPE, the scope words of a token keep their meaning', async () => {
  const rsa = rsaKey();
  const named = { iss: 'https://id.example/', aud: 'parley' };
  const parley = await TestParley.start({
    JWT_SECRET: '',
    JWT_ISSUER: named.iss,
    JWT_AUDIENCE: named.aud,
    JWT_PUBLIC_KEY: rsa.publicKey,
    JWT_REQUIRED_SCOPE: 'parley:use',
  });
  try {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);
    const use = (scope: string) =>
      bearer(parley, createToken(workspace, { ...named, scope }, rsa.privateKey, { algorithm: 'RS256' }));
    const create = async (scope: string) => (await use(scope).post('/api/agents', { type: 'chat' })).status;

    expect(await create('openid parley:use')).toBe(200);
    expect(await create('openid parley:use mcp:act')).toBe(200);
    expect(await create('openid parley:use read')).toBe(403);
    expect(await create('openid parley:use read mcp:act')).toBe(403);
    expect((await use('parley:use read email').get('/api/workspace')).status).toBe(200);
    expect((await use(`parley:use read agent:${agentId}`).get('/api/workspace')).status).toBe(403);
    expect((await use(`parley:use read agent:${agentId}`).get(`/api/agents/${agentId}`)).status).toBe(200);
    expect(await outcome(use('read').get('/api/workspace'))).toMatchObject({ status: 403 });
  } finally {
    await parley.stop();
  }
});
