import { createAgent } from '../support/agents';
import { outcome, refused, withoutTable } from '../support/answers';
import type { Answer, ApiClient } from '../support/client';
import { JWT_SECRET, type TestWorkspace, useParley } from '../support/parley';
import { bearer, tokenOf } from '../support/tokens';

const secondsOf = ({ headers }: Answer) => {
  const seconds = Number(headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  return seconds;
};

describe('With a limit of five requests a minute', () => {
  const parley = useParley({ RATE_LIMIT_PER_MINUTE: '5' });

  test('the sixth request of a workspace is refused with a Retry-After', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);
    // Failed requests count too, on every route.
    const first = [
      await workspace.api.get('/api/agents'),
      await workspace.api.post('/api/agents', {}),
      await workspace.api.get('/api/workspace'),
      await workspace.api.get(`/api/agents/${agentId}`),
    ];
    expect(first.map(({ status }) => status)).toEqual([200, 400, 200, 200]);

    const sixth = await workspace.api.get('/api/agents');

    expect(await outcome(Promise.resolve(sixth))).toEqual(
      refused(429, 'Too many requests', {
        details: `This workspace may send 5 requests a minute. Try again in ${secondsOf(sixth)} s.`,
        error_code: 'RATE_LIMITED',
      }),
    );
    // The body is not read.
    const headers = { 'content-type': 'application/json' };
    const unreadable = await workspace.api.raw('/api/agents', { method: 'POST', headers, body: '{' });
    expect(unreadable.status).toBe(429);
  });

  test('all credentials of a workspace share its limit, and other workspaces have their own', async () => {
    const workspace = await parley.workspace();
    const other = await parley.workspace();
    const { body } = await workspace.api.post('/api/auth/api-keys', {});
    const clients = [
      workspace.api,
      parley.api.with({ 'x-api-key': body.data.apiKey }),
      bearer(parley, tokenOf(workspace)),
      bearer(parley, tokenOf(workspace, { sub: 'ada' })),
    ];

    const statuses = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const client = clients[index % clients.length] as ApiClient;
        return (await client.get('/api/workspace')).status;
      }),
    );

    expect(statuses.filter((status) => status === 200)).toHaveLength(4);
    expect(statuses.filter((status) => status === 429)).toHaveLength(8);
    expect((await other.api.get('/api/workspace')).status).toBe(200);
  });

  test('a limit that the operator sets for a workspace replaces that of the installation', async () => {
    const statusesOf = async ({ api }: TestWorkspace) => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => api.get('/api/workspace')));
      return answers.map(({ status }) => status).filter((status) => status === 200);
    };
    const workspace = await parley.workspace();
    const withLimit = async (limit: number) => {
      const { workspaceId } = workspace;
      await parley.sql('UPDATE workspaces SET quotas_requests_per_minute = $2 WHERE id = $1', [
        workspaceId,
        limit,
      ]);
      return statusesOf(workspace);
    };

    expect(await withLimit(7)).toHaveLength(7);
    expect(await withLimit(0)).toHaveLength(0);
    expect(await withLimit(1_000)).toHaveLength(10);
  });

  test('requests to public routes are not counted', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => parley.api.get('/health/live')));

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  });
});

/** A client whose address a proxy reports. */
const clientAt =
  (api: ApiClient) =>
  (address: string, credential: Record<string, string> = {}) =>
    api.with({ ...credential, 'x-forwarded-for': address });

const unknownKey = (last: string) => ({ 'x-api-key': `parley_${last.padStart(43, 'x')}` });

const statusOf = async (api: ApiClient) => (await api.get('/api/workspace')).status;

