import { WorkspacesService } from '../../src/accounts/workspaces/workspaces.service';
import { SimulatedRuntime } from '../../src/tools/simulated-runtime/simulated-runtime';
import { createAgent } from '../support/agents';
import {
  campaignReached,
  createCampaign,
  csv,
  createNumbers,
  readCampaign,
  recipientsFile,
} from '../support/campaigns';
import { readLedger } from '../support/ledger';
import { TestParley, type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { TestWorker } from '../support/worker';

const SETTINGS = { CAMPAIGN_INTERVAL_MS: '50', SWEEP_INTERVAL_MS: '50' };

interface Called {
  id: string;
  to_number: string;
  status: string;
  created_at: Date;
}

const readCalls = (parley: TestParley, campaignId: string) =>
  parley.sql<Called>(
    'SELECT id, to_number, status, created_at FROM conversations WHERE campaign_id = $1 ORDER BY created_at, id',
    [campaignId],
  );

const isCompleted = ({ status }: { status: string }) => status === 'completed';

/** A runtime that ends every call within milliseconds. */
async function endEveryCall(parley: TestParley): Promise<() => Promise<void>> {
  const runtime = new SimulatedRuntime({
    broker: parley.broker,
    topology: parley.topology,
    workerId: 'test',
    pace: 1,
  });
  await runtime.start();
  return () => runtime.stop();
}

describe('A campaign', () => {
  describe('whose calls end within milliseconds', () => {
    const parley = useOwnParley({ ...SETTINGS, CAMPAIGN_CONCURRENCY: '3' });
    let stopRuntime: () => Promise<void>;

    beforeAll(async () => {
      stopRuntime = await endEveryCall(parley);
    });
    afterAll(() => stopRuntime());

    test('calls each recipient once, is completed and shows its calls', async () => {
      const owner = await parley.workspace({ credits: 100 });
      const agentId = await createAgent(owner);

      const id = await createCampaign(owner.api, agentId, recipientsFile(10));

      const campaign = await campaignReached(owner.api, id, isCompleted);
      expect(campaign).toMatchObject({
        recipientCount: 10,
        progress: { pending: 0, queued: 0, accepted: 0, connected: 0, disconnected: 10, failed: 0 },
        failureReason: null,
      });
      expect(Date.parse(campaign.updatedAt)).toBeGreaterThan(Date.parse(campaign.createdAt));
      const calls = await readCalls(parley, id);
      expect(calls.map(({ to_number }) => to_number).sort()).toEqual(createNumbers(10));
      const shown = await owner.api.get(`/api/agents/${agentId}/conversations/${calls[0]?.id}`);
      expect(shown.body.data).toMatchObject({
        campaign_id: id,
        status: 'disconnected',
        userId: owner.userId,
      });
      const { credits, entries } = await readLedger(parley, owner.workspaceId);
      expect(credits).toBe(90);
      expect(entries.filter((entry) => entry === 'hold -1')).toHaveLength(10);
    });

    test('starts at its scheduled time and not before', async () => {
      const owner = await parley.workspace();
      const id = await createCampaign(owner.api, await createAgent(owner), recipientsFile(1), {
        isScheduled: 'true',
        scheduleTime: '2100-01-01T00:00:00Z',
      });
      expect((await readCampaign(owner.api, id)).status).toBe('scheduled');

      const [moved] = await parley.sql<{ schedule_time: Date }>(
        `UPDATE campaigns SET schedule_time = now() + interval '500 milliseconds' WHERE id = $1
         RETURNING schedule_time`,
        [id],
      );
      await campaignReached(owner.api, id, isCompleted);

      const [call] = await readCalls(parley, id);
      expect(call?.created_at.getTime()).toBeGreaterThanOrEqual(moved?.schedule_time.getTime() ?? NaN);
    });

    test('waits for credits, and continues when they are added', async () => {
      const owner = await parley.workspace({ credits: 2 });
      const id = await createCampaign(owner.api, await createAgent(owner), recipientsFile(5));
      await campaignReached(owner.api, id, ({ progress }) => progress.disconnected === 2);
      const short = await readCampaign(owner.api, id);
      expect(short).toMatchObject({ status: 'running', progress: { pending: 3 } });
      expect((await readLedger(parley, owner.workspaceId)).credits).toBe(0);

      await parley.app.get(WorkspacesService, { strict: false }).addCredits(owner.workspaceId, 10);

      await campaignReached(owner.api, id, isCompleted);
      expect((await readLedger(parley, owner.workspaceId)).credits).toBe(7);
      expect(await readCalls(parley, id)).toHaveLength(5);
    });

    test('waits while its agent is switched off', async () => {
      const owner = await parley.workspace();
      const agentId = await createAgent(owner, { status: false });
      const id = await createCampaign(owner.api, agentId, recipientsFile(2));
      await campaignReached(owner.api, id, ({ status }) => status === 'running');
      expect(await readCalls(parley, id)).toEqual([]);

      await owner.api.put(`/api/agents/${agentId}`, { type: 'outbound', status: true });

      await campaignReached(owner.api, id, isCompleted);
    });
  });

  describe('whose calls continue until the test ends them', () => {
    const parley = useOwnParley({ ...SETTINGS, CAMPAIGN_CONCURRENCY: '2' });
    let worker: TestWorker;
    let owner: TestWorkspace;

    beforeAll(async () => {
      worker = await TestWorker.start(parley);
    });
    beforeEach(async () => {
      owner = await parley.workspace();
    });
    afterAll(() => worker.stop());

    const underWay = (id: string, count: number) =>
      until(async () => {
        const calls = await readCalls(parley, id);
        return calls.length >= count && calls;
      });

    const take = async (call: Called | undefined) => (await worker.findOffer(call?.id ?? '')).take();

    test("sends the recipient's columns to the runtime", async () => {
      const agentId = await createAgent(owner, {
        greeting: 'Hello {{customer_name}}, your table in {{City}} is ready. {{city}}',
      });
      const file = csv('phone_number,customer_name,City,note\n+15551234567,Ada,Köln,"a ""b"""\n');
      const id = await createCampaign(owner.api, agentId, file);

      const [call] = await underWay(id, 1);
      const { start } = await worker.findOffer(call?.id ?? '');

      expect(start).toMatchObject({
        campaign_id: id,
        agent_id: agentId,
        workspaceId: owner.workspaceId,
        userId: owner.userId,
        to_number: '+15551234567',
        call_type: 'phonecall',
        direction: 'outbound',
        channel: 'voice',
        customer_name: 'Ada',
        dynamic_variables: {
          phone_number: '+15551234567',
          customer_name: 'Ada',
          City: 'Köln',
          city: 'Köln',
          note: 'a "b"',
        },
        greeting: 'Hello Ada, your table in Köln is ready. Köln',
      });
    });

    test('fills placeholders from columns, however the texts and the header spell them', async () => {
      const agentId = await createAgent(owner, {
        greeting: 'Hi {{name}} / {{customer_name}} / {{First Name}} / {{phone}} / {{phone_number}}',
        prompt: '{{FirstName}} {{first-name}} {{Phone Number}} {{orderId}} {{Order Nr}} {{other}}',
      });
      const file = csv('phone,name,FIRST NAME,order_id,ordernr\n+15551234567,Ada,Augusta,7,8\n');
      const id = await createCampaign(owner.api, agentId, file);

      const [call] = await underWay(id, 1);
      const { start } = await worker.findOffer(call?.id ?? '');

      expect(start).toMatchObject({
        greeting: 'Hi Ada / Ada / Augusta / +15551234567 / +15551234567',
        agent: { prompt: 'Augusta Augusta +15551234567 7 8 {{other}}' },
      });
    });

    test('has no more calls in progress than allowed, in the order of its file', async () => {
      const id = await createCampaign(owner.api, await createAgent(owner), recipientsFile(4));
      const [first, second] = await underWay(id, 2);
      const call = await take(first);
      await call.connected();
      await campaignReached(owner.api, id, ({ progress }) => progress.connected === 1);
      expect(await readCampaign(owner.api, id)).toMatchObject({
        status: 'running',
        progress: { pending: 2, queued: 1, connected: 1 },
      });

      await call.ended();

      expect((await underWay(id, 3)).map(({ to_number }) => to_number).sort()).toEqual(createNumbers(3));
      await (await take(second)).failed();
      const all = await underWay(id, 4);
      for (const next of all.slice(2)) await (await take(next)).failed();
      expect(await campaignReached(owner.api, id, isCompleted)).toMatchObject({
        progress: { pending: 0, disconnected: 1, failed: 3 },
      });
    });

    const hasFailed = ({ status }: { status: string }) => status === 'failed';

    test('fails when its agent is deleted: claimed calls continue, the others are cancelled', async () => {
      const agentId = await createAgent(owner);
      const id = await createCampaign(owner.api, agentId, recipientsFile(5));
      const later = await createCampaign(owner.api, agentId, recipientsFile(1), {
        isScheduled: 'true',
        scheduleTime: '2100-01-01T00:00:00Z',
      });
      const [first, second] = await underWay(id, 2);
      const call = await take(first);

      await owner.api.delete(`/api/agents/${agentId}`);

      expect(await campaignReached(owner.api, id, hasFailed)).toMatchObject({
        failureReason: 'The agent was deleted.',
        progress: { pending: 3, queued: 0, accepted: 1, failed: 1 },
      });
      expect(
        await parley.sql('SELECT disconnect_reason, disconnected_by FROM conversations WHERE id = $1', [
          second?.id,
        ]),
      ).toEqual([{ disconnect_reason: 'cancelled', disconnected_by: 'system' }]);
      expect((await (await worker.findOffer(second?.id ?? '')).claim()).type).toBe('call.claim-refused.v1');
      expect(await campaignReached(owner.api, later, hasFailed)).toMatchObject({ progress: { pending: 1 } });
      await call.ended();
      expect(
        await campaignReached(owner.api, id, ({ progress }) => progress.disconnected === 1),
      ).toMatchObject({ status: 'failed', progress: { pending: 3 } });
      expect(await readCalls(parley, id)).toHaveLength(2);
      expect((await readLedger(parley, owner.workspaceId)).credits).toBe(99);
    });

    test('whose agent is deleted when no recipient is left is completed when its calls have ended', async () => {
      const agentId = await createAgent(owner);
      const id = await createCampaign(owner.api, agentId, recipientsFile(2));
      const other = await createCampaign(owner.api, agentId, recipientsFile(5));
      const calls = [];
      for (const call of await underWay(id, 2)) calls.push(await take(call));

      await owner.api.delete(`/api/agents/${agentId}`);

      await campaignReached(owner.api, other, hasFailed);
      expect(await readCampaign(owner.api, id)).toMatchObject({ status: 'running' });
      for (const call of calls) await call.ended();
      expect(await campaignReached(owner.api, id, isCompleted)).toMatchObject({
        progress: { disconnected: 2, failed: 0 },
        failureReason: null,
      });
    });
  });

  test('skips a recipient whose call no runtime claims in time, and continues', async () => {
    const parley = await TestParley.start({
      ...SETTINGS,
      CAMPAIGN_CONCURRENCY: '1',
      CAMPAIGN_CALL_TTL_SECONDS: '1',
    });
    try {
      const owner = await parley.workspace({ credits: 5 });
      const id = await createCampaign(owner.api, await createAgent(owner), recipientsFile(2));

      expect(await campaignReached(owner.api, id, isCompleted)).toMatchObject({
        progress: { pending: 0, failed: 2 },
      });
      const reasons = await parley.sql<{ disconnect_reason: string }>(
        'SELECT disconnect_reason FROM conversations',
      );
      expect(reasons.map((row) => row.disconnect_reason)).toEqual(['dispatch_expired', 'dispatch_expired']);
      expect((await readLedger(parley, owner.workspaceId)).credits).toBe(5);
    } finally {
      await parley.stop();
    }
  });

  test('is shared by two servers, and no recipient is called twice', async () => {
    const prefix = `test-shared-${process.pid}`;
    const settings = { ...SETTINGS, BROKER_PREFIX: prefix, CAMPAIGN_CONCURRENCY: '5' };
    const first = await TestParley.start(settings);
    const second = await TestParley.start(settings, first.database);
    // The in-process broker is not shared, so each server has its own runtime.
    const stops = [await endEveryCall(first), await endEveryCall(second)];
    try {
      const owner = await first.workspace({ credits: 200 });
      const agentId = await createAgent(owner);
      const ids = await Promise.all(
        [1, 2, 3].map(() => createCampaign(owner.api, agentId, recipientsFile(40))),
      );

      for (const id of ids) await campaignReached(owner.api, id, isCompleted);

      for (const id of ids) {
        const calls = await readCalls(first, id);
        expect(calls.map(({ to_number }) => to_number).sort()).toEqual(createNumbers(40));
        expect(new Set(calls.map(({ status }) => status))).toEqual(new Set(['disconnected']));
      }
      expect((await readLedger(first, owner.workspaceId)).credits).toBe(80);
    } finally {
      for (const stop of stops) await stop();
      await second.stop({ keepDatabase: true });
      await first.stop();
    }
  });
});
