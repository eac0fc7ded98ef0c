import { request as httpRequest } from 'node:http';
import { type Fault, FaultyProxy, refusal } from '../../packages/client/test/support/faulty-proxy';
import type { QuotaName } from '../../src/accounts/workspaces/quotas';
import { QuotasService } from '../../src/accounts/workspaces/quotas.service';
import { createAgent } from '../support/agents';
import type { ApiClient } from '../support/client';
import { createCampaign, csv } from '../support/campaigns';
import { addFile } from '../support/knowledge-bases';
import { McpClient, type Negotiation, type Revision, REVISIONS, type ToolAnswer } from '../support/mcp';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';

const READING = [
  'find_calls',
  'get_call',
  'explain_call',
  'call_statistics',
  'list_agents',
  'get_agent',
  'list_campaigns',
  'explain_campaign',
  'search_knowledge',
  'list_runtimes',
  'list_webhook_endpoints',
].sort();

const ACTING = ['start_call', 'hang_up', 'pause_campaign', 'resume_campaign', 'add_do_not_call'].sort();

/** The annotations of the tools, by which an assistant knows when to ask a person. */
const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const ACTS = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const HINTS = {
  ...Object.fromEntries(READING.map((name) => [name, READS])),
  start_call: { ...ACTS, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  hang_up: { ...ACTS, destructiveHint: true },
  pause_campaign: ACTS,
  resume_campaign: { ...ACTS, destructiveHint: true, openWorldHint: true },
  add_do_not_call: ACTS,
};

const NUMBER = '+15551234567';

/** The faults of a request: what an assistant is shown of them, and whether the server has done it nevertheless. */
const FAULTS: [string, Fault, { shows: RegExp; isDone: boolean }][] = [
  ['there are too many requests', refusal(429, 'RATE_LIMITED'), { shows: /RATE_LIMITED/, isDone: false }],
  ['the server is busy', refusal(503, 'DATABASE_BUSY'), { shows: /DATABASE_BUSY/, isDone: false }],
  ['a proxy finds no server', { answer: 502, body: 'Bad Gateway' }, { shows: /Bad Gateway/, isDone: false }],
  ['the request is lost', { cut: 'request' }, { shows: /fetch failed|closed/i, isDone: false }],
  ['the answer is lost', { cut: 'answer' }, { shows: /fetch failed|closed/i, isDone: true }],
  ['the answer is cut', { cut: 'body' }, { shows: /./, isDone: true }],
  ['the answer is late', { late: true }, { shows: /waited too long/, isDone: true }],
];

const LIST_TOOLS = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

describe('An assistant', () => {
  const parley = useOwnParley();
  const opened: McpClient[] = [];
  let workspace: TestWorkspace;
  let agentId: string;

  beforeEach(async () => {
    workspace = await parley.workspace();
    agentId = await createAgent(workspace, { name: 'Front desk' });
  });
  afterEach(async () => {
    for (const client of opened.splice(0)) await client.close();
  });

  const createKey = async (scope?: string[], owner = workspace): Promise<string> => {
    const { body } = await owner.api.post('/api/auth/api-keys', { name: 'Assistant', scope });
    return body.data.apiKey as string;
  };
  const connect = async (key: string, wanted?: Revision | Negotiation): Promise<McpClient> => {
    const client = await McpClient.connect(parley.url, { 'x-api-key': key }, wanted);
    opened.push(client);
    return client;
  };
  const connectWith = async (...scope: string[]) =>
    connect(await createKey(scope.length ? scope : undefined));

  const startCall = async (api: ApiClient, agent = agentId): Promise<string> =>
    (await api.post(`/api/agents/${agent}/calls`, { to_number: NUMBER, customer_name: 'Ada' })).body.data
      .conversation_id as string;

  const audit = async () =>
    (await workspace.api.get('/api/audit?limit=20')).body.data as {
      action: string;
      target: { id: string | null; name: string | null };
      details: Record<string, unknown>;
      actor: { name: string };
    }[];

  const countCalls = async () => (await workspace.api.get('/api/calls')).body.pagination.total as number;
  const readCredits = async () => (await workspace.api.get('/api/workspace')).body.data.credits as number;

  test.each(Object.keys(REVISIONS) as Revision[])(
    'of the revision %s lists the tools with schemas and annotations, and uses each',
    async (revision) => {
      const kb = await workspace.api.raw('/api/knowledge-base', knowledgeBase());
      const kb_id = (kb.headers.get('location') ?? '').replace(/^.*=/, '');
      await addFile(workspace, kb_id);
      const campaign_id = await createCampaign(workspace.api, agentId, csv(`phone_number\n${NUMBER}\n`), {
        isScheduled: 'true',
        scheduleTime: '2099-01-01T00:00:00Z',
      });
      const client = await connect(await createKey(['mcp:act']), revision);

      expect(client.client.getNegotiatedProtocolVersion()).toBe(revision);
      const { tools } = await client.client.listTools();
      expect(tools.map(({ name }) => name).sort()).toEqual([...READING, ...ACTING].sort());
      expect(Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))).toEqual(HINTS);
      for (const { name, inputSchema, outputSchema, description } of tools) {
        expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
        expect(outputSchema).toMatchObject({ type: 'object' });
        expect(description?.length).toBeGreaterThan(40);
        const without = Object.entries(inputSchema.properties ?? {}).filter(
          ([, argument]) => !(argument as { description?: string }).description,
        );
        expect({ name, without: without.map(([argument]) => argument) }).toEqual({ name, without: [] });
      }

      const { call_id, status } = await client.use('start_call', {
        agent_id: agentId,
        to_number: NUMBER,
        customer_name: 'Ada',
        variables: { appointment: 'Monday' },
      });
      expect(status).toBe('queued');
      expect(
        await client.use('find_calls', { agent_id: agentId, number: NUMBER, status: 'queued' }),
      ).toMatchObject({
        total: 1,
        calls: [{ call_id, status: 'queued', customer_name: 'Ada' }],
      });
      const { call } = await client.use('get_call', { call_id });
      expect(call).toMatchObject({ call_id, dynamic_variables: { appointment: 'Monday' } });
      expect(call).not.toHaveProperty('join');
      const explained = await client.call('explain_call', { call_id });
      expect(explained.text).toContain('Front desk');
      expect(explained.text).toContain('## What was said');
      expect(explained.data.text).toBe(explained.text);
      expect(await client.use('call_statistics', { agent_id: agentId })).toMatchObject({
        calls: 1,
        under_way: 1,
      });
      expect(await client.use('list_agents', { search: 'desk' })).toMatchObject({
        total: 1,
        agents: [{ agent_id: agentId, name: 'Front desk', is_on: true }],
      });
      expect((await client.use('get_agent', { agent_id: agentId })).agent.name).toBe('Front desk');
      const { passages } = await until(async () => {
        const found = await client.use('search_knowledge', { kb_id, query: 'open' });
        return found.passages.length > 0 && found;
      });
      expect(passages[0].text).toContain('nine to five');
      expect(await client.use('list_runtimes')).toMatchObject({ broker: { state: 'up' } });

      expect(await client.use('hang_up', { call_id })).toEqual({
        call_id,
        status: 'failed',
        hangup: 'cancelled',
      });
      expect((await client.use('list_campaigns', { status: 'scheduled' })).campaigns[0].campaign_id).toBe(
        campaign_id,
      );
      expect((await client.use('pause_campaign', { campaign_id })).campaign.status).toBe('paused');
      expect((await client.call('explain_campaign', { campaign_id })).text).toContain('Paused');
      expect((await client.use('resume_campaign', { campaign_id })).campaign.status).not.toBe('paused');
      expect(await client.use('add_do_not_call', { phone_number: '+15559876543', reason: 'asked' })).toEqual({
        phone_number: '+15559876543',
        reason: 'asked',
      });

      const entries = (await audit()).slice(0, 5).reverse();
      expect(entries.map(({ action, details }) => [action, details.tool])).toEqual([
        ['call.started', 'start_call'],
        ['call.hang_up_requested', 'hang_up'],
        ['campaign.paused', 'pause_campaign'],
        ['campaign.resumed', 'resume_campaign'],
        ['do_not_call.added', 'add_do_not_call'],
      ]);
      expect(entries[0]).toMatchObject({ target: { id: call_id }, actor: { name: 'Assistant' } });
      expect(entries[2]?.target).toMatchObject({ id: campaign_id, name: 'Test' });
    },
  );

  describe('finds a common revision', () => {
    const LATER = '2099-01-01';
    const credential = () => ({ 'x-api-key': workspace.apiKey });

    test.each(['2025-06-18', '2025-03-26', '2024-11-05'])(
      'if it knows only the older revision %s, and uses the tools by it',
      async (revision) => {
        const client = await connect(workspace.apiKey, { supportedProtocolVersions: [revision] });

        expect(client.client.getNegotiatedProtocolVersion()).toBe(revision);
        expect((await client.toolNames()).sort()).toEqual(READING);
        expect((await client.call('list_agents', { search: 'desk' })).text).toContain(agentId);
        expect((await client.call('get_call', { call_id: agentId })).isError).toBe(true);
      },
    );

    test('if it knows later ones beside these', async () => {
      const byHandshake = await connect(workspace.apiKey, {
        supportedProtocolVersions: [LATER, '2025-11-25'],
      });
      expect(byHandshake.client.getNegotiatedProtocolVersion()).toBe('2025-11-25');
      expect((await byHandshake.toolNames()).sort()).toEqual(READING);

      const byDiscovery = await connect(workspace.apiKey, {
        versionNegotiation: { mode: 'auto' },
        supportedProtocolVersions: [LATER, '2026-07-28', '2025-11-25'],
      });
      expect(byDiscovery.client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
      expect((await byDiscovery.toolNames()).sort()).toEqual(READING);
    });

    test('or is refused with the revisions that the server has', async () => {
      await expect(connect(workspace.apiKey, { supportedProtocolVersions: [LATER] })).rejects.toThrow(
        /protocol version/i,
      );
      const initialize = {
        ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
        params: { protocolVersion: LATER, capabilities: {}, clientInfo: { name: 'later', version: '1' } },
      };
      const offered = await post(credential(), initialize);
      expect([offered.status, readMessage(offered.text).result?.protocolVersion]).toEqual([
        200,
        '2025-11-25',
      ]);

      const afterHandshake = await post(
        { ...credential(), 'mcp-protocol-version': '2024-01-01' },
        LIST_TOOLS,
      );
      expect(afterHandshake.status).toBe(400);
      expect(afterHandshake.text).toMatch(/[Uu]nsupported protocol version/);

      const params = meta({}, LATER);
      const withoutHandshake = await post(
        { ...credential(), 'mcp-protocol-version': LATER, 'mcp-method': 'tools/list' },
        { ...LIST_TOOLS, params },
      );
      expect([withoutHandshake.status, readMessage(withoutHandshake.text).error]).toEqual([
        400,
        expect.objectContaining({
          code: -32022,
          data: { supported: ['2026-07-28'], requested: LATER },
        }) as object,
      ]);
    });
  });

  test('is offered the tools that act only with mcp:act, and never with read', async () => {
    expect((await (await connectWith()).toolNames()).sort()).toEqual(READING);
    expect((await (await connectWith('read')).toolNames()).sort()).toEqual(READING);
    expect((await (await connectWith('read', 'mcp:act')).toolNames()).sort()).toEqual(READING);
    expect((await (await connectWith(`agent:${agentId}`)).toolNames()).sort()).toEqual(READING);
    const acting = await (await connectWith(`agent:${agentId}`, 'mcp:act')).toolNames();
    expect(acting.sort()).toEqual([...READING, ...ACTING].sort());

    const ofTokens: [scope: string[] | undefined, names: string[]][] = [
      [undefined, READING],
      [
        [`agent:${agentId}`, 'mcp:act'],
        [...READING, ...ACTING],
      ],
    ];
    for (const [scope, names] of ofTokens) {
      const { body } = await workspace.api.post('/api/auth/tokens', { expiresIn: 60, scope });
      const { token } = (body as { data: { token: string } }).data;
      const withToken = await McpClient.connect(parley.url, { authorization: `Bearer ${token}` });
      opened.push(withToken);
      expect((await withToken.toolNames()).sort()).toEqual([...names].sort());
    }

    const client = await connectWith();
    for (const name of ACTING) {
      const answer = client.client.callTool({ name, arguments: { agent_id: agentId, to_number: NUMBER } });
      await expect(answer).rejects.toThrow(/not found|unknown/i);
    }
    expect(await countCalls()).toBe(0);
  });

  test('that is limited to an agent acts and reads through this agent only', async () => {
    const other = await createAgent(workspace);
    const otherCall = await startCall(workspace.api, other);
    const ownCall = await startCall(workspace.api);
    const client = await connectWith(`agent:${agentId}`, 'mcp:act');

    expect(client.client.getInstructions()).toContain(`limited to the agents with these ids: ${agentId}.`);
    expect(await client.use('find_calls')).toMatchObject({ total: 1, calls: [{ call_id: ownCall }] });
    for (const tool of ['get_call', 'explain_call', 'hang_up'])
      expect(await client.call(tool, { call_id: otherCall })).toMatchObject({
        isError: true,
        text: expect.stringContaining('CALL_NOT_FOUND') as string,
      });
    for (const [tool, args] of Object.entries({
      start_call: { agent_id: other, to_number: NUMBER },
      get_agent: { agent_id: other },
      list_agents: {},
      list_campaigns: {},
      call_statistics: {},
      list_runtimes: {},
      list_webhook_endpoints: {},
      add_do_not_call: { phone_number: NUMBER },
    }))
      expect({ tool, ...(await client.call(tool, args)) }).toMatchObject({
        tool,
        isError: true,
        text: expect.stringContaining('OUT_OF_SCOPE') as string,
      });
    expect(await countCalls()).toBe(2);

    expect((await client.use('start_call', { agent_id: agentId, to_number: NUMBER })).status).toBe('queued');
    expect((await client.use('hang_up', { call_id: ownCall })).hangup).toBe('cancelled');
  });

  test('finds nothing of another workspace', async () => {
    const stranger = await parley.workspace();
    const call_id = await startCall(workspace.api);
    const campaign_id = await createCampaign(workspace.api, agentId, csv(`phone_number\n${NUMBER}\n`), {
      isScheduled: 'true',
      scheduleTime: '2099-01-01T00:00:00Z',
    });
    const client = await connect(await createKey(['mcp:act'], stranger));

    expect(await client.use('find_calls')).toEqual({ calls: [], total: 0 });
    expect(await client.use('find_calls', { agent_id: agentId })).toEqual({ calls: [], total: 0 });
    for (const [tool, args, code] of [
      ['get_call', { call_id }, 'CALL_NOT_FOUND'],
      ['explain_call', { call_id }, 'CALL_NOT_FOUND'],
      ['hang_up', { call_id }, 'CALL_NOT_FOUND'],
      ['get_agent', { agent_id: agentId }, 'AGENT_NOT_FOUND'],
      ['start_call', { agent_id: agentId, to_number: NUMBER }, 'AGENT_NOT_FOUND'],
      ['start_call', { agent_id: 'none', to_number: NUMBER }, 'AGENT_NOT_FOUND'],
      ['explain_campaign', { campaign_id }, 'CAMPAIGN_NOT_FOUND'],
      ['pause_campaign', { campaign_id }, 'CAMPAIGN_NOT_FOUND'],
      ['resume_campaign', { campaign_id: 'none' }, 'CAMPAIGN_NOT_FOUND'],
      ['search_knowledge', { kb_id: agentId, query: 'open' }, 'KNOWLEDGE_BASE_NOT_FOUND'],
    ] as const) {
      const { isError, text } = await client.call(tool, args);
      expect({ tool, isError, text }).toEqual({
        tool,
        isError: true,
        text: expect.stringContaining(code) as string,
      });
    }
  });

  test('gets refusals that say what to do, from a dry run as from the call', async () => {
    await workspace.api.post('/api/do-not-call', { phone_number: '+15550000001' });
    const off = await createAgent(workspace, { status: false });
    const poor = await parley.workspace({ credits: 0 });
    const poorAgent = await createAgent(poor);
    const client = await connectWith('mcp:act');
    const ofPoor = await connect(await createKey(['mcp:act'], poor));
    /** An assistant of a workspace whose first call has reached this quota. */
    const reach = async (quota: QuotaName) => {
      const owner = await parley.workspace();
      const agent_id = await createAgent(owner);
      await parley.app.get(QuotasService, { strict: false }).set(owner.workspaceId, quota, 1);
      await startCall(owner.api, agent_id);
      return { agent_id, using: await connect(await createKey(['mcp:act'], owner)) };
    };
    const [busy, spent] = [await reach('concurrent_calls'), await reach('credits_per_day')];
    const credits = await readCredits();

    for (const [args, code, using] of [
      [{ agent_id: agentId, to_number: '+15550000001' }, 'DO_NOT_CALL', client],
      [{ agent_id: agentId, to_number: '12' }, 'VALIDATION_FAILED', client],
      [{ agent_id: agentId, to_number: '+88213012345' }, 'DESTINATION_NOT_ALLOWED', client],
      [{ agent_id: off, to_number: NUMBER }, 'AGENT_SWITCHED_OFF', client],
      [{ agent_id: '01890000-0000-7000-8000-000000000000', to_number: NUMBER }, 'AGENT_NOT_FOUND', client],
      [{ agent_id: poorAgent, to_number: NUMBER }, 'INSUFFICIENT_CREDITS', ofPoor],
      [{ agent_id: busy.agent_id, to_number: NUMBER }, 'CONCURRENCY_LIMIT', busy.using],
      [{ agent_id: spent.agent_id, to_number: NUMBER }, 'CREDITS_PER_DAY_QUOTA_REACHED', spent.using],
    ] as const) {
      const real = await using.call('start_call', args);
      const dry = await using.call('start_call', { ...args, dry_run: true });
      expect(real).toEqual({
        isError: true,
        text: expect.stringContaining(`(${code})`) as string,
        data: undefined,
      });
      expect(dry).toEqual(real);
      expect(real.text.split('\n').length).toBeGreaterThan(1);
    }
    expect(await client.use('start_call', { agent_id: agentId, to_number: NUMBER, dry_run: true })).toEqual({
      call_id: null,
      status: 'would_start',
      is_replayed: false,
    });
    expect([await countCalls(), await readCredits()]).toEqual([0, credits]);
    expect((await audit()).filter(({ action }) => action.startsWith('call.'))).toEqual([]);
  });

  test('starts one call for one idempotency key, also with requests at once', async () => {
    const client = await connectWith('mcp:act');
    const args = { agent_id: agentId, to_number: NUMBER, idempotency_key: 'visit 7' };

    const [first, ...others] = await Promise.all(
      Array.from({ length: 4 }, () =>
        until(async () => {
          const answer = await client.call('start_call', args);
          return !answer.text.includes('IDEMPOTENCY_KEY_IN_USE') && answer;
        }),
      ),
    );

    for (const { data } of others) expect(data.call_id).toBe(first?.data.call_id);
    expect([first, ...others].filter((answer) => answer?.data.is_replayed)).toHaveLength(3);
    expect(await countCalls()).toBe(1);
    expect((await audit()).filter(({ action }) => action === 'call.started')).toHaveLength(1);
    const changed = { ...args, to_number: '+15551234568' };
    for (const dry_run of [false, true])
      expect((await client.call('start_call', { ...changed, dry_run })).text).toContain(
        'IDEMPOTENCY_KEY_REUSED',
      );
    expect(await client.use('start_call', { ...args, dry_run: true })).toMatchObject({ is_replayed: true });
    expect(await countCalls()).toBe(1);
  });

  describe('with a cap of calls a day', () => {
    const createCapped = async (callsPerDay: number) =>
      (await workspace.api.post('/api/auth/api-keys', { name: 'Capped', scope: ['mcp:act'], callsPerDay }))
        .body.data as { keyId: string; apiKey: string };
    const call = { to_number: NUMBER };
    const startOverRest = async (api: ApiClient) => {
      const { status, body } = await api.post(`/api/agents/${agentId}/calls`, call);
      return [status, body.error_code];
    };
    const showKey = async (keyId: string) =>
      ((await workspace.api.get('/api/auth/api-keys')).body.data as { keyId: string }[]).find(
        (key) => key.keyId === keyId,
      );
    const REACHED = [403, 'CALLS_PER_DAY_CAP_REACHED'];
    const STARTED = [200, undefined];

    test('is refused the next call until the next day, and a dry run says so', async () => {
      const { keyId, apiKey } = await createCapped(2);
      const client = await connect(apiKey);
      const args = { agent_id: agentId, ...call };
      const keyed = { ...args, idempotency_key: 'visit 8' };

      const { call_id } = await client.use('start_call', keyed);
      expect(await client.use('start_call', keyed)).toMatchObject({ call_id, is_replayed: true });
      expect(await client.use('start_call', { ...args, dry_run: true })).toMatchObject({
        status: 'would_start',
      });
      expect(await showKey(keyId)).toMatchObject({ callsPerDay: 2, callsToday: 1 });
      await client.use('start_call', args);

      const refused = await client.call('start_call', args);
      expect(refused).toMatchObject({ isError: true });
      expect(refused.text).toContain('(CALLS_PER_DAY_CAP_REACHED)');
      expect(refused.text).toMatch(/2 calls a day \(UTC\).* from \d{4}-\d\d-\d\dT00:00:00.000Z on/);
      expect(await client.call('start_call', { ...args, dry_run: true })).toEqual(refused);
      expect(await client.use('start_call', keyed)).toMatchObject({ call_id, is_replayed: true });
      expect(await countCalls()).toBe(2);

      await parley.sql('UPDATE call_caps SET started_on = started_on - 1 WHERE id = $1', [keyId]);
      expect(await showKey(keyId)).toMatchObject({ callsPerDay: 2, callsToday: 0 });
      expect((await client.use('start_call', args)).status).toBe('queued');
      expect(await showKey(keyId)).toMatchObject({ callsToday: 1 });
    });

    test('starts no more calls than that with many requests at once, over its tools and over REST', async () => {
      const { keyId, apiKey } = await createCapped(3);
      const client = await connect(apiKey);
      const api = workspace.api.with({ 'x-api-key': apiKey });

      const answers = await Promise.all([
        ...Array.from({ length: 4 }, async () => {
          const { isError, text } = await client.call('start_call', { agent_id: agentId, ...call });
          return isError ? /CALLS_PER_DAY_CAP_REACHED/.test(text) : 'started';
        }),
        ...Array.from({ length: 6 }, async () => {
          const [status, code] = await startOverRest(api);
          return status === 200 ? 'started' : code === 'CALLS_PER_DAY_CAP_REACHED';
        }),
        ...Array.from({ length: 2 }, async () => {
          expect(await startOverRest(workspace.api)).toEqual(STARTED);
          return true;
        }),
      ]);

      expect(answers.filter((answer) => answer === 'started')).toHaveLength(3);
      expect(answers).not.toContain(false);
      expect(await showKey(keyId)).toMatchObject({ callsToday: 3 });
      expect(await countCalls()).toBe(5);
    });

    test('shares it with the keys, tokens and sessions that it makes, and cannot lift it', async () => {
      const { keyId, apiKey } = await createCapped(4);
      const api = workspace.api.with({ 'x-api-key': apiKey });
      const child = (await api.post('/api/auth/api-keys', { name: 'Child', scope: [`agent:${agentId}`] }))
        .body.data as { keyId: string; apiKey: string };
      const token = (await api.post('/api/auth/tokens', {})).body.data.token as string;
      const own = { 'sec-fetch-site': 'same-origin', 'x-parley-session': '1' };
      const session = await api.post('/api/session');
      const cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const ofChild = workspace.api.with({ 'x-api-key': child.apiKey });
      const ofToken = workspace.api.with({ authorization: `Bearer ${token}` });
      const ofSession = workspace.api.with({ ...own, cookie });

      expect(await startOverRest(api)).toEqual(STARTED);
      expect(await startOverRest(ofChild)).toEqual(STARTED);
      expect(await startOverRest(ofToken)).toEqual(STARTED);
      expect(await startOverRest(ofSession)).toEqual(STARTED);

      for (const refused of [api, ofChild, ofToken, ofSession])
        expect(await startOverRest(refused)).toEqual(REACHED);
      for (const id of [keyId, child.keyId])
        expect(await showKey(id)).toMatchObject({ callsPerDay: 4, callsToday: 4 });
      expect(await startOverRest(workspace.api)).toEqual(STARTED);

      const another = await api.post('/api/auth/api-keys', { scope: ['mcp:act'], callsPerDay: 100 });
      expect([another.status, another.body.errors[0].field]).toEqual([400, 'body.callsPerDay']);
      const invited = await api.post('/api/people', { name: 'Ada', role: 'admin' });
      const campaign = await api.raw('/api/campaign', { method: 'POST', body: new FormData() });
      const changed = await api.send('PATCH', `/api/campaign/${keyId}`, { concurrency: 100 });
      expect([invited.status, campaign.status, changed.status]).toEqual([403, 403, 403]);
      expect(invited.body.details).toContain('cap of calls a day');
    });

    test('resumes a campaign, whose calls are not counted', async () => {
      const { keyId, apiKey } = await createCapped(1);
      const client = await connect(apiKey);
      const api = workspace.api.with({ 'x-api-key': apiKey });
      const campaign_id = await createCampaign(
        workspace.api,
        agentId,
        csv('phone_number\n+15551230001\n+15551230002\n+15551230003\n'),
        { isScheduled: 'true', scheduleTime: '2099-01-01T00:00:00Z' },
      );
      const steer = async (path: string) => (await api.post(`/api/campaign/${campaign_id}/${path}`)).status;

      expect((await client.use('pause_campaign', { campaign_id })).campaign.status).toBe('paused');
      expect((await client.use('resume_campaign', { campaign_id })).campaign.status).toBe('scheduled');
      expect([await steer('pause'), await steer('resume')]).toEqual([200, 200]);
      const moved = await api.send('PATCH', `/api/campaign/${campaign_id}`, {
        scheduleTime: new Date().toISOString(),
      });
      expect([moved.status, moved.body.error_code]).toEqual([403, 'OUT_OF_SCOPE']);

      await client.use('pause_campaign', { campaign_id });
      await parley.sql('UPDATE campaigns SET schedule_time = now() WHERE id = $1', [campaign_id]);
      await client.use('resume_campaign', { campaign_id });
      await until(async () => (await countCalls()) === 3);
      expect(await showKey(keyId)).toMatchObject({ callsPerDay: 1, callsToday: 0 });
      expect(await startOverRest(api)).toEqual(STARTED);
      expect(await startOverRest(api)).toEqual(REACHED);
    });

    test('has it only together with mcp:act', async () => {
      for (const scope of [undefined, ['read'], [`agent:${agentId}`]]) {
        const { status, body } = await workspace.api.post('/api/auth/api-keys', { scope, callsPerDay: 20 });
        expect([scope, status, body.errors]).toEqual([
          scope,
          400,
          [{ field: 'body.callsPerDay', message: 'callsPerDay must come with the scope mcp:act' }],
        ]);
      }
      for (const callsPerDay of [0, -1, 1.5, '20'])
        expect(
          (await workspace.api.post('/api/auth/api-keys', { scope: ['mcp:act'], callsPerDay })).status,
        ).toBe(400);
    });
  });

  describe('behind a proxy with faults', () => {
    let proxy: FaultyProxy;
    beforeAll(async () => {
      proxy = await FaultyProxy.start(() => parley.url);
    });
    afterAll(() => proxy.stop());

    test.each(FAULTS)(
      'does nothing twice if %s and it asks again, with any tool and a key for the start of a call',
      async (_, fault, { shows, isDone }) => {
        const call_id = await startCall(workspace.api);
        const kb = await workspace.api.raw('/api/knowledge-base', knowledgeBase());
        const kb_id = (kb.headers.get('location') ?? '').replace(/^.*=/, '');
        const campaign_id = await createCampaign(workspace.api, agentId, csv(`phone_number\n${NUMBER}\n`), {
          isScheduled: 'true',
          scheduleTime: '2099-01-01T00:00:00Z',
        });
        proxy.fail();
        const client = await McpClient.connect(proxy.url, { 'x-api-key': await createKey(['mcp:act']) });
        opened.push(client);
        const used: string[] = [];

        /** Calls a tool, which fails, and calls it again. */
        const callTwice = async (name: string, args: Record<string, unknown> = {}) => {
          used.push(name);
          proxy.fail(fault);
          const abort = new AbortController();
          const failed = client.call(name, args, { signal: abort.signal }).then(
            (answer) => `It succeeded: ${answer.text}`,
            (error: unknown) => String(error),
          );
          if ('late' in fault) {
            await until(() => proxy.requests[0]?.isAnswered);
            abort.abort(new Error('waited too long'));
          }
          expect([name, await failed]).toEqual([name, expect.stringMatching(shows) as string]);
          expect(await failed).not.toContain('It succeeded');
          // The client of the protocol repeats nothing by itself.
          expect(proxy.requests.filter(({ isAnswered }) => isAnswered)).toHaveLength(isDone ? 1 : 0);
          proxy.fail();
          return client.call(name, args);
        };

        for (const [name, args] of Object.entries({
          find_calls: {},
          get_call: { call_id },
          explain_call: { call_id },
          call_statistics: {},
          list_agents: {},
          get_agent: { agent_id: agentId },
          list_campaigns: {},
          explain_campaign: { campaign_id },
          search_knowledge: { kb_id, query: 'open' },
          list_runtimes: {},
          list_webhook_endpoints: {},
        }))
          expect([name, await callTwice(name, args)]).toEqual([
            name,
            expect.objectContaining({ isError: false }) as object,
          ]);

        const start = { agent_id: agentId, to_number: NUMBER, idempotency_key: 'visit 9' };
        expect(await callTwice('start_call', start)).toMatchObject({ data: { is_replayed: isDone } });
        const added = await callTwice('add_do_not_call', { phone_number: '+15559876543' });
        expect(added).toMatchObject({ isError: false });
        /** An act that was done already is refused with the state and a tool that shows it. */
        const expectOnce = (answer: ToolAnswer, refused: RegExp) =>
          isDone
            ? expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(refused) as string })
            : expect(answer).toMatchObject({ isError: false });
        expectOnce(await callTwice('hang_up', { call_id }), /\(CALL_ENDED\)[^]*Nothing is left to do/);
        expectOnce(
          await callTwice('pause_campaign', { campaign_id }),
          /\(CAMPAIGN_NOT_RUNNING\)[^]*explain_campaign/,
        );
        expectOnce(
          await callTwice('resume_campaign', { campaign_id }),
          /\(CAMPAIGN_NOT_PAUSED\)[^]*explain_campaign/,
        );

        expect(used.sort()).toEqual([...READING, ...ACTING].sort());
        const acts = (await audit()).filter(({ details }) => details.tool).map(({ details }) => details.tool);
        for (const tool of ACTING)
          expect([tool, acts.filter((act) => act === tool).length]).toEqual([tool, 1]);
        expect(await countCalls()).toBe(2);
        expect((await workspace.api.get('/api/do-not-call')).body.pagination.total).toBe(1);
      },
    );
  });

  test('gets an error about wrong, unknown and huge arguments, and nothing is done', async () => {
    const client = await connectWith('mcp:act');
    const failure = async (name: string, args: Record<string, unknown>) => {
      try {
        const { isError, text } = await client.call(name, args);
        return isError ? text : `succeeded: ${text}`;
      } catch (error) {
        return (error as Error).message;
      }
    };

    const variables = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`v${index}`, 'x']));
    const start = { agent_id: agentId, to_number: NUMBER };
    for (const [tool, args, problem] of [
      ['find_calls', { colour: 'red' }, 'colour: colour is not a known property'],
      ['find_calls', { start_date: '2026-03-02' }, 'start_date: start_date is not a known property'],
      ['find_calls', { limit: 5_000 }, 'limit: limit must not be greater than 50'],
      ['find_calls', { limit: 0 }, 'limit: limit must not be less than 1'],
      ['find_calls', { limit: 1.5 }, 'limit: limit must be an integer'],
      ['find_calls', { limit: '5' }, 'limit: limit must be a number'],
      ['find_calls', { status: 'happy' }, /^status: status must be one of the following values: queued, /m],
      ['find_calls', { from: 'yesterday' }, /^from: from .*ISO 8601/m],
      ['list_agents', { search: '' }, 'search: search must be longer than or equal to 1 characters'],
      ['get_call', {}, 'call_id: call_id is missing'],
      [
        'get_call',
        { call_id: 'x'.repeat(100_000) },
        'call_id: call_id must be shorter than or equal to 100 characters',
      ],
      [
        'start_call',
        { ...start, customer_name: 'x'.repeat(5_000) },
        /^customer_name: customer_name must be /m,
      ],
      [
        'start_call',
        { ...start, variables },
        /^variables: variables must not have more than \d+ variables$/m,
      ],
      ['call_statistics', { from: '0001-01-01' }, 'from: from must be at most 100 years before to'],
      ['start_call', { ...start, variables: ['x'] }, 'variables: variables must be an object'],
      ['start_call', { ...start, variables: { time: 9 } }, 'variables.time: time must be a string'],
      [
        'start_call',
        { ...start, variables: { ['x'.repeat(5_000)]: 'x' } },
        /^variables\.x+: x+ has a name that is too long$/m,
      ],
      [
        'start_call',
        { ...start, idempotency_key: 'é' },
        /^idempotency_key: idempotency_key must have 1 to 255 /m,
      ],
    ] as const) {
      const text = await failure(tool, args);
      expect([tool, args, text]).toEqual([
        tool,
        args,
        expect.stringMatching(/^Validation failed \(VALIDATION_FAILED\)\.\n[^]*\nCorrect the arguments/),
      ]);
      if (typeof problem === 'string') expect(text.split('\n')).toContain(problem);
      else expect(text).toMatch(problem);
    }
    expect(await failure('search_knowledge', { kb_id: agentId, query: 'x'.repeat(1_200_000) })).toMatch(
      /413|too large/i,
    );
    expect(await countCalls()).toBe(0);
  });

  test('counts towards the rate limit of its workspace', async () => {
    await parley.sql('UPDATE workspaces SET quotas_requests_per_minute = 5 WHERE id = $1', [
      workspace.workspaceId,
    ]);
    const send = () => post({ 'x-api-key': workspace.apiKey }, LIST_TOOLS);

    const statuses = await Promise.all(Array.from({ length: 12 }, send));

    expect(statuses.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(2);
  });

  const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

  /** Sends a message with any headers, also those that `fetch` does not let a program set. */
  const post = (headers: Record<string, string>, message: unknown, method = 'POST') =>
    new Promise<{ status: number; allow: string | undefined; text: string }>((resolve, reject) => {
      const sent = httpRequest(
        `${parley.url}/mcp`,
        { method, headers: { ...HEADERS, ...headers } },
        (response) => {
          let text = '';
          response.on('data', (part: Buffer) => (text += part.toString()));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, allow: response.headers.allow, text }),
          );
        },
      );
      sent.on('error', reject);
      sent.end(method === 'POST' ? JSON.stringify(message) : undefined);
    });

  test('is refused without a valid credential, from a foreign origin and for another host', async () => {
    const credential = { 'x-api-key': workspace.apiKey };
    const { host, port } = new URL(parley.url);

    expect((await post({}, LIST_TOOLS)).status).toBe(401);
    expect((await post({ 'x-api-key': 'parley_wrong' }, LIST_TOOLS)).status).toBe(401);
    for (const origin of [
      'https://evil.example',
      `http://${host}.evil.example`,
      'null',
      'http://localhost:1',
    ])
      expect([origin, (await post({ ...credential, origin }, LIST_TOOLS)).status]).toEqual([origin, 403]);
    for (const wrong of [
      'evil.example',
      `evil.example:${port}`,
      '192.0.2.7',
      `${host}.evil.example`,
      'localhost:x@evil.example',
      `localhost.:${port}`,
      `[::1]:${port}.evil.example`,
    ])
      expect([wrong, (await post({ ...credential, host: wrong }, LIST_TOOLS)).status]).toEqual([wrong, 403]);
    for (const right of [host, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
      expect([right, (await post({ ...credential, host: right }, LIST_TOOLS)).status]).toEqual([right, 200]);
    expect((await post({ ...credential, origin: `http://${host}` }, LIST_TOOLS)).status).toBe(200);
  });

  test('has neither sessions nor streams: other methods than POST are 405', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, allow } = await post({ 'x-api-key': workspace.apiKey }, undefined, method);
      expect([method, status, allow]).toEqual([method, 405, 'POST']);
    }
    const listen = {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: meta({ notifications: {} }),
    };
    const answer = await post(
      {
        'x-api-key': workspace.apiKey,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      listen,
    );
    expect(answer.text).toContain('error');
  });
});

/** The message of an answer, which may be an event of a stream. */
const readMessage = (text: string) =>
  JSON.parse(text.replace(/^[^]*?data: /, '')) as {
    result?: { protocolVersion?: string };
    error?: { code: number; data?: unknown };
  };

const meta = (params: object, revision = '2026-07-28') => ({
  ...params,
  _meta: {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
});

function knowledgeBase(): RequestInit {
  const form = new FormData();
  form.append('name', 'Hours');
  form.append('description', 'When we are open');
  form.append('file', new Blob(['We are open from nine to five.'], { type: 'text/plain' }), 'hours.txt');
  return { method: 'POST', body: form };
}
