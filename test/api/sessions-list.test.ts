import { SessionsService } from '../../src/accounts/auth/sessions.service';
import { createAgent } from '../support/agents';
import { outcome, refused } from '../support/answers';
import type { ApiClient } from '../support/client';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { bearer, createToken } from '../support/tokens';

interface Listed {
  id: string;
  user: { name: string };
  current: boolean;
}

const notFound = refused(404, 'Session not found', { error_code: 'SESSION_NOT_FOUND' });

describe('The sessions of a workspace', () => {
  const parley = useOwnParley({ ROLES: 'http', TRUST_PROXY: 'loopback' });

  const pageWith = (cookie: string, site = 'same-origin'): ApiClient =>
    parley.api.with({ 'sec-fetch-site': site, 'x-parley-session': '1', cookie });
  const createCookie = async (api: ApiClient, body = {}) =>
    (await api.post('/api/session', body)).headers.getSetCookie()[0]?.split(';')[0] as string;
  const begin = async (api: ApiClient, body = {}) => pageWith(await createCookie(api, body));

  const readSessions = async ({ api }: { api: ApiClient }) =>
    (await api.get('/api/sessions?limit=100')).body.data as Listed[];

  const beginByLink = async ({ workspaceId }: TestWorkspace) => {
    const { token } = await parley.app.get(SessionsService, { strict: false }).createLink(workspaceId);
    return begin(parley.api, { token });
  };

  test('are listed newest first, with their credentials and addresses, and never with their tokens', async () => {
    const own = await parley.workspace();
    const agentId = await createAgent(own);
    const { data: key } = (
      await own.api.post('/api/auth/api-keys', { name: 'Ada', scope: [`agent:${agentId}`] })
    ).body;
    await begin(parley.api.with({ 'x-api-key': key.apiKey, 'x-forwarded-for': '203.0.113.7' }));
    await begin(bearer(parley, createToken(own)));
    const page = await beginByLink(own);

    const answer = await page.get('/api/sessions');

    const common = {
      id: expect.any(String) as string,
      scopes: null,
      created_at: expect.any(String) as string,
      last_used_at: expect.any(String) as string,
      expires_at: expect.any(String) as string,
      ip: '127.0.0.1',
      current: false,
    };
    expect(answer.body.data).toEqual([
      {
        ...common,
        user: { id: own.userId, name: 'Unnamed console link' },
        credential: 'link',
        current: true,
      },
      { ...common, user: { id: own.userId, name: own.userId }, credential: 'token' },
      {
        ...common,
        user: { id: own.userId, name: 'Ada' },
        credential: 'api-key',
        scopes: [`agent:${agentId}`],
        ip: '203.0.113.7',
      },
    ]);
    expect(answer.body.pagination).toMatchObject({ total: 3 });
    const [{ expires_at }] = answer.body.data as [{ expires_at: string }];
    expect((Date.parse(expires_at) - Date.now()) / 3_600_000).toBeCloseTo(12, 1);
    expect(JSON.stringify(answer.body)).not.toContain('parley_session_');
    expect((await own.api.get('/api/sessions?page=2&limit=2')).body).toMatchObject({
      data: [{ user: { name: 'Ada' }, current: false }],
      pagination: { page: 2, total: 3 },
    });
    expect((await own.api.get('/api/sessions?page=3&limit=2')).body).toMatchObject({
      data: [],
      pagination: { total: 3 },
    });
  });

  test('are listed without those that have ended with their credential, their time or their revocation', async () => {
    const own = await parley.workspace();
    const { data: key } = (await own.api.post('/api/auth/api-keys', {})).body;
    await begin(parley.api.with({ 'x-api-key': key.apiKey }));
    await beginByLink(own);
    await begin(own.api);
    expect(await readSessions(own)).toHaveLength(3);

    await own.api.delete(`/api/auth/api-keys/${key.keyId}`);
    await own.api.delete('/api/auth/tokens');
    expect(await readSessions(own)).toHaveLength(1);

    await parley.sql(
      `UPDATE sessions SET last_used_at = now() - interval '12 hours' WHERE workspace_id = $1`,
      [own.workspaceId],
    );
    expect(await readSessions(own)).toEqual([]);
  });

  test('end at once when another session, a key or a token of the workspace ends them, which the audit says', async () => {
    const own = await parley.workspace();
    for (const client of [await begin(own.api), own.api, bearer(parley, createToken(own))]) {
      const ended = await beginByLink(own);
      const { id } = (await readSessions({ api: ended })).find(({ current }) => current) as Listed;

      const answer = await client.delete(`/api/sessions/${id.toUpperCase()}`);

      expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
      expect((await ended.get('/api/agents')).status).toBe(401);
      expect((await own.api.get('/api/audit?limit=1')).body.data[0]).toMatchObject({
        action: 'session.ended',
        target: { kind: 'session', id },
        details: { credential: 'link', key: null },
      });
      expect(await outcome(client.delete(`/api/sessions/${id}`))).toEqual(notFound);
    }
  });

  test('that end themselves take their cookie with them', async () => {
    const own = await parley.workspace();
    const page = await begin(own.api);
    const [{ id }] = (await readSessions({ api: page })) as [Listed];

    const answer = await page.delete(`/api/sessions/${id}`);

    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^parley_session=;.*Expires=Thu, 01 Jan 1970/);
    expect((await page.get('/api/agents')).status).toBe(401);
    expect(await readSessions(own)).toEqual([]);
  });

  test('are neither seen nor ended from another workspace or by a page of another site', async () => {
    const own = await parley.workspace();
    const cookie = await createCookie(own.api);
    const [{ id }] = (await readSessions(own)) as [Listed];
    const stranger = await parley.workspace();

    expect(await readSessions(stranger)).toEqual([]);
    expect(await outcome(stranger.api.delete(`/api/sessions/${id}`))).toEqual(notFound);
    const { body } = await pageWith(cookie, 'cross-site').delete(`/api/sessions/${id}`);
    expect(body.error_code).toBe('CROSS_SITE_REQUEST');
    expect((await pageWith(cookie).get('/api/agents')).status).toBe(200);
  });
});
