import { randomUUID } from 'node:crypto';
import { createAgent } from '../support/agents';
import { outcome, refused, withoutTable } from '../support/answers';
import type { Answer, ApiClient } from '../support/client';
import { AgentCalls } from '../support/calls';
import { createDatabase } from '../support/database';
import { JWT_SECRET, type TestWorkspace, useOwnParley } from '../support/parley';
import { ServerProcess } from '../support/server-process';
import { bearer, createToken } from '../support/tokens';
import { type TakenCall, TestWorker } from '../support/worker';

const readSeconds = ({ headers }: Answer) => {
  const seconds = Number(headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  return seconds;
};

describe('With a limit of five requests a minute', () => {
  const parley = useOwnParley({ RATE_LIMIT_PER_MINUTE: '5' });

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
        details: `This workspace may send 5 requests a minute. Try again in ${readSeconds(sixth)} s.`,
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
      bearer(parley, createToken(workspace)),
      bearer(parley, createToken(workspace, { sub: 'ada' })),
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
    const readStatuses = async ({ api }: TestWorkspace) => {
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
      return readStatuses(workspace);
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

const unknownCall = { authorization: `Bearer parley_call_${randomUUID()}_${'x'.repeat(43)}` };

const readStatus = async (api: ApiClient) => (await api.get('/api/workspace')).status;

describe('With a limit of five wrong credentials a minute', () => {
  const parley = useOwnParley({ WRONG_CREDENTIALS_PER_MINUTE: '5', TRUST_PROXY: 'loopback' });
  const at = (address: string, credential?: Record<string, string>) =>
    clientAt(parley.api)(address, credential);

  async function sendFiveFrom(address: string) {
    const statuses = [];
    for (const last of ['1', '2', '3', '4', '5'])
      statuses.push(await readStatus(at(address, unknownKey(last))));
    expect(statuses).toEqual([401, 401, 401, 401, 401]);
  }

  test('an address that sent five is refused without a query, and with a Retry-After', async () => {
    await sendFiveFrom('192.0.2.1');

    const session = { cookie: `parley_session=parley_session_${'x'.repeat(43)}` };
    const answers = await withoutTable(parley, 'api_keys', () =>
      withoutTable(parley, 'sessions', () =>
        withoutTable(parley, 'conversations', () =>
          Promise.all(
            [unknownKey('6'), unknownCall, session, { authorization: 'Bearer no' }].map((credential) =>
              at('192.0.2.1', credential).get('/api/workspace'),
            ),
          ),
        ),
      ),
    );

    expect(answers).toHaveLength(4);
    for (const answer of answers) {
      expect(await outcome(Promise.resolve(answer))).toEqual(
        refused(429, 'Too many requests', {
          details: `More than 5 wrong credentials came from this address within a minute. Try again in ${readSeconds(answer)} s.`,
          error_code: 'RATE_LIMITED',
        }),
      );
    }
    expect(await readStatus(at('192.0.2.1'))).toBe(401);
    expect(await readStatus(at('192.0.2.2', unknownKey('6')))).toBe(401);
  });

  test('wrong tokens count like wrong keys, and requests without a credential do not count', async () => {
    const wrong = { authorization: `Bearer ${createToken(await parley.workspace(), {}, `${JWT_SECRET}!`)}` };
    for (let sent = 0; sent < 6; sent++) expect(await readStatus(at('192.0.2.11'))).toBe(401);

    const statuses = [];
    for (let sent = 0; sent < 6; sent++) statuses.push(await readStatus(at('192.0.2.11', wrong)));

    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('a sign-in of an address that sent five is refused before its body is read', async () => {
    const post = (body: string) =>
      at('192.0.2.15').raw('/api/session', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
    expect((await post('{')).status).toBe(400);
    await sendFiveFrom('192.0.2.15');

    expect((await post('{')).status).toBe(429);
  });

  test('recently used keys and all tokens of another tenant behind the same address still work', async () => {
    const workspace = await parley.workspace();
    const seen = at('192.0.2.21', { 'x-api-key': workspace.apiKey });
    expect(await readStatus(seen)).toBe(200);
    const fresh = (await workspace.api.post('/api/auth/api-keys', {})).body.data as { apiKey: string };

    await sendFiveFrom('192.0.2.21');

    expect(await readStatus(seen)).toBe(200);
    const token = createToken(workspace, { sub: 'ada' });
    expect(await readStatus(at('192.0.2.21', { authorization: `Bearer ${token}` }))).toBe(200);
    // The server cannot distinguish it from a guess.
    expect(await readStatus(at('192.0.2.21', { 'x-api-key': fresh.apiKey }))).toBe(429);
    expect(await readStatus(at('192.0.2.22', { 'x-api-key': fresh.apiKey }))).toBe(200);
  });

  test('a call that used its token recently goes on behind the same address, and another one does not begin to', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);
    const calls = new AgentCalls(workspace.api, agentId);
    const worker = await TestWorker.start(parley);
    const take = async () => (await worker.findOffer(await calls.start())).take();
    const [seen, fresh] = [await take(), await take()];
    const readAgent = async (address: string, { api }: TakenCall) =>
      (await at(address, { authorization: `Bearer ${api.token}` }).get(`/api/agents/${agentId}`)).status;
    expect(await readAgent('192.0.2.51', seen)).toBe(200);

    await sendFiveFrom('192.0.2.51');

    expect(await readAgent('192.0.2.51', seen)).toBe(200);
    expect(await readAgent('192.0.2.51', fresh)).toBe(429);
    expect(await readAgent('192.0.2.52', fresh)).toBe(200);
    await worker.stop();
  });

  test('a recently used key is refused at once after it is revoked', async () => {
    const workspace = await parley.workspace();
    const { keyId, apiKey } = (await workspace.api.post('/api/auth/api-keys', {})).body.data as {
      keyId: string;
      apiKey: string;
    };
    const client = at('192.0.2.31', { 'x-api-key': apiKey });
    expect(await readStatus(client)).toBe(200);
    await sendFiveFrom('192.0.2.31');
    expect(await readStatus(client)).toBe(200);

    await workspace.api.delete(`/api/auth/api-keys/${keyId}`);

    expect(await readStatus(client)).toBe(429);
    expect(await readStatus(at('192.0.2.32', { 'x-api-key': apiKey }))).toBe(401);
  });

  test('an IPv6 network of 64 bits counts as one address, and each IPv4 address counts alone', async () => {
    await sendFiveFrom('2001:db8:1:2::1');
    await sendFiveFrom('::ffff:192.0.2.41');

    expect(await readStatus(at('2001:db8:1:2:ffff::7', unknownKey('6')))).toBe(429);
    expect(await readStatus(at('2001:db8:1:3::1', unknownKey('6')))).toBe(401);
    expect(await readStatus(at('192.0.2.41', unknownKey('6')))).toBe(429);
    expect(await readStatus(at('192.0.2.42', unknownKey('6')))).toBe(401);
  });
});

describe('With a limit of five requests a minute without a credential', () => {
  const parley = useOwnParley({ PUBLIC_REQUESTS_PER_MINUTE: '5', TRUST_PROXY: 'loopback' });
  let addresses = 0;
  /** An address from which nothing was sent. */
  const newAddress = () => `198.51.100.${(addresses += 1)}`;

  const readStatuses = async (send: () => Promise<Answer>) => {
    const statuses = [];
    for (let sent = 0; sent < 6; sent++) statuses.push((await send()).status);
    return statuses;
  };

  test.each<[string, string, number, Record<string, string>]>([
    ['the documentation', '/docs-json', 200, {}],
    ['the documentation, also with a made-up key,', '/docs-json', 200, unknownKey('1')],
    ['a file of the documentation', '/docs/swagger-ui.css', 200, {}],
    ['the page of the console', '/login', 200, { accept: 'text/html' }],
    ['a probe', '/health/live', 200, {}],
    ['the metrics', '/metrics', 200, {}],
    ['a demo recording', '/demo/recordings/a.wav?seconds=1e9', 404, {}],
    ['an unknown path', '/nothing', 404, {}],
    ['an unknown path of the API', '/api/nothing', 404, {}],
    ['an unknown path of the API, also with a made-up key,', '/api/nothing', 404, unknownKey('1')],
    ['a route that needs a credential', '/api/agents', 401, {}],
    ['a route that needs a credential, with another cookie,', '/api/agents', 401, { cookie: 'a=b' }],
  ])('the sixth request for %s is refused', async (_, path, status, headers) => {
    const client = clientAt(parley.api)(newAddress(), headers);

    expect(await readStatuses(() => client.get(path))).toEqual([...Array<number>(5).fill(status), 429]);
  });

  test('the sixth sign-in without a credential is refused, and says when to try again', async () => {
    const client = clientAt(parley.api)(newAddress());

    expect(await readStatuses(() => client.post('/api/session', {}))).toEqual([401, 401, 401, 401, 401, 429]);
    const refusal = await client.post('/api/session', {});
    expect(refusal.body).toMatchObject({
      error_code: 'RATE_LIMITED',
      details: `This address may send 5 requests without a credential a minute. Try again in ${readSeconds(refusal)} s.`,
    });
  });

  test('all of them are counted together, and requests with a credential go on', async () => {
    const workspace = await parley.workspace();
    const address = newAddress();
    const visitor = clientAt(parley.api)(address);
    const owner = clientAt(parley.api)(address, { 'x-api-key': workspace.apiKey });
    const paths = ['/docs-json', '/nothing', '/metrics', '/api/agents', '/docs', '/docs-yaml'];

    const statuses = [];
    for (const path of paths) statuses.push((await visitor.get(path)).status);

    expect(statuses).toEqual([200, 404, 200, 401, 200, 429]);
    expect(await readStatuses(() => owner.get('/api/agents'))).toEqual(Array<number>(6).fill(200));
    expect((await clientAt(parley.api)(newAddress()).get('/docs')).status).toBe(200);
    // A proxy probes from the address that its visitors may have too.
    expect(await readStatuses(() => visitor.get('/health/ready'))).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

describe('A refusal of an address that sends too many requests', () => {
  test('has a request id and is counted, and one of each minute is in the log', async () => {
    const database = await createDatabase();
    const server = await ServerProcess.start({
      DATABASE_URL: database.url,
      JWT_SECRET,
      TRUST_PROXY: 'loopback',
      PUBLIC_REQUESTS_PER_MINUTE: '5',
      WRONG_CREDENTIALS_PER_MINUTE: '5',
    });
    const send = async (address: string, path: string, headers: Record<string, string> = {}) => {
      const answers = [];
      for (let sent = 0; sent < 12; sent++) {
        answers.push(await clientAt(server.api)(address, headers).get(path));
      }
      return answers
        .filter(({ status }) => status === 429)
        .map((answer) => answer.headers.get('x-request-id'));
    };

    const refused = [
      await send('192.0.2.1', '/docs-json'),
      await send('192.0.2.2', '/health/live'),
      await send('2001:db8:1:2::1', '/api/nothing', unknownKey('1')),
      await send('192.0.2.4', '/api/agents', unknownKey('1')),
    ];
    const metrics = (await clientAt(server.api)('192.0.2.5').get('/metrics')).body as string;
    await server.stop();
    await database.drop();

    const lines = server.output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { req?: { id: string }; clientNetwork?: string })
      .filter(({ clientNetwork }) => clientNetwork !== undefined);
    expect(refused.map((ids) => new Set(ids).size)).toEqual([7, 7, 7, 7]);
    expect(lines.map(({ req, clientNetwork }) => [clientNetwork, req?.id])).toEqual([
      ['192.0.2.1', refused[0]?.[0]],
      ['192.0.2.2', refused[1]?.[0]],
      ['2001:db8:1:2::/64', refused[2]?.[0]],
      ['192.0.2.4', refused[3]?.[0]],
    ]);
    const counts = metrics.matchAll(/^http_request_duration_seconds_count{.*status="429".*} (\d+)$/gm);
    expect([...counts].reduce((sum, [, count]) => sum + Number(count), 0)).toBe(28);
  });
});

describe('Without a trusted proxy', () => {
  const parley = useOwnParley({ WRONG_CREDENTIALS_PER_MINUTE: '5' });

  test('a client cannot choose the address for which its wrong credentials count', async () => {
    const statuses = [];
    for (const last of ['1', '2', '3', '4', '5', '6']) {
      statuses.push(await readStatus(clientAt(parley.api)(`192.0.2.${last}`, unknownKey(last))));
    }

    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });
});
