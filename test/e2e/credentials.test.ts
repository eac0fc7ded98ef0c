import { sign } from 'jsonwebtoken';
import { createHash, randomUUID } from 'node:crypto';
import { createAgent } from '../support/agents';
import { invalid, outcome, refused } from '../support/answers';
import { ecKey, IdentityProvider, rsaKey } from '../support/identity-provider';
import { JWT_SECRET, TestParley, type TestWorkspace, useParley } from '../support/parley';
import { bearer, claimsOf, inSeconds, tokenOf, unlikelyTokenOf } from '../support/tokens';

const missing = refused(401, 'Unauthorized', {
  details: 'Send an API key in the header X-API-Key, or a token as Authorization: Bearer <token>.',
});
const wrong = refused(401, 'Unauthorized', {
  details: 'The API key or token is not valid: unknown, expired, revoked, or signed with another key.',
});

const parley = useParley();

/** Nobody's. */
const otherKey = { RSA: rsaKey(), EC: ecKey() };

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string;
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

describe('An API key', () => {
  const create = async (workspace: TestWorkspace, limits: object = {}) => {
    const { body } = await workspace.api.post('/api/auth/api-keys', limits);
    return body.data as { keyId: string; apiKey: string };
  };
  const withKey = (apiKey: string) => parley.api.with({ 'x-api-key': apiKey });
  const use = (apiKey: string) => outcome(withKey(apiKey).get('/api/workspace'));

  test('is made for the workspace and the user of who asks, and works at once', async () => {
    const workspace = await parley.workspace();

    const answer = await workspace.api.post('/api/auth/api-keys', {});

    expect(await outcome(Promise.resolve(answer))).toEqual({
      status: 201,
      body: {
        status: 201,
        message: 'API key created',
        data: { keyId: uuid, apiKey: expect.stringMatching(/^parley_[\w-]{43}$/) as string },
      },
    });
    const api = withKey(answer.body.data.apiKey as string);
    const agent = await api.post('/api/agents', { type: 'chat' });
    expect(agent.body.data).toMatchObject({
      workspaceId: workspace.workspaceId,
      userId: workspace.userId,
    });
  });

  test('is shown once; the database has its SHA-256', async () => {
    const workspace = await parley.workspace();
    const { keyId, apiKey } = await create(workspace);

    const list = await workspace.api.get('/api/auth/api-keys');
    const revoked = await workspace.api.delete(`/api/auth/api-keys/${keyId}`);
    const [row] = await parley.sql<{ hash: Buffer; text: string }>(
      'SELECT hash, row_to_json(k)::text AS text FROM api_keys k WHERE id = $1',
      [keyId],
    );

    const secret = apiKey.slice('parley_'.length, -4);
    for (const text of [JSON.stringify(list.body), JSON.stringify(revoked.body), row?.text]) {
      expect(text).not.toContain(secret);
    }
    expect(row?.hash).toEqual(createHash('sha256').update(apiKey).digest());
  });

  test('is listed with its limits, the newest first', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    const plain = await create(workspace);
    const limited = await create(workspace, { scope: [`agent:${agentId}`], expires });

    const shown = {
      userId: workspace.userId,
      scope: null,
      expiresAt: null,
      revokedAt: null,
      createdAt: timestamp,
    };
    const first = {
      ...shown,
      keyId: limited.keyId,
      hint: limited.apiKey.slice(-4),
      scope: [`agent:${agentId}`],
      expiresAt: expires,
    };
    expect(await outcome(workspace.api.get('/api/auth/api-keys'))).toEqual({
      status: 200,
      body: {
        status: 200,
        message: 'API keys',
        data: [
          first,
          { ...shown, keyId: plain.keyId, hint: plain.apiKey.slice(-4) },
          { ...shown, keyId: uuid, hint: workspace.apiKey.slice(-4) },
        ],
        pagination: { page: 1, limit: 10, total: 3, totalPages: 1, hasNextPage: false, hasPrevPage: false },
      },
    });
    expect((await workspace.api.get('/api/auth/api-keys?page=2&limit=1')).body).toMatchObject({
      data: [{ keyId: plain.keyId }],
      pagination: { page: 2, limit: 1, total: 3, totalPages: 3, hasNextPage: true, hasPrevPage: true },
    });
    expect((await workspace.api.get('/api/auth/api-keys?page=9')).body).toMatchObject({
      data: [],
      pagination: { page: 9, limit: 10, total: 3, totalPages: 1, hasNextPage: false, hasPrevPage: true },
    });
  });

  test('stops working the moment it is revoked; revoking it again changes nothing', async () => {
    const workspace = await parley.workspace();
    const { keyId, apiKey } = await create(workspace);
    const revokedAt = async () =>
      (await workspace.api.get('/api/auth/api-keys')).body.data[0].revokedAt as unknown;
    const done = { status: 200, body: { status: 200, message: 'API key revoked' } };

    expect(await outcome(workspace.api.delete(`/api/auth/api-keys/${keyId}`))).toEqual(done);

    expect(await use(apiKey)).toEqual(wrong);
    const first = await revokedAt();
    expect(first).toEqual(timestamp);
    expect(await outcome(workspace.api.delete(`/api/auth/api-keys/${keyId}`))).toEqual(done);
    expect(await revokedAt()).toBe(first);
  });

  test('may revoke itself', async () => {
    const workspace = await parley.workspace();
    const { keyId, apiKey } = await create(workspace);

    expect((await withKey(apiKey).delete(`/api/auth/api-keys/${keyId}`)).status).toBe(200);

    expect(await use(apiKey)).toEqual(wrong);
  });

  test('can not be revoked by another workspace', async () => {
    const { keyId, apiKey } = await create(await parley.workspace());
    const stranger = await parley.workspace();

    expect(await outcome(stranger.api.delete(`/api/auth/api-keys/${keyId}`))).toEqual(
      refused(404, 'API key not found'),
    );

    expect((await use(apiKey)).status).toBe(200);
  });

  test('stops working when it expires', async () => {
    const workspace = await parley.workspace();
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    const { keyId, apiKey } = await create(workspace, { expires });
    expect((await use(apiKey)).status).toBe(200);

    await parley.sql(`UPDATE api_keys SET expires_at = now() WHERE id = $1`, [keyId]);

    expect(await use(apiKey)).toEqual(wrong);
  });

  test('is refused in any other spelling', async () => {
    const { apiKey } = await parley.workspace();
    const spellings = [
      '',
      'parley_',
      apiKey.slice('parley_'.length),
      apiKey.slice(0, -1),
      `${apiKey}x`,
      apiKey.toUpperCase(),
      `${apiKey}, ${apiKey}`,
      createHash('sha256').update(apiKey).digest('hex'),
      'é',
      'x'.repeat(8_000),
    ];

    for (const spelling of spellings) expect(await use(spelling)).toEqual(wrong);
  });

  test.each<[what: string, body: object, ...fields: string[]]>([
    ['a text as its scope', { scope: 'agent:*' }, 'body.scope'],
    ['no scope in its list', { scope: [] }, 'body.scope'],
    ['a wildcard as its scope', { scope: ['agent:*'] }, 'body.scope.0'],
    ['a number among its scopes', { scope: [`agent:${randomUUID()}`, 7] }, 'body.scope.1'],
    ['more than a hundred scopes', { scope: Array(101).fill(`agent:${randomUUID()}`) }, 'body.scope'],
    ['null as its scope', { scope: null }, 'body.scope'],
    ['a word as its end', { expires: 'tomorrow' }, 'body.expires'],
    ['a number as its end', { expires: 1_900_000_000 }, 'body.expires'],
    ['an end in the past', { expires: '2020-01-01T00:00:00Z' }, 'body.expires'],
    ['an end on a day that does not exist', { expires: '2030-02-30T00:00:00Z' }, 'body.expires'],
    ['null as its end', { expires: null }, 'body.expires'],
    ['properties that it does not have', { scopes: [], expiresIn: 60 }, 'body.scopes', 'body.expiresIn'],
  ])('is not made with %s', async (_, body, ...fields) => {
    const { api } = await parley.workspace();

    expect(await outcome(api.post('/api/auth/api-keys', body))).toEqual(invalid(...fields));

    expect((await api.get('/api/auth/api-keys')).body.pagination.total).toBe(1);
  });
});

