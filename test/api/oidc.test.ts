import type { Answer, ApiClient } from '../support/client';
import { OpenIdProvider, type ProviderUser } from '../support/openid-provider';
import { TestParley, type TestWorkspace } from '../support/parley';
import { until } from '../support/until';

const PUBLIC_URL = 'http://parley.test';

let provider: OpenIdProvider;

beforeAll(async () => {
  provider = new OpenIdProvider(`${PUBLIC_URL}/oidc/callback`);
  await provider.start();
});
afterAll(() => provider.stop());

const ADA: ProviderUser = { sub: 'ada-1', name: 'Ada King', email: 'Ada@Example.com', email_verified: true };

const cookieOf = (answer: { headers: Headers }) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';

/** A browser that follows the redirects of a sign-in, with the cookie that the server sets. */
class SignIn {
  cookie = '';

  constructor(private readonly parley: TestParley) {}

  private fetch(path: string) {
    return fetch(this.parley.url + path, { redirect: 'manual', headers: { cookie: this.cookie } });
  }

  /** @returns the address of the provider */
  async begin(): Promise<string> {
    const answer = await this.fetch('/oidc/sign-in');
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([303, 'no-store']);
    this.cookie = cookieOf(answer);
    return answer.headers.get('location') ?? '';
  }

  /** @returns the address at which the provider sends the browser back */
  async visit(address: string): Promise<string> {
    const answer = await fetch(address, { redirect: 'manual' });
    expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 302, body: '' });
    return answer.headers.get('location') ?? '';
  }

  /** @returns the address to which the server leads at last */
  async finish(address: string): Promise<URL> {
    const { pathname, search } = new URL(address);
    const answer = await this.fetch(pathname + search);
    expect(answer.status).toBe(303);
    return new URL(answer.headers.get('location') ?? '');
  }

  async run(): Promise<URL> {
    return this.finish(await this.visit(await this.begin()));
  }
}

const tokensIn = ({ origin, pathname, hash }: URL) => {
  expect(origin + pathname).toBe(`${PUBLIC_URL}/login`);
  return new URLSearchParams(hash.slice(1)).getAll('token');
};

const problemIn = ({ hash, searchParams }: URL) => {
  expect(hash).toBe('');
  return searchParams.get('problem');
};

let parley: TestParley;

const settings = (more: Record<string, string> = {}) => ({
  ROLES: 'http',
  PUBLIC_URL,
  ...provider.settings,
  ...more,
});

const signIn = () => new SignIn(parley).run();

const toBrowser = (answer: Answer): ApiClient => {
  expect(answer.status).toBe(201);
  return parley.api.with({
    cookie: cookieOf(answer),
    'sec-fetch-site': 'same-origin',
    'x-parley-session': '1',
  });
};

const useToken = async (token: string | undefined) =>
  toBrowser(await parley.api.post('/api/session', { token }));

const invite = async ({ api }: TestWorkspace, fields: object) => {
  const { body } = await api.post('/api/people', { name: 'Ada', role: 'operator', ...fields });
  return body.data as { person_id: string; url: string };
};

beforeEach(() => {
  provider.user = ADA;
  provider.instead.clear();
  Object.assign(provider, { isSilent: false, isForged: false, idTokenChanges: {} });
});

