import { createAgent } from '../support/agents';
import { useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { TestWorker } from '../support/worker';

describe('Starting a call', () => {
  const parley = useOwnParley();
  let worker: TestWorker;

  beforeAll(async () => {
    worker = await TestWorker.start(parley);
  });
  afterAll(() => worker.stop());

  const readConversation = async (workspace: { api: typeof parley.api }, agentId: string, id: string) => {
    const { body } = await workspace.api.get(`/api/agents/${agentId}/conversations/${id}`);
    return body.data;
  };

  test('sends every field of the request to the runtime', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace, {
      name: 'Front desk',
      prompt: 'You speak with {{customer}} of {{company}}.',
      metaData: { crm: { id: 7 } },
    });
    const request = {
      to_number: '+15551234567',
      call_type: 'phonecall',
      greeting: 'Good day, {{customer}}!',
      dynamic_variables: { customer: 'Ada {{company}}', company: 'Analytical Engines' },
      channel: 'sales',
      workspaceId: workspace.workspaceId,
      customer_name: 'Ada Lovelace',
      webhook_url: 'https://example.com/hook',
      external_id: 'order/17',
      memory_id: 'ada',
      style: 'cheerful',
      direction: 'outbound',
    };

    const { status, body } = await workspace.api.post(`/api/agents/${agentId}/calls`, request);

    expect({ status, body }).toEqual({
      status: 200,
      body: {
        status: 200,
        message: 'Call started',
        data: { conversation_id: expect.any(String), call_status: 'queued' },
      },
    });
    const { message, start } = await worker.findOffer(body.data.conversation_id);
    expect(message).toMatchObject({
      type: 'call.start.v1',
      messageId: body.data.conversation_id,
      routingKey: `call.start.sales.${agentId}`,
    });
    expect(start).toMatchObject({
      ...request,
      greeting: 'Good day, Ada {{company}}!',
      conversation_id: body.data.conversation_id,
      agent_id: agentId,
      agent_version: 1,
      from_number: '',
      agent: {
        name: 'Front desk',
        type: 'outbound',
        prompt: 'You speak with Ada {{company}} of Analytical Engines.',
        metaData: { crm: { id: 7 } },
      },
    });
  });

  test('ends with a report, the charge and the statistics of its agent', async () => {
    const workspace = await parley.workspace({ credits: 10 });
    const agentId = await createAgent(workspace);
    const { body } = await workspace.api.post(`/api/agents/${agentId}/calls`, { to_number: '+15551234567' });
    const id: string = body.data.conversation_id;
    const call = await (await worker.findOffer(id)).take();
    await call.connected();
    await until(async () => (await readConversation(workspace, agentId, id)).status === 'connected');
    await parley.sql(`UPDATE conversations SET accepted_at = accepted_at - interval '1 hour' WHERE id = $1`, [
      id,
    ]);
    const endedAt = Date.now();

    await call.ended({
      connected_at: new Date(endedAt - 125_000).toISOString(),
      occurred_at: new Date(endedAt).toISOString(),
      summary: 'Ada will come.',
      process_compliance: 'All steps taken.',
      outcome: 'booked',
    });
    await until(async () => (await readConversation(workspace, agentId, id)).status === 'disconnected');

    expect(await readConversation(workspace, agentId, id)).toEqual({
      id,
      assistant_id: agentId,
      conversation_id: id,
      disconnect_reason: 'user_hangup',
      status: 'disconnected',
      to_number: '+15551234567',
      userId: workspace.userId,
      workspaceId: workspace.workspaceId,
      campaign_id: null,
      connected_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      ended_at: new Date(endedAt).toISOString(),
      duration: '00:02:05',
      duration_sec: 125,
      disconnected_by: 'user',
      metadata: { summary: 'Ada will come.', process_compliance: 'All steps taken.', outcome: 'booked' },
    });
    expect((await workspace.api.get('/api/workspace')).body.data.credits).toBe(7);
    expect((await workspace.api.get(`/api/agents/${agentId}`)).body.data[0].stats).toEqual({
      totalCalls: 1,
      successRate: 1,
      avgCallDuration: 125,
      lastCallAt: new Date(endedAt).toISOString(),
    });
  });

  test('fifty times at once with ten credits succeeds exactly ten times', async () => {
    const workspace = await parley.workspace({ credits: 10 });
    const agentId = await createAgent(workspace);

    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        workspace.api.post(`/api/agents/${agentId}/calls`, { to_number: '+15551234567' }),
      ),
    );

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ body }) => body)).toEqual(
      Array.from({ length: 40 }, () => ({
        status: 402,
        message: 'Insufficient credits',
        error_code: 'INSUFFICIENT_CREDITS',
      })),
    );
    const [ledger] = await parley.sql(
      `SELECT credits, (SELECT sum(amount)::int FROM credit_entries WHERE workspace_id = $1) AS sum
       FROM workspaces WHERE id = $1`,
      [workspace.workspaceId],
    );
    expect(ledger).toEqual({ credits: 0, sum: 0 });
  });
});

describe('A server whose clock is an hour fast', () => {
  const parley = useOwnParley();

  beforeAll(() => {
    // Only the date is changed; timers work as usual.
    jest.useFakeTimers({
      now: Date.now() + 3_600_000,
      doNotFake: [
        'hrtime',
        'nextTick',
        'performance',
        'queueMicrotask',
        'setImmediate',
        'clearImmediate',
        'setInterval',
        'clearInterval',
        'setTimeout',
        'clearTimeout',
      ],
    });
  });
  afterAll(() => jest.useRealTimers());

  test('offers a call until it expires by the clock of the database', async () => {
    const workspace = await parley.workspace();
    const { body } = await workspace.api.post(`/api/agents/${await createAgent(workspace)}/calls`, {
      to_number: '+15551234567',
    });
    const worker = await TestWorker.start(parley);

    await (await worker.findOffer(body.data.conversation_id)).take();

    await worker.stop();
  });
});
