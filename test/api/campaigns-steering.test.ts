import { createAgent } from '../support/agents';
import { closedNow, openNow } from '../support/calling-windows';
import {
  campaignReached,
  createCampaign,
  csv,
  createNumbers,
  postForm,
  readCampaign,
  recipientsFile,
} from '../support/campaigns';
import { readLedger } from '../support/ledger';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { type TakenCall, TestWorker } from '../support/worker';

const SETTINGS = { CAMPAIGN_INTERVAL_MS: '50', SWEEP_INTERVAL_MS: '50' };

interface Called {
  id: string;
  to_number: string;
  status: string;
  attempt: number;
  expires_at: Date;
}

type Shown = Awaited<ReturnType<typeof readCampaign>>;

const sumCounts = ({ progress }: Shown) =>
  Object.values(progress as Record<string, number>).reduce((sum, count) => sum + count, 0);

describe('A campaign', () => {
  const parley = useOwnParley(SETTINGS);
  const worker = useStarted(() => TestWorker.start(parley));
  let owner: TestWorkspace;
  let agentId: string;

  beforeEach(async () => {
    owner = await parley.workspace();
    agentId = await createAgent(owner);
  });

  const create = (count: number, fields: Record<string, unknown> = {}) =>
    createCampaign(
      owner.api,
      agentId,
      recipientsFile(count),
      Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      ),
    );

  const readCalls = (id: string) =>
    parley.sql<Called>(
      'SELECT id, to_number, status, attempt, expires_at FROM conversations WHERE campaign_id = $1 ORDER BY created_at, id',
      [id],
    );
  const underWay = (id: string, count: number) =>
    until(async () => {
      const calls = await readCalls(id);
      return calls.length >= count && calls;
    });
  const take = async (call: Called | undefined): Promise<TakenCall> =>
    (await worker.findOffer(call?.id ?? '')).take();
  const reached = (id: string, condition: (campaign: Shown) => boolean) =>
    campaignReached(owner.api, id, condition);
  const steer = async (id: string, verb: string) => {
    const { status, body } = await owner.api.post(`/api/campaign/${id}/${verb}`);
    return { status, body };
  };
  const patch = (id: string, changes: object) => owner.api.send('PATCH', `/api/campaign/${id}`, changes);
  const recipients = async (id: string, query = '') =>
    (await owner.api.get(`/api/campaign/${id}/recipients${query}`)).body.data as {
      phone_number: string;
      status: string;
      attempts: number;
      outcome: string | null;
      next_attempt_at: string | null;
      last_call_id: string | null;
    }[];
  const log = async (id: string) =>
    (await owner.api.get(`/api/campaign/${id}/log?limit=100`)).body.data as {
      event: string;
      text: string;
      actor: { kind: string } | null;
      data: Record<string, unknown>;
    }[];

  describe('with windows', () => {
    test('waits outside of them, says until when, and calls when they are opened', async () => {
      const id = await create(2, { windows: closedNow() });

      const waiting = await reached(id, (campaign) => campaign.waiting !== null);
      expect(waiting).toMatchObject({
        status: 'running',
        waiting: { reason: 'outside_window', since: expect.any(String) as string },
        progress: { pending: 2 },
      });
      expect(Date.parse(waiting.waiting.until as string)).toBeGreaterThan(Date.now() + 3_600_000);
      expect(await readCalls(id)).toEqual([]);
      expect((await recipients(id))[0]).toMatchObject({
        status: 'pending',
        attempts: 0,
        next_attempt_at: waiting.waiting.until as string,
      });

      await until(async () => (await log(id))[0]?.event === 'waiting');
      expect((await patch(id, { windows: openNow() })).status).toBe(200);

      await underWay(id, 2);
      await reached(id, (campaign) => campaign.waiting === null);
      const events = (await log(id)).map(({ event }) => event).reverse();
      expect(events).toEqual(['created', 'begun', 'waiting', 'changed', 'went_on']);
    });

    test('makes calls that expire at their end, and takes queued ones back when they are changed', async () => {
      const windows = openNow();
      const id = await create(1, { windows });
      const [call] = await underWay(id, 1);
      const [hours = 0, minutes = 0] = (windows[0]?.end ?? '').split(':').map(Number);
      const offer = await worker.findOffer(call?.id ?? '');
      expect([call?.expires_at.getUTCHours(), call?.expires_at.getUTCMinutes()]).toEqual([
        hours % 24,
        minutes,
      ]);
      expect(offer.start.expires_at).toBe(call?.expires_at.toISOString());

      await patch(id, { windows: closedNow() });

      expect((await offer.claim()).type).toBe('call.claim-refused.v1');
      const campaign = await reached(id, ({ waiting }) => waiting?.reason === 'outside_window');
      expect(campaign).toMatchObject({ progress: { pending: 1, queued: 0, failed: 0 } });
      expect(await recipients(id)).toMatchObject([{ status: 'pending', attempts: 0 }]);
      expect((await readLedger(parley, owner.workspaceId)).credits).toBe(100);
    });

    test('calls recipients again after their call, or if no runtime claimed it before the end of the window', async () => {
      const id = await create(1, { windows: openNow() });
      const [first] = await underWay(id, 1);

      await parley.sql('UPDATE conversations SET expires_at = now() WHERE id = $1', [first?.id]);

      expect((await (await worker.findOffer(first?.id ?? '')).claim()).body.reason).toContain('expired');
      const [, second] = await underWay(id, 2);
      expect(second).toMatchObject({ attempt: 1, status: 'queued' });
      expect(await recipients(id)).toMatchObject([{ status: 'queued', attempts: 1 }]);
    });

    test('repeats the same attempt if no runtime claimed the retry before the end of the window', async () => {
      const retry = { on: ['dial_busy'], max: 1, afterMinutes: [0] };
      const id = await create(1, { windows: openNow(), retry });
      const [first] = await underWay(id, 1);
      await (await take(first)).failed({ disconnect_reason: 'dial_busy' });
      const [, second] = await underWay(id, 2);

      await parley.sql('UPDATE conversations SET expires_at = now() WHERE id = $1', [second?.id]);

      const [, , third] = await underWay(id, 3);
      expect(third).toMatchObject({ attempt: 2, status: 'queued' });
      await (await take(third)).failed({ disconnect_reason: 'dial_busy' });
      expect(await reached(id, ({ status }) => status === 'completed')).toMatchObject({
        progress: { failed: 1 },
        outcomes: { dial_busy: 1 },
      });
    });

    test("calls each recipient by the clocks of the recipient's own zone", async () => {
      const file = csv(
        'phone_number,timezone\n+15552000101,UTC\n+15552000102,Asia/Kolkata\n+15552000103,\n+15552000104,asia/kolkata\n',
      );
      const id = await createCampaign(owner.api, agentId, file, {
        windows: JSON.stringify(openNow()),
        timezone: 'UTC',
      });

      const calls = await underWay(id, 2);
      expect(calls.map(({ to_number }) => to_number).sort()).toEqual(['+15552000101', '+15552000103']);
      for (const call of calls) await (await take(call)).failed({ disconnect_reason: 'dial_failed' });

      const campaign = await reached(
        id,
        ({ progress, waiting }) => progress.failed === 2 && waiting?.reason === 'outside_window',
      );
      expect(campaign).toMatchObject({ progress: { pending: 2 } });
      const waiting = await recipients(id, '?status=pending');
      expect(waiting.map(({ phone_number }) => phone_number)).toEqual(['+15552000102', '+15552000104']);
      expect(new Set(waiting.map((each) => each.next_attempt_at)).size).toBe(1);
    });

    test('refuses a file with an unknown zone, and says which row', async () => {
      const file = csv('phone_number,timezone\n+15552000101,Europe/Berlin\n+15552000102,Mars/Olympus\n');
      const { status, body } = await postForm(owner.api, [
        ['campaignName', 'Test'],
        ['assistantId', agentId],
        ['file', file],
      ]);

      expect({ status, body }).toMatchObject({
        status: 422,
        body: {
          details: expect.stringMatching(/^Row 3: the timezone "Mars\/Olympus" is not the IANA/) as string,
        },
      });
    });
  });

  describe('that is paused', () => {
    test('takes back calls that no runtime has claimed, lets the others end, and continues when it is resumed', async () => {
      const id = await create(4, { concurrency: 3 });
      const [first, second, third] = await underWay(id, 3);
      const call = await take(first);
      const offer = await worker.findOffer(second?.id ?? '');
      await worker.findOffer(third?.id ?? '');

      const paused = await steer(id, 'pause');

      expect(paused).toMatchObject({
        status: 200,
        body: { data: { status: 'paused', progress: { pending: 3, queued: 0, accepted: 1 } } },
      });
      expect(sumCounts(paused.body.data)).toBe(4);
      expect((await offer.claim()).type).toBe('call.claim-refused.v1');
      const untouched = { attempts: 0, outcome: null, last_call_id: null, next_attempt_at: null };
      expect(await recipients(id, '?status=pending')).toMatchObject([untouched, untouched, untouched]);
      expect(await steer(id, 'pause')).toMatchObject({
        status: 409,
        body: { error_code: 'CAMPAIGN_NOT_RUNNING', error: { details: 'Its status is paused.' } },
      });
      await call.connected();
      await call.ended({ outcome: 'booked' });
      await reached(id, ({ progress }) => progress.disconnected === 1);
      expect(await readCalls(id)).toHaveLength(3);
      expect((await readLedger(parley, owner.workspaceId)).credits).toBe(99);

      expect((await steer(id, 'resume')).body).toMatchObject({ data: { status: 'running' } });

      for (const next of (await underWay(id, 6)).slice(3)) await (await take(next)).failed();
      const completed = await reached(id, ({ status }) => status === 'completed');
      expect(completed).toMatchObject({
        progress: { pending: 0, disconnected: 1, failed: 3 },
        outcomes: { booked: 1, dial_busy: 3 },
      });
      expect((await recipients(id)).map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1]);
      expect(await steer(id, 'resume')).toMatchObject({
        status: 409,
        body: { error_code: 'CAMPAIGN_NOT_PAUSED' },
      });
      const lines = await log(id);
      expect(lines.map(({ event }) => event)).toEqual(['completed', 'resumed', 'paused', 'begun', 'created']);
      expect(lines[2]).toMatchObject({ actor: { kind: 'key' }, data: { taken_back: 2 } });
    });

    test('can be scheduled again unless it has begun', async () => {
      const later = { scheduleTime: '2100-01-01T00:00:00.000Z' };
      const id = await create(1, { isScheduled: 'true', ...later });
      await steer(id, 'pause');
      expect((await patch(id, { scheduleTime: '2020-01-01T00:00:00Z' })).status).toBe(200);
      expect((await patch(id, later)).body.data).toMatchObject({ status: 'paused', ...later });
      await patch(id, { scheduleTime: '2020-01-01T00:00:00Z' });
      await steer(id, 'resume');

      await steer(id, 'pause');

      expect(await patch(id, later)).toMatchObject({
        status: 409,
        body: { error_code: 'CAMPAIGN_BEGUN', error: { details: 'Its status is paused.' } },
      });
      await steer(id, 'resume');
      expect((await patch(id, later)).body).toMatchObject({ error: { details: 'Its status is running.' } });
    });

    test('before its time is scheduled again when it is resumed', async () => {
      const id = await create(1, { isScheduled: 'true', scheduleTime: '2100-01-01T00:00:00Z' });

      await steer(id, 'pause');
      expect(await readCampaign(owner.api, id)).toMatchObject({ status: 'paused' });
      await steer(id, 'resume');

      expect(await readCampaign(owner.api, id)).toMatchObject({ status: 'scheduled' });
    });

    test('grants no claim that it did not see', async () => {
      const id = await create(1);
      const [call] = await underWay(id, 1);
      const offer = await worker.findOffer(call?.id ?? '');

      // The pause has not found the call.
      await parley.sql(`UPDATE campaigns SET status = 'paused' WHERE id = $1`, [id]);

      expect((await offer.claim()).body.reason).toContain('its campaign is paused');
    });
  });

  test('that is cancelled calls nobody any more, and its claimed calls end', async () => {
    const id = await create(5, { concurrency: 2 });
    const [first, second] = await underWay(id, 2);
    const call = await take(first);

    expect((await steer(id, 'cancel')).body).toMatchObject({ data: { status: 'cancelled' } });

    expect((await (await worker.findOffer(second?.id ?? '')).claim()).type).toBe('call.claim-refused.v1');
    await reached(id, ({ progress }) => progress.skipped === 4);
    await call.connected();
    await call.ended();
    const campaign = await reached(id, ({ progress }) => progress.disconnected === 1);
    expect(campaign).toMatchObject({ status: 'cancelled', progress: { pending: 0, skipped: 4 } });
    expect(await readCalls(id)).toHaveLength(2);
    for (const verb of ['pause', 'resume', 'cancel']) expect((await steer(id, verb)).status).toBe(409);
    expect((await patch(id, { campaignName: 'x' })).body).toMatchObject({ error_code: 'CAMPAIGN_ENDED' });
    expect((await recipients(id, '?status=skipped')).map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: 4 }, () => 'cancelled'),
    );
  });

  describe('with retries', () => {
    const retry = { on: ['dial_busy', 'dial_no_answer'], max: 2, afterMinutes: [0, 30] };

    test('makes another attempt after the ends that it names, with a call of its own', async () => {
      const id = await create(1, { retry });
      const [first] = await underWay(id, 1);
      await (await take(first)).failed({ disconnect_reason: 'dial_busy' });

      const [, second] = await underWay(id, 2);
      expect(second).toMatchObject({ attempt: 2, to_number: first?.to_number });
      expect((await owner.api.get(`/api/calls/${second?.id}`)).body.data).toMatchObject({ attempt: 2 });
      await (await take(second)).failed({ disconnect_reason: 'dial_no_answer' });

      const waiting = await reached(id, (campaign) => campaign.waiting?.reason === 'retry_pause');
      expect(waiting).toMatchObject({ progress: { retrying: 1, failed: 0, pending: 0 }, outcomes: {} });
      const [recipient] = await recipients(id);
      expect(recipient).toMatchObject({
        status: 'retrying',
        attempts: 2,
        last_call_id: second?.id,
        outcome: 'dial_no_answer',
      });
      const pause = Date.parse(recipient?.next_attempt_at ?? '') - Date.now();
      expect(Math.abs(pause - 30 * 60_000)).toBeLessThan(60_000);

      await parley.sql(`UPDATE campaign_recipients SET next_attempt_at = now() WHERE campaign_id = $1`, [id]);
      const [, , third] = await underWay(id, 3);
      await (await take(third)).failed({ disconnect_reason: 'dial_busy' });

      const completed = await reached(id, ({ status }) => status === 'completed');
      expect(completed).toMatchObject({ progress: { failed: 1 }, outcomes: { dial_busy: 1 } });
      expect(await readCalls(id)).toHaveLength(3);
    });

    test('keeps the result of the last attempt when the next one is taken back', async () => {
      const id = await create(1, { retry });
      const [first] = await underWay(id, 1);
      await (await take(first)).failed({ disconnect_reason: 'dial_busy' });
      await underWay(id, 2);

      await steer(id, 'pause');
      expect(await recipients(id)).toMatchObject([
        { status: 'retrying', attempts: 1, outcome: 'dial_busy', last_call_id: first?.id },
      ]);
      await steer(id, 'resume');
      await underWay(id, 3);
      await steer(id, 'cancel');

      const ended = await reached(id, ({ progress }) => progress.failed === 1);
      expect(ended).toMatchObject({ status: 'cancelled', outcomes: { dial_busy: 1 } });
      expect(await recipients(id)).toMatchObject([{ status: 'failed', attempts: 1, outcome: 'dial_busy' }]);
    });

    test.each(['error', 'dial_failed'])('makes none after %s', async (disconnect_reason) => {
      const id = await create(1, { retry });
      const [call] = await underWay(id, 1);
      await (await take(call)).failed({ disconnect_reason });

      expect(await reached(id, ({ status }) => status === 'completed')).toMatchObject({
        progress: { failed: 1, retrying: 0 },
      });
      expect(await readCalls(id)).toHaveLength(1);
    });

    test('makes none for a recipient who was removed, whose call ends as usual', async () => {
      const id = await create(3, { retry, concurrency: 2 });
      const [first, second] = await underWay(id, 2);
      const call = await take(first);
      const remove = (number = '') =>
        owner.api.delete(`/api/campaign/${id}/recipients/${encodeURIComponent(number)}`);

      // The last call ends first: a place that becomes free is used at once.
      for (const number of createNumbers(3).reverse()) expect((await remove(number)).status).toBe(200);

      expect((await (await worker.findOffer(second?.id ?? '')).claim()).type).toBe('call.claim-refused.v1');
      await call.failed({ disconnect_reason: 'dial_busy' });
      expect(await reached(id, ({ status }) => status === 'completed')).toMatchObject({
        progress: { failed: 1, skipped: 2, retrying: 0 },
      });
      expect(await readCalls(id)).toHaveLength(2);
      expect((await remove('+15559999999')).body).toMatchObject({ error_code: 'RECIPIENT_NOT_FOUND' });
      expect((await recipients(id, '?status=skipped')).map(({ outcome }) => outcome)).toEqual([
        'removed',
        'removed',
      ]);
    });
  });

  test('that expires skips the recipients without a call', async () => {
    const id = await create(3, { concurrency: 1, expiresAt: '2100-01-01T00:00:00Z' });
    const [first] = await underWay(id, 1);
    const call = await take(first);

    await parley.sql(`UPDATE campaigns SET expires_at = now() WHERE id = $1`, [id]);
    await call.failed();

    expect(await reached(id, ({ status }) => status === 'completed')).toMatchObject({
      progress: { failed: 1, skipped: 2 },
    });
    expect((await recipients(id, '?status=skipped'))[0]).toMatchObject({ outcome: 'expired', attempts: 0 });
  });

  test('shows why it dials nothing', async () => {
    const noted = async (id: string) =>
      (await log(id)).filter(({ event }) => event === 'waiting').map(({ data }) => data.reason);
    const readReason = async (id: string, reason: string | null) => {
      await reached(id, ({ waiting }) => (waiting?.reason ?? null) === reason);
      if (reason) await until(async () => (await noted(id))[0] === reason);
    };
    await owner.api.put(`/api/agents/${agentId}`, { type: 'outbound', status: false });
    const id = await create(1);
    await readReason(id, 'agent_off');
    await parley.sql('UPDATE workspaces SET credits = 0 WHERE id = $1', [owner.workspaceId]);
    await owner.api.put(`/api/agents/${agentId}`, { type: 'outbound', status: true });
    await readReason(id, 'no_credits');
    await parley.sql('UPDATE workspaces SET credits = 5, quotas_concurrent_calls = 0 WHERE id = $1', [
      owner.workspaceId,
    ]);
    await readReason(id, 'workspace_full');
    await parley.sql(
      'UPDATE workspaces SET quotas_concurrent_calls = NULL, suspended_at = now() WHERE id = $1',
      [owner.workspaceId],
    );
    // The API refuses the requests of a suspended workspace.
    await until(async () => {
      const [row] = await parley.sql<{ waiting: string }>('SELECT waiting FROM campaigns WHERE id = $1', [
        id,
      ]);
      return row?.waiting === 'suspended';
    });
    await parley.sql('UPDATE workspaces SET suspended_at = NULL WHERE id = $1', [owner.workspaceId]);
    await readReason(id, null);
    expect(await noted(id)).toEqual(['suspended', 'workspace_full', 'no_credits', 'agent_off']);
  });

  test('keeps a bounded number of lines about why it waits', async () => {
    await owner.api.put(`/api/agents/${agentId}`, { type: 'outbound', status: false });
    const id = await create(1);
    await reached(id, ({ waiting }) => waiting?.reason === 'agent_off');
    await parley.sql(
      `INSERT INTO campaign_log (campaign_id, event, text) SELECT $1, 'waiting', 'Again.' FROM generate_series(1, 2500)`,
      [id],
    );

    await owner.api.put(`/api/agents/${agentId}`, { type: 'outbound', status: true });
    await until(async () => (await log(id))[0]?.event === 'went_on');

    const { body } = await owner.api.get(`/api/campaign/${id}/log?limit=1&page=2001`);
    expect(body).toMatchObject({ data: [{ event: 'begun' }], pagination: { total: 2_002 } });
  });

  test('starts no more calls a second than it may, and no more at once', async () => {
    const id = await create(60, { callsPerSecond: 10, concurrency: 50 });

    await underWay(id, 35);

    // No unused rate is saved up at the beginning.
    const [between] = await parley.sql<{ seconds: number }>(
      `SELECT extract(epoch FROM max(created_at) - min(created_at))::float8 AS seconds
       FROM (SELECT created_at FROM conversations WHERE campaign_id = $1 ORDER BY created_at LIMIT 35) AS call`,
      [id],
    );
    expect(between?.seconds).toBeGreaterThan(2.5);
    await underWay(id, 50);
    expect(await readCampaign(owner.api, id)).toMatchObject({ progress: { queued: 50, pending: 10 } });
  });

  test('is changed and shows its new values', async () => {
    const id = await create(1, { isScheduled: 'true', scheduleTime: '2100-01-01T00:00:00Z' });
    const changes = {
      campaignName: 'Renamed',
      scheduleTime: '2101-01-01T00:00:00.000Z',
      timezone: 'Europe/Berlin',
      windows: openNow(),
      concurrency: 7,
      callsPerSecond: 0.5,
      retry: { on: ['voicemail_reached'], max: 1, afterMinutes: [60] },
      expiresAt: '2102-01-01T00:00:00.000Z',
    };

    const { status, body } = await patch(id, changes);

    expect({ status, data: body.data as object }).toMatchObject({ status: 200, data: changes });
    expect((await patch(id, { callsPerSecond: null, retry: null, expiresAt: null })).body.data).toMatchObject(
      {
        callsPerSecond: null,
        retry: null,
        expiresAt: null,
        concurrency: 7,
      },
    );
    const defaults = { timezone: 'UTC', windows: [], concurrency: 10 };
    const reset = { timezone: null, windows: null, concurrency: null, retry: { max: 0 } };
    expect((await patch(id, reset)).body.data).toMatchObject({ ...defaults, retry: null });
    await patch(id, { retry: changes.retry });
    const none = { on: ['dial_busy'], max: 0, afterMinutes: [] };
    expect((await patch(id, { retry: none })).body).toMatchObject({ status: 200, data: { retry: null } });
    expect((await patch(id, { scheduleTime: null })).body).toMatchObject({
      errors: [{ field: 'body.scheduleTime' }],
    });
    expect((await patch(id, { expiresAt: '2099-01-01T00:00:00Z' })).body).toMatchObject({
      errors: [{ field: 'body.expiresAt' }],
    });
    await patch(id, { expiresAt: '2102-01-01T00:00:00Z' });
    expect((await patch(id, { scheduleTime: '2103-01-01T00:00:00Z' })).body).toMatchObject({
      errors: [{ field: 'body.expiresAt' }],
    });
  });

  test.each([
    ['timezone', 'Mars/Olympus'],
    ['windows', '[{"days":["mon"],"start":"17:00","end":"09:00"}]'],
    ['windows', 'always'],
    ['concurrency', '1001'],
    ['callsPerSecond', '0.01'],
    ['retry', '{"on":["worker_lost"],"max":1,"afterMinutes":[1]}'],
    ['retry', '{"on":["dial_busy"],"max":6,"afterMinutes":[1]}'],
    ['retry', '{"on":["dial_busy"],"max":1}'],
    ['retry', '{"on":["dial_busy"],"max":1,"afterMinutes":[]}'],
    ['retry', '{"on":[],"max":1,"afterMinutes":[30]}'],
    ['retry', '{"on":[],"max":0,"afterMinutes":[-1]}'],
    ['webhookUrl', 'ftp://example.com'],
    ['expiresAt', '2020-01-01T00:00:00Z'],
  ])('is refused with the %s %s', async (name, value) => {
    const { status, body } = await postForm(owner.api, [
      ['campaignName', 'Test'],
      ['assistantId', agentId],
      [name, value],
      ['file', recipientsFile(1)],
    ]);

    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ field: `body.${name}` }] } });
  });
});

describe('A campaign without a runtime', () => {
  const parley = useOwnParley(SETTINGS);

  test('says so', async () => {
    const owner = await parley.workspace();
    const id = await createCampaign(owner.api, await createAgent(owner), recipientsFile(2));

    await campaignReached(owner.api, id, ({ waiting }) => waiting?.reason === 'no_runtime');
    const worker = await TestWorker.start(parley);
    await campaignReached(owner.api, id, ({ waiting }) => waiting === null);
    await worker.stop();
  });
});
