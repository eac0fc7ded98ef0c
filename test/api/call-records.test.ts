import { createAgent } from '../support/agents';
import { callNotFound, invalid, outcome } from '../support/answers';
import { AgentCalls } from '../support/calls';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { TestWorker, WORKER_ID } from '../support/worker';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into all of it
type Shown = any;

describe('The calls of a workspace', () => {
  const parley = useOwnParley();
  let worker: TestWorker;
  let workspace: TestWorkspace;
  let agentId: string;
  let calls: AgentCalls;

  beforeAll(async () => {
    worker = await TestWorker.start(parley);
  });
  afterAll(() => worker.stop());
  beforeEach(async () => {
    workspace = await parley.workspace();
    agentId = await createAgent(workspace, { name: 'Desk', prompt: 'Greet {{customer_name}}.' });
    calls = new AgentCalls(workspace.api, agentId);
  });

  const list = async (query = '', api = workspace.api): Promise<Shown[]> => {
    const { status, body } = await api.get(`/api/calls${query}`);
    if (status !== 200) throw new Error(`Listing calls answered ${status}: ${JSON.stringify(body)}`);
    return body.data;
  };

  const readIds = async (query: string, api = workspace.api) =>
    (await list(query, api)).map(({ call_id }: Shown) => call_id as string);

  const read = async (id: string): Promise<Shown> => (await workspace.api.get(`/api/calls/${id}`)).body.data;

  const timeline = async (id: string): Promise<Shown[]> =>
    (await workspace.api.get(`/api/calls/${id}/timeline`)).body.data;

  /** A call that was connected and has ended. */
  async function endedCall(fields: object = {}, end: object = {}): Promise<string> {
    const id = await calls.start(fields);
    const call = await (await worker.findOffer(id)).take();
    await call.connected();
    await call.ended(end);
    await calls.reached(id, 'disconnected');
    return id;
  }

  test('are listed from their accept on, with the agent, the numbers and the result', async () => {
    await workspace.api.put(`/api/agents/${agentId}/phone-number`, { phone_number: '+15557654321' });
    const id = await calls.start({ customer_name: 'Ada', external_id: 'crm-1' });

    expect(await list()).toEqual([
      {
        call_id: id,
        agent: { id: agentId, name: 'Desk', deleted: false },
        agent_version: expect.any(Number),
        campaign_id: null,
        direction: 'outbound',
        channel: 'voice',
        call_type: 'phonecall',
        to_number: '+15551234567',
        from_number: '+15557654321',
        customer_name: 'Ada',
        external_id: 'crm-1',
        status: 'queued',
        disconnect_reason: null,
        disconnected_by: null,
        created_at: expect.any(String),
        connected_at: null,
        ended_at: null,
        duration_sec: 0,
        charge: 0,
        outcome: '',
        has_recording: false,
        can_listen: false,
      },
    ]);
  });

  test('keep the name of an agent that was deleted', async () => {
    await calls.start();
    await workspace.api.delete(`/api/agents/${agentId}`);

    expect((await list())[0].agent).toEqual({ id: agentId, name: 'Desk', deleted: true });
  });

  test('are found by each filter, and by all of them together', async () => {
    const other = new AgentCalls(workspace.api, await createAgent(workspace, { type: 'chat' }));
    const plain = await other.start({ call_type: 'webcall', direction: 'inbound', to_number: undefined });
    const id = await endedCall(
      {
        customer_name: 'Ada Lovelace',
        external_id: 'crm-1',
        channel: 'voice_eu',
        to_number: '+442071234567',
      },
      { outcome: 'booked' },
    );
    const { agent_version, created_at } = await read(id);
    const filters = [
      `agent_id=${agentId}`,
      `agent_version=${agent_version}&agent_id=${agentId}`,
      'status=disconnected',
      'status=disconnected&status=failed',
      'disconnect_reason=user_hangup',
      'direction=outbound',
      'channel=voice_eu',
      'call_type=phonecall',
      'number=%2B442071234567',
      'number=+442071234567',
      'number=4567',
      'customer_name=love',
      'external_id=crm-1',
      'outcome=booked',
      `worker_id=${encodeURIComponent(WORKER_ID)}`,
      `start_date=${created_at}&end_date=${created_at}`,
    ];

    for (const filter of [
      ...filters,
      filters
        .filter((each) => !each.startsWith('number'))
        .slice(4)
        .join('&'),
    ]) {
      expect({ filter, found: await readIds(`?${filter}`) }).toEqual({ filter, found: [id] });
    }
    expect(await readIds('?duration_min=0&duration_max=1&sortOrder=asc')).toEqual([plain, id]);
    expect(await readIds('?duration_min=1')).toEqual([]);
    for (const nothing of [
      'agent_id=unknown',
      `campaign_id=${agentId}`,
      'number=5551',
      'customer_name=Ada_',
      'external_id=crm',
      'outcome=book',
      'worker_id=other',
    ]) {
      expect({ nothing, found: await readIds(`?${nothing}`) }).toEqual({ nothing, found: [] });
    }
  });

  test('are sorted by each sort key in both directions, and come in pages', async () => {
    const ids = [await calls.start(), await calls.start(), await calls.start()];
    await Promise.all(
      ids.map((id, index) =>
        parley.sql(
          `UPDATE conversations SET status = 'disconnected', token = gen_random_uuid(), disconnect_reason = 'error',
                  ended_at = created_at + $2 * interval '1 s', duration_sec = $2, charge = $2 WHERE id = $1`,
          [id, [2, 3, 1][index]],
        ),
      ),
    );
    const [first, second, third] = ids;

    expect(await readIds('')).toEqual([third, second, first]);
    expect(await readIds('?sortOrder=asc')).toEqual([first, second, third]);
    for (const key of ['ended_at', 'duration_sec', 'charge']) {
      expect(await readIds(`?sortBy=${key}`)).toEqual([second, first, third]);
      expect(await readIds(`?sortBy=${key}&sortOrder=asc`)).toEqual([third, first, second]);
    }
    const { body } = await workspace.api.get('/api/calls?limit=2&page=2');
    expect(body).toMatchObject({
      data: [{ call_id: first }],
      pagination: { page: 2, limit: 2, total: 3, totalPages: 2, hasNextPage: false, hasPrevPage: true },
    });
    expect((await workspace.api.get('/api/calls?limit=2&page=9')).body).toMatchObject({
      data: [],
      pagination: { page: 9, total: 3 },
    });
  });

  test.each([
    ['colour=red', 'query.colour'],
    ['sortBy=agent', 'query.sortBy'],
    ['status=gone', 'query.status.0'],
    ['number=12', 'query.number'],
    ['number=abcd', 'query.number'],
    ['duration_min=-1', 'query.duration_min'],
    ['start_date=yesterday', 'query.start_date'],
    ['direction=up', 'query.direction'],
  ])('refuse %s, by name', async (query, field) => {
    expect(await outcome(workspace.api.get(`/api/calls?${query}`))).toEqual(invalid(field));
  });

  test('are those of its agents for a scoped credential, in the list and one by one', async () => {
    const own = await calls.start();
    const foreign = await new AgentCalls(workspace.api, await createAgent(workspace)).start();
    const api = parley.scoped(workspace, `agent:${agentId}`);

    expect(await readIds('', api)).toEqual([own]);
    expect(await readIds(`?agent_id=${(await read(foreign)).agent.id}`, api)).toEqual([]);
    expect((await api.get(`/api/calls/${own}`)).status).toBe(200);
    expect((await api.get(`/api/calls/${own}/timeline`)).status).toBe(200);
    expect(await outcome(api.get(`/api/calls/${foreign}`))).toEqual(callNotFound());
    expect(await outcome(api.get(`/api/calls/${foreign}/timeline`))).toEqual(callNotFound());
  });

  test('are not found by other workspaces, nor under an id that is none', async () => {
    const id = await calls.start();
    const stranger = await parley.workspace();

    expect(await readIds('', stranger.api)).toEqual([]);
    for (const path of [`/api/calls/${id}`, `/api/calls/${id}/timeline`, '/api/calls/none']) {
      expect(await outcome(stranger.api.get(path))).toEqual(callNotFound());
    }
    expect(await outcome(stranger.api.post(`/api/calls/${id}/hangup`))).toEqual(callNotFound());
  });

  test('show the data that the runtime received and reported', async () => {
    const id = await endedCall(
      {
        customer_name: 'Ada',
        dynamic_variables: { day: 'Monday' },
        greeting: 'Hello {{customer_name}}',
        style: 'calm',
      },
      { summary: 'Asked for a table.', process_compliance: 'yes', outcome: 'booked' },
    );
    await workspace.api.put(`/api/agents/${agentId}`, { prompt: 'Changed.' });

    const call = await read(id);

    expect(call).toMatchObject({
      call_id: id,
      status: 'disconnected',
      dynamic_variables: { day: 'Monday' },
      greeting: 'Hello Ada',
      style: 'calm',
      memory_id: '',
      webhook_url: '',
      worker_id: WORKER_ID,
      attempt: 1,
      metadata: { summary: 'Asked for a table.', process_compliance: 'yes', outcome: 'booked' },
      analysis: null,
      recording_url: null,
      campaign: null,
    });
    expect(call.agent_config).toEqual((await worker.findOffer(id)).start.agent);
    expect(call.agent_config.prompt).toBe('Greet Ada.');
  });

  describe('have a timeline', () => {
    const summarize = (entries: Shown[]) => entries.map(({ kind, source }) => `${kind} ${source}`);

    test('from the accept to the end, with the credits', async () => {
      const id = await endedCall();
      const entries = await until(async () => {
        const all = await timeline(id);
        return all.some(({ kind }: Shown) => kind === 'published') && all;
      });

      expect(summarize(entries).sort()).toEqual(
        [
          'accepted api',
          'credits_held ledger',
          'published server',
          'claimed runtime',
          'connected runtime',
          'ended runtime',
          'credits_released ledger',
          'credits_charged ledger',
        ].sort(),
      );
      const times = entries.map(({ at }: Shown) => at as string);
      expect(times).toEqual([...times].sort());
      expect(entries[0]).toEqual({
        at: (await read(id)).created_at,
        kind: 'accepted',
        source: 'api',
        text: expect.stringMatching(
          /^The API key “….{4}” started a call to \+15551234567 through the agent “Desk”, version \d+\.$/,
        ),
        data: {
          to_number: '+15551234567',
          from_number: '',
          agent_version: expect.any(Number),
          actor: { kind: 'key', id: expect.any(String), name: expect.stringMatching(/^….{4}$/) },
        },
      });
      expect(entries.find(({ kind }: Shown) => kind === 'ended').text).toBe('The person hung up after 0 s.');
    });

    test('that says who cancelled a call before it was claimed', async () => {
      const id = await calls.start();
      await workspace.api.post(`/api/calls/${id}/hangup`);

      expect((await timeline(id)).find(({ kind }: Shown) => kind === 'failed')).toMatchObject({
        source: 'api',
        text: expect.stringMatching(
          /^The API key “….{4}” hung up, and the call was cancelled before a runtime claimed it\.$/,
        ),
        data: { disconnect_reason: 'cancelled', disconnected_by: 'system' },
      });
    });

    test('that has the report of the runtime about a call that was not connected', async () => {
      const id = await calls.start();
      await (
        await (await worker.findOffer(id)).take()
      ).failed({ disconnect_reason: 'dial_busy', disconnected_by: 'user' });
      await calls.reached(id, 'failed');

      expect((await timeline(id)).find(({ kind }: Shown) => kind === 'failed')).toMatchObject({
        source: 'runtime',
        text: 'The line was busy.',
      });
    });

    test('that shows a requested hang-up', async () => {
      const id = await calls.start();
      const call = await (await worker.findOffer(id)).take();
      expect((await workspace.api.post(`/api/calls/${id}/hangup`)).status).toBe(202);
      await call.ended({ disconnect_reason: 'cancelled', disconnected_by: 'system' });
      await calls.reached(id, 'disconnected');

      expect((await timeline(id)).find(({ kind }: Shown) => kind === 'hangup_requested')).toMatchObject({
        source: 'api',
        text: expect.stringMatching(
          new RegExp(
            `^The API key “….{4}” hung up, and the runtime “${WORKER_ID}” was asked to end the call\\.$`,
          ),
        ),
      });
    });

    test('that keeps the end of a lost call when its late report corrects it', async () => {
      const id = await calls.start();
      const call = await (await worker.findOffer(id)).take();
      await parley.sql(
        `UPDATE conversations SET status = 'failed', ended_at = now(), disconnect_reason = 'worker_lost',
                disconnected_by = 'system' WHERE id = $1`,
        [id],
      );
      await call.ended();
      await calls.reached(id, 'disconnected');

      const entries = await timeline(id);
      const of = (kind: string) => entries.filter((entry: Shown) => entry.kind === kind);
      expect(of('failed')).toMatchObject([
        { source: 'server', data: { disconnect_reason: 'worker_lost', disconnected_by: 'system' } },
      ]);
      expect(of('failed')[0].text).toBe('The call was lost: its runtime stopped responding.');
      expect(of('corrected')).toMatchObject([
        { source: 'runtime', data: { disconnect_reason: 'user_hangup', disconnected_by: 'user' } },
      ]);
      expect(of('credits_corrected')).toMatchObject([{ source: 'ledger', data: { amount: -1 } }]);
    });
  });

  test('are hung up by their id', async () => {
    const id = await calls.start();

    expect((await workspace.api.post(`/api/calls/${id}/hangup`)).body).toMatchObject({
      status: 202,
      data: { conversation_id: id, status: 'failed', hangup: 'cancelled' },
    });
    expect((await workspace.api.post(`/api/calls/${id}/hangup`)).body).toMatchObject({
      status: 409,
      error_code: 'CALL_ENDED',
    });
  });

  test('are hung up with a credential of the whole workspace only', async () => {
    const id = await calls.start();

    const { status } = await parley.scoped(workspace, `agent:${agentId}`).post(`/api/calls/${id}/hangup`);
    expect(status).toBe(403);
  });
});
