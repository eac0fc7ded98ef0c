import { createAgent } from '../support/agents';
import { campaignReached, createCampaign, readCampaign, recipientsFile } from '../support/campaigns';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { type TakenCall, TestWorker } from '../support/worker';

type Shown = Awaited<ReturnType<typeof readCampaign>>;

const sumCounts = (counts: Record<string, number>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

const retryAfter = (...on: string[]) => JSON.stringify({ on, max: 3, afterMinutes: [60] });

describe('The results of a campaign', () => {
  const parley = useOwnParley({ CAMPAIGN_INTERVAL_MS: '50', SWEEP_INTERVAL_MS: '50' });
  const worker = useStarted(() => TestWorker.start(parley));
  let owner: TestWorkspace;

  beforeEach(async () => {
    owner = await parley.workspace();
  });

  const create = async (count: number, fields: Record<string, string> = {}) =>
    createCampaign(owner.api, await createAgent(owner), recipientsFile(count), {
      concurrency: '100',
      ...fields,
    });
  /** The calls of the attempt, in the order of the numbers. */
  async function takeCalls(id: string, count: number, attempt = 1): Promise<TakenCall[]> {
    const calls = await until(async () => {
      const rows = await parley.sql<{ id: string }>(
        'SELECT id FROM conversations WHERE campaign_id = $1 AND attempt = $2 ORDER BY to_number, created_at DESC',
        [id, attempt],
      );
      return rows.length >= count && rows;
    });
    return Promise.all(calls.slice(0, count).map(async (call) => (await worker.findOffer(call.id)).take()));
  }
  /** Waits for the condition. The counts add up at each moment. */
  const reached = async (id: string, condition: (campaign: Shown) => boolean): Promise<Shown> =>
    campaignReached(owner.api, id, (campaign) => {
      const { progress, results, outcomes, retrying_outcomes } = campaign;
      expect(sumCounts(progress as Record<string, number>)).toBe(campaign.recipientCount);
      expect(sumCounts(results as Record<string, number>)).toBe(progress.disconnected);
      expect(sumCounts(outcomes as Record<string, number>)).toBe(progress.disconnected + progress.failed);
      expect(sumCounts(retrying_outcomes as Record<string, number>)).toBe(progress.retrying);
      return condition(campaign);
    });
  const settled = (id: string) =>
    until(
      async () =>
        (
          await parley.sql(
            `SELECT FROM campaign_recipients WHERE campaign_id = $1 AND status IN ('calling', 'lost')`,
            [id],
          )
        ).length === 0,
    );
  const makeDue = (id: string) =>
    parley.sql(
      `UPDATE campaign_recipients SET next_attempt_at = now() WHERE campaign_id = $1 AND status = 'retrying'`,
      [id],
    );
  const readResults = async (id: string, query = '') =>
    ((await owner.api.get(`/api/campaign/${id}/recipients${query}`)).body.data as Shown[]).map(
      ({ result }) => result as string | null,
    );

  test('distinguish persons who were reached from voicemails and silence, whatever outcome the runtime reports', async () => {
    const id = await create(5);
    const [person, voicemail, silence, busy, running] = await takeCalls(id, 5);
    await person?.ended({ outcome: 'booked' });
    await voicemail?.ended({ disconnect_reason: 'voicemail_reached', outcome: 'left_message' });
    await silence?.ended({ disconnect_reason: 'inactivity', disconnected_by: 'system' });
    await busy?.failed();

    const results = { reached: 1, voicemail: 1, inactivity: 1 };
    expect(
      await reached(id, ({ progress }) => progress.disconnected === 3 && progress.failed === 1),
    ).toMatchObject({ results, outcomes: { booked: 1, left_message: 1, inactivity: 1, dial_busy: 1 } });
    await running?.ended();
    expect(await reached(id, ({ status }) => status === 'completed')).toMatchObject({
      results: { ...results, reached: 2 },
    });
    const { data } = (await owner.api.get('/api/campaign?include=progress')).body;
    expect(data).toMatchObject([{ results: { ...results, reached: 2 } }]);
    expect(await readResults(id)).toEqual(['reached', 'voicemail', 'inactivity', null, 'reached']);
    expect(await readResults(id, '?result=voicemail')).toEqual(['voicemail']);
    expect(await readResults(id, '?result=reached&status=disconnected')).toEqual(['reached', 'reached']);
    expect(await readResults(id, '?result=reached&status=failed')).toEqual([]);
    expect(await readResults(id, '?result=voicemail&search=%2B1')).toEqual(['voicemail']);
    const file = await owner.api.get(`/api/campaign/${id}/recipients/export?format=csv&result=voicemail`);
    expect((file.body as string).trimEnd().split('\r\n')).toEqual([
      'phone_number,customer_name,status,attempts,last_call_id,next_attempt_at,outcome,result',
      expect.stringMatching(/,left_message,voicemail$/),
    ]);
  });

  test('stay when the call of a recipient is deleted, whose own result is lost', async () => {
    const id = await create(2);
    const [person, voicemail] = await takeCalls(id, 2);
    await person?.ended();
    await voicemail?.ended({ disconnect_reason: 'voicemail_reached' });
    await reached(id, ({ status }) => status === 'completed');
    await settled(id);

    await parley.sql('UPDATE campaign_recipients SET conversation_id = NULL WHERE campaign_id = $1', [id]);

    expect(await readCampaign(owner.api, id)).toMatchObject({
      results: { reached: 1, voicemail: 1, inactivity: 0 },
    });
    expect(await readResults(id)).toEqual([null, null]);
  });

  test('count how the last calls ended of those who will be called again, until they are', async () => {
    const id = await create(3, { retry: retryAfter('dial_busy', 'voicemail_reached') });
    const [busy, voicemail, other] = await takeCalls(id, 3);
    await busy?.failed();
    await voicemail?.ended({ disconnect_reason: 'voicemail_reached' });
    await other?.failed({ disconnect_reason: 'dial_no_answer' });
    const both = { dial_busy: 1, voicemail_reached: 1 };
    const nobody = { reached: 0, voicemail: 0, inactivity: 0 };
    expect(await reached(id, ({ progress }) => progress.retrying === 2)).toMatchObject({
      retrying_outcomes: both,
      outcomes: { dial_no_answer: 1 },
      results: nobody,
    });
    await settled(id);
    expect((await readCampaign(owner.api, id)).retrying_outcomes).toEqual(both);

    await makeDue(id);
    const again = await takeCalls(id, 2, 2);
    expect((await reached(id, ({ progress }) => progress.accepted === 2)).retrying_outcomes).toEqual({});
    await again[0]?.ended({ disconnect_reason: 'voicemail_reached' });
    await again[1]?.ended();

    expect(
      await reached(id, ({ progress }) => progress.retrying === 1 && progress.disconnected === 1),
    ).toMatchObject({
      retrying_outcomes: { voicemail_reached: 1 },
      outcomes: { dial_no_answer: 1, user_hangup: 1 },
      results: { ...nobody, reached: 1 },
    });
    await owner.api.post(`/api/campaign/${id}/cancel`);
    expect(await reached(id, ({ progress }) => progress.disconnected === 2)).toMatchObject({
      retrying_outcomes: {},
      results: { reached: 1, voicemail: 1, inactivity: 0 },
    });
  });

  test('follow a further attempt that is taken back, a recipient who is removed, and a changed policy', async () => {
    const id = await create(3, { retry: retryAfter('dial_busy') });
    for (const call of await takeCalls(id, 3)) await call.failed();
    await reached(id, ({ progress }) => progress.retrying === 3);
    await settled(id);
    await makeDue(id);
    await reached(id, ({ progress }) => progress.queued === 3);

    await owner.api.post(`/api/campaign/${id}/pause`);
    expect(await reached(id, ({ progress }) => progress.retrying === 3)).toMatchObject({
      retrying_outcomes: { dial_busy: 3 },
    });
    const { data } = (await owner.api.get(`/api/campaign/${id}/recipients?limit=1`)).body;
    await owner.api.delete(`/api/campaign/${id}/recipients/${encodeURIComponent(data[0].phone_number)}`);
    expect(await reached(id, ({ progress }) => progress.skipped === 1)).toMatchObject({
      retrying_outcomes: { dial_busy: 2 },
      outcomes: {},
    });
    await owner.api.send('PATCH', `/api/campaign/${id}`, { retry: null });

    expect(await reached(id, ({ progress }) => progress.failed === 2)).toMatchObject({
      retrying_outcomes: {},
      outcomes: { dial_busy: 2 },
    });
  });

  test('name at most 50 outcomes, and find each of them again', async () => {
    const count = 53;
    const id = await create(count, { retry: retryAfter('user_hangup') });
    const calls = await takeCalls(id, count);
    await Promise.all(calls.map((call, index) => call.ended({ outcome: `outcome ${index}` })));
    await reached(id, ({ progress }) => progress.retrying === count);
    await settled(id);
    const { retrying_outcomes } = await readCampaign(owner.api, id);
    expect(Object.keys(retrying_outcomes as object)).toHaveLength(51);
    expect(retrying_outcomes.other).toBe(3);

    await owner.api.post(`/api/campaign/${id}/cancel`);

    const cancelled = await reached(id, ({ progress }) => progress.disconnected === count);
    expect(cancelled).toMatchObject({ retrying_outcomes: {}, results: { reached: count } });
  });
});
