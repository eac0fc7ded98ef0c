import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LastUses } from '../../src/accounts/auth/last-uses';
import { type Outcome, outcome, outOfScope, refused } from '../support/answers';
import type { Answer, ApiClient } from '../support/client';
import { createResources, restoreResources, type ResourceIds, sendTo } from '../support/examples';
import { type TestWorkspace, useParley } from '../support/parley';
import { ROUTES, type Route } from '../support/routes';
import { bearer } from '../support/tokens';

type Role = 'admin' | 'operator' | 'viewer';

interface PersonLink {
  person_id: string;
  url: string;
  expires_at: string;
}

const root = join(__dirname, '..', '..');

const document = JSON.parse(readFileSync(join(root, 'docs', 'openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, unknown>>;
};

/** These take a link, a key or a token. */
const BEGINNINGS = ['POST /api/session', 'POST /api/session/preview'];

/** Every operation of the interface document that a session can use. */
const OPERATIONS = Object.entries(document.paths)
  .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
  .filter((name) => name.includes(' /api/') && !BEGINNINGS.includes(name))
  .filter((name) => ROUTES.find((each) => each.name === name)?.access?.reach !== 'call');

/** The table of docs/people.md: the least role for each operation that does more than read. */
const LEAST_ROLES = new Map(
  [
    ...readFileSync(join(root, 'docs', 'people.md'), 'utf8').matchAll(
      /^\| `([A-Z]+ \/[^`]+)` *\| (viewer|operator|admin) *\|$/gm,
    ),
  ].map(([, operation, role]) => [operation as string, role as Role]),
);

const RANKS: Role[] = ['viewer', 'operator', 'admin'];

const mayDo = (role: Role, operation: string) =>
  RANKS.indexOf(role) >= RANKS.indexOf(LEAST_ROLES.get(operation) ?? 'viewer');

const route = (name: string) => ROUTES.find((each) => each.name === name) as Route;

const tokenOf = ({ url }: PersonLink) => new URL(url).hash.replace('#token=', '');

const used = refused(401, 'Unauthorized', {
  error_code: 'INVALID_CREDENTIAL',
  details: expect.any(String) as string,
});

describe('A person of a workspace', () => {
  const parley = useParley();
  let workspace: TestWorkspace;

  beforeEach(async () => {
    workspace = await parley.workspace();
  });

  const inviteWith = async (api: ApiClient, role: Role, fields: object = {}): Promise<PersonLink> => {
    const answer = await api.post('/api/people', { name: `A ${role}`, role, ...fields });
    expect(answer.status).toBe(201);
    return answer.body.data as PersonLink;
  };
  const invite = (role: Role, fields: object = {}) => inviteWith(workspace.api, role, fields);

  const cookieOf = (answer: Answer) => answer.headers.getSetCookie()[0]?.split(';')[0] as string;

  const toBrowser = (answer: Answer): ApiClient => {
    expect(answer.status).toBe(201);
    const cookie = cookieOf(answer);
    return parley.api.with({ cookie, 'sec-fetch-site': 'same-origin', 'x-parley-session': '1' });
  };

  const signIn = async (link: PersonLink) =>
    toBrowser(await parley.api.post('/api/session', { token: tokenOf(link) }));

  const join = async (role: Role, fields: object = {}) => {
    const link = await invite(role, fields);
    return { id: link.person_id, browser: await signIn(link) };
  };

  const createLink = async (id: string): Promise<PersonLink> =>
    (await workspace.api.post(`/api/people/${id}/link`)).body.data as PersonLink;

  const find = async (id: string) => (await workspace.api.get(`/api/people/${id}`)).body.data as object;

  const audit = async (query: string) =>
    (await workspace.api.get(`/api/audit?${query}`)).body.data as {
      action: string;
      actor: object;
      target: object;
      details: object;
    }[];

  test('is invited by a link that shows the workspace and the role before it signs in, once', async () => {
    const link = await invite('operator', { name: 'Ada', email: 'Ada@Example.com' });
    expect(link.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login#token=parley_person_[\w-]{43}$/);
    expect(await find(link.person_id)).toMatchObject({
      name: 'Ada',
      email: 'ada@example.com',
      role: 'operator',
      state: 'invited',
      joined_at: null,
      link_expires_at: link.expires_at,
    });

    const preview = await parley.api.post('/api/session/preview', { token: tokenOf(link) });
    expect(preview.body.data).toMatchObject({
      workspace: { id: workspace.workspaceId, name: 'Test' },
      user: { id: link.person_id, name: 'Ada' },
      role: 'operator',
    });
    const browser = await signIn(link);

    const session = await browser.get('/api/session');
    expect(session.body.data).toMatchObject({
      user: { id: link.person_id, name: 'Ada' },
      scopes: ['operate'],
    });
    expect(await find(link.person_id)).toMatchObject({ state: 'joined', link_expires_at: null });
    expect(await outcome(parley.api.post('/api/session', { token: tokenOf(link) }))).toEqual(used);
    const stored = await parley.sql('SELECT * FROM console_links WHERE person_id = $1', [link.person_id]);
    expect(JSON.stringify(stored)).not.toContain(tokenOf(link));
  });

  test('has links that expire, and of which only the newest counts', async () => {
    const first = await invite('viewer');
    const second = await createLink(first.person_id);
    const days = (new Date(second.expires_at).getTime() - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(7, 1);
    expect(await outcome(parley.api.post('/api/session', { token: tokenOf(first) }))).toEqual(used);

    await signIn(second);
    const third = await createLink(first.person_id);
    const minutes = (new Date(third.expires_at).getTime() - Date.now()) / 60_000;
    expect(minutes).toBeCloseTo(60, 0);
    await parley.sql('UPDATE console_links SET expires_at = now() WHERE person_id = $1', [first.person_id]);
    expect(await outcome(parley.api.post('/api/session', { token: tokenOf(third) }))).toEqual(used);
  });

  test('is listed by name, with the time of the last request', async () => {
    const { id, browser } = await join('viewer', { name: 'Zoë' });
    await join('admin', { name: 'ada' });
    await invite('viewer', { name: 'Bob' });
    await browser.get('/api/workspace');
    await parley.app.get(LastUses, { strict: false }).flush();

    const { body } = await browser.get('/api/people?limit=2');
    expect((body.data as { name: string }[]).map(({ name }) => name)).toEqual(['ada', 'Bob']);
    expect(body.pagination).toMatchObject({ total: 3, totalPages: 2 });
    expect((await browser.get('/api/people?page=9')).body.pagination.total).toBe(3);
    expect(await find(id)).toMatchObject({ last_seen_at: expect.any(String) as string });
  });

  test('is not invited with a wrong role, without a name, or with an address that another one has', async () => {
    const { person_id } = await invite('viewer', { email: 'ada@example.com' });
    const post = (body: object) =>
      workspace.api.post('/api/people', { name: 'Bob', role: 'viewer', ...body });

    for (const body of [{ role: 'owner' }, { name: ' ' }, { email: 'bob' }, { email: '' }, { name: null }])
      expect((await post(body)).status).toBe(400);
    expect((await post({ email: 'ADA@example.com' })).body.error_code).toBe('PERSON_EMAIL_TAKEN');
    const bob = await invite('viewer', { email: 'bob@example.com' });
    const changed = await workspace.api.send('PATCH', `/api/people/${bob.person_id}`, {
      email: 'ada@example.com',
    });
    expect(changed.body.error_code).toBe('PERSON_EMAIL_TAKEN');
    expect(person_id).not.toBe(bob.person_id);
    const other = await parley.workspace();
    await inviteWith(other.api, 'viewer', { email: 'ada@example.com' });
    for (const send of ['GET', 'PATCH', 'DELETE'])
      expect(
        (await other.api.send(send, `/api/people/${person_id}`, send === 'PATCH' ? {} : undefined)).status,
      ).toBe(404);
  });

  describe('may do what the role says in docs/people.md', () => {
    test('which names every operation that does more than read', () => {
      const acting = OPERATIONS.filter((name) => !name.startsWith('GET '));
      expect(acting.filter((name) => !LEAST_ROLES.has(name))).toEqual([]);
      expect([...LEAST_ROLES.keys()].filter((name) => !OPERATIONS.includes(name))).toEqual([]);
    });

    test.each<Role>(['viewer', 'operator', 'admin'])('as a %s, over every operation', async (role) => {
      let things: ResourceIds = await createResources(workspace);
      const { browser } = await join(role);
      // These end the session.
      const last = ['DELETE /api/auth/tokens', 'DELETE /api/session'];
      const operations = [...OPERATIONS.filter((name) => !last.includes(name)), ...last];
      const answers: Record<string, Outcome> = {};
      for (const name of operations) {
        if (name === 'DELETE /api/session' && role === 'admin') continue;
        answers[name] = await outcome(sendTo(browser, route(name), things));
        if (name.startsWith('DELETE ') && mayDo(role, name) && !last.includes(name))
          things = await restoreResources(workspace, route(name), things);
      }

      const refusals = Object.entries(answers).filter(([name]) => !mayDo(role, name));
      expect(Object.fromEntries(refusals)).toEqual(
        Object.fromEntries(refusals.map(([name]) => [name, outOfScope()])),
      );
      const wronglyRefused = Object.entries(answers).filter(
        ([name, { status }]) => mayDo(role, name) && [401, 403].includes(status),
      );
      expect(wronglyRefused).toEqual([]);
      expect(refusals.length > 25).toBe(role !== 'admin');
    });
  });

  test('who gets another role has it in the session at once, and loses the keys and tokens of an admin', async () => {
    await join('admin');
    const { id, browser } = await join('admin', { name: 'Ada' });
    const { body } = await browser.post('/api/auth/api-keys', { name: 'Mine' });
    const key = parley.api.with({ 'x-api-key': body.data.apiKey });
    const child = parley.api.with({
      'x-api-key': (await key.post('/api/auth/api-keys', {})).body.data.apiKey,
    });
    const token = bearer(parley, (await browser.post('/api/auth/tokens', {})).body.data.token as string);
    const tokenSession = toBrowser(await token.post('/api/session', {}));
    const own = [key, child, token, tokenSession];
    for (const api of own) expect((await api.get('/api/workspace')).status).toBe(200);

    const changed = await workspace.api.send('PATCH', `/api/people/${id}`, { role: 'viewer' });

    expect(changed.body.data).toMatchObject({ role: 'viewer', name: 'Ada' });
    expect((await browser.get('/api/session')).body.data.scopes).toEqual(['read']);
    expect(await outcome(browser.post('/api/agents', { type: 'chat' }))).toEqual(outOfScope());
    for (const api of own) expect((await api.get('/api/workspace')).status).toBe(401);
    const [entry] = await audit('action=person.updated');
    expect(entry?.details).toEqual({
      changed: ['role'],
      before: { role: 'admin' },
      after: { role: 'viewer' },
      revoked_keys: 2,
    });
    await workspace.api.send('PATCH', `/api/people/${id}`, { role: 'viewer' });
    expect(await audit('action=person.updated')).toHaveLength(1);
  });

  test('who is an admin has no rights at a server of the last release, which would not see another role', async () => {
    const { id, browser } = await join('admin');
    expect((await browser.get('/api/session')).body.data).toMatchObject({ scopes: null });
    const stored = await parley.sql('SELECT scopes FROM sessions WHERE person_id = $1', [id]);
    expect(stored).toEqual([{ scopes: [] }]);
  });

  test('who is removed is signed out at once, also in an open stream, with all keys, tokens and links', async () => {
    const { id, browser } = await join('operator', { name: 'Ada' });
    await workspace.api.send('PATCH', `/api/people/${id}`, { role: 'admin' });
    await join('admin');
    const { apiKey } = (await browser.post('/api/auth/api-keys', {})).body.data as { apiKey: string };
    const token = bearer(parley, (await browser.post('/api/auth/tokens', {})).body.data.token as string);
    const other = await parley.api.post('/api/session', { token: tokenOf(await createLink(id)) });
    const stream = await fetch(`${parley.url}/api/live`, { headers: { cookie: cookieOf(other) } });
    expect(stream.status).toBe(200);
    const end = stream.text();
    const link = await createLink(id);

    expect((await workspace.api.delete(`/api/people/${id}`)).status).toBe(200);

    expect((await browser.get('/api/session')).status).toBe(401);
    expect((await parley.api.with({ 'x-api-key': apiKey }).get('/api/workspace')).status).toBe(401);
    expect((await token.get('/api/workspace')).status).toBe(401);
    expect(await outcome(parley.api.post('/api/session', { token: tokenOf(link) }))).toEqual(used);
    await end;
    expect((await workspace.api.get(`/api/people/${id}`)).body.error_code).toBe('PERSON_NOT_FOUND');
    const [entry] = await audit('action=person.removed');
    expect(entry).toMatchObject({
      target: { kind: 'person', id, name: 'Ada' },
      details: { role: 'admin', ended_sessions: 2, revoked_keys: 1 },
    });
  });

  test('who is the last admin stays one, also if two admins remove each other at once', async () => {
    const first = await join('admin');
    const alone = [
      await first.browser.send('PATCH', `/api/people/${first.id}`, { role: 'operator' }),
      await first.browser.delete(`/api/people/${first.id}`),
    ];
    expect(alone.map(({ body }) => body.error_code as string)).toEqual(['LAST_ADMIN', 'LAST_ADMIN']);
    const invited = await invite('admin');
    expect((await workspace.api.delete(`/api/people/${first.id}`)).body.error_code).toBe('LAST_ADMIN');

    await signIn(invited);
    const ids = [first.id, invited.person_id];
    const both = await Promise.all(
      ids.map((id, index) =>
        index === 0
          ? workspace.api.delete(`/api/people/${id}`)
          : workspace.api.send('PATCH', `/api/people/${id}`, { role: 'viewer' }),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('is named by the audit as the one who changed something, in each session', async () => {
    const { id, browser } = await join('admin', { name: 'Ada Lovelace' });
    await browser.post('/api/agents', { type: 'chat' });
    const again = await signIn(await createLink(id));
    await workspace.api.send('PATCH', `/api/people/${id}`, { name: 'Ada King' });
    await again.post('/api/auth/api-keys', { name: 'Mine' });

    const entries = await audit(`actor_kind=person&actor_id=${id}`);

    const who = (name: string) => ({ kind: 'person', id, name });
    expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
      ['api_key.created', who('Ada King')],
      ['session.started', who('Ada Lovelace')],
      ['agent.created', who('Ada Lovelace')],
      ['session.started', who('Ada Lovelace')],
      ['person.joined', who('Ada Lovelace')],
    ]);
    const { data: keys } = (await workspace.api.get('/api/auth/api-keys')).body as { data: object[] };
    expect(keys).toContainEqual(expect.objectContaining({ name: 'Mine', createdBy: who('Ada King') }));
    const { data: sessions } = (await workspace.api.get('/api/sessions')).body as { data: object[] };
    expect(sessions.filter((each) => 'user' in each)).toHaveLength(2);
    expect(sessions).toContainEqual(
      expect.objectContaining({ user: { id, name: 'Ada King' }, scopes: null }),
    );
  });

  test('invites others only as an admin, and not with a bearer token', async () => {
    const { browser } = await join('admin');
    const token = bearer(parley, (await browser.post('/api/auth/tokens', {})).body.data.token as string);

    await inviteWith(browser, 'viewer');
    const answer = await token.post('/api/people', { name: 'Bob', role: 'admin' });

    expect([answer.status, answer.body.error_code]).toEqual([403, 'API_KEY_REQUIRED']);
    expect((await workspace.api.get('/api/people')).body.pagination.total).toBe(2);
  });
});
