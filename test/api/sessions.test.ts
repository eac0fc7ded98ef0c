import { brotliCompressSync, gzipSync } from 'node:zlib';
import { LastUses } from '../../src/accounts/auth/last-uses';
import { SessionCleaner } from '../../src/accounts/auth/session-cleaner';
import { SessionsService } from '../../src/accounts/auth/sessions.service';
import { createAgent } from '../support/agents';
import type { Answer, ApiClient } from '../support/client';
import { createResources, restoreResources, sendTo } from '../support/examples';
import { OperatorProcess } from '../support/operator-process';
import { JWT_SECRET, type TestParley, type TestWorkspace, useOwnParley, useParley } from '../support/parley';
import { WORKSPACE_ROUTES } from '../support/routes';
import { bearer, inSeconds, createToken } from '../support/tokens';

const OWN_PAGE = { 'sec-fetch-site': 'same-origin', 'x-parley-session': '1' };
const DAY_MS = 86_400_000;

/** The headers that a browser sends from a page of the server. */
const getCookie = (answer: Answer) => answer.headers.getSetCookie()[0]?.split(';')[0] as string;

const createBrowser = (parley: TestParley, answer: Answer) =>
  parley.api.with({ ...OWN_PAGE, cookie: getCookie(answer) });

async function begin(parley: TestParley, api: ApiClient, body?: object): Promise<ApiClient> {
  const answer = await api.post('/api/session', body);
  expect(answer.status).toBe(201);
  return createBrowser(parley, answer);
}

const readCode = ({ status, body }: Answer) => [status, body.error_code];

