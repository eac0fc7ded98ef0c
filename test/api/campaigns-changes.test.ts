import { Client } from 'pg';
import { createAgent } from '../support/agents';
import { openNow } from '../support/calling-windows';
import {
  campaignReached,
  createCampaign,
  createNumbers,
  readCampaign,
  recipientsFile,
} from '../support/campaigns';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { TestWorker } from '../support/worker';

interface Called {
  id: string;
  to_number: string;
  ended_at: Date | null;
}

type Shown = Awaited<ReturnType<typeof readCampaign>>;

describe('A campaign that is changed', () => {
  const parley = useOwnParley({ CAMPAIGN_INTERVAL_MS: '50', SWEEP_INTERVAL_MS: '50' });
  const worker = useStarted(() => TestWorker.start(parley));
  const busy = { on: ['dial_busy'], max: 2, afterMinutes: [30] };
  const busyAtOnce = { ...busy, afterMinutes: [0] };
  const [NUMBER = ''] = createNumbers(1);
  let owner: TestWorkspace;
  let agentId: string;

  beforeEach(async () => {
    owner = await parley.workspace();
    agentId = await createAgent(owner);
  });

  const create = (count: number, fields: object = {}) =>
    createCampaign(
      owner.api,
      agentId,
      recipientsFile(count),
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)])),
    );
  const readCalls = (id: string) =>
    parley.sql<Called>(
      'SELECT id, to_number, ended_at FROM conversations WHERE campaign_id = $1 ORDER BY created_at, id',
      [id],
    );
  const underWay = (id: string, count: number) =>
    until(async () => {
      const calls = await readCalls(id);
      return calls.length >= count && calls;
    });
  const findOffer = (call: Called | undefined) => worker.findOffer(call?.id ?? '');
  const fail = async (call: Called | undefined, disconnect_reason = 'dial_busy') =>
    (await (await findOffer(call)).take()).failed({ disconnect_reason });
  const reached = (id: string, condition: (campaign: Shown) => boolean) =>
    campaignReached(owner.api, id, condition);
  const completed = (id: string) => reached(id, ({ status }) => status === 'completed');
  const patch = async (id: string, changes: object) => {
    const { status, body } = await owner.api.send('PATCH', `/api/campaign/${id}`, changes);
    expect(status).toBe(200);
    return body.data;
  };
  const recipients = async (id: string) =>
    (await owner.api.get(`/api/campaign/${id}/recipients`)).body.data as {
      status: string;
      attempts: number;
      outcome: string;
      next_attempt_at: string | null;
    }[];
  const log = async (id: string) =>
    (await owner.api.get(`/api/campaign/${id}/log`)).body.data as {
      event: string;
      text: string;
      data: object;
    }[];
  const list = async () =>
    expect((await owner.api.post('/api/do-not-call', { phone_number: NUMBER })).status).toBe(201);

  const lockWaits = async (query: string) => {
    const waiting = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`;
    await until(async () => (await parley.sql(waiting, [query])).length > 0);
  };

  /** The runner does not advance a campaign that another transaction has locked. */
  async function whileLocked<Result>(id: string, use: (client: Client) => Promise<Result>): Promise<Result> {
    const client = new Client(parley.database.url);
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM campaigns WHERE id = $1 FOR UPDATE', [id]);
      const result = await use(client);
      await client.query('COMMIT');
      return result;
    } finally {
      await client.end();
    }
  }

  /** Makes the request when a call has expired and before the runner has settled it. */
  async function betweenExpiryAndRunner<Answer>(id: string, request: () => Promise<Answer>): Promise<Answer> {
    const answer = await whileLocked(id, async () => {
      await parley.sql('UPDATE conversations SET expires_at = now() WHERE campaign_id = $1', [id]);
      await until(async () => (await readCalls(id))[0]?.ended_at);
      const requested = request();
      await lockWaits('SELECT "Campaign".%');
      // The request is not awaited: it waits for this lock.
      return { requested };
    });
    return answer.requested;
  }

  describe('by another policy for further attempts', () => {
    test('ends who waits for an attempt that it no longer has, and keeps to its pauses', async () => {
      const id = await create(2, { retry: { ...busy, on: ['dial_busy', 'dial_no_answer'] } });
      const [first, second] = await underWay(id, 2);
      await fail(first, 'dial_busy');
      await fail(second, 'dial_no_answer');
      await reached(id, ({ progress }) => progress.retrying === 2);

      expect(await patch(id, { retry: { ...busy, afterMinutes: [60] } })).toMatchObject({
        progress: { retrying: 1, failed: 1 },
        outcomes: { dial_no_answer: 1 },
      });
      const waiting = (await recipients(id)).find(({ status }) => status === 'retrying');
      const pause = Date.parse(waiting?.next_attempt_at ?? '') - Date.now();
      expect(Math.abs(pause - 60 * 60_000)).toBeLessThan(60_000);

      expect(await patch(id, { retry: null })).toMatchObject({
        progress: { retrying: 0, failed: 2 },
        outcomes: { dial_no_answer: 1, dial_busy: 1 },
      });
      await completed(id);
      expect(await readCalls(id)).toHaveLength(2);
    });

    test('takes back an attempt that no runtime has claimed, and does not affect first calls', async () => {
      const id = await create(2, { retry: busyAtOnce });
      const [first, other] = await underWay(id, 2);
      await fail(first);
      const [, , again] = await underWay(id, 3);
      const offer = await findOffer(again);

      expect(await patch(id, { retry: null })).toMatchObject({
        progress: { failed: 1, queued: 1, retrying: 0, pending: 0 },
        outcomes: { dial_busy: 1 },
      });

      expect((await offer.claim()).type).toBe('call.claim-refused.v1');
      await fail(other);
      expect(await completed(id)).toMatchObject({ progress: { failed: 2 }, outcomes: { dial_busy: 2 } });
      expect((await recipients(id)).map(({ attempts }) => attempts)).toEqual([1, 1]);
    });
  });

  test('calls a recipient again whose call expired at the end of a window that was removed since', async () => {
    const id = await create(1, { windows: openNow() });
    await underWay(id, 1);

    const changed = await betweenExpiryAndRunner(id, () => patch(id, { windows: null }));

    expect(changed).toMatchObject({ progress: { failed: 0 } });
    await underWay(id, 2);
    expect(await recipients(id)).toMatchObject([{ status: 'queued', attempts: 1 }]);
  });

  test('skips who is removed after the call expired at the end of a window', async () => {
    const id = await create(1, { windows: openNow() });
    await underWay(id, 1);

    await betweenExpiryAndRunner(id, () =>
      owner.api.delete(`/api/campaign/${id}/recipients/${encodeURIComponent(NUMBER)}`),
    );

    expect(await completed(id)).toMatchObject({ progress: { skipped: 1, failed: 0 } });
    expect(await recipients(id)).toMatchObject([{ outcome: 'removed', attempts: 0 }]);
  });

  describe('by a number that is listed', () => {
    const endsAsTheCallDid = async (id: string, calls: number) => {
      expect(await completed(id)).toMatchObject({
        progress: { failed: 1, skipped: 0, retrying: 0 },
        outcomes: { dial_busy: 1 },
      });
      expect(await recipients(id)).toMatchObject([{ status: 'failed', outcome: 'dial_busy', attempts: 1 }]);
      expect(await readCalls(id)).toHaveLength(calls);
    };

    test('makes no further attempt after a call during which it was listed', async () => {
      const id = await create(1, { retry: busy });
      const [first] = await underWay(id, 1);
      const call = await (await findOffer(first)).take();

      await list();
      await call.failed({ disconnect_reason: 'dial_busy' });

      await endsAsTheCallDid(id, 1);
    });

    test('keeps the outcome of the call of who waits for another attempt', async () => {
      const id = await create(1, { retry: busy });
      const [first] = await underWay(id, 1);
      await fail(first);
      await reached(id, ({ progress }) => progress.retrying === 1);

      await list();
      await parley.sql('UPDATE campaign_recipients SET next_attempt_at = now() WHERE campaign_id = $1', [id]);

      await endsAsTheCallDid(id, 1);
    });

    test('keeps it also if the other attempt was offered', async () => {
      const id = await create(1, { retry: busyAtOnce });
      const [first] = await underWay(id, 1);
      await fail(first);
      const [, second] = await underWay(id, 2);
      const offer = await findOffer(second);

      await list();

      expect((await offer.claim()).body.reason).toContain('do-not-call list');
      await endsAsTheCallDid(id, 2);
    });
  });

  test('without a difference stays as it is, and names the changes as the form does', async () => {
    const id = await create(1);
    await underWay(id, 1);
    await owner.api.post(`/api/campaign/${id}/pause`);
    const before = await readCampaign(owner.api, id);
    expect(before).toMatchObject({ calls_last_minute: 0 });

    expect((await patch(id, {})).updatedAt).toBe(before.updatedAt);
    await patch(id, { campaignName: 'Renamed' });

    const [changed, paused] = await log(id);
    expect(changed).toMatchObject({ text: 'Changed campaignName.', data: { campaignName: 'Renamed' } });
    expect(paused).toMatchObject({ event: 'paused' });
  });

  test('stores no reason to wait once it is paused', async () => {
    await owner.api.put(`/api/agents/${agentId}`, { type: 'outbound', status: false });
    const id = await create(1);
    await reached(id, ({ waiting }) => waiting?.reason === 'agent_off');
    await until(async () => (await log(id))[0]?.event === 'waiting');

    await whileLocked(id, async (client) => {
      await owner.api.put(`/api/agents/${agentId}`, { type: 'outbound', status: true });
      await lockWaits('%UPDATE campaigns SET waiting =%');
      await client.query(`UPDATE campaigns SET status = 'paused', waiting = NULL WHERE id = $1`, [id]);
    });
    const marker = await create(1);
    await underWay(marker, 1);

    expect((await log(id)).map(({ event }) => event)).toEqual(['waiting', 'begun', 'created']);
  });
});