describe('With an identity provider', () => {
  beforeAll(async () => {
    parley = await TestParley.start(settings());
  });
  afterAll(() => parley.stop());

  test('the login page learns its name', async () => {
    expect((await parley.api.get('/oidc')).body).toMatchObject({ status: 200, data: { name: 'Acme' } });
  });

  test('a person who was invited with the proved address signs in after a click, and keeps the identity', async () => {
    const workspace = await parley.workspace();
    const { person_id } = await invite(workspace, { email: 'ada@example.com' });
    const address = new URL(await new SignIn(parley).begin());
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      client_id: 'parley',
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${PUBLIC_URL}/oidc/callback`,
      scope: 'openid profile email',
    });

    const [token, ...others] = tokensIn(await signIn());
    expect(others).toEqual([]);
    expect((await workspace.api.get('/api/sessions')).body.pagination.total).toBe(0);
    const preview = await parley.api.post('/api/session/preview', { token });
    expect(preview.body.data).toMatchObject({ user: { id: person_id, name: 'Ada' }, role: 'operator' });
    const browser = await useToken(token);

    expect((await browser.get('/api/session')).body.data.scopes).toEqual(['operate']);
    expect((await workspace.api.get(`/api/people/${person_id}`)).body.data).toMatchObject({
      state: 'joined',
      identity_linked: true,
    });
    const actions = (await workspace.api.get(`/api/audit?actor_id=${person_id}`)).body.data as {
      action: string;
    }[];
    expect(actions.map(({ action }) => action)).toEqual([
      'session.started',
      'person.joined',
      'person.identity_linked',
    ]);

    // The address of the person may change, and may be given to another one.
    provider.user = { ...ADA, email: 'ada.king@example.com' };
    expect(tokensIn(await signIn())).toHaveLength(1);
    provider.user = { ...ADA, sub: 'bob-2' };
    expect(problemIn(await signIn())).toBe('not_invited');
  });

  test('a person of several workspaces gets a link for each, but not for a suspended one', async () => {
    const user = { ...ADA, sub: 'many', email: 'many@example.com' };
    const workspaces = [await parley.workspace(), await parley.workspace(), await parley.workspace()];
    for (const workspace of workspaces) await invite(workspace, { email: user.email });
    await parley.sql('UPDATE workspaces SET suspended_at = now() WHERE id = $1', [
      workspaces[2]?.workspaceId,
    ]);
    provider.user = user;

    const tokens = tokensIn(await signIn());

    const previews = tokens.map((token) => parley.api.post('/api/session/preview', { token }));
    const ids = (await Promise.all(previews)).map(({ body }) => body.data.workspace.id as string);
    expect(ids.sort()).toEqual(
      workspaces
        .slice(0, 2)
        .map(({ workspaceId }) => workspaceId)
        .sort(),
    );
  });

  test.each<[string, Partial<ProviderUser>]>([
    ['without an invitation', {}],
    ['whose address is not proved', { email: 'invited@example.com', email_verified: false }],
    ['whose proof is a text', { email: 'invited@example.com', email_verified: 'true' as never }],
    ['without an address', { email: undefined }],
  ])('a user %s is not signed in', async (_, claims) => {
    await invite(await parley.workspace(), { email: 'invited@example.com' });
    provider.user = { ...ADA, sub: 'stranger', email: 'stranger@example.com', ...claims };

    expect(problemIn(await signIn())).toBe('not_invited');
  });

  test('a person who was removed is not signed in any more', async () => {
    const workspace = await parley.workspace();
    provider.user = { ...ADA, sub: 'removed', email: 'removed@example.com' };
    const { person_id } = await invite(workspace, { email: 'removed@example.com' });
    const [token] = tokensIn(await signIn());
    await workspace.api.delete(`/api/people/${person_id}`);

    expect((await parley.api.post('/api/session', { token })).status).toBe(401);
    expect(problemIn(await signIn())).toBe('not_invited');
    await invite(workspace, { email: 'removed@example.com' });
    expect(tokensIn(await signIn())).toHaveLength(1);
  });

  describe('the login page says why there is no sign-in', () => {
    test('if the user refuses it', async () => {
      provider.user = null;

      expect(problemIn(await signIn())).toBe('cancelled');
    });

    test('if the answer belongs to another attempt, to none, or was used', async () => {
      await invite(await parley.workspace(), { email: 'twice@example.com' });
      provider.user = { ...ADA, sub: 'twice', email: 'twice@example.com' };
      const [mine, other] = [new SignIn(parley), new SignIn(parley)];
      const answer = await mine.visit(await mine.begin());
      await other.begin();

      expect(problemIn(await other.finish(answer))).toBe('expired');
      expect(problemIn(await new SignIn(parley).finish(answer))).toBe('expired');
      expect(tokensIn(await mine.finish(answer))).toHaveLength(1);
      expect(problemIn(await mine.finish(answer))).toBe('expired');
    });

    test('if another issuer answers', async () => {
      const attempt = new SignIn(parley);
      const answer = new URL(await attempt.visit(await attempt.begin()));
      answer.searchParams.set('iss', 'https://evil.example');

      expect(problemIn(await attempt.finish(answer.href))).toBe('failed');
    });

    test.each<[string, Record<string, unknown>]>([
      ['for another client', { aud: 'another' }],
      ['of another issuer', { iss: 'https://evil.example' }],
      ['of another attempt', { nonce: 'another' }],
      ['that has expired', { iat: 1_000_000, exp: 1_000_300 }],
      ['whose user has no possible id', { sub: 'grüße' }],
    ])('if the ID token is one %s', async (_, changes) => {
      provider.idTokenChanges = changes;

      expect(problemIn(await signIn())).toBe('failed');
    });

    test('if the ID token has a wrong signature', async () => {
      provider.isForged = true;

      expect(problemIn(await signIn())).toBe('failed');
    });

    test('if the provider refuses the client, breaks, or answers without an end', async () => {
      provider.instead.set('/token', (response) =>
        response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_client"}'),
      );
      expect(problemIn(await signIn())).toBe('refused');

      provider.instead.set('/token', (response) => response.writeHead(500).end('<h1>Oops</h1>'));
      expect(problemIn(await signIn())).toBe('failed');

      // Only a reader that gives up ends this answer.
      provider.instead.set('/token', (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const write = (): void => {
          while (!response.destroyed && response.write('x'.repeat(65_536))) continue;
          if (!response.destroyed) response.once('drain', write);
        };
        write();
      });
      expect(problemIn(await signIn())).toBe('failed');
    });
  });
});

describe('With an identity provider that does not answer', () => {
  test('a sign-in ends after some seconds with a way back, and works again later', async () => {
    provider.isSilent = true;
    parley = await TestParley.start(settings());
    try {
      const begin = async () => {
        const answer = await fetch(`${parley.url}/oidc/sign-in`, { redirect: 'manual' });
        return new URL(answer.headers.get('location') ?? '');
      };
      const before = provider.requests.length;
      const answers = await Promise.all(Array.from({ length: 25 }, begin));
      const problems = answers.map(problemIn);
      expect(problems.filter((problem) => problem === 'unavailable')).toHaveLength(20);
      expect(problems.filter((problem) => problem === 'busy')).toHaveLength(5);
      expect(problemIn(await begin())).toBe('unavailable');
      expect(provider.requests.length - before).toBe(1);
      const workspace = await parley.workspace();
      expect((await workspace.api.get('/api/workspace')).status).toBe(200);

      provider.isSilent = false;
      await until(async () => (await begin()).origin === new URL(provider.issuer).origin);
    } finally {
      await parley.stop();
    }
  });
});

describe('With a role for people without an invitation', () => {
  let workspace: TestWorkspace;

  beforeAll(async () => {
    const first = await TestParley.start({ ROLES: 'http' });
    workspace = await first.workspace();
    await first.stop({ keepDatabase: true });
    const uninvited = {
      OIDC_DEFAULT_ROLE: 'viewer',
      OIDC_WORKSPACE: workspace.workspaceId,
      OIDC_ALLOWED_DOMAINS: 'example.com',
      OIDC_REQUIRED_CLAIM: 'groups=parley',
    };
    parley = await TestParley.start(settings(uninvited), first.database);
  });
  afterAll(() => parley.stop());

  const ofAcme = (sub: string, claims: object = {}): ProviderUser => ({
    ...ADA,
    sub,
    email: `${sub}@example.com`,
    groups: ['staff', 'parley'],
    ...claims,
  });
  const api = () => parley.api.with({ 'x-api-key': workspace.apiKey });

  test('a user of the domain with the claim comes as that role, once, also with two sign-ins at once', async () => {
    provider.user = ofAcme('new');

    const [first, second] = await Promise.all([signIn(), signIn()]);

    const browser = await useToken(tokensIn(first)[0]);
    expect(tokensIn(second)).toHaveLength(1);
    const { data } = (await browser.get('/api/session')).body;
    expect(data).toMatchObject({ user: { name: 'Ada King' }, scopes: ['read'] });
    expect((await api().get('/api/people')).body.data).toMatchObject([
      { name: 'Ada King', email: 'new@example.com', role: 'viewer', invited_by: null, identity_linked: true },
    ]);
  });

  test('a user who was removed does not come back without an invitation', async () => {
    provider.user = ofAcme('gone');
    const browser = await useToken(tokensIn(await signIn())[0]);
    const { id } = (await browser.get('/api/session')).body.data.user as { id: string };
    await api().delete(`/api/people/${id}`);

    expect(problemIn(await signIn())).toBe('not_invited');
    await api().post('/api/people', { name: 'Back', role: 'operator', email: 'gone@example.com' });
    const again = await useToken(tokensIn(await signIn())[0]);
    expect((await again.get('/api/session')).body.data).toMatchObject({
      user: { name: 'Back' },
      scopes: ['operate'],
    });
  });

  test.each<[string, object]>([
    ['of another domain', { email: 'ada@example.org' }],
    ['of a longer domain', { email: 'ada@evil-example.com' }],
    ['whose address is not proved', { email_verified: false }],
    ['without the claim', { groups: ['staff'] }],
    ['with no such claim', { groups: undefined }],
  ])('a user %s is refused', async (_, claims) => {
    provider.user = ofAcme('refused', claims);

    expect(problemIn(await signIn())).toBe('not_allowed');
  });
});

test('Without an identity provider, its routes are not there', async () => {
  parley = await TestParley.start({ ROLES: 'http' });
  try {
    expect((await parley.api.get('/oidc')).body.data).toEqual({ name: null });
    for (const path of ['/oidc/sign-in', '/oidc/callback?code=x&state=y']) {
      const { status, body } = await parley.api.get(path);
      expect([status, body.error_code]).toEqual([404, 'ROUTE_NOT_FOUND']);
    }
  } finally {
    await parley.stop();
  }
});
