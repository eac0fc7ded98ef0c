import { randomUUID } from 'node:crypto';
import { createAgent } from '../support/agents';
import { outcome, outOfScope, refused } from '../support/answers';
import { ecKey, IdentityProvider, rsaKey, type SigningKey } from '../support/identity-provider';
import { TestParley, type TestWorkspace } from '../support/parley';
import { bearer, createClaims, inSeconds, createToken } from '../support/tokens';
import { until } from '../support/until';

const JWT_ISSUER = 'https://id.example/';
const JWT_AUDIENCE = 'parley';
const REQUIRED = { JWT_SECRET: '', JWT_ISSUER, JWT_AUDIENCE };
const named = { iss: JWT_ISSUER, aud: JWT_AUDIENCE };

const wrong = refused(401, 'Unauthorized', {
  error_code: 'INVALID_CREDENTIAL',
  details:
    'The credential is not valid: unknown, expired, revoked, used already, or signed with another key.',
});
const issuedElsewhere = refused(409, 'Tokens are issued elsewhere', {
  error_code: 'TOKENS_ISSUED_ELSEWHERE',
  error: {
    details:
      'This server checks the tokens of an identity provider (JWT_PUBLIC_KEY or JWKS_URL). Get a token there.',
  },
});
const unavailable = refused(503, 'Tokens cannot be checked', {
  details: 'The keys of the identity provider (JWKS_URL) could not be loaded. Try again in 5 s.',
  error_code: 'KEYS_UNAVAILABLE',
});

/** Keys that the provider does not publish. */
const otherKey = { RSA: rsaKey(), EC: ecKey() };
const rsa = rsaKey();
const ec = ecKey();

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Each test has its own server, one after the other: Passport has one set of strategies for each process. */
async function withParley(settings: Record<string, string>, run: (parley: TestParley) => Promise<void>) {
  const parley = await TestParley.start({ ...REQUIRED, ...settings });
  try {
    await run(parley);
  } finally {
    await parley.stop();
  }
}

const user = (parley: TestParley) => (token: string) => outcome(bearer(parley, token).get('/api/workspace'));

const rsaToken = (workspace: TestWorkspace, changes: object = {}, key: SigningKey = rsa, keyid?: string) =>
  createToken(workspace, { ...named, ...changes }, key.privateKey, {
    algorithm: 'RS256',
    ...(keyid && { keyid }),
  });

describe('With the public key of an identity provider', () => {
  test.each([
    ['RSA', 'RS256', rsa],
    ['EC', 'ES256', ec],
  ] as const)('(%s), only its tokens are accepted', (type, algorithm, key) =>
    withParley({ JWT_PUBLIC_KEY: key.publicKey }, async (parley) => {
      const workspace = await parley.workspace();
      const use = user(parley);
      const by = ({ privateKey }: SigningKey, changes: object = {}) =>
        createToken(workspace, { ...named, ...changes }, privateKey, { algorithm });
      const [header, payload] = by(key).split('.');
      const forged = {
        'by another key': by(otherKey[type]),
        'with the public key as a secret': createToken(workspace, named, key.publicKey),
        'with a secret': createToken(workspace, named),
        'with another algorithm':
          type === 'RSA'
            ? createToken(workspace, named, key.privateKey, { algorithm: 'RS512' })
            : createToken(workspace, named, otherKey.RSA.privateKey, { algorithm: 'RS256' }),
        'with the algorithm none': `${base64url({ alg: 'none' })}.${payload}.`,
        'without a signature': `${header}.${payload}.`,
        'after it has expired': by(key, { exp: inSeconds(-1) }),
        'without an expiry': by(key, { exp: undefined }),
        'without an issuer': by(key, { iss: undefined }),
        'by another issuer': by(key, { iss: 'https://id.example' }),
        'without an audience': by(key, { aud: undefined }),
        'for another audience': by(key, { aud: 'parley-admin' }),
        'for a list of others': by(key, { aud: ['billing', 'mail'] }),
        'for an object': by(key, { aud: { parley: true } }),
      };

      expect((await use(by(key))).status).toBe(200);
      expect((await use(by(key, { aud: ['billing', JWT_AUDIENCE] }))).status).toBe(200);
      for (const [how, token] of Object.entries(forged)) {
        expect({ how, ...(await use(token)) }).toEqual({ how, ...wrong });
      }
      expect((await workspace.api.get('/api/workspace')).status).toBe(200);
      expect(await outcome(workspace.api.post('/api/auth/tokens', {}))).toEqual(issuedElsewhere);
    }),
  );

  test('and a required scope, tokens without it are out of scope, and other words do not restrict tokens', () =>
    withParley({ JWT_PUBLIC_KEY: rsa.publicKey, JWT_REQUIRED_SCOPE: 'parley:use' }, async (parley) => {
      const workspace = await parley.workspace();
      const agentId = await createAgent(workspace);
      const clientScoped = (scope: unknown) => bearer(parley, rsaToken(workspace, { scope }));
      const missing = refused(403, 'The scope of the credential does not include this operation', {
        details: 'The claim "scope" of the token must contain parley:use.',
        error_code: 'OUT_OF_SCOPE',
      });

      for (const scope of [
        undefined,
        null,
        '',
        'openid',
        'parley:use2',
        [['parley:use']],
        `agent:${agentId}`,
      ]) {
        const answer = outcome(clientScoped(scope).get(`/api/agents/${agentId}`));
        expect({ scope, ...(await answer) }).toEqual({ scope, ...missing });
      }
      for (const scope of ['parley:use', 'openid parley:use profile', ['email', 'parley:use']]) {
        expect((await clientScoped(scope).get('/api/workspace')).status).toBe(200);
      }
      const ofAgent = clientScoped(`openid parley:use agent:${agentId}`);
      expect((await ofAgent.get(`/api/agents/${agentId}`)).status).toBe(200);
      expect(await outcome(ofAgent.get('/api/workspace'))).toEqual(outOfScope());
      expect(await outcome(clientScoped('parley:use agent:*').get('/api/workspace'))).toEqual(outOfScope());
    }));
});