describe('With a limit of five wrong credentials a minute', () => {
  const parley = useParley({ WRONG_CREDENTIALS_PER_MINUTE: '5', TRUST_PROXY: 'loopback' });
  const at = (address: string, credential?: Record<string, string>) =>
    clientAt(parley.api)(address, credential);

  async function sendFiveFrom(address: string) {
    const statuses = [];
    for (const last of ['1', '2', '3', '4', '5'])
      statuses.push(await statusOf(at(address, unknownKey(last))));
    expect(statuses).toEqual([401, 401, 401, 401, 401]);
  }

  test('an address that sent five is refused without a query, and with a Retry-After', async () => {
    await sendFiveFrom('192.0.2.1');

    const [key, token] = await withoutTable(parley, 'api_keys', () =>
      Promise.all([
        at('192.0.2.1', unknownKey('6')).get('/api/workspace'),
        at('192.0.2.1', { authorization: 'Bearer no' }).get('/api/workspace'),
      ]),
    );

    for (const answer of [key, token]) {
      expect(await outcome(Promise.resolve(answer))).toEqual(
        refused(429, 'Too many requests', {
          details: `More than 5 wrong credentials came from this address within a minute. Try again in ${secondsOf(answer)} s.`,
          error_code: 'RATE_LIMITED',
        }),
      );
    }
    expect(await statusOf(at('192.0.2.1'))).toBe(401);
    expect(await statusOf(at('192.0.2.2', unknownKey('6')))).toBe(401);
  });

  test('wrong tokens count like wrong keys, and requests without a credential do not count', async () => {
    const wrong = { authorization: `Bearer ${tokenOf(await parley.workspace(), {}, `${JWT_SECRET}!`)}` };
    for (let sent = 0; sent < 6; sent++) expect(await statusOf(at('192.0.2.11'))).toBe(401);

    const statuses = [];
    for (let sent = 0; sent < 6; sent++) statuses.push(await statusOf(at('192.0.2.11', wrong)));

    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('recently used keys and all tokens of another tenant behind the same address still work', async () => {
    const workspace = await parley.workspace();
    const seen = at('192.0.2.21', { 'x-api-key': workspace.apiKey });
    expect(await statusOf(seen)).toBe(200);
    const fresh = (await workspace.api.post('/api/auth/api-keys', {})).body.data as { apiKey: string };

    await sendFiveFrom('192.0.2.21');

    expect(await statusOf(seen)).toBe(200);
    const token = tokenOf(workspace, { sub: 'ada' });
    expect(await statusOf(at('192.0.2.21', { authorization: `Bearer ${token}` }))).toBe(200);
    // The server cannot distinguish it from a guess.
    expect(await statusOf(at('192.0.2.21', { 'x-api-key': fresh.apiKey }))).toBe(429);
    expect(await statusOf(at('192.0.2.22', { 'x-api-key': fresh.apiKey }))).toBe(200);
  });

  test('a recently used key is refused at once after it is revoked', async () => {
    const workspace = await parley.workspace();
    const { keyId, apiKey } = (await workspace.api.post('/api/auth/api-keys', {})).body.data as {
      keyId: string;
      apiKey: string;
    };
    const client = at('192.0.2.31', { 'x-api-key': apiKey });
    expect(await statusOf(client)).toBe(200);
    await sendFiveFrom('192.0.2.31');
    expect(await statusOf(client)).toBe(200);

    await workspace.api.delete(`/api/auth/api-keys/${keyId}`);

    expect(await statusOf(client)).toBe(429);
    expect(await statusOf(at('192.0.2.32', { 'x-api-key': apiKey }))).toBe(401);
  });

  test('an IPv6 network of 64 bits counts as one address, and each IPv4 address counts alone', async () => {
    await sendFiveFrom('2001:db8:1:2::1');
    await sendFiveFrom('::ffff:192.0.2.41');

    expect(await statusOf(at('2001:db8:1:2:ffff::7', unknownKey('6')))).toBe(429);
    expect(await statusOf(at('2001:db8:1:3::1', unknownKey('6')))).toBe(401);
    expect(await statusOf(at('192.0.2.41', unknownKey('6')))).toBe(429);
    expect(await statusOf(at('192.0.2.42', unknownKey('6')))).toBe(401);
  });
});

describe('Without a trusted proxy', () => {
  const parley = useParley({ WRONG_CREDENTIALS_PER_MINUTE: '5' });

  test('a client cannot choose the address for which its wrong credentials count', async () => {
    const statuses = [];
    for (const last of ['1', '2', '3', '4', '5', '6']) {
      statuses.push(await statusOf(clientAt(parley.api)(`192.0.2.${last}`, unknownKey(last))));
    }

    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });
});