describe('A token', () => {
  const use = (token: string) => outcome(bearer(parley, token).get('/api/workspace'));
  const claimsIn = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, number>;

  test('is issued for the workspace and the user of who asks, for an hour', async () => {
    const workspace = await parley.workspace();

    const answer = await workspace.api.post('/api/auth/tokens', {});

    expect(await outcome(Promise.resolve(answer))).toEqual({
      status: 201,
      body: { status: 201, message: 'Token issued', data: { token: expect.any(String) as string } },
    });
    const token = answer.body.data.token as string;
    const { iat, exp, ...claims } = claimsIn(token);
    expect(claims).toEqual({ sub: workspace.userId, workspace_id: workspace.workspaceId });
    expect((exp as number) - (iat as number)).toBe(3_600);
    expect((await use(token)).status).toBe(200);
  });

  test('is issued with a scope and a life as asked', async () => {
    const workspace = await parley.workspace();
    const scope = [await createAgent(workspace), await createAgent(workspace)].map((id) => `agent:${id}`);

    const { body } = await workspace.api.post('/api/auth/tokens', { scope, expiresIn: 31_536_000 });

    const { iat, exp, ...claims } = claimsIn(body.data.token as string);
    expect(claims.scope).toBe(scope.join(' '));
    expect((exp as number) - (iat as number)).toBe(31_536_000);
  });

  test.each<[what: string, body: object, ...fields: string[]]>([
    ['a text as its scope', { scope: 'agent:*' }, 'body.scope'],
    ['no scope in its list', { scope: [] }, 'body.scope'],
    ['an empty scope', { scope: [''] }, 'body.scope.0'],
    ['no life', { expiresIn: 0 }, 'body.expiresIn'],
    ['a life of more than a year', { expiresIn: 31_536_001 }, 'body.expiresIn'],
    ['a part of a second', { expiresIn: 1.5 }, 'body.expiresIn'],
    ['a text as its life', { expiresIn: '3600' }, 'body.expiresIn'],
    ['null as its life', { expiresIn: null }, 'body.expiresIn'],
    [
      'properties that it does not have',
      { expires: '2030-01-01T00:00:00Z', userId: 'root' },
      'body.expires',
      'body.userId',
    ],
  ])('is not issued with %s', async (_, body, ...fields) => {
    const { api } = await parley.workspace();

    expect(await outcome(api.post('/api/auth/tokens', body))).toEqual(invalid(...fields));
  });

  test('may come from elsewhere, with the same secret and any user', async () => {
    const workspace = await parley.workspace();
    const api = bearer(
      parley,
      tokenOf(workspace, { sub: 'auth0|5f7c8ec7', nbf: inSeconds(-5), name: 'Ada' }),
    );

    const { body } = await api.post('/api/agents', { type: 'chat' });

    expect(body.data).toMatchObject({ workspaceId: workspace.workspaceId, userId: 'auth0|5f7c8ec7' });
  });

  test.each<[string, object]>([
    ['has expired', { exp: inSeconds(-1) }],
    ['never expires', { exp: undefined }],
    ['expires at a text', { exp: String(inSeconds(60)) }],
    ['expires at null', { exp: null }],
    ['expires at an object', { exp: {} }],
    ['is not valid yet', { nbf: inSeconds(60) }],
    ['is valid from a text on', { nbf: 'now' }],
    ['names no workspace', { workspace_id: undefined }],
    ['names an unknown workspace', { workspace_id: randomUUID() }],
    ['names no id as its workspace', { workspace_id: 'main' }],
    ['names a number as its workspace', { workspace_id: 7 }],
    ['names a list as its workspace', { workspace_id: [randomUUID()] }],
    ['names no user', { sub: undefined }],
    ['names nobody as its user', { sub: '' }],
    ['names a number as its user', { sub: 7 }],
    ['names a user that can not be stored', { sub: 'a\0b' }],
    ['names half a character as its user', { sub: 'a\ud800' }],
  ])('that %s is refused', async (_, changes) => {
    const workspace = await parley.workspace();
    const api = bearer(parley, unlikelyTokenOf(workspace, changes));

    expect(await outcome(api.post('/api/agents', { type: 'chat' }))).toEqual(wrong);
  });

  test('that nobody with the secret has signed with HS256 is refused', async () => {
    const workspace = await parley.workspace();
    const claims = claimsOf(workspace);
    const good = tokenOf(workspace);
    const [header, payload, signature] = good.split('.') as [string, string, string];
    const forged = {
      'by another secret': tokenOf(workspace, {}, `${JWT_SECRET}!`),
      'by nobody': `${base64url({ alg: 'none', typ: 'JWT' })}.${base64url(claims)}.`,
      'by nobody, in capitals': `${base64url({ alg: 'NONE' })}.${base64url(claims)}.`,
      'by nobody, with a signature': `${base64url({ alg: 'none' })}.${base64url(claims)}.${signature}`,
      'with HS512': tokenOf(workspace, {}, JWT_SECRET, { algorithm: 'HS512' }),
      'with HS384': tokenOf(workspace, {}, JWT_SECRET, { algorithm: 'HS384' }),
      'with RS256': tokenOf(workspace, {}, otherKey.RSA.privateKey, { algorithm: 'RS256' }),
      'for other claims': `${header}.${base64url({ ...claims, sub: 'somebody else' })}.${signature}`,
      'under another header': `${base64url({ alg: 'HS256', typ: 'JWT', kid: '1' })}.${payload}.${signature}`,
      'with its signature cut off': `${header}.${payload}.`,
      'with its signature left out': `${header}.${payload}`,
      'over a text': sign('claims', JWT_SECRET),
      'over null': `${header}.${base64url(null)}.${signature}`,
      'over a list': sign(JSON.stringify([claims]), JWT_SECRET),
      'of dots': '..',
      'of garbage': 'é.é.é',
      'of nothing at all': '',
    };
    expect((await use(good)).status).toBe(200);

    for (const [how, token] of Object.entries(forged)) {
      expect({ how, ...(await use(token)) }).toEqual({ how, ...wrong });
    }
  });

  test('and an API key each belong in a header of their own', async () => {
    const workspace = await parley.workspace();
    const token = tokenOf(workspace);
    const headers: Record<string, string>[] = [
      { 'x-api-key': token },
      { 'x-api-key': `Bearer ${token}` },
      { authorization: token },
      { authorization: `Bearer ${workspace.apiKey}` },
      { authorization: workspace.apiKey },
      { authorization: `Basic ${Buffer.from(`${workspace.apiKey}:`).toString('base64')}` },
      { authorization: 'Bearer' },
    ];

    for (const credential of headers) {
      const answer = parley.api.with(credential).get('/api/workspace');
      expect({ credential, ...(await outcome(answer)) }).toEqual({ credential, ...wrong });
    }
    expect((await parley.api.with({ authorization: `bearer ${token}` }).get('/api/workspace')).status).toBe(
      200,
    );
    expect(await outcome(parley.api.get(`/api/workspace?access_token=${token}`))).toEqual(missing);
  });
});