describe('A session', () => {
  const parley = useParley();
  let workspace: TestWorkspace;

  beforeAll(async () => {
    workspace = await parley.workspace();
  });

  const createSignInLink = async ({ workspaceId }: TestWorkspace) =>
    (await parley.app.get(SessionsService, { strict: false }).createLink(workspaceId)).token;

  const createKey = async (api: ApiClient, body: object = {}) => {
    const { data } = (await api.post('/api/auth/api-keys', body)).body;
    return { keyId: data.keyId as string, api: parley.api.with({ 'x-api-key': data.apiKey }) };
  };

  const tokenFrom = async (api: ApiClient) =>
    bearer(parley, (await api.post('/api/auth/tokens', {})).body.data.token as string);

  test('is a cookie that scripts cannot read and other sites do not send', async () => {
    const answer = await workspace.api.post('/api/session', {});

    const [cookie = '', ...others] = answer.headers.getSetCookie();
    expect(others).toEqual([]);
    const [pair, ...attributes] = cookie.split('; ');
    expect(pair).toMatch(/^parley_session=parley_session_[\w-]{43}$/);
    expect(attributes.filter((each) => !each.startsWith('Expires=')).sort()).toEqual([
      'HttpOnly',
      'Path=/',
      'SameSite=Strict',
    ]);
    const token = pair?.split('=')[1] as string;
    const stored = await parley.sql('SELECT * FROM sessions WHERE workspace_id = $1', [
      workspace.workspaceId,
    ]);
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  test('shows its workspace and user, and when it ends without another request', async () => {
    const { api } = await createKey(workspace.api, { name: 'Ada' });
    const browser = await begin(parley, api);

    const { body } = await browser.get('/api/session');

    expect(body.data).toEqual({
      workspace: { id: workspace.workspaceId, name: 'Test' },
      user: { id: workspace.userId, name: 'Ada' },
      scopes: null,
      expires_at: expect.any(String) as string,
    });
    const hours = (new Date(body.data.expires_at as string).getTime() - Date.now()) / 3_600_000;
    expect(hours).toBeCloseTo(12, 1);
    expect((await workspace.api.get('/api/session')).body.data.expires_at).toBeNull();
  });

  test('of an API key may use every route that the key may use', async () => {
    const own = await parley.workspace();
    const browser = await begin(parley, own.api);
    const routes = WORKSPACE_ROUTES.filter(
      ({ access, name }) =>
        access?.reach !== 'public' &&
        !['POST /api/session', 'POST /api/session/preview', 'DELETE /api/session', 'GET /api/live'].includes(
          name,
        ),
    );
    let things = await createResources(own);
    for (const route of routes) {
      const { status } = await sendTo(browser, route, things);
      const isRefused = [401, 403].includes(status);
      expect({ route: route.name, isRefused }).toEqual({ route: route.name, isRefused: false });
      if (route.method === 'DELETE') things = await restoreResources(own, route, things);
    }
  });

  test('has the scopes of its credential', async () => {
    const [mine, other] = [await createAgent(workspace), await createAgent(workspace)];
    const { api } = await createKey(workspace.api, { scope: [`agent:${mine}`] });
    const browser = await begin(parley, api);

    expect((await browser.get('/api/session')).body.data.scopes).toEqual([`agent:${mine}`]);
    expect((await browser.get(`/api/agents/${mine}`)).status).toBe(200);
    expect(readCode(await browser.get(`/api/agents/${other}`))).toEqual([403, 'OUT_OF_SCOPE']);
    expect(readCode(await browser.post('/api/agents', { type: 'chat' }))).toEqual([403, 'OUT_OF_SCOPE']);
  });

  describe('changes something only for a page of the server', () => {
    test.each<[string, Record<string, string>]>([
      ['no header at all', {}],
      ['no X-Parley-Session', { 'sec-fetch-site': 'same-origin' }],
      ['no origin', { 'x-parley-session': '1' }],
      ['another site', { 'x-parley-session': '1', 'sec-fetch-site': 'cross-site' }],
      ['another host of the site', { 'x-parley-session': '1', 'sec-fetch-site': 'same-site' }],
      ['another origin', { 'x-parley-session': '1', origin: 'https://evil.example' }],
      ['an opaque origin', { 'x-parley-session': '1', origin: 'null' }],
    ])('and not with %s', async (_, headers) => {
      const cookie = getCookie(await workspace.api.post('/api/session', {}));
      const api = parley.api.with({ cookie, ...headers });

      expect((await api.get('/api/agents')).status).toBe(200);
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        const { status, body } = await api.send(method, '/api/auth/tokens');
        if (body.error_code === 'METHOD_NOT_ALLOWED') continue;
        expect([status, body.error_code]).toEqual([403, 'CROSS_SITE_REQUEST']);
      }
    });

    test('which its Origin shows too', async () => {
      const cookie = getCookie(await workspace.api.post('/api/session', {}));
      const api = parley.api.with({ cookie, 'x-parley-session': '1', origin: parley.url });

      expect((await api.post('/api/agents', { type: 'chat' })).status).toBe(200);
    });

    test('and other origins get no answer that their scripts could read', async () => {
      const answer = await workspace.api.raw('/api/agents', { headers: { origin: 'https://evil.example' } });

      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    });
  });

  describe('ends at once with', () => {
    type Ending = (own: TestWorkspace) => Promise<{ browser: ApiClient; end: () => Promise<unknown> }>;
    const endings: [string, Ending, ...unknown[]][] = [
      [
        'the revocation of its key',
        async (own) => {
          const { api, keyId } = await createKey(own.api);
          const end = () => own.api.delete(`/api/auth/api-keys/${keyId}`);
          return { browser: await begin(parley, api), end };
        },
      ],
      [
        'the expiry of its key',
        async (own) => {
          const { api, keyId } = await createKey(own.api);
          const end = () => parley.sql('UPDATE api_keys SET expires_at = now() WHERE id = $1', [keyId]);
          return { browser: await begin(parley, api), end };
        },
      ],
      [
        'the revocation of all tokens, if a token began it',
        async (own) => ({
          browser: await begin(parley, bearer(parley, createToken(own, { iat: inSeconds(-5) }))),
          end: () => own.api.delete('/api/auth/tokens'),
        }),
      ],
      [
        'the revocation of the key of its token',
        async (own) => {
          const { api, keyId } = await createKey(own.api);
          const { token } = (await api.post('/api/auth/tokens', {})).body.data as { token: string };
          const end = () => own.api.delete(`/api/auth/api-keys/${keyId}`);
          return { browser: await begin(parley, bearer(parley, token)), end };
        },
      ],
      [
        'the revocation of all tokens, if a link began it',
        async (own) => ({
          browser: await begin(parley, parley.api, { token: await createSignInLink(own) }),
          end: () => own.api.delete('/api/auth/tokens'),
        }),
      ],
      [
        'its own deletion',
        async (own) => {
          const browser = await begin(parley, own.api);
          return { browser, end: () => browser.delete('/api/session') };
        },
      ],
      [
        'twelve hours without a request',
        async (own) => ({
          browser: await begin(parley, own.api),
          end: () => parley.sql(`UPDATE sessions SET last_used_at = now() - interval '12 hours'`),
        }),
      ],
      [
        'seven days',
        async (own) => ({
          browser: await begin(parley, own.api),
          end: () => parley.sql(`UPDATE sessions SET expires_at = expires_at - interval '7 days'`),
        }),
      ],
    ];

    test.each(endings)('%s', async (_, start) => {
      const { browser, end } = await start(await parley.workspace());
      expect((await browser.get('/api/agents')).status).toBe(200);

      await end();

      expect(readCode(await browser.get('/api/agents'))).toEqual([401, 'INVALID_CREDENTIAL']);
    });

    test('the suspension of its workspace, until that is resumed', async () => {
      const own = await parley.workspace();
      const browser = await begin(parley, own.api);
      const suspend = (at: string) =>
        parley.sql(`UPDATE workspaces SET suspended_at = ${at} WHERE id = $1`, [own.workspaceId]);

      await suspend('now()');

      expect(readCode(await browser.get('/api/agents'))).toEqual([403, 'WORKSPACE_SUSPENDED']);
      await suspend('NULL');
      expect((await browser.get('/api/agents')).status).toBe(200);
    });
  });

  test('continues when all tokens are revoked, if a key began it', async () => {
    const own = await parley.workspace();
    const browser = await begin(parley, own.api);

    await own.api.delete('/api/auth/tokens');

    expect((await browser.get('/api/agents')).status).toBe(200);
  });

  test('ends no later than its key or token, and after seven days', async () => {
    const at = new Date(Date.now() + 3 * DAY_MS);
    const { api } = await createKey(workspace.api, { expires: at.toISOString() });
    const readExpiry = async (client: ApiClient) => {
      await begin(parley, client);
      const [row] = await parley.sql<{ at: Date }>(
        'SELECT expires_at AS at FROM sessions WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1',
        [workspace.workspaceId],
      );
      return (row?.at.getTime() ?? 0) - Date.now();
    };

    expect(await readExpiry(api)).toBeLessThanOrEqual(3 * DAY_MS);
    expect(await readExpiry(bearer(parley, createToken(workspace, { exp: inSeconds(60) })))).toBeLessThan(
      61_000,
    );
    expect((await readExpiry(workspace.api)) / DAY_MS).toBeCloseTo(7, 2);
  });

  test('of a token makes no keys; others make keys that end with their key', async () => {
    const { api, keyId } = await createKey(workspace.api);
    const ofKey = await begin(parley, api);
    const ofLink = await begin(parley, parley.api, { token: await createSignInLink(workspace) });
    const ofToken = await begin(parley, bearer(parley, createToken(workspace)));
    const readParent = async (browser: ApiClient) => {
      const made = await createKey(browser);
      const { data } = (await workspace.api.get('/api/auth/api-keys?limit=1')).body;
      expect(data[0].keyId).toBe(made.keyId);
      return data[0].parentKeyId as string | null;
    };

    expect(readCode(await ofToken.post('/api/auth/api-keys', {}))).toEqual([403, 'API_KEY_REQUIRED']);
    expect(await readParent(ofKey)).toBe(keyId);
    expect(await readParent(ofLink)).toBeNull();
  });

  test('gives way to a key in a header, valid or not', async () => {
    const other = await parley.workspace();
    const cookie = getCookie(await workspace.api.post('/api/session', {}));
    const readWorkspace = async (headers: Record<string, string>) =>
      (await parley.api.with(headers).get('/api/session')).body;

    expect((await readWorkspace({ cookie, 'x-api-key': other.apiKey })).data.workspace.id).toBe(
      other.workspaceId,
    );
    expect((await readWorkspace({ cookie, 'x-api-key': 'wrong' })).error_code).toBe('INVALID_CREDENTIAL');
    expect((await readWorkspace({ cookie, authorization: 'Bearer x.y.z' })).error_code).toBe(
      'INVALID_CREDENTIAL',
    );
  });

  test('does not begin another one', async () => {
    const browser = await begin(parley, workspace.api);

    expect(readCode(await browser.post('/api/session', {}))).toEqual([401, 'MISSING_CREDENTIAL']);
  });

  test.each([
    ['of another kind', `parley_${'x'.repeat(43)}`],
    ['that is unknown', `parley_session_${'x'.repeat(43)}`],
    ['that is empty', ''],
    ['with a broken escape', '%E0%A4%A'],
  ])('is refused with a cookie %s', async (_, value) => {
    const api = parley.api.with({ ...OWN_PAGE, cookie: `a=b; parley_session=${value}` });

    expect(readCode(await api.get('/api/agents'))).toEqual([401, 'INVALID_CREDENTIAL']);
  });

  test('is stored at most a hundred times for a credential: one more ends the oldest', async () => {
    const own = await parley.workspace();
    const oldest = await begin(parley, own.api);
    const second = await begin(parley, own.api);
    for (let count = 2; count < 101; count += 1) await begin(parley, own.api);

    expect((await oldest.get('/api/session')).status).toBe(401);
    expect((await second.get('/api/session')).status).toBe(200);
  });

  test('is counted with the requests of its workspace', async () => {
    const own = await parley.workspace();
    const browser = await begin(parley, own.api);
    await parley.sql('UPDATE workspaces SET quotas_requests_per_minute = 1 WHERE id = $1', [own.workspaceId]);

    const answers = [await browser.get('/api/agents'), await own.api.get('/api/agents')];

    expect(answers.map(({ status }) => status)).toEqual([429, 429]);
  });

  test('is in the audit with its beginning, its changes and its end', async () => {
    const own = await parley.workspace();
    const { api, keyId } = await createKey(own.api, { name: 'Ada' });
    const browser = await begin(parley, api);
    await browser.post('/api/agents', { type: 'chat' });
    await browser.delete('/api/session');

    const { data } = (await own.api.get('/api/audit?limit=3')).body;

    const id = data[0].actor.id as string;
    const session = { kind: 'session', id, name: 'Ada' };
    expect(data).toMatchObject([
      { action: 'session.ended', actor: session, target: { kind: 'session', id } },
      { action: 'agent.created', actor: session },
      {
        action: 'session.started',
        actor: { kind: 'key', id: keyId, name: 'Ada' },
        target: { kind: 'session', id },
        details: { credential: 'api-key', key: keyId },
      },
    ]);
  });

  test.each<[string, (own: TestWorkspace) => Promise<[ApiClient, object?]>]>([
    ['a link', async (own) => [parley.api, { token: await createSignInLink(own) }]],
    ['a key', (own) => Promise.resolve([own.api])],
    ['a token', (own) => Promise.resolve([bearer(parley, createToken(own))])],
  ])('of a browser ends when %s begins another one, also of another workspace', async (_, getCredential) => {
    const [old, next] = [await parley.workspace(), await parley.workspace()];
    const begun = await old.api.post('/api/session', {});
    const id = (await old.api.get('/api/sessions')).body.data[0].id as string;
    const [client, body = {}] = await getCredential(next);

    const answer = await client.raw('/api/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: getCookie(begun) },
      body: JSON.stringify(body),
    });

    expect(answer.status).toBe(201);
    expect((await createBrowser(parley, answer).get('/api/session')).body.data.workspace.id).toBe(
      next.workspaceId,
    );
    expect((await createBrowser(parley, begun).get('/api/session')).status).toBe(401);
    expect((await old.api.get('/api/sessions')).body.data).toEqual([]);
    expect((await old.api.get('/api/audit?limit=1')).body.data).toMatchObject([
      {
        action: 'session.ended',
        actor: { kind: 'session', id },
        target: { kind: 'session', id },
        details: { credential: 'api-key', replaced: true },
        request_id: answer.headers.get('x-request-id'),
      },
    ]);
    expect((await next.api.get('/api/audit?limit=1')).body.data).toMatchObject([
      { action: 'session.started' },
    ]);
  });

  test('is deleted when it has ended, as a link is', async () => {
    const own = await parley.workspace();
    await begin(parley, own.api);
    const alive = await begin(parley, own.api);
    await createSignInLink(own);
    const used = await begin(parley, parley.api, { token: await createSignInLink(own) });
    await parley.sql(
      `UPDATE sessions SET last_used_at = now() - interval '12 hours'
       WHERE id = (SELECT id FROM sessions WHERE workspace_id = $1 ORDER BY created_at, id LIMIT 1)`,
      [own.workspaceId],
    );
    await parley.sql('UPDATE console_links SET expires_at = now() WHERE workspace_id = $1', [
      own.workspaceId,
    ]);

    await parley.app.get(SessionCleaner, { strict: false }).clean();

    const count = async (table: string) =>
      (await parley.sql(`SELECT FROM ${table} WHERE workspace_id = $1`, [own.workspaceId])).length;
    // The link that was used stays as long as its session and its tokens can.
    expect([await count('sessions'), await count('console_links')]).toEqual([2, 1]);
    for (const browser of [alive, used]) expect((await browser.get('/api/session')).status).toBe(200);
    await parley.sql(`UPDATE console_links SET used_at = now() - interval '8 days' WHERE workspace_id = $1`, [
      own.workspaceId,
    ]);
    await parley.app.get(SessionCleaner, { strict: false }).clean();
    expect(await count('console_links')).toBe(0);
  });

  describe('from a one-time link', () => {
    let operator: OperatorProcess;
    beforeAll(() => {
      const PUBLIC_URL = 'https://parley.example.com/';
      operator = new OperatorProcess({ DATABASE_URL: parley.database.url, JWT_SECRET, PUBLIC_URL });
    });
    afterAll(() => operator.finish());

    test('begins once, for the whole workspace, in the name of the link', async () => {
      const own = await parley.workspace();
      const token = await createSignInLink(own);

      const answers = await Promise.all(
        Array.from({ length: 5 }, () => parley.api.post('/api/session', { token })),
      );

      expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401]);
      const browser = createBrowser(parley, answers.find(({ status }) => status === 201) as Answer);
      await browser.post('/api/agents', { type: 'chat' });
      const { data } = (await browser.get('/api/audit?limit=1')).body;
      expect(data[0].actor).toEqual({
        kind: 'session',
        id: expect.any(String) as string,
        name: 'Unnamed console link',
      });
    });

    test('is named before it begins, which uses no link up', async () => {
      const token = await createSignInLink(workspace);
      const current = await begin(parley, workspace.api);
      const preview = async (api: ApiClient) => (await api.post('/api/session/preview', { token })).body.data;

      expect(await preview(parley.api)).toEqual({
        workspace: { id: workspace.workspaceId, name: 'Test' },
        user: { id: workspace.userId, name: 'Unnamed console link' },
        scopes: null,
        expires_at: expect.any(String) as string,
        role: null,
        replaces: null,
      });
      expect((await preview(current)).replaces).toEqual({ id: workspace.workspaceId, name: 'Test' });
      expect((await current.get('/api/session')).status).toBe(200);
      expect((await parley.api.post('/api/session', { token })).status).toBe(201);
      expect(readCode(await parley.api.post('/api/session/preview', { token }))).toEqual([
        401,
        'INVALID_CREDENTIAL',
      ]);
    });

    test.each<[string, unknown, number, string]>([
      ['an unknown token', { token: `parley_link_${'x'.repeat(43)}` }, 401, 'INVALID_CREDENTIAL'],
      ['another text', { token: 'x' }, 401, 'INVALID_CREDENTIAL'],
      ['a number', { token: 7 }, 401, 'MISSING_CREDENTIAL'],
      ['nothing', {}, 401, 'MISSING_CREDENTIAL'],
      ['too much', { token: 'x'.repeat(2_000) }, 401, 'MISSING_CREDENTIAL'],
    ])('does not begin with %s', async (_, body, ...refusal) => {
      expect(readCode(await parley.api.post('/api/session', body))).toEqual(refusal);
      expect(readCode(await parley.api.post('/api/session/preview', body))).toEqual(refusal);
    });

    test.each([
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
    ])('does not begin with a body in %s, which is not decoded', async (encoding, encode) => {
      const token = await createSignInLink(workspace);
      const send = (body: Buffer | string, contentEncoding: string) =>
        parley.api.raw('/api/session', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'content-encoding': contentEncoding },
          body: new Uint8Array(Buffer.from(body)),
        });

      const valid = await send(encode(JSON.stringify({ token })), encoding);
      const large = await send(encode(JSON.stringify({ token: 'a'.repeat(1_000_000) })), encoding);
      const broken = await send('{', encoding);

      expect([valid, large, broken].map(readCode)).toEqual(
        Array.from({ length: 3 }, () => [415, 'UNSUPPORTED_MEDIA_TYPE']),
      );
      expect(valid.body.details).toBe(`The content encoding is ${encoding}; send the body without one.`);
      expect((await send(JSON.stringify({ token }), 'identity')).status).toBe(201);
    });

    test('does not begin after its expiry, or after the revocation of all tokens', async () => {
      const own = await parley.workspace();
      const [expired, revoked] = [await createSignInLink(own), await createSignInLink(own)];
      await parley.sql(
        `UPDATE console_links SET expires_at = now()
         WHERE id = (SELECT id FROM console_links WHERE workspace_id = $1 ORDER BY id LIMIT 1)`,
        [own.workspaceId],
      );
      expect((await parley.api.post('/api/session', { token: expired })).status).toBe(401);

      await own.api.delete('/api/auth/tokens');

      expect((await parley.api.post('/api/session', { token: revoked })).status).toBe(401);
    });

    test('does not begin beside another credential, or with an unknown field', async () => {
      const token = await createSignInLink(workspace);

      const beside = await workspace.api.post('/api/session', { token });
      const unknown = await parley.api.post('/api/session', { token, colour: 'red' });

      expect([beside.body.errors[0].field, unknown.body.errors[0].field]).toEqual([
        'body.token',
        'body.colour',
      ]);
      expect((await parley.api.post('/api/session', { token })).status).toBe(201);
    });

    test('is revoked by the operator with its session, and the keys and tokens that this has created', async () => {
      const own = await parley.workspace();
      const browser = await begin(parley, parley.api, { token: await createSignInLink(own) });
      const { data } = (await own.api.get('/api/sessions?limit=1')).body;
      const linkId = data[0].id as string;
      const key = await createKey(browser);
      const child = await createKey(key.api);
      const token = await tokenFrom(browser);
      const descendants = [
        token,
        await tokenFrom(token),
        await begin(parley, token),
        await tokenFrom(key.api),
      ];
      const others = [await tokenFrom(own.api), bearer(parley, createToken(own))];
      const unused = await createSignInLink(own);
      const command = ['console', 'revoke', '--workspace', own.workspaceId, '--link', linkId];

      const ended = (await operator.json(...command)) as object;
      const { code, stderr } = await operator.run(command);

      expect(ended).toEqual({ linkId, wasUnused: false, sessions: 2, keys: 2 });
      expect({ code, stderr }).toEqual({ code: 1, stderr: 'Session not found\n' });
      for (const client of [browser, key.api, child.api, ...descendants]) {
        expect(readCode(await client.get('/api/session'))).toEqual([401, 'INVALID_CREDENTIAL']);
      }
      for (const client of [own.api, ...others]) expect((await client.get('/api/session')).status).toBe(200);
      expect((await parley.api.post('/api/session', { token: unused })).status).toBe(201);
      expect((await own.api.get('/api/audit?action=session.link_revoked')).body.data).toMatchObject([
        {
          actor: { kind: 'operator' },
          target: { id: linkId },
          details: { revoked_keys: 2, ended_sessions: 2 },
        },
      ]);
    });

    test('is revoked with its tokens although its session has signed out', async () => {
      const own = await parley.workspace();
      const browser = await begin(parley, parley.api, { token: await createSignInLink(own) });
      const linkId = (await own.api.get('/api/sessions?limit=1')).body.data[0].id as string;
      const token = await tokenFrom(browser);
      await browser.delete('/api/session');
      expect((await token.get('/api/session')).status).toBe(200);

      const ended = await operator.json(
        'console',
        'revoke',
        '--workspace',
        own.workspaceId,
        '--link',
        linkId,
      );

      expect(ended).toEqual({ linkId, wasUnused: false, sessions: 0, keys: 0 });
      expect(readCode(await token.get('/api/session'))).toEqual([401, 'INVALID_CREDENTIAL']);
    });

    test('cannot be used after it was revoked', async () => {
      const own = await parley.workspace();
      const token = await createSignInLink(own);
      const [link] = await parley.sql<{ id: string }>(
        'SELECT id FROM console_links WHERE workspace_id = $1',
        [own.workspaceId],
      );
      const command = ['console', 'revoke', '--workspace', own.workspaceId, '--link', link?.id as string];

      const ended = await operator.json(...command);

      expect(ended).toEqual({ linkId: link?.id, wasUnused: true, sessions: 0, keys: 0 });
      for (const path of ['/api/session/preview', '/api/session']) {
        expect(readCode(await parley.api.post(path, { token }))).toEqual([401, 'INVALID_CREDENTIAL']);
      }
    });

    test("is printed by the operator's command", async () => {
      const own = await parley.workspace();
      const { url, expiresAt } = await operator.json('console', 'link', '--workspace', own.workspaceId);

      const [page, token] = (url as string).split('#token=');
      expect(page).toBe('https://parley.example.com/login');
      expect((new Date(expiresAt as string).getTime() - Date.now()) / 60_000).toBeCloseTo(15, 0);
      expect((await parley.api.post('/api/session', { token })).status).toBe(201);
    });
  });

  test('notes when it and its key were last used, apart from its requests', async () => {
    const own = await parley.workspace();
    const { api, keyId } = await createKey(own.api);
    const browser = await begin(parley, api);
    const flush = () => parley.app.get(LastUses, { strict: false }).flush();
    const lastUse = async () => {
      const { data } = (await own.api.get('/api/auth/api-keys')).body;
      return (data as { keyId: string; lastUsedAt: string | null }[]).find((key) => key.keyId === keyId)
        ?.lastUsedAt;
    };
    await flush();
    const first = await lastUse();
    await parley.sql(
      `UPDATE sessions SET last_used_at = now() - interval '11 hours' WHERE workspace_id = $1`,
      [own.workspaceId],
    );

    await browser.get('/api/agents');

    expect(await lastUse()).toBe(first);
    await flush();
    expect(new Date((await lastUse()) as string).getTime()).toBeGreaterThan(
      new Date(first as string).getTime(),
    );
    const [session] = await parley.sql<{ idle: number }>(
      'SELECT extract(epoch FROM now() - last_used_at)::int AS idle FROM sessions WHERE workspace_id = $1',
      [own.workspaceId],
    );
    expect(session?.idle).toBeLessThan(60);
  });
});

