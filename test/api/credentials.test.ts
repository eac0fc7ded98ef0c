import { sign, verify } from 'jsonwebtoken';
import { createHash, randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { createAgent } from '../support/agents';
import { invalid, outcome, outOfScope, refused } from '../support/answers';
import type { ApiClient } from '../support/client';
import { rsaKey } from '../support/identity-provider';
import { JWT_SECRET, TestParley, type TestWorkspace, useParley } from '../support/parley';
import {
  bearer,
  createClaims,
  inSeconds,
  signedBy,
  createToken,
  createUnlikelyToken,
} from '../support/tokens';
import { until } from '../support/until';

const missing = refused(401, 'Unauthorized', {
  error_code: 'MISSING_CREDENTIAL',
  details: 'Send an API key in the header X-API-Key, or a token as Authorization: Bearer <token>.',
});
const wrong = refused(401, 'Unauthorized', {
  error_code: 'INVALID_CREDENTIAL',
  details:
    'The credential is not valid: unknown, expired, revoked, used already, or signed with another key.',
});

const parley = useParley();

const apiKeyRequired = refused(403, 'This operation requires an API key', {
  details: 'It does not accept tokens. Send an API key without a scope in the header X-API-Key.',
  error_code: 'API_KEY_REQUIRED',
});

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

  test('is created for the workspace and user of the request, and works at once', async () => {
    const workspace = await parley.workspace();

    const answer = await workspace.api.post('/api/auth/api-keys', {});

    expect(await outcome(Promise.resolve(answer))).toEqual({
      status: 201,
      body: {
        status: 201,
        message: 'API key created',
        data: {
          keyId: uuid,
          apiKey: expect.stringMatching(/^parley_[\w-]{43}$/) as string,
          name: null,
          expiresAt: null,
        },
      },
    });
    const api = withKey(answer.body.data.apiKey as string);
    const agent = await api.post('/api/agents', { type: 'chat' });
    expect(agent.body.data).toMatchObject({
      workspaceId: workspace.workspaceId,
      userId: workspace.userId,
    });
  });

  test('is shown once, and stored as its SHA-256 hash', async () => {
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

  test('is listed with its limits, newest first', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    const plain = await create(workspace);
    const limited = await create(workspace, { scope: [`agent:${agentId}`], expires });

    const [{ keyId: parentKeyId }] = (await workspace.api.get('/api/auth/api-keys?page=3&limit=1')).body
      .data as [{ keyId: string }];
    const shown = {
      parentKeyId,
      userId: workspace.userId,
      scope: null,
      callsPerDay: null,
      callsToday: null,
      expiresAt: null,
      revokedAt: null,
      name: null,
      lastUsedAt: null,
      createdAt: timestamp,
      createdBy: { kind: 'key', id: parentKeyId, name: expect.stringMatching(/^….{4}$/) as string },
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
          {
            ...shown,
            keyId: parentKeyId,
            parentKeyId: null,
            hint: workspace.apiKey.slice(-4),
            createdBy: null,
          },
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

  test('stops working when it is revoked, and revoking it again changes nothing', async () => {
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

  test('can revoke itself', async () => {
    const workspace = await parley.workspace();
    const { keyId, apiKey } = await create(workspace);

    expect((await withKey(apiKey).delete(`/api/auth/api-keys/${keyId}`)).status).toBe(200);

    expect(await use(apiKey)).toEqual(wrong);
  });

  test('cannot be revoked by another workspace', async () => {
    const { keyId, apiKey } = await create(await parley.workspace());
    const stranger = await parley.workspace();

    expect(await outcome(stranger.api.delete(`/api/auth/api-keys/${keyId}`))).toEqual(
      refused(404, 'API key not found', { error_code: 'API_KEY_NOT_FOUND' }),
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

  test('is refused with any change to its text', async () => {
    const { apiKey } = await parley.workspace();
    const variants = [
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

    for (const variant of variants) expect(await use(variant)).toEqual(wrong);
  });

  test.each<[what: string, body: object, ...fields: string[]]>([
    ['a text as its scope', { scope: 'agent:*' }, 'body.scope'],
    ['no scope in its list', { scope: [] }, 'body.scope'],
    ['a wildcard as its scope', { scope: ['agent:*'] }, 'body.scope.0'],
    ['a number among its scopes', { scope: [`agent:${randomUUID()}`, 7] }, 'body.scope.1'],
    ['more than a hundred scopes', { scope: Array(101).fill(`agent:${randomUUID()}`) }, 'body.scope'],
    ['null as its scope', { scope: null }, 'body.scope'],
    ['a word as its expiry', { expires: 'tomorrow' }, 'body.expires'],
    ['a number as its expiry', { expires: 1_900_000_000 }, 'body.expires'],
    ['an expiry in the past', { expires: '2020-01-01T00:00:00Z' }, 'body.expires'],
    ['an expiry on a day that does not exist', { expires: '2030-02-30T00:00:00Z' }, 'body.expires'],
    ['null as its expiry', { expires: null }, 'body.expires'],
    ['properties that it does not have', { scopes: [], expiresIn: 60 }, 'body.scopes', 'body.expiresIn'],
  ])('is not created with %s', async (_, body, ...fields) => {
    const { api } = await parley.workspace();

    expect(await outcome(api.post('/api/auth/api-keys', body))).toEqual(invalid(...fields));

    expect((await api.get('/api/auth/api-keys')).body.pagination.total).toBe(1);
  });
});

describe('A token', () => {
  const use = (token: string) => outcome(bearer(parley, token).get('/api/workspace'));
  const claimsIn = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, number>;

  test('is issued for the workspace and user of the request, for an hour', async () => {
    const workspace = await parley.workspace();

    const answer = await workspace.api.post('/api/auth/tokens', {});

    expect(await outcome(Promise.resolve(answer))).toEqual({
      status: 201,
      body: {
        status: 201,
        message: 'Token issued',
        data: { token: expect.any(String) as string, expiresAt: timestamp },
      },
    });
    const { token, expiresAt } = answer.body.data as { token: string; expiresAt: string };
    const { iat, exp, ...claims } = claimsIn(token);
    expect(claims).toEqual({
      jti: uuid,
      sub: workspace.userId,
      workspace_id: workspace.workspaceId,
      key_id: uuid,
    });
    expect((exp as number) - (iat as number)).toBe(3_600);
    expect(Date.parse(expiresAt)).toBe((exp as number) * 1_000);
    expect((await use(token)).status).toBe(200);
  });

  test('is issued with the requested scope and lifetime', async () => {
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
    ['no lifetime', { expiresIn: 0 }, 'body.expiresIn'],
    ['a lifetime of more than a year', { expiresIn: 31_536_001 }, 'body.expiresIn'],
    ['a part of a second', { expiresIn: 1.5 }, 'body.expiresIn'],
    ['a text as its lifetime', { expiresIn: '3600' }, 'body.expiresIn'],
    ['null as its lifetime', { expiresIn: null }, 'body.expiresIn'],
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

  test('can be issued elsewhere with the same secret, for any user', async () => {
    const workspace = await parley.workspace();
    const api = bearer(
      parley,
      createToken(workspace, { sub: 'auth0|5f7c8ec7', nbf: inSeconds(-5), name: 'Ada' }),
    );

    const { body } = await api.post('/api/agents', { type: 'chat' });

    expect(body.data).toMatchObject({ workspaceId: workspace.workspaceId, userId: 'auth0|5f7c8ec7' });
  });

  test('counts if the clock of its issuer is a few seconds ahead', async () => {
    const workspace = await parley.workspace();
    const ahead = createToken(workspace, { iat: inSeconds(30), nbf: inSeconds(30) });

    expect((await bearer(parley, ahead).get('/api/workspace')).status).toBe(200);
  });

  test('is refused if it is not valid yet', async () => {
    const workspace = await parley.workspace();
    const api = bearer(parley, createUnlikelyToken(workspace, { nbf: inSeconds(60) }));

    expect(await outcome(api.post('/api/agents', { type: 'chat' }))).toEqual(wrong);
  });

  test.each<[string, object]>([
    ['has expired', { exp: inSeconds(-1) }],
    ['never expires', { exp: undefined }],
    ['expires at a text', { exp: String(inSeconds(60)) }],
    ['expires at null', { exp: null }],
    ['expires at an object', { exp: {} }],
    ['is valid from a text on', { nbf: 'now' }],
    ['names no workspace', { workspace_id: undefined }],
    ['names an unknown workspace', { workspace_id: randomUUID() }],
    ['has a malformed workspace id', { workspace_id: 'main' }],
    ['names a number as its workspace', { workspace_id: 7 }],
    ['names a list as its workspace', { workspace_id: [randomUUID()] }],
    ['names no user', { sub: undefined }],
    ['has an empty user', { sub: '' }],
    ['names a number as its user', { sub: 7 }],
    ['names a user that cannot be stored', { sub: 'a\0b' }],
    ['has half a surrogate pair as its user', { sub: 'a\ud800' }],
    ['names an unknown key', { key_id: randomUUID() }],
    ['has a malformed key id', { key_id: 'main' }],
    ['names null as its key', { key_id: null }],
  ])('that %s is refused', async (_, changes) => {
    const workspace = await parley.workspace();
    const api = bearer(parley, createUnlikelyToken(workspace, changes));

    expect(await outcome(api.post('/api/agents', { type: 'chat' }))).toEqual(wrong);
  });

  test('is refused unless it is signed with the secret and HS256', async () => {
    const workspace = await parley.workspace();
    const claims = createClaims(workspace);
    const good = createToken(workspace);
    const [header, payload, signature] = good.split('.') as [string, string, string];
    const forged = {
      'with another secret': createToken(workspace, {}, `${JWT_SECRET}!`),
      'with the algorithm none': `${base64url({ alg: 'none', typ: 'JWT' })}.${base64url(claims)}.`,
      'with the algorithm NONE': `${base64url({ alg: 'NONE' })}.${base64url(claims)}.`,
      'with the algorithm none and a signature': `${base64url({ alg: 'none' })}.${base64url(claims)}.${signature}`,
      'with HS512': createToken(workspace, {}, JWT_SECRET, { algorithm: 'HS512' }),
      'with HS384': createToken(workspace, {}, JWT_SECRET, { algorithm: 'HS384' }),
      'with RS256': createToken(workspace, {}, rsaKey().privateKey, { algorithm: 'RS256' }),
      'for other claims': `${header}.${base64url({ ...claims, sub: 'another user' })}.${signature}`,
      'with another header': `${base64url({ alg: 'HS256', typ: 'JWT', kid: '1' })}.${payload}.${signature}`,
      'with an empty signature': `${header}.${payload}.`,
      'without a signature': `${header}.${payload}`,
      'over a text': sign('claims', JWT_SECRET),
      'over null': signedBy({ alg: 'HS256', typ: 'JWT' }, null),
      'over null, without a type': signedBy({ alg: 'HS256' }, null),
      'over a number': signedBy({ alg: 'HS256', typ: 'JWT' }, 7),
      'over true': signedBy({ alg: 'HS256', typ: 'JWT' }, true),
      'over a list': signedBy({ alg: 'HS256', typ: 'JWT' }, [claims]),
      'over a list, without a type': sign(JSON.stringify([claims]), JWT_SECRET),
      'with a critical extension': signedBy({ alg: 'HS256', typ: 'JWT', crit: ['exp'] }, claims),
      'with an empty list of critical extensions': signedBy({ alg: 'HS256', crit: [] }, claims),
      'with a header that is not an object': signedBy(null, claims),
      'with empty parts': '..',
      'with malformed parts': 'é.é.é',
      'as an empty text': '',
    };
    expect((await use(good)).status).toBe(200);

    for (const [how, token] of Object.entries(forged)) {
      expect({ how, ...(await use(token)) }).toEqual({ how, ...wrong });
    }
  });

  test('is not accepted in the header of API keys, nor an API key in that of tokens', async () => {
    const workspace = await parley.workspace();
    const token = createToken(workspace);
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

test('A request with several credentials of one kind does not fail with a 500', async () => {
  const workspace = await parley.workspace();
  const token = createToken(workspace);
  const readStatus = (headers: Record<string, string[]>) =>
    new Promise<number | undefined>((resolve, reject) => {
      get(`${parley.url}/api/workspace`, { headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      }).on('error', reject);
    });

  // Node keeps the first of two Authorization headers, and joins two API keys to one text.
  expect(await readStatus({ authorization: [`Bearer ${token}`, 'Bearer no'] })).toBe(200);
  expect(await readStatus({ authorization: ['Bearer no', `Bearer ${token}`] })).toBe(401);
  expect(await readStatus({ 'x-api-key': [workspace.apiKey, workspace.apiKey] })).toBe(401);
  expect(await readStatus({ 'x-api-key': ['no'], authorization: [`Bearer ${token}`] })).toBe(200);
});

describe('A key or token that a credential created', () => {
  interface Key {
    keyId: string;
    apiKey: string;
    expiresAt: string | null;
  }
  const createClient = ({ apiKey }: { apiKey: string }) => parley.api.with({ 'x-api-key': apiKey });
  const createChild = async (key: { apiKey: string }, limits: object = {}) =>
    (await createClient(key).post('/api/auth/api-keys', limits)).body.data as Key;
  const tokenBy = async (api: ApiClient, limits: object = {}) => {
    const { body } = await api.post('/api/auth/tokens', limits);
    return body.data as { token: string; expiresAt: string };
  };
  const readStatus = async (api: ApiClient) => (await api.get('/api/workspace')).status;
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
  const expireNow = (keyId: string) =>
    parley.sql('UPDATE api_keys SET expires_at = now() WHERE id = $1', [keyId]);

  test('is revoked with its key, over all generations', async () => {
    const workspace = await parley.workspace();
    const key = await createChild(workspace);
    const child = await createChild(key);
    const grandchild = await createChild(child);
    const sibling = await createChild(workspace);
    const { token } = await tokenBy(createClient(key), { expiresIn: 31_536_000 });
    const descendants = {
      key: createClient(key),
      child: createClient(child),
      grandchild: createClient(grandchild),
      token: bearer(parley, token),
      tokenOfToken: bearer(parley, (await tokenBy(bearer(parley, token))).token),
      tokenOfGrandchild: bearer(parley, (await tokenBy(createClient(grandchild))).token),
    };
    const others = [
      workspace.api,
      createClient(sibling),
      bearer(parley, (await tokenBy(workspace.api)).token),
      bearer(parley, createToken(workspace)),
    ];
    for (const api of [...Object.values(descendants), ...others]) expect(await readStatus(api)).toBe(200);

    await workspace.api.delete(`/api/auth/api-keys/${key.keyId}`);

    for (const [who, api] of Object.entries(descendants)) {
      expect({ who, ...(await outcome(api.get('/api/workspace'))) }).toEqual({ who, ...wrong });
    }
    for (const api of others) expect(await readStatus(api)).toBe(200);
    const { body } = await workspace.api.get('/api/auth/api-keys');
    expect((body.data as { revokedAt: string | null }[]).map(({ revokedAt }) => revokedAt)).toEqual([
      null,
      ...[timestamp, timestamp, timestamp],
      null,
    ]);
  });

  test('is revoked with its key, also if it is being created during the revocation', async () => {
    const workspace = await parley.workspace();
    for (let round = 0; round < 5; round++) {
      const key = await createChild(workspace);
      const child = await createChild(key);
      const creators = [key, child, key, child, key, child];
      const [revoked, ...answers] = await Promise.all([
        workspace.api.delete(`/api/auth/api-keys/${key.keyId}`),
        ...creators.map((creator) => createClient(creator).post('/api/auth/api-keys', {})),
      ]);

      expect(revoked.status).toBe(200);
      for (const { status, body } of answers) {
        expect([201, 401]).toContain(status);
        if (status === 201) expect(await readStatus(createClient(body.data as Key))).toBe(401);
      }
    }
  });

  test('expires with its key at the latest, and the answer says when', async () => {
    const expires = inAnHour();
    const sooner = new Date(Date.now() + 60_000).toISOString();
    const key = await createChild(await parley.workspace(), { expires });

    expect(key.expiresAt).toBe(expires);
    expect((await createChild(key)).expiresAt).toBe(expires);
    expect((await createChild(key, { expires: '2099-01-01T00:00:00Z' })).expiresAt).toBe(expires);
    expect((await createChild(key, { expires: sooner })).expiresAt).toBe(sooner);
    const token = await tokenBy(createClient(key), { expiresIn: 31_536_000 });
    const inSeconds = Math.floor(Date.parse(expires) / 1_000) * 1_000;
    expect(Date.parse(token.expiresAt)).toBe(inSeconds);
    expect(Date.parse((await tokenBy(bearer(parley, token.token), {})).expiresAt)).toBe(inSeconds);
  });

  test('expires with its token at the latest', async () => {
    const first = await tokenBy((await parley.workspace()).api, { expiresIn: 60 });

    const second = await tokenBy(bearer(parley, first.token), { expiresIn: 31_536_000 });

    expect(second.expiresAt).toBe(first.expiresAt);
    expect(await readStatus(bearer(parley, second.token))).toBe(200);
  });

  test('expires after a year at the latest, also if its token expires later', async () => {
    const workspace = await parley.workspace();
    const api = bearer(parley, createUnlikelyToken(workspace, { exp: 1e300 }));

    const { expiresAt } = await tokenBy(api, { expiresIn: 31_536_000 });

    expect(Date.parse(expiresAt)).toBeLessThanOrEqual(Date.now() + 31_536_000_000);
  });

  test('is a token that ends when its key expires', async () => {
    const key = await createChild(await parley.workspace(), { expires: inAnHour() });
    const { token } = await tokenBy(createClient(key));
    expect(await readStatus(bearer(parley, token))).toBe(200);

    await expireNow(key.keyId);

    expect(await outcome(bearer(parley, token).get('/api/workspace'))).toEqual(wrong);
  });

  test('is never a key if the credential is a token', async () => {
    const workspace = await parley.workspace();
    const short = await tokenBy(workspace.api, { expiresIn: 60 });

    for (const token of [short.token, createToken(workspace)]) {
      expect(await outcome(bearer(parley, token).post('/api/auth/api-keys', {}))).toEqual(apiKeyRequired);
    }
    expect((await workspace.api.get('/api/auth/api-keys')).body.pagination.total).toBe(1);
  });

  test('cannot name a key of another workspace', async () => {
    const [workspace, other] = [await parley.workspace(), await parley.workspace()];
    const { keyId } = await createChild(other);

    const token = createToken(workspace, { key_id: keyId });

    expect(await outcome(bearer(parley, token).get('/api/workspace'))).toEqual(wrong);
  });
});

describe('Revoking all tokens of a workspace', () => {
  const revoke = (api: ApiClient) => outcome(api.delete('/api/auth/tokens'));
  const readStatus = async (token: string) => (await bearer(parley, token).get('/api/workspace')).status;

  test('ends those that were issued before, but no keys and no later tokens', async () => {
    const workspace = await parley.workspace();
    const other = await parley.workspace();
    const issue = async () => (await workspace.api.post('/api/auth/tokens', {})).body.data.token as string;
    const before = [
      await issue(),
      createToken(workspace),
      createToken(workspace, { iat: inSeconds(-1_000) }),
      createUnlikelyToken(workspace, { iat: undefined }),
    ];
    for (const token of before) expect(await readStatus(token)).toBe(200);

    expect(await revoke(workspace.api)).toEqual({
      status: 200,
      body: { status: 200, message: 'Tokens revoked' },
    });

    for (const token of before) {
      expect(await outcome(bearer(parley, token).get('/api/workspace'))).toEqual(wrong);
    }
    expect(await readStatus(createUnlikelyToken(workspace, { iat: 'now' }))).toBe(401);
    expect(await readStatus(createUnlikelyToken(workspace, { iat: -1e300 }))).toBe(401);
    expect(await readStatus(createToken(other))).toBe(200);
    expect((await workspace.api.get('/api/workspace')).status).toBe(200);
    // Tokens of the same second count as earlier.
    await until(async () => (await readStatus(await issue())) === 200);
  });

  test('requires an API key without a scope', async () => {
    const workspace = await parley.workspace();
    const scope = [`agent:${await createAgent(workspace)}`];
    const { body } = await workspace.api.post('/api/auth/api-keys', { scope });
    const token = createToken(workspace);

    expect(await revoke(bearer(parley, token))).toEqual(apiKeyRequired);
    expect(await revoke(parley.api.with({ 'x-api-key': body.data.apiKey }))).toEqual(outOfScope());

    expect(await readStatus(token)).toBe(200);
  });
});

test('The credentials of a suspended workspace are refused until it is resumed', async () => {
  const workspace = await parley.workspace();
  const { keyId, apiKey } = (await workspace.api.post('/api/auth/api-keys', {})).body.data as {
    keyId: string;
    apiKey: string;
  };
  const suspended = refused(403, 'The workspace is suspended', {
    details:
      'The operator suspended it. Its credentials and calls are refused until the operator resumes it.',
    error_code: 'WORKSPACE_SUSPENDED',
  });
  const clients = [workspace.api, bearer(parley, createToken(workspace))];
  const setSuspended = (value: string) =>
    parley.sql(`UPDATE workspaces SET suspended_at = ${value} WHERE id = $1`, [workspace.workspaceId]);
  await workspace.api.delete(`/api/auth/api-keys/${keyId}`);

  await setSuspended('now()');

  for (const api of clients) expect(await outcome(api.get('/api/agents'))).toEqual(suspended);
  // Only valid credentials are answered that the workspace is suspended.
  expect(await outcome(parley.api.with({ 'x-api-key': apiKey }).get('/api/agents'))).toEqual(wrong);
  await setSuspended('NULL');
  for (const api of clients) expect((await api.get('/api/agents')).status).toBe(200);
});

describe('The workspace', () => {
  test.each([
    ['active', 250],
    ['inactive', 0],
  ])('shows its credits and its %s subscription', async (subscription, credits) => {
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

// This test is the last one, because Passport has one set of strategies for each process, that of the newest
// server.
test('While JWT_SECRET is rotated, tokens of both secrets are accepted, and new tokens use the new one', async () => {
  const secret = { old: `${JWT_SECRET}, old`, new: `${JWT_SECRET}, new` };
  const rotating = await TestParley.start({ JWT_SECRET: secret.new, JWT_SECRET_PREVIOUS: secret.old });
  try {
    const workspace = await rotating.workspace();
    const use = (token: string) => outcome(bearer(rotating, token).get('/api/workspace'));

    for (const each of Object.values(secret)) {
      expect((await use(createToken(workspace, {}, each))).status).toBe(200);
      expect(await use(createToken(workspace, { exp: inSeconds(-1) }, each))).toEqual(wrong);
      expect(await use(createToken(workspace, {}, each, { algorithm: 'HS512' }))).toEqual(wrong);
    }
    expect(await use(createToken(workspace))).toEqual(wrong);
    const { body } = await workspace.api.post('/api/auth/tokens', {});
    expect(() => verify(body.data.token as string, secret.new)).not.toThrow();
  } finally {
    await rotating.stop();
  }
});