describe('The workspace', () => {
  test.each([
    ['active', 250],
    ['inactive', 0],
  ])('shows its credits and its subscription, when that is %s', async (subscription, credits) => {
    const subscribed = subscription === 'active';
    const { api, workspaceId } = await parley.workspace({ subscribed, credits });

    expect(await outcome(api.get('/api/workspace'))).toEqual({
      status: 200,
      body: {
        status: 200,
        message: 'Workspace',
        data: { workspaceId, name: 'Test', credits, callsUnderWay: 0, subscription, createdAt: timestamp },
      },
    });
  });
});

// These last: a second server of this process takes the first one's credentials for its own.
describe('With the public key of an identity provider', () => {
  const issuedElsewhere = refused(409, 'Tokens are issued elsewhere', {
    error: {
      details:
        'This server checks the tokens of your identity provider (JWT_PUBLIC_KEY or JWKS_URL); get one there.',
    },
  });

  test.each([
    ['RSA', 'RS256', rsaKey()],
    ['EC', 'ES256', ecKey()],
  ] as const)('(%s), its tokens are taken, and no others', async (type, algorithm, key) => {
    const parley = await TestParley.start({ JWT_SECRET: '', JWT_PUBLIC_KEY: key.publicKey });
    try {
      const workspace = await parley.workspace();
      const use = (token: string) => outcome(bearer(parley, token).get('/api/workspace'));
      const [header, payload] = tokenOf(workspace, {}, key.privateKey, { algorithm }).split('.');
      const forged = {
        'by another key': tokenOf(workspace, {}, otherKey[type].privateKey, { algorithm }),
        'with the public key as a secret': tokenOf(workspace, {}, key.publicKey),
        'with a secret': tokenOf(workspace),
        'with another algorithm':
          type === 'RSA'
            ? tokenOf(workspace, {}, key.privateKey, { algorithm: 'RS512' })
            : tokenOf(workspace, {}, otherKey.RSA.privateKey, { algorithm: 'RS256' }),
        'by nobody': `${base64url({ alg: 'none' })}.${payload}.`,
        'not at all': `${header}.${payload}.`,
        'after it has expired': tokenOf(workspace, { exp: inSeconds(-1) }, key.privateKey, { algorithm }),
        'without an end': tokenOf(workspace, { exp: undefined }, key.privateKey, { algorithm }),
      };

      expect((await use(tokenOf(workspace, {}, key.privateKey, { algorithm }))).status).toBe(200);
      for (const [how, token] of Object.entries(forged)) {
        expect({ how, ...(await use(token)) }).toEqual({ how, ...wrong });
      }
      expect((await workspace.api.get('/api/workspace')).status).toBe(200);
      expect(await outcome(workspace.api.post('/api/auth/tokens', {}))).toEqual(issuedElsewhere);
    } finally {
      await parley.stop();
    }
  });

  test('at an address, tokens of each key there are taken, of new ones too, and no others', async () => {
    const keys = { first: rsaKey(), second: ecKey() };
    const stolen = otherKey.RSA;
    const provider = new IdentityProvider({ ...keys });
    const parley = await TestParley.start({ JWT_SECRET: '', JWKS_URL: await provider.start() });
    try {
      const workspace = await parley.workspace();
      const use = (token: string) => outcome(bearer(parley, token).get('/api/workspace'));
      const rsaToken = (key = keys.first, keyid = 'first') =>
        tokenOf(workspace, {}, key.privateKey, { algorithm: 'RS256', keyid });
      const ecToken = tokenOf(workspace, {}, keys.second.privateKey, { algorithm: 'ES256', keyid: 'second' });
      const forged = {
        'by a key that is not there': rsaToken(stolen, 'third'),
        'by another key under its name': rsaToken(stolen),
        'under no name': tokenOf(workspace, {}, keys.first.privateKey, { algorithm: 'RS256' }),
        'with another algorithm': tokenOf(workspace, {}, keys.first.privateKey, {
          algorithm: 'PS256',
          keyid: 'first',
        }),
        'with the public key as a secret': tokenOf(workspace, {}, keys.first.publicKey, {
          algorithm: 'HS256',
          keyid: 'first',
        }),
        'by nobody': `${base64url({ alg: 'none', kid: 'first' })}.${base64url(claimsOf(workspace))}.`,
        'of garbage': 'a.b.c',
      };

      expect((await use(rsaToken())).status).toBe(200);
      expect((await use(ecToken)).status).toBe(200);
      for (const [how, token] of Object.entries(forged)) {
        expect({ how, ...(await use(token)) }).toEqual({ how, ...wrong });
      }
      provider.keys.third = stolen;
      expect((await use(rsaToken(stolen, 'third'))).status).toBe(200);
      expect(await outcome(workspace.api.post('/api/auth/tokens', {}))).toEqual(issuedElsewhere);

      await provider.stop();
      expect((await use(rsaToken())).status).toBe(200);
      expect(await use(rsaToken(stolen, 'fourth'))).toEqual(wrong);
    } finally {
      await parley.stop();
      await provider.stop();
    }
  });
});
