import { createAgent } from '../support/agents';
import { closedNow } from '../support/calling-windows';
import { campaignReached, createCampaign, createNumbers, csv, recipientsFile } from '../support/campaigns';
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

    const { waiting, obstacles, ...recipient } = await read(id);
    expect(waiting).toEqual({ reason: 'outside_window', until: recipient.next_attempt_at });
    expect(obstacles).toEqual([waiting]);
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

  const search = async (text: string, api = owner.api) => {
    const { status, body } = await api.get(`/api/recipients?search=${encodeURIComponent(text)}`);
    expect(status).toBe(200);
    return body.data as Record<string, unknown>[];
  };

  test('is found by the number in every campaign of the workspace, with all that is in the way', async () => {
    const closed = await create({ windows: JSON.stringify(closedNow()) });
    await campaignReached(owner.api, closed, ({ status }) => status === 'running');
    const scheduleTime = new Date(Date.now() + 3_600_000).toISOString();
    const scheduled = await create({ scheduleTime, isScheduled: 'true', campaignName: 'Autumn' });
    await owner.api.post(`/api/campaign/${closed}/pause`);
    await owner.api.post('/api/do-not-call', { phone_number: number });

    const found = await search(number);
    expect(found).toMatchObject([
      {
        ...{ campaign_id: scheduled, campaignName: 'Autumn', timezone: 'UTC', phone_number: number },
        obstacles: [{ reason: 'campaign_scheduled', until: scheduleTime }, { reason: 'do_not_call' }],
      },
      {
        ...{ campaign_id: closed, status: 'pending' },
        obstacles: [
          { reason: 'campaign_paused', until: null },
          { reason: 'do_not_call', until: null },
          { reason: 'outside_window', until: expect.any(String) as string },
        ],
      },
    ]);
    for (const { campaign_id, campaignName: _, timezone: __, ...detail } of found)
      expect(await read(campaign_id as string)).toEqual(detail);
    expect(await search(number, (await parley.workspace()).api)).toEqual([]);
  });

  test('is found by a part of the number or of the name, in the newest campaign first', async () => {
    const agentId = await createAgent(owner);
    const scheduled = { scheduleTime: new Date(Date.now() + 3_600_000).toISOString(), isScheduled: 'true' };
    const importRows = (rows: string) =>
      createCampaign(owner.api, agentId, csv(`phone_number,customer_name\n${rows}`), scheduled);
    const first = await importRows('+15552010001,Ada Lovelace\n+15552010002,Ben 100%');
    const second = await importRows('+15552010003,ADA King');

    const names = async (text: string) =>
      (await search(text)).map(({ customer_name, campaign_id }) => [customer_name, campaign_id]);
    expect(await names('ada')).toEqual([
      ['ADA King', second],
      ['Ada Lovelace', first],
    ]);
    expect(await names('2010002')).toEqual([['Ben 100%', first]]);
    expect(await names('100%')).toEqual([['Ben 100%', first]]);
    expect(await names('10_%')).toEqual([]);
    expect((await owner.api.get('/api/recipients?search=ada&limit=1')).body.data).toHaveLength(1);
    expect((await owner.api.get('/api/recipients?search=ad')).body).toMatchObject({
      errors: [{ field: 'query.search' }],
    });
    expect((await owner.api.get('/api/recipients')).status).toBe(400);
  });
});
