import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { TestParley, type TestWorkspace, useOwnParley } from '../support/parley';
import { DINNER, FACTS } from '../support/rehearsed';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { WebhookReceiver } from '../support/webhook-receiver';
import { Webhooks } from '../support/webhooks';
import { type OfferedCall, TestWorker } from '../support/worker';

const TOKENS_PER_DAY = 2 * FACTS.figures.tokens;
const CHEAP = { ...FACTS, figures: { ...FACTS.figures, tokens: 1 } };

/** A workspace with an agent whose rehearsals are run. */
interface Rehearsing extends TestWorkspace {
  agentId: string;
}

describe('A workspace that rehearses', () => {
  const parley = useOwnParley({
    ...{ REHEARSAL_CONCURRENCY: '1', REHEARSAL_TOKENS_PER_DAY: String(TOKENS_PER_DAY), REHEARSAL_DAYS: '90' },
    ALLOW_PRIVATE_ADDRESSES: 'true',
  });
  const runtime = useStarted(() => TestWorker.start(parley, { queue: parley.topology.rehearsalsQueue }));
  const worker = useStarted(() => TestWorker.start(parley));
  const receiver = useStarted(() => WebhookReceiver.start());

  const create = async (): Promise<Rehearsing> => {
    const workspace = await parley.workspace();
    return { ...workspace, agentId: await createAgent(workspace) };
  };
  const start = async ({ api, agentId }: Rehearsing, body: object = {}) => {
    const { body: answer } = await api.post(`/api/agents/${agentId}/rehearsal-runs`, {
      ...{ rehearsals: [DINNER], ...body },
    });
    return answer.data.run_id as string;
  };
  const get = async ({ api }: Rehearsing, runId: string) =>
    (await api.get(`/api/rehearsal-runs/${runId}`)).body.data;
  const ended = (owner: Rehearsing, runId: string) =>
    until(async () => {
      const run = await get(owner, runId);
      return run.ended_at !== null && run;
    });
  const play = async (offer: OfferedCall, facts: object = FACTS) => {
    const call = await offer.take();
    await call.report(MESSAGE_TYPES.rehearsed, { facts });
    await call.ended();
  };

  test('has the same calls, statistics, credits, webhooks and list of numbers that are not called', async () => {
    const owner = await create();
    const calls = new AgentCalls(owner.api, owner.agentId);
    const webhook_url = receiver.url('/hook');
    await owner.api.put(`/api/agents/${owner.agentId}`, { type: 'outbound', webhook_url });
    await owner.api.post('/api/do-not-call', { phone_number: '+15557770001' });
    const id = await calls.start({ webhook_url });
    const call = await (await worker.findOffer(id)).take();
    await call.connected();
    await call.ended();
    await calls.reached(id, 'disconnected');
    const webhooks = new Webhooks(owner.api);
    await until(async () => {
      const deliveries = await webhooks.ofCall(id);
      return deliveries.length > 0 && deliveries.every(({ status }) => status === 'delivered');
    });
    const today = new Date().toISOString().slice(0, 10);
    const range = `start_date=${today}&end_date=${today}`;
    const read = async () =>
      Object.fromEntries(
        await Promise.all(
          [
            '/api/calls',
            `/api/agents/${owner.agentId}`,
            `/api/agents/${owner.agentId}/conversations`,
            '/api/workspace/credits',
            '/api/reports/agents/calls',
            `/api/reports/calls/series?${range}`,
            `/api/reports/calls/measurements?${range}`,
            '/api/webhooks/deliveries',
            '/api/do-not-call',
            '/api/tool-invocations',
          ].map(async (path) => {
            const { status, body } = await owner.api.get(path);
            const data = Array.isArray(body.data) ? body.data : { ...body.data, as_of: null };
            return [path, { status, data, pagination: body.pagination }] as const;
          }),
        ),
      );
    const before = await until(async () => {
      const [one, two] = [await read(), await read()];
      return JSON.stringify(one) === JSON.stringify(two) && one;
    });
    expect(Object.values(before).map(({ status }) => status)).toEqual(Object.keys(before).map(() => 200));
    expect(before['/api/workspace/credits']?.data).toHaveLength(4);
    expect(before['/api/calls']?.data).toHaveLength(1);

    const runId = await start(owner, { repeat: 2 });
    for (let count = 0; count < 2; count += 1)
      await play(await runtime.offerTo(owner.agentId), { ...FACTS, opt_out: true });
    expect(await ended(owner, runId)).toMatchObject({ status: 'passed', progress: { done: 2, total: 2 } });

    expect(await read()).toEqual(before);
  });

  test('plays nothing more when its tokens of the day are used up, and leaves those of others', async () => {
    const [owner, other] = [await create(), await create()];
    const runId = await start(owner, { repeat: 3 });
    for (let count = 0; count < 2; count += 1) await play(await runtime.offerTo(owner.agentId));

    expect(await ended(owner, runId)).toMatchObject({
      ...{ status: 'error', error: 'REHEARSAL_BUDGET', tokens: TOKENS_PER_DAY },
      totals: { passed: 2, failed: 0, error: 1 },
    });
    expect((await ended(owner, await start(owner))).results).toMatchObject([
      { status: 'error', error: 'REHEARSAL_BUDGET' },
    ]);
    const others = await start(other);
    await play(await runtime.offerTo(other.agentId));
    expect(await ended(other, others)).toMatchObject({ status: 'passed' });
  });

  test('plays nothing more while it is suspended', async () => {
    const owner = await create();
    const suspend = (value: string) =>
      parley.sql(`UPDATE workspaces SET suspended_at = ${value} WHERE id = $1`, [owner.workspaceId]);
    const runId = await start(owner, { repeat: 3 });
    const first = await runtime.offerTo(owner.agentId);
    await suspend('now()');
    await play(first, CHEAP);
    await until(async () => {
      const text = 'SELECT ended_at FROM rehearsal_runs WHERE id = $1';
      return (await parley.sql<{ ended_at: Date | null }>(text, [runId]))[0]?.ended_at;
    });
    await suspend('NULL');

    expect(await get(owner, runId)).toMatchObject({
      ...{ status: 'error', error: 'WORKSPACE_SUSPENDED', totals: { passed: 1, failed: 0, error: 2 } },
    });
  });

  test('takes turns with others: a small run ends while a large one of another workspace goes on', async () => {
    const [owner, other] = [await create(), await create()];
    const large = await start(owner, { repeat: 20 });
    await runtime.offerTo(owner.agentId);
    const small = await start(other);
    await runtime.offerTo(other.agentId);
    // The runtime has one place, and takes what came first.
    for (let count = 0; count < 3; count += 1)
      await play(await runtime.offerTo(owner.agentId, other.agentId), CHEAP);

    expect(await ended(other, small)).toMatchObject({ status: 'passed' });
    expect(await get(owner, large)).toMatchObject({ status: 'running', ended_at: null });
    await owner.api.post(`/api/rehearsal-runs/${large}/cancel`);
  });

  test('has its runs for REHEARSAL_DAYS', async () => {
    const owner = await create();
    const runIds: string[] = [];
    for (const days of [91, 89]) {
      const runId = await start(owner);
      await play(await runtime.offerTo(owner.agentId));
      await ended(owner, runId);
      await parley.sql('UPDATE rehearsal_runs SET ended_at = now() - $2 * interval $$1 day$$ WHERE id = $1', [
        runId,
        days,
      ]);
      runIds.push(runId);
    }
    // It deletes what is old when it starts.
    const second = await TestParley.start({}, parley.database);
    parley.registerStrategies();
    try {
      const statuses = () =>
        Promise.all(runIds.map(async (id) => (await owner.api.get(`/api/rehearsal-runs/${id}`)).status));
      await until(async () => (await statuses())[0] === 404);
      expect(await statuses()).toEqual([404, 200]);
      const text = 'SELECT DISTINCT run_id FROM rehearsal_results WHERE run_id = ANY ($1)';
      expect(await parley.sql(text, [runIds])).toEqual([{ run_id: runIds[1] }]);
    } finally {
      await second.stop({ keepDatabase: true });
    }
  });
});