describe('With the JWKS URL of an identity provider', () => {
  let provider: IdentityProvider;
  let JWKS_URL: string;

  beforeEach(async () => {
    provider = new IdentityProvider({ first: rsa, second: ec });
    JWKS_URL = await provider.start();
  });
  afterEach(() => provider.stop());

  test('only tokens of its keys are accepted, including new keys', () =>
    withParley({ JWKS_URL }, async (parley) => {
      const workspace = await parley.workspace();
      const use = user(parley);
      const unpublished = otherKey.RSA;
      const forged = {
        'by another key with the same kid': rsaToken(workspace, {}, unpublished, 'first'),
        'without a kid': rsaToken(workspace),
        'by another issuer': rsaToken(workspace, { iss: 'https://other.example/' }, rsa, 'first'),
        'for another audience': rsaToken(workspace, { aud: 'billing' }, rsa, 'first'),
        'with another algorithm': createToken(workspace, named, rsa.privateKey, {
          algorithm: 'PS256',
          keyid: 'first',
        }),
        'with the algorithm of another key': rsaToken(workspace, {}, rsa, 'second'),
        'with the public key as a secret': createToken(workspace, named, rsa.publicKey, {
          algorithm: 'HS256',
          keyid: 'first',
        }),
        'with the algorithm none': `${base64url({ alg: 'none', kid: 'first' })}.${base64url(createClaims(workspace))}.`,
        'with a kid that is not a text': `${base64url({ alg: 'RS256', kid: {} })}.${base64url(named)}.x`,
        'with a malformed token': 'a.b.c',
      };
      const ecToken = createToken(workspace, named, ec.privateKey, { algorithm: 'ES256', keyid: 'second' });

      expect((await use(rsaToken(workspace, {}, rsa, 'first'))).status).toBe(200);
      expect((await use(ecToken)).status).toBe(200);
      provider.keys.third = unpublished;
      expect((await use(rsaToken(workspace, {}, unpublished, 'third'))).status).toBe(200);
      for (const [how, token] of Object.entries(forged)) {
        expect({ how, ...(await use(token)) }).toEqual({ how, ...wrong });
      }
      expect(await outcome(workspace.api.post('/api/auth/tokens', {}))).toEqual(issuedElsewhere);

      await provider.stop();
      expect((await use(rsaToken(workspace, {}, rsa, 'first'))).status).toBe(200);
      expect(await use(rsaToken(workspace, {}, unpublished, 'fourth'))).toEqual(wrong);
      await provider.start();
    }));

  test('tokens with random kids cause one load, and do not delay valid tokens', () =>
    withParley({ JWKS_URL }, async (parley) => {
      const workspace = await parley.workspace();
      const use = user(parley);
      const good = rsaToken(workspace, {}, rsa, 'first');
      expect((await use(good)).status).toBe(200);
      const before = provider.requests;

      const answers = await Promise.all(
        Array.from({ length: 12 }, async () => [
          await use(rsaToken(workspace, {}, otherKey.RSA, randomUUID())),
          await use(good),
        ]),
      );

      for (const [random, valid] of answers) {
        expect(random).toEqual(wrong);
        expect(valid?.status).toBe(200);
      }
      expect(provider.requests - before).toBe(1);
      // The requests do not wait either if the provider stops answering.
      provider.isSilent = true;
      expect(await use(rsaToken(workspace, {}, otherKey.RSA, randomUUID()))).toEqual(wrong);
      expect((await use(good)).status).toBe(200);
    }));

  test('keys that are too weak are ignored', async () => {
    const weak = { small: rsaKey(1_024), curve: ecKey('P-384') };
    Object.assign(provider.keys, weak);

    await withParley({ JWKS_URL }, async (parley) => {
      const workspace = await parley.workspace();
      const use = user(parley);
      const small = createToken(workspace, named, weak.small.privateKey, {
        algorithm: 'RS256',
        keyid: 'small',
        allowInsecureKeySizes: true,
      });

      expect(await use(small)).toEqual(wrong);
      expect((await use(rsaToken(workspace, {}, rsa, 'first'))).status).toBe(200);
    });
  });

  test('the server starts without the provider, answers 503 to tokens until it is back, and accepts API keys', async () => {
    await provider.stop();

    await withParley({ JWKS_URL }, async (parley) => {
      const workspace = await parley.workspace();
      const api = bearer(parley, rsaToken(workspace, {}, rsa, 'first'));
      const refusal = await api.get('/api/workspace');

      expect(await outcome(Promise.resolve(refusal))).toEqual(unavailable);
      expect(refusal.headers.get('retry-after')).toBe('5');
      expect((await workspace.api.get('/api/workspace')).status).toBe(200);
      expect(await outcome(bearer(parley, 'a.b.c').get('/api/workspace'))).toEqual(wrong);

      await provider.start();
      await until(async () => (await api.get('/api/workspace')).status === 200, 20_000);
    });
  });
});
