import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { answeringStatus, WebhookReceiver } from '../support/webhook-receiver';
import { Webhooks } from '../support/webhooks';
import { TestWorker } from '../support/worker';

describe('An endpoint hears of a call', () => {
  const parley = useOwnParley({ ALLOW_PRIVATE_ADDRESSES: 'true' });
  const receiver = useStarted(() => WebhookReceiver.start());
  const worker = useStarted(() => TestWorker.start(parley));
  let workspace: TestWorkspace;
  let webhooks: Webhooks;
  let calls: AgentCalls;
  let paths = 0;
  let path: string;

  beforeEach(async () => {
    workspace = await parley.workspace();
    webhooks = new Webhooks(workspace.api);
    calls = new AgentCalls(workspace.api, await createAgent(workspace));
    path = `/${paths++}`;
  });

  async function takeCall(options = {}) {
    const id = await calls.start({ external_id: 'order 17', ...options });
    return { id, call: await (await worker.findOffer(id)).take() };
  }

  const listen = (events: string[], at = path) => webhooks.createEndpoint(receiver.url(at), { events });
  const dataAt = (at: string) => receiver.at(at).map(({ payload }) => payload.data);
  const received = (count: number) => until(() => receiver.at(path).length >= count && dataAt(path));
  const countEvents = async () =>
    (
      await parley.sql<{ count: number }>(
        'SELECT count(*)::int AS count FROM webhook_events WHERE workspace_id = $1',
        [workspace.workspaceId],
      )
    )[0]?.count;

  const stored = (count: number) => until(async () => (await countEvents()) === count);
  const isMeasured = async (id: string) =>
    (await parley.sql('SELECT FROM calls_to_measure WHERE conversation_id = $1', [id])).length === 0;
  const analysisOf = async (id: string) =>
    (await workspace.api.get(`/api/calls/${id}`)).body.data.analysis as Record<string, unknown> | null;
  const read = async (id: string) =>
    (await workspace.api.get(`/api/calls/${id}/transcript`)).body.data.turns as object[];

  const ofCall = (id: string) => ({
    ...{ conversation_id: id, assistant_id: calls.agentId, agent_version: 1, campaign_id: null },
    ...{ external_id: 'order 17', direction: 'outbound', call_type: 'phonecall' },
    ...{ to_number: expect.stringMatching(/^\+/) as string, from_number: null },
  });
  const at = () => new Date().toISOString();
  const warn = (text: string) => ({ code: 'slow_provider', text, occurred_at: '2026-03-02T09:30:00.000Z' });

  test('that is recorded, and once more when the recording has another address', async () => {
    await listen(['call.recorded']);
    const { id, call } = await takeCall();
    const [first, second] = ['https://example.com/1.wav', 'https://example.com/2.wav'];
    for (const recording_url of [first, first, second])
      await call.report('call.recorded.v1', { recording_url, duration_sec: 61.5 });

    await received(2);
    const uploaded = await parley.api
      .with({ authorization: `Bearer ${call.api.token}` })
      .raw(`/api/calls/${id}/recording`, {
        method: 'PUT',
        headers: { 'content-type': 'audio/wav' },
        body: new Uint8Array(Buffer.from('RIFF')),
      });
    expect(uploaded.status).toBe(201);
    expect(await received(3)).toEqual([
      { ...ofCall(id), recording_url: first, duration_sec: 61.5 },
      { ...ofCall(id), recording_url: second, duration_sec: 61.5 },
      { ...ofCall(id), recording_url: expect.stringContaining(id) as string, duration_sec: 61.5 },
    ]);
  });

  test('that is warned about, for each warning once', async () => {
    await listen(['call.warning']);
    const { id, call } = await takeCall();
    for (const text of ['1', '1', '2']) await call.report('call.warning.v1', warn(text));

    expect(await received(2)).toEqual(
      ['1', '2'].map((text) => ({ ...ofCall(id), code: 'slow_provider', text })),
    );
  });

  test('that is analyzed, for the first ten analyses, and without fields that are too large', async () => {
    await listen(['call.analyzed']);
    const { id, call } = await takeCall();
    const large = Object.fromEntries(Array.from({ length: 31 }, (_, field) => [field, 'ä'.repeat(1_000)]));
    await call.report('call.analyzed.v1', { fields: large });
    await received(1);
    for (let number = 1; number < 12; number += 1)
      await call.report('call.analyzed.v1', { fields: { number } });

    const [first, second, ...others] = await received(10);
    expect(first).toEqual({ ...ofCall(id), analysis: null, truncated: true });
    expect(second).toEqual({ ...ofCall(id), analysis: { number: 1 } });
    expect(others.at(-1)).toEqual({ ...ofCall(id), analysis: { number: 9 } });
    await until(async () => (await analysisOf(id))?.number === 11);
    expect(await countEvents()).toBe(10);
  });

  test('whose transcript is complete, once, whether its end or its turns come last', async () => {
    await listen(['call.transcript_ready']);
    const turn = (sequence: number) => ({ sequence, speaker: 'agent', text: 'Hello.', started_at: at() });
    const early = await takeCall();
    await early.call.transcript([turn(1), turn(2)]);
    await early.call.ended({ transcript_turns: 2 });
    expect(await received(1)).toEqual([{ ...ofCall(early.id), turns: 2, truncated: false }]);

    const late = await takeCall();
    await late.call.ended({ transcript_turns: 2 });
    await late.call.transcript([turn(1)]);
    await late.call.transcript([turn(2), turn(1)]);
    const [, last] = await received(2);
    expect(last).toEqual({ ...ofCall(late.id), turns: 2, truncated: false });
    await late.call.transcript([turn(3)]);
    await until(async () => (await read(late.id)).length === 3 && (await isMeasured(late.id)));
    expect(await countEvents()).toBe(2);
  });

  test('whose transcript is complete when a late report corrects its end', async () => {
    await listen(['call.transcript_ready']);
    const { id, call } = await takeCall();
    await call.transcript([{ sequence: 1, speaker: 'agent', text: 'Hello.', started_at: at() }]);
    await until(async () => (await read(id)).length === 1);
    await parley.sql(`UPDATE conversations SET heartbeat_at = now() - interval '1 day' WHERE id = $1`, [id]);
    await calls.reached(id, 'failed');
    await until(() => isMeasured(id));
    expect(await countEvents()).toBe(0);

    await call.ended({ transcript_turns: 1 });
    expect(await received(1)).toEqual([{ ...ofCall(id), turns: 1, truncated: false }]);
  });

  test('in which a tool may have been done or not', async () => {
    await listen(['call.tool_unknown']);
    receiver.answer('/book', answeringStatus(500));
    await workspace.api.post('/api/tools', {
      ...{ name: 'book_table', description: 'Books a table.', url: receiver.url('/book') },
    });
    calls = new AgentCalls(workspace.api, await createAgent(workspace, { actions: ['book_table'] }));
    const { id, call } = await takeCall();
    const { body } = await parley.api
      .with({ authorization: `Bearer ${call.api.token}` })
      .post(`/api/calls/${id}/tools/book_table`, { arguments: {} });

    const { invocation_id } = body.data as { invocation_id: string };
    expect(await received(1)).toEqual([{ ...ofCall(id), invocation_id, tool: 'book_table' }]);
  });

  test('whose person asked not to be called any more', async () => {
    await listen(['number.opted_out']);
    const { id, call } = await takeCall({ to_number: '+15557310001' });
    for (let report = 0; report < 2; report += 1)
      await call.report('call.analyzed.v1', { fields: { report }, opt_out: true });

    expect(await received(1)).toEqual([{ ...ofCall(id), phone_number: '+15557310001' }]);
    await until(async () => (await analysisOf(id))?.report === 1);
    expect(await countEvents()).toBe(1);
  });

  test('in the order in which it happened, and nothing is kept for a workspace without one', async () => {
    const silent = await takeCall();
    await silent.call.report('call.warning.v1', warn('before'));
    await until(async () =>
      (await workspace.api.get(`/api/calls/${silent.id}/timeline`)).body.data.some(
        ({ kind }: { kind: string }) => kind === 'warning',
      ),
    );
    expect(await countEvents()).toBe(0);

    receiver.hold(path);
    await listen(['*']);
    const { call } = await takeCall();
    // Reports of different types are stored side by side.
    await call.connected();
    await stored(1);
    await call.report('call.warning.v1', warn('one'));
    await stored(2);
    await call.report('call.recorded.v1', { recording_url: 'https://example.com/1.wav' });
    await stored(3);
    await call.ended();
    await stored(4);
    receiver.release(path);
    await received(4);
    expect(receiver.at(path).map(({ payload }) => payload.type)).toEqual([
      'call.started',
      'call.warning',
      'call.recorded',
      'call.ended',
    ]);
  });

  test('without what says something about the person after an erasure', async () => {
    receiver.hold(path);
    await listen(['call.recorded', 'call.analyzed', 'call.warning', 'number.opted_out']);
    const { id, call } = await takeCall({ to_number: '+15557310002' });
    await call.report('call.recorded.v1', { recording_url: 'https://example.com/Ada.wav' });
    await call.report('call.analyzed.v1', { fields: { name: 'Ada' }, opt_out: true });
    await call.report('call.warning.v1', warn('Ada is loud'));
    await stored(4);
    await call.ended();
    await calls.reached(id, 'disconnected');
    const { status } = await workspace.api.post('/api/erasures', { phone_number: '+15557310002' });
    expect(status).toBe(201);

    const rows = await until(async () => {
      const events = await parley.sql<{ data: object }>(
        'SELECT data FROM webhook_events WHERE conversation_id = $1 ORDER BY type',
        [id],
      );
      return !JSON.stringify(events).includes('Ada') && events.map(({ data }) => data);
    });
    const emptied = { ...ofCall(id), to_number: null, external_id: '' };
    expect(rows).toEqual([
      { ...emptied, analysis: null },
      { ...emptied, recording_url: null, duration_sec: null },
      { ...emptied, code: 'slow_provider', text: '' },
      { ...emptied, phone_number: null },
    ]);
    receiver.release(path);
    // The first of them is perhaps on its way.
    const last = (await received(4)).at(-1);
    expect(last).toMatchObject({ conversation_id: id, to_number: null, external_id: '' });
  });
});
