import { request as httpRequest } from 'node:http';
import { createAgent } from '../support/agents';
import type { ApiClient } from '../support/client';
import { createCampaign, csv } from '../support/campaigns';
import { addFile } from '../support/knowledge-bases';
import { McpClient, type Revision, REVISIONS } from '../support/mcp';
import { type TestWorkspace, useParley } from '../support/parley';
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
].sort();

const ACTING = ['start_call', 'hang_up', 'pause_campaign', 'resume_campaign', 'add_do_not_call'].sort();

const NUMBER = '+15551234567';

const LIST_TOOLS = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

describe('An assistant', () => {
  const parley = useParley();
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
  const connect = async (key: string, revision?: Revision): Promise<McpClient> => {
    const client = await McpClient.connect(parley.url, { 'x-api-key': key }, revision);
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
      for (const { name, inputSchema, outputSchema, annotations, description } of tools) {
        const isReading = READING.includes(name);
        expect({ name, hint: annotations?.readOnlyHint }).toEqual({ name, hint: isReading });
        if (isReading) expect({ name, hint: annotations?.destructiveHint }).toEqual({ name, hint: false });
        expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
        expect(outputSchema).toMatchObject({ type: 'object' });
        expect(description?.length).toBeGreaterThan(40);
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

  test('is offered the tools that act only with mcp:act, and never with read', async () => {
    expect((await (await connectWith()).toolNames()).sort()).toEqual(READING);
    expect((await (await connectWith('read')).toolNames()).sort()).toEqual(READING);
    expect((await (await connectWith('read', 'mcp:act')).toolNames()).sort()).toEqual(READING);
    expect((await (await connectWith(`agent:${agentId}`)).toolNames()).sort()).toEqual(READING);
    const acting = await (await connectWith(`agent:${agentId}`, 'mcp:act')).toolNames();
    expect(acting.sort()).toEqual([...READING, ...ACTING].sort());

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
    const credits = await readCredits();

    for (const [args, code, using] of [
      [{ agent_id: agentId, to_number: '+15550000001' }, 'DO_NOT_CALL', client],
      [{ agent_id: agentId, to_number: '12' }, 'VALIDATION_FAILED', client],
      [{ agent_id: agentId, to_number: '+88213012345' }, 'DESTINATION_NOT_ALLOWED', client],
      [{ agent_id: off, to_number: NUMBER }, 'AGENT_SWITCHED_OFF', client],
      [{ agent_id: agentId.replace(/.$/, 'f'), to_number: NUMBER }, 'AGENT_NOT_FOUND', client],
      [{ agent_id: poorAgent, to_number: NUMBER }, 'INSUFFICIENT_CREDITS', ofPoor],
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

    expect(await failure('find_calls', { colour: 'red' })).toMatch(/colour/);
    expect(await failure('find_calls', { limit: 5_000 })).toMatch(/limit/);
    expect(await failure('find_calls', { status: 'happy' })).toMatch(/status/);
    expect(await failure('find_calls', { from: 'yesterday' })).toMatch(/from: .*ISO 8601/);
    expect(await failure('get_call', {})).toMatch(/call_id/);
    expect(await failure('get_call', { call_id: 'x'.repeat(100_000) })).toMatch(/call_id/);
    expect(
      await failure('start_call', { agent_id: agentId, to_number: NUMBER, customer_name: 'x'.repeat(5_000) }),
    ).toMatch(/customer_name/);
    const variables = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`v${index}`, 'x']));
    expect(await failure('start_call', { agent_id: agentId, to_number: NUMBER, variables })).toMatch(
      /variables/,
    );
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
    for (const wrong of ['evil.example', `evil.example:${port}`, '192.0.2.7'])
      expect([wrong, (await post({ ...credential, host: wrong }, LIST_TOOLS)).status]).toEqual([wrong, 403]);
    for (const right of [host, `localhost:${port}`, `[::1]:${port}`])
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

const meta = (params: object) => ({
  ...params,
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
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
