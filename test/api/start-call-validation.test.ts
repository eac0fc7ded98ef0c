import { createAgent } from '../support/agents';
import {
  agentNotFound,
  invalid,
  outcome,
  outcomeForStrangers,
  outOfScope,
  refused,
  succeeded,
  unauthorized,
} from '../support/answers';
import { AgentCalls } from '../support/calls';
import { readLedger } from '../support/ledger';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { TestWorker } from '../support/worker';

const to_number = '+15551234567';

const variables = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`name${index}`, value]));

describe('A request to start a call', () => {
  const parley = useOwnParley();
  let worker: TestWorker;

  beforeAll(async () => {
    worker = await TestWorker.start(parley);
  });
  afterAll(() => worker.stop());

  const start = ({ api }: TestWorkspace, agentId: string, body: object) =>
    outcome(api.post(`/api/agents/${agentId}/calls`, body));

  const data = { conversation_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string, call_status: 'queued' };
  const started = succeeded('Call started', data);
  const startedWebcall = succeeded('Call started', { ...data, join: null });

  test('is refused with the name of every field that exceeds its limits, and costs nothing', async () => {
    const [workspace, other] = await Promise.all([parley.workspace({ credits: 5 }), parley.workspace()]);
    const agentId = await createAgent(workspace);
    const noText = [5, true, ['x'], {}, null];
    const outside: Record<string, unknown[]> = {
      to_number: ['', '15551234567', '+1555', '+1 555 123 4567', '+999123456789', ...noText],
      call_type: ['', 'PHONECALL', 'sms', ...noText],
      greeting: ['x'.repeat(2_001), ...noText],
      dynamic_variables: [
        'x',
        5,
        null,
        [],
        ['x'],
        { name: 5 },
        { name: null },
        { name: ['x'] },
        { name: 'x'.repeat(4_001) },
        variables(101, 'x'),
      ],
      channel: ['', 'Voice', '-x', '_x', 'a b', 'a.b', '#', 'x'.repeat(33), 'é', ...noText],
      workspaceId: ['', 'unknown', other.workspaceId, ...noText],
      customer_name: ['x'.repeat(201), ...noText],
      webhook_url: [
        '',
        'example.com',
        'https://ada@example.com',
        'https://ada:secret@example.com',
        '/hook',
        'ftp://example.com/',
        'javascript:alert(1)',
        'https://',
        `https://example.com/${'x'.repeat(2_048)}`,
        ...noText,
      ],
      external_id: ['x'.repeat(1_025), ...noText],
      memory_id: ['x'.repeat(201), ...noText],
      style: ['x'.repeat(2_001), ...noText],
      direction: ['', 'Outbound', 'both', ...noText],
      phone_number: [to_number],
      agent_id: [agentId],
    };

    for (const [field, values] of Object.entries(outside)) {
      for (const value of values) {
        expect(await start(workspace, agentId, { to_number, [field]: value })).toEqual(
          invalid(`body.${field}`),
        );
      }
    }
    const allWrong = Object.entries(outside)
      .filter(([field]) => field !== 'workspaceId')
      .map(([field, [value]]) => [field, value] as const);
    expect(await start(workspace, agentId, Object.fromEntries(allWrong))).toEqual(
      invalid(...allWrong.map(([field]) => `body.${field}`)),
    );
    expect(await readLedger(parley, workspace.workspaceId)).toEqual({ credits: 5, entries: [] });
  });

  test('is accepted up to the limits of every field, and the runtime gets all of it', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);
    const within: Record<string, unknown[]> = {
      to_number: ['+4915112345678', '+442071838750'],
      call_type: ['phonecall'],
      greeting: ['x'.repeat(2_000), '😀'.repeat(2_000)],
      dynamic_variables: [
        {},
        variables(100, 'x'.repeat(4_000)),
        { emoji: '😀'.repeat(4_000) },
        { '': '', 'a.b': '{{c}}', 'x y': '\n' },
      ],
      channel: ['0', 'x'.repeat(32), 'sales_de-1'],
      workspaceId: [workspace.workspaceId],
      customer_name: ['', 'x'.repeat(200), "O'Neill \\ Ørsted 李"],
      webhook_url: ['http://localhost:8080/hook?a=1#b', `https://example.com/${'x'.repeat(2_028)}`],
      external_id: ['', 'x'.repeat(1_024), '{"json": true}'],
      memory_id: ['', 'x'.repeat(200)],
      style: ['', 'x'.repeat(2_000)],
      direction: ['inbound', 'outbound'],
    };

    for (const [field, values] of Object.entries(within)) {
      for (const value of values) {
        const answer = await start(workspace, agentId, { to_number, [field]: value });
        expect(answer).toEqual(started);
        const { conversation_id } = (answer.body as { data: { conversation_id: string } }).data;
        const offer = await worker.findOffer(conversation_id);
        expect(offer.start).toMatchObject({ [field]: value });
      }
    }
  });

  test('needs a number for a phone call, and none for a web call', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);

    expect(await start(workspace, agentId, {})).toEqual(invalid('body.to_number'));
    expect(await outcome(workspace.api.post(`/api/agents/${agentId}/calls`))).toEqual(
      invalid('body.to_number'),
    );
    expect(await start(workspace, agentId, { call_type: 'phonecall' })).toEqual(invalid('body.to_number'));
    expect(await start(workspace, agentId, { call_type: 'webcall' })).toEqual(startedWebcall);
    expect(await start(workspace, agentId, { call_type: 'webcall', to_number })).toEqual(
      invalid('body.to_number'),
    );
    expect(await start(workspace, agentId, { call_type: 'webcall', to_number: 'x' })).toEqual(
      invalid('body.to_number'),
    );
  });

  test('has a channel by the type of the agent, and all other fields empty', async () => {
    const workspace = await parley.workspace();
    const usual = {
      call_type: 'phonecall',
      direction: 'outbound',
      campaign_id: null,
      from_number: '',
      customer_name: '',
      greeting: 'Hello, how can I help you today?',
      dynamic_variables: {},
      memory_id: '',
      style: '',
      external_id: '',
      webhook_url: '',
    };

    for (const [type, channel] of Object.entries({
      inbound: 'voice',
      outbound: 'voice',
      hybrid: 'voice',
      chat: 'chat',
    })) {
      const agentId = await createAgent(workspace, { type });
      const offer = await worker.findOffer(await new AgentCalls(workspace.api, agentId).start());
      expect(offer.start).toMatchObject({ ...usual, to_number, channel });
      expect(offer.message.routingKey).toBe(`call.start.${channel}.${agentId}`);
    }
  });

  test('is refused while the agent is switched off', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace, { status: false });

    expect(await start(workspace, agentId, { to_number })).toEqual(
      refused(400, 'Validation failed', {
        error_code: 'AGENT_SWITCHED_OFF',
        errors: [{ field: 'params.agent_id', message: 'the agent is switched off: its status is false' }],
      }),
    );
    await workspace.api.put(`/api/agents/${agentId}`, { type: 'outbound', status: true });
    expect(await start(workspace, agentId, { to_number })).toEqual(started);
  });

  test('is refused without enough credits', async () => {
    const workspace = await parley.workspace({ credits: 1 });
    const agentId = await createAgent(workspace);
    const call = { to_number };

    expect(await start(workspace, agentId, call)).toEqual(started);
    expect(await start(workspace, agentId, call)).toEqual(
      refused(402, 'Insufficient credits', { error_code: 'INSUFFICIENT_CREDITS' }),
    );
    expect((await workspace.api.get(`/api/agents/${agentId}/conversations`)).body.data.total_count).toBe(1);
  });

  test('finds neither an unknown agent nor one of another workspace, with or without credits', async () => {
    const other = await parley.workspace();
    const theirs = await createAgent(other);

    for (const workspace of [await parley.workspace(), await parley.workspace({ credits: 0 })]) {
      for (const agentId of [theirs, '01890000-0000-7000-8000-000000000000', 'unknown', '%00']) {
        expect(await start(workspace, agentId, { to_number })).toEqual(agentNotFound());
      }
    }
    expect(await readLedger(parley, other.workspaceId)).toEqual({ credits: 100, entries: [] });
  });

  test('is accepted with a credential that names the agent, and with no other scoped one', async () => {
    const workspace = await parley.workspace();
    const [agentId, colleague] = [await createAgent(workspace), await createAgent(workspace)];
    const path = `/api/agents/${agentId}/calls`;

    expect(await outcome(parley.scoped(workspace, `agent:${agentId}`).post(path, { to_number }))).toEqual(
      started,
    );
    expect(await outcome(parley.scoped(workspace, `agent:${colleague}`).post(path, { to_number }))).toEqual(
      outOfScope(),
    );
    expect(await outcomeForStrangers(parley, (api) => api.post(path, { to_number }))).toEqual(unauthorized());
  });
});
