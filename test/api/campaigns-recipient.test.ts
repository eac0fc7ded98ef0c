import { createAgent } from '../support/agents';
import { closedNow } from '../support/calling-windows';
import { campaignReached, createCampaign, createNumbers, recipientsFile } from '../support/campaigns';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { TestWorker } from '../support/worker';

const [number] = createNumbers(1) as [string];

describe('A recipient of a campaign', () => {
  const parley = useOwnParley({ CAMPAIGN_INTERVAL_MS: '50', SWEEP_INTERVAL_MS: '50' });
  const worker = useStarted(() => TestWorker.start(parley));
  let owner: TestWorkspace;

  beforeEach(async () => {
    owner = await parley.workspace();
  });

  const create = async (fields: Record<string, string> = {}) =>
    createCampaign(owner.api, await createAgent(owner), recipientsFile(1), fields);
  const buildPath = (id: string) => `/api/campaign/${id}/recipients/${encodeURIComponent(number)}`;
  const read = async (id: string) => {
    const { status, body } = await owner.api.get(buildPath(id));
    expect(status).toBe(200);
    return body.data as Record<string, unknown>;
  };
  const findOffer = async (id: string) => {
    const [call] = await parley.sql<{ id: string }>('SELECT id FROM conversations WHERE campaign_id = $1', [
      id,
    ]);
    return worker.findOffer(call?.id as string);
  };

  test('is read by the number, as the list shows it, in its own workspace only', async () => {
    const id = await create({ windows: JSON.stringify(closedNow()) });
    await campaignReached(owner.api, id, ({ status }) => status === 'running');

    const { waiting, ...recipient } = await read(id);
    expect(waiting).toEqual({ reason: 'outside_window', until: recipient.next_attempt_at });
    expect((await owner.api.get(`/api/campaign/${id}/recipients`)).body.data).toEqual([recipient]);

    const stranger = await parley.workspace();
    expect((await stranger.api.get(buildPath(id))).body.error_code).toBe('CAMPAIGN_NOT_FOUND');
    const unknown = await owner.api.get(`/api/campaign/${id}/recipients/%2B15550000000`);
    expect([unknown.status, unknown.body.error_code]).toEqual([404, 'RECIPIENT_NOT_FOUND']);
  });

  test('waits for the time of a scheduled campaign, and for a paused one to go on', async () => {
    const scheduleTime = new Date(Date.now() + 3_600_000).toISOString();
    const id = await create({ scheduleTime, isScheduled: 'true' });
    expect((await read(id)).waiting).toEqual({ reason: 'campaign_scheduled', until: scheduleTime });

    const closed = await create({ windows: JSON.stringify(closedNow()) });
    await campaignReached(owner.api, closed, ({ status }) => status === 'running');
    expect((await owner.api.post(`/api/campaign/${closed}/pause`)).status).toBe(200);
    expect((await read(closed)).waiting).toEqual({ reason: 'campaign_paused', until: null });
  });

  test('waits while the number is on the do-not-call list, and while the agent is off', async () => {
    const agentId = await createAgent(owner, { status: false });
    const id = await createCampaign(owner.api, agentId, recipientsFile(1));
    await campaignReached(owner.api, id, ({ waiting }) => waiting?.reason === 'agent_off');
    expect((await read(id)).waiting).toEqual({ reason: 'agent_off', until: null });

    await owner.api.post('/api/do-not-call', { phone_number: number });
    expect((await read(id)).waiting).toEqual({ reason: 'do_not_call', until: null });
  });

  test('waits between two attempts, and for nothing during a call and after the last one', async () => {
    const retry = JSON.stringify({ on: ['dial_busy'], max: 1, afterMinutes: [60] });
    const id = await create({ retry });
    await campaignReached(owner.api, id, ({ progress }) => progress.queued === 1);
    expect((await read(id)).waiting).toBeNull();

    const call = await (await findOffer(id)).take();
    await call.failed();
    const recipient = await until(async () => {
      const found = await read(id);
      return found.next_attempt_at !== null && found;
    });
    expect(recipient).toMatchObject({ status: 'retrying', attempts: 1 });
    expect(recipient.waiting).toEqual({ reason: 'retry_pause', until: recipient.next_attempt_at });

    expect((await owner.api.delete(buildPath(id))).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: 'skipped', outcome: 'removed', waiting: null });
  });
});
