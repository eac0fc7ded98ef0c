import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { commands, USAGE } from '../../src/tools/operator/commands';
import { createAgent } from '../support/agents';
import { QUOTA_NAMES } from '../../src/accounts/workspaces/quotas';
import { rsaKey } from '../support/identity-provider';
import { createDatabase } from '../support/database';
import { OperatorProcess } from '../support/operator-process';
import { JWT_SECRET, useOwnParley } from '../support/parley';
import { until } from '../support/until';

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string;
const apiKey = expect.stringMatching(/^parley_[\w-]{43}$/) as string;
const link = expect.stringMatching(/^http:\/\/localhost:3000\/login#token=parley_link_[\w-]{43}$/) as string;
const personLink = expect.stringMatching(
  /^http:\/\/localhost:3000\/login#token=parley_person_[\w-]{43}$/,
) as string;
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const token = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string;

describe("The operator's command line", () => {
  const parley = useOwnParley();
  let operator: OperatorProcess;

  beforeAll(() => {
    operator = new OperatorProcess({ DATABASE_URL: parley.database.url, JWT_SECRET });
  });
  afterAll(() => operator.finish());

  const withKey = (key: string) => parley.api.with({ 'x-api-key': key });
  const withToken = (value: string) => parley.api.with({ authorization: `Bearer ${value}` });
  const readBalance = async (workspaceId: string) => {
    const [row] = await parley.sql<{ credits: number; ledger: number }>(
      `SELECT credits, (SELECT sum(amount)::int FROM credit_entries WHERE workspace_id = $1) AS ledger
       FROM workspaces WHERE id = $1`,
      [workspaceId],
    );
    return row;
  };

  test('prints one JSON object for every command with --json, and lines of text without it', async () => {
    const { workspaceId, userId } = await parley.workspace();
    const { keyId } = await operator.json('key', 'create', '--workspace', workspaceId);
    const workspace = ['--workspace', workspaceId];
    const invited = await operator.json('person', 'invite', ...workspace, '--name', 'Bob', '--role', 'admin');
    const personId = invited.personId as string;
    const cases: Record<string, [args: string[], result: object]> = {
      'workspace create': [['--name', 'Acme'], { workspaceId: uuid, userId: uuid, apiKey }],
      'key create': [
        [...workspace, '--name', 'Deployment'],
        { keyId: uuid, apiKey, name: 'Deployment', expiresAt: null },
      ],
      'key list': [workspace, { keys: expect.any(Array) as unknown }],
      'key revoke': [['--key', keyId as string], { keyId, revoked: true }],
      'token create': [workspace, { token, expiresAt: timestamp }],
      'token revoke-all': [workspace, { workspaceId, tokensNotBefore: timestamp }],
      'console link': [workspace, { url: link, expiresAt: timestamp }],
      'person invite': [
        [...workspace, '--name', 'Ada', '--role', 'viewer'],
        { personId: uuid, url: personLink, expiresAt: timestamp },
      ],
      'person list': [workspace, { people: expect.any(Array) as unknown }],
      'person link': [
        [...workspace, '--person', personId],
        { personId, url: personLink, expiresAt: timestamp },
      ],
      'credits add': [[...workspace, '--amount', '0'], { credits: 100 }],
      'subscription set': [[...workspace, '--status', 'active'], { workspaceId, subscription: 'active' }],
      'workspace suspend': [workspace, { workspaceId, suspended: true }],
      'workspace resume': [workspace, { workspaceId, suspended: false }],
      'quota set': [
        [...workspace, '--quota', 'agents', '--value', '7'],
        { workspaceId, quota: 'agents', limit: 7, used: 0, setBy: 'operator' },
      ],
      'quota list': [
        workspace,
        Object.fromEntries(QUOTA_NAMES.map((name) => [name, expect.any(Object) as unknown])),
      ],
      'rollups check': [workspace, { workspaces: 1, differences: [] }],
      verify: [workspace, { checked: expect.any(Object) as unknown, violations: [] }],
      migrate: [['--dry-run'], { pending: [] }],
      'rollups rebuild': [workspace, { workspaces: 1, corrected: 0 }],
      'demo seed': [
        ['--calls', '10'],
        {
          workspaceId: uuid,
          calls: expect.any(Number) as unknown,
          campaigns: 3,
          url: link,
          expiresAt: timestamp,
        },
      ],
      'number grant': [[...workspace, '--number', '+15557770001'], { workspaceId, number: '+15557770001' }],
    };
    // These commands fail when they are repeated, and have tests of their own.
    const others = ['number release', 'console revoke', 'person remove'];
    expect(Object.keys(cases).concat(others).sort()).toEqual(Object.keys(commands).sort());

    for (const [name, [options, result]] of Object.entries(cases)) {
      const args = [...name.split(' '), ...options];
      expect(USAGE).toMatch(new RegExp(`\n  ${name} \\[?--`));
      expect(await operator.json(...args)).toEqual(result);
      const { code, stdout, stderr } = await operator.run(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const lines = stdout.trimEnd().split('\n');
      expect(lines.map((line) => line.replace(/: .*/s, ''))).toEqual(Object.keys(result));
    }
    expect(userId).toEqual(uuid);
  });

  test('creates a workspace whose key works at once', async () => {
    const made = await operator.json('workspace', 'create', '--name', 'Acme', '--credits', '5');
    const api = withKey(made.apiKey as string);

    expect((await api.get('/api/workspace')).body.data).toMatchObject({
      workspaceId: made.workspaceId,
      name: 'Acme',
      credits: 5,
      subscription: 'active',
    });
    expect((await api.post('/api/agents', { type: 'chat' })).body.data).toMatchObject({
      workspaceId: made.workspaceId,
      userId: made.userId,
    });
    expect(await readBalance(made.workspaceId as string)).toEqual({ credits: 5, ledger: 5 });
  });

  test('creates a workspace without a subscription, and changes the subscription', async () => {
    const made = await operator.json('workspace', 'create', '--name', 'Acme', '--no-subscription');
    const api = withKey(made.apiKey as string);
    const create = async () => (await api.post('/api/agents', { type: 'chat' })).status;
    const set = (status: string) =>
      operator.json('subscription', 'set', '--workspace', made.workspaceId as string, '--status', status);

    expect(await create()).toBe(403);
    await set('active');
    expect(await create()).toBe(200);
    await set('inactive');
    expect(await create()).toBe(403);
    expect((await api.get('/api/workspace')).body.data).toMatchObject({
      credits: 1_000,
      subscription: 'inactive',
    });
  });

  test('creates keys with limits, lists them without their text, and revokes them at once', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);
    const other = await createAgent(workspace);
    const expires = '2099-12-31T23:00:00.000Z';
    const made = await operator.json(
      ...['key', 'create', '--workspace', workspace.workspaceId, '--expires', '2099-12-31T23:00Z'],
      ...['--scope', `agent:${agentId}`, '--scope', `agent:${randomUUID()}`],
    );
    const api = withKey(made.apiKey as string);
    const readStatus = async (id: string) => (await api.get(`/api/agents/${id}`)).status;
    const list = () => operator.json('key', 'list', '--workspace', workspace.workspaceId);
    const listed = {
      keyId: made.keyId as string,
      hint: (made.apiKey as string).slice(-4),
      userId: workspace.userId,
      parentKeyId: null,
      scope: [`agent:${agentId}`, expect.any(String)],
      callsPerDay: null,
      callsToday: null,
      expiresAt: expires,
      revokedAt: null,
      name: null,
      lastUsedAt: null,
      createdAt: timestamp,
      createdBy: { kind: 'operator', id: userInfo().username, name: userInfo().username },
    };

    expect([await readStatus(agentId), await readStatus(other)]).toEqual([200, 403]);
    expect(await list()).toEqual({
      keys: [listed, expect.objectContaining({ scope: null, expiresAt: null, revokedAt: null })],
    });
    await operator.json('key', 'revoke', '--key', made.keyId as string);
    expect(await readStatus(agentId)).toBe(401);
    expect((await list()).keys[0]).toEqual({ ...listed, revokedAt: timestamp });
    // Revoking again changes nothing.
    await operator.json('key', 'revoke', '--key', made.keyId as string);
    expect(await readStatus(agentId)).toBe(401);
  });

  test('creates a key with a cap of calls a day, which applies at once', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);
    const { keyId, apiKey } = await operator.json(
      ...['key', 'create', '--workspace', workspace.workspaceId, '--name', 'Assistant'],
      ...['--scope', 'mcp:act', '--calls-per-day', '1'],
    );
    const call = () =>
      withKey(apiKey as string).post(`/api/agents/${agentId}/calls`, { to_number: '+15551234567' });

    expect((await call()).status).toBe(200);
    expect((await call()).body.error_code).toBe('CALLS_PER_DAY_CAP_REACHED');
    const { keys } = await operator.json('key', 'list', '--workspace', workspace.workspaceId);
    expect(keys[0]).toMatchObject({ keyId: keyId as string, callsPerDay: 1, callsToday: 1 });
  });

  test('issues tokens that work at once, for a user, a scope and a lifetime', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);
    const create = async (...options: string[]) =>
      (await operator.json('token', 'create', '--workspace', workspace.workspaceId, ...options))
        .token as string;
    const plain = await create();
    const limited = await create('--user', 'ada', '--scope', `agent:${agentId}`, '--expires-in', '60');
    const claimsIn = (value: string) =>
      JSON.parse(Buffer.from(value.split('.')[1] ?? '', 'base64url').toString()) as Record<string, number>;

    expect((await withToken(plain).get('/api/workspace')).status).toBe(200);
    expect(claimsIn(plain)).toMatchObject({ sub: workspace.userId, workspace_id: workspace.workspaceId });
    expect((await withToken(limited).get('/api/workspace')).status).toBe(403);
    expect((await withToken(limited).get(`/api/agents/${agentId}`)).status).toBe(200);
    const { iat, exp, ...claims } = claimsIn(limited);
    // The tokens belong to no key.
    expect(claims).toEqual({
      jti: uuid,
      sub: 'ada',
      workspace_id: workspace.workspaceId,
      scope: `agent:${agentId}`,
    });
    expect((exp as number) - (iat as number)).toBe(60);
  });

  test('ends all tokens of one workspace at once, but not its keys', async () => {
    const [workspace, other] = [await parley.workspace(), await parley.workspace()];
    const tokenFor = async ({ workspaceId }: { workspaceId: string }) =>
      (await operator.json('token', 'create', '--workspace', workspaceId)).token as string;
    const [ended, kept] = [await tokenFor(workspace), await tokenFor(other)];
    const readStatus = async (value: string) => (await withToken(value).get('/api/workspace')).status;
    expect([await readStatus(ended), await readStatus(kept)]).toEqual([200, 200]);

    await operator.json('token', 'revoke-all', '--workspace', workspace.workspaceId);

    expect([await readStatus(ended), await readStatus(kept)]).toEqual([401, 200]);
    expect((await workspace.api.get('/api/workspace')).status).toBe(200);
    // Tokens of the same second count as earlier.
    await until(async () => (await readStatus(await tokenFor(workspace))) === 200);
  });

  test('revokes a key together with the keys that it created', async () => {
    const { workspaceId } = await parley.workspace();
    const made = await operator.json('key', 'create', '--workspace', workspaceId);
    const { body } = await withKey(made.apiKey as string).post('/api/auth/api-keys', {});
    const child = withKey(body.data.apiKey as string);
    expect((await child.get('/api/workspace')).status).toBe(200);

    await operator.json('key', 'revoke', '--key', made.keyId as string);

    expect((await child.get('/api/workspace')).status).toBe(401);
  });

  test('adds credits, which calls can use at once and which the ledger contains', async () => {
    const workspace = await parley.workspace({ credits: 0 });
    const agentId = await createAgent(workspace);
    const call = async () =>
      (await workspace.api.post(`/api/agents/${agentId}/calls`, { to_number: '+15551234567' })).status;
    const add = (amount: string) =>
      operator.json('credits', 'add', '--workspace', workspace.workspaceId, '--amount', amount);

    expect(await call()).toBe(402);
    expect(await add('2')).toEqual({ credits: 2 });
    expect(await call()).toBe(200);
    expect(await add('999999999')).toEqual({ credits: 1_000_000_000 });
    expect((await workspace.api.get('/api/workspace')).body.data.credits).toBe(1_000_000_000);
    expect(await readBalance(workspace.workspaceId)).toEqual({
      credits: 1_000_000_000,
      ledger: 1_000_000_000,
    });
  });

  test('sets quotas, which apply at once, and shows them with their use', async () => {
    const workspace = await parley.workspace();
    await createAgent(workspace);
    const create = async () => (await workspace.api.post('/api/agents', { type: 'chat' })).status;
    const set = (quota: string, value: string) =>
      operator.json(
        ...['quota', 'set', '--workspace', workspace.workspaceId, '--quota', quota, '--value', value],
      );
    const list = () => operator.json('quota', 'list', '--workspace', workspace.workspaceId);

    expect(await set('agents', '1')).toMatchObject({ limit: 1, used: 1, setBy: 'operator' });
    expect(await create()).toBe(403);
    await set('credits_per_day', '0');
    await set('knowledge_base_bytes', '999999999999999');
    expect(await list()).toEqual({
      agents: { limit: 1, used: 1, setBy: 'operator' },
      knowledge_base_bytes: { limit: 999_999_999_999_999, used: 0, setBy: 'operator' },
      recording_bytes: { limit: 20_000 * 1024 * 1024, used: 0, setBy: 'default' },
      api_keys: { limit: 1_000, used: 1, setBy: 'default' },
      phone_numbers: { limit: 10_000, used: 0, setBy: 'default' },
      recipients: { limit: 5_000_000, used: 0, setBy: 'default' },
      concurrent_calls: { limit: 10_000, used: 0, setBy: 'default' },
      requests_per_minute: { limit: 600_000, setBy: 'default' },
      credits_per_day: { limit: 0, used: 0, setBy: 'operator' },
    });

    expect(await set('credits_per_day', 'default')).toMatchObject({ limit: null, setBy: 'default' });
    expect(await set('agents', 'default')).toMatchObject({ limit: 10_000, setBy: 'default' });
    expect(await create()).toBe(200);
  });

  test('keeps to the quota of API keys', async () => {
    const { workspaceId } = await parley.workspace();
    await operator.json('quota', 'set', '--workspace', workspaceId, '--quota', 'api_keys', '--value', '1');

    expect(await operator.run(['key', 'create', '--workspace', workspaceId])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^The limit of API keys is reached: The workspace has 1 of at most 1/,
      ) as string,
    });
  });

  test('suspends and resumes a workspace', async () => {
    const { workspaceId } = await parley.workspace();
    const suspendedAt = async () =>
      (
        await parley.sql<{ at: Date | null }>('SELECT suspended_at AS at FROM workspaces WHERE id = $1', [
          workspaceId,
        ])
      )[0]?.at;
    const suspend = () => operator.json('workspace', 'suspend', '--workspace', workspaceId);

    expect(await suspend()).toEqual({ workspaceId, suspended: true });
    const first = await suspendedAt();
    expect(first).toEqual(expect.any(Date));
    await suspend();
    expect(await suspendedAt()).toEqual(first);

    await operator.json('workspace', 'resume', '--workspace', workspaceId);
    expect(await suspendedAt()).toBeNull();
  });

  test('grants a number to one workspace, and releases it', async () => {
    const [workspace, other] = await Promise.all([parley.workspace(), parley.workspace()]);
    const number = '+15557770002';
    const grant = ({ workspaceId }: { workspaceId: string }) => [
      ...['number', 'grant', '--workspace', workspaceId, '--number', number],
    ];
    const readNumbers = async ({ api }: typeof workspace) =>
      (await api.get('/api/phone-number')).body.data.phone_numbers as object[];

    await operator.json(...grant(workspace));
    await operator.json(...grant(workspace));
    expect(await readNumbers(workspace)).toMatchObject([{ number, status: 'inactive' }]);
    expect(await operator.run(grant(other))).toEqual({
      code: 1,
      stdout: '',
      stderr: `Another workspace has the phone number: Workspace ${workspace.workspaceId} has it. Release it there first.\n`,
    });

    expect(await operator.json('number', 'release', '--number', number)).toEqual({
      workspaceId: workspace.workspaceId,
      number,
      released: true,
    });
    expect(await readNumbers(workspace)).toEqual([]);
    expect(await operator.run(['number', 'release', '--number', number])).toMatchObject({
      code: 1,
      stderr: 'Phone number not found\n',
    });
    await operator.json(...grant(other));
    expect(await readNumbers(other)).toMatchObject([{ number }]);
  });

  test.each([[['--help']], [['help']], [['-h']], [['workspace', 'create', '--help']]])(
    'prints the usage for %s',
    async (args) => {
      const usage = expect.stringMatching(/^Usage: .* COMMAND.*\n\n {2}workspace create /) as string;

      expect(await operator.run(args)).toMatchObject({ code: 0, stdout: usage, stderr: '' });
    },
  );

  test('prints the usage to stderr, with exit code 2, for a command that it does not understand', async () => {
    const id = randomUUID();
    const cases: [sentence: string, ...args: string[]][] = [
      ['A command is missing.'],
      ['There is no command "workspace delete".', 'workspace', 'delete'],
      ['There is no command "toString".', 'toString'],
      ['--name is missing.', 'workspace', 'create'],
      ['--name is missing.', 'workspace', 'create', '--name', ''],
      ["Option '--name <value>' argument missing", 'workspace', 'create', '--name'],
      ["Unknown option '--colour'", 'workspace', 'create', '--name', 'Acme', '--colour', 'red'],
      ["Unexpected argument 'Acme'", 'workspace', 'create', 'Acme'],
      ['--credits must be a whole number.', 'workspace', 'create', '--name', 'Acme', '--credits', '1.5'],
      ['--credits must be a whole number.', 'workspace', 'create', '--name', 'Acme', '--credits', 'many'],
      [
        "Option '--credits' argument is ambiguous",
        'workspace',
        'create',
        '--name',
        'Acme',
        '--credits',
        '-1',
      ],
      ['--workspace is missing.', 'key', 'create'],
      [
        '--scope must be agent:<agent_id>, read, operate or mcp:act, not all.',
        'key',
        'create',
        '--workspace',
        id,
        '--scope',
        'all',
      ],
      ['--expires must be an ISO 8601 date-time.', 'key', 'create', '--workspace', id, '--expires', 'soon'],
      ...(
        [
          ['--calls-per-day needs --scope mcp:act.', '--calls-per-day', '5'],
          ['--calls-per-day needs --scope mcp:act.', '--calls-per-day', '5', '--scope', 'read'],
          ['--calls-per-day must be from 1 to', '--calls-per-day', '0', '--scope', 'mcp:act'],
          ['--calls-per-day must be from 1 to', '--calls-per-day', '1000000001', '--scope', 'mcp:act'],
          ['--calls-per-day must be a whole number.', '--calls-per-day', 'many', '--scope', 'mcp:act'],
        ] as const
      ).map(([sentence, ...flags]): [string, ...string[]] => [
        sentence,
        ...['key', 'create', '--workspace', id, ...flags],
      ]),
      ['--workspace is missing.', 'key', 'list'],
      ['--key is missing.', 'key', 'revoke'],
      ['--workspace is missing.', 'token', 'create'],
      ['--expires-in must be', 'token', 'create', '--workspace', id, '--expires-in', '1h'],
      ['--expires-in must be', 'token', 'create', '--workspace', id, '--expires-in', '0'],
      ['--expires-in must be', 'token', 'create', '--workspace', id, '--expires-in', '31536001'],
      ['--workspace is missing.', 'token', 'revoke-all'],
      ['--amount is missing.', 'credits', 'add', '--workspace', id],
      ['--workspace is missing.', 'credits', 'add', '--amount', '1'],
      ['--amount must be a whole number.', 'credits', 'add', '--workspace', id, '--amount', '1e3'],
      ['--status must be active or inactive.', 'subscription', 'set', '--workspace', id, '--status', 'on'],
      ['--status must be active or inactive.', 'subscription', 'set', '--workspace', id],
      ['--workspace is missing.', 'workspace', 'suspend'],
      ['--workspace is missing.', 'workspace', 'resume'],
      ['--workspace is missing.', 'quota', 'list'],
      ['--workspace is missing.', 'quota', 'set', '--quota', 'agents', '--value', '1'],
      ['--quota is missing.', 'quota', 'set', '--workspace', id, '--value', '1'],
      ['--value is missing.', 'quota', 'set', '--workspace', id, '--quota', 'agents'],
      [
        '--quota must be one of agents,',
        'quota',
        'set',
        '--workspace',
        id,
        '--quota',
        'toString',
        '--value',
        '1',
      ],
      ...['1.5', 'none', '2147483648', '1e3'].map((value): [string, ...string[]] => [
        '--value must be default, or a whole number from 0 to 2147483647.',
        ...['quota', 'set', '--workspace', id, '--quota', 'agents', '--value', value],
      ]),
      [
        '--value must be default, or a whole number from 1 to 2147483647.',
        ...['quota', 'set', '--workspace', id, '--quota', 'requests_per_minute', '--value', '0'],
      ],
      ['--number is missing.', 'number', 'grant', '--workspace', id],
      ['--workspace is missing.', 'number', 'grant', '--number', '+15557770003'],
      ['--number must be a possible number', 'number', 'grant', '--workspace', id, '--number', '5557770003'],
      ['--number must be a possible number', 'number', 'release', '--number', '+1'],
    ];

    for (const [sentence, ...args] of cases) {
      const { code, stdout, stderr } = await operator.run(args);
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
      expect(stderr.slice(0, sentence.length)).toBe(sentence);
      expect(stderr.endsWith(`\n\n${USAGE}`)).toBe(true);
    }
  });

  test('prints one sentence to stderr, with exit code 1, for a command that failed', async () => {
    const { workspaceId } = await parley.workspace();
    const full = (await parley.workspace({ credits: 1_000_000_000 })).workspaceId;
    const unknown = randomUUID();
    const noWorkspace = (id: string) => `Workspace not found: There is no workspace ${id}.\n`;
    const tooMany =
      'Credits out of range: Credits are whole numbers from 0 to 1,000,000,000, the balance included.\n';
    const cases: [sentence: string, ...args: string[]][] = [
      [noWorkspace(unknown), 'key', 'create', '--workspace', unknown],
      [noWorkspace('acme'), 'key', 'create', '--workspace', 'acme'],
      [noWorkspace(unknown), 'key', 'list', '--workspace', unknown],
      [noWorkspace(unknown), 'token', 'create', '--workspace', unknown],
      [noWorkspace(unknown), 'token', 'revoke-all', '--workspace', unknown],
      [noWorkspace('acme'), 'token', 'revoke-all', '--workspace', 'acme'],
      [noWorkspace(unknown), 'credits', 'add', '--workspace', unknown, '--amount', '1'],
      [noWorkspace(unknown), 'subscription', 'set', '--workspace', unknown, '--status', 'active'],
      [noWorkspace(unknown), 'workspace', 'suspend', '--workspace', unknown],
      [noWorkspace('acme'), 'workspace', 'resume', '--workspace', 'acme'],
      [noWorkspace(unknown), 'quota', 'list', '--workspace', unknown],
      [noWorkspace('acme'), 'quota', 'set', '--workspace', 'acme', '--quota', 'agents', '--value', '1'],
      [noWorkspace(unknown), 'number', 'grant', '--workspace', unknown, '--number', '+15557770003'],
      ['API key not found\n', 'key', 'revoke', '--key', unknown],
      ['API key not found\n', 'key', 'revoke', '--key', 'mine'],
      [
        'Validation failed: expires must be in the future\n',
        ...['key', 'create', '--workspace', workspaceId, '--expires', '2020-01-01'],
      ],
      [tooMany, 'credits', 'add', '--workspace', full, '--amount', '1'],
      [tooMany, 'workspace', 'create', '--name', 'Acme', '--credits', '1000000001'],
    ];

    for (const [sentence, ...args] of cases) {
      expect({ args, ...(await operator.run([...args, '--json'])) }).toEqual({
        args,
        code: 1,
        stdout: '',
        stderr: sentence,
      });
    }
  });

  test('reports a wrong setting and an unavailable database', async () => {
    const create = (settings: Record<string, string>) =>
      operator.run(['workspace', 'create', '--name', 'Acme', '--json'], settings);

    expect(await create({ JWT_SECRET: 'secret' })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'JWT_SECRET must have at least 32 bytes.\n',
    });
    for (const host of ['127.0.0.1', 'localhost']) {
      const { code, stdout, stderr } = await create({
        DATABASE_URL: `postgres://parley:password@${host}:1/parley`,
      });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^connect ECONNREFUSED .*:1\n$/);
    }
  });

  test('issues no tokens if an identity provider does', async () => {
    const { workspaceId } = await parley.workspace();

    const ran = await operator.run(['token', 'create', '--workspace', workspaceId], {
      JWT_SECRET: '',
      JWT_PUBLIC_KEY: rsaKey().publicKey,
      JWT_ISSUER: 'https://id.example/',
      JWT_AUDIENCE: 'parley',
    });

    expect(ran).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Tokens are issued elsewhere: .*\n$/) as string,
    });
  });

  test('creates the schema if no server has run before', async () => {
    const database = await createDatabase({ empty: true });

    const { code, stdout, stderr } = await operator.run(
      ['workspace', 'create', '--name', 'First', '--json'],
      {
        DATABASE_URL: database.url,
      },
    );

    expect({ code, stderr, stdout }).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^{"workspaceId":.*}\n$/) as string,
    });
    await database.drop();
  });

  test('leaves nothing open that keeps its process alive', async () => {
    await operator.json('workspace', 'create', '--name', 'Last');
    expect(await operator.finish()).toBe(0);
  });
});