describe('Behind a proxy with TLS, a session', () => {
  const parley = useOwnParley({
    ROLES: 'http',
    TRUST_PROXY: 'loopback',
    PUBLIC_URL: 'https://parley.example.com',
    WRONG_CREDENTIALS_PER_MINUTE: '3',
  });

  test('is a cookie of this host only, for TLS only', async () => {
    const { apiKey } = await parley.workspace();
    const tls = { 'x-forwarded-proto': 'https' };
    const answer = await parley.api.with({ ...tls, 'x-api-key': apiKey }).post('/api/session', {});

    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-parley_session=parley_session_/);
    expect(cookie).toMatch(/; Secure/);
    const api = parley.api.with({
      ...tls,
      cookie: getCookie(answer),
      'x-parley-session': '1',
      origin: 'https://parley.example.com',
    });
    expect((await api.post('/api/agents', { type: 'chat' })).status).toBe(200);
    const withoutPrefix = getCookie(answer).replace('__Host-', '');
    expect((await parley.api.with({ ...tls, cookie: withoutPrefix }).get('/api/agents')).status).toBe(401);
  });

  test('continues while other clients at its address guess sessions and links', async () => {
    const workspace = await parley.workspace();
    const browser = await begin(parley, workspace.api);
    expect((await browser.get('/api/session')).status).toBe(200);
    const guess = () =>
      parley.api
        .with({ cookie: `__Host-parley_session=parley_session_${'x'.repeat(43)}` })
        .get('/api/agents');
    const guessLink = () => parley.api.post('/api/session', { token: `parley_link_${'x'.repeat(43)}` });

    const statuses = [await guess(), await guess(), await guessLink(), await guess(), await guessLink()].map(
      ({ status }) => status,
    );

    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await browser.get('/api/session')).status).toBe(200);
  });
});

describe('Behind a proxy with TLS that is not in TRUST_PROXY, a session', () => {
  const parley = useOwnParley({ ROLES: 'http', PUBLIC_URL: 'https://parley.example.com' });

  test('is a cookie of this host only, for TLS only, because PUBLIC_URL says so', async () => {
    const { api } = await parley.workspace();
    const answer = await api.post('/api/session', {});

    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-parley_session=parley_session_.*; Secure/);
    const status = async (cookie: string) => (await parley.api.with({ cookie }).get('/api/session')).status;
    expect(await status(getCookie(answer))).toBe(200);
    expect(await status(getCookie(answer).replace('__Host-', ''))).toBe(401);
  });
});
