import { type ApiClient } from '../support/client';
import { OperatorProcess } from '../support/operator-process';
import { JWT_SECRET, useOwnParley } from '../support/parley';

const DAYS = 21;
const DAY_MS = 86_400_000;

const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

interface Group {
  key: string | null;
  calls: number;
  connected: number;
  failed: number;
  credits: number;
}

describe('The demo data', () => {
  const parley = useOwnParley();
  let operator: OperatorProcess;
  let first: string;
  let link: string;
  let api: ApiClient;

  const createApi = async (workspaceId: string) => {
    const { apiKey } = (await operator.json('key', 'create', '--workspace', workspaceId)) as {
      apiKey: string;
    };
    return parley.api.with({ 'x-api-key': apiKey });
  };
  const seed = async (...options: string[]) =>
    (await operator.json('demo', 'seed', '--calls', '200', ...options)) as {
      workspaceId: string;
      calls: number;
      url: string;
    };

  beforeAll(async () => {
    operator = new OperatorProcess({ DATABASE_URL: parley.database.url, JWT_SECRET });
    ({ workspaceId: first, url: link } = await seed());
    api = await createApi(first);
  });
  afterAll(() => operator.finish());

  /** The number of days before today, by outcome. */
  const readSeries = async (by: ApiClient) => {
    const query = `start_date=${dayBefore(DAYS)}&end_date=${dayBefore(1)}&interval=day&group_by=outcome`;
    const { status, body } = await by.get(`/api/reports/calls/series?${query}`);
    expect(status).toBe(200);
    return (body as { data: { buckets: { start: string; groups: Group[] }[]; totals: Group } }).data;
  };

  test('has calls on each of the last 21 days, most of which were connected and some failed', async () => {
    const { buckets, totals } = await readSeries(api);

    expect(buckets).toHaveLength(DAYS);
    expect(buckets.filter(({ groups }) => groups.length === 0)).toEqual([]);
    expect(totals.calls).toBeGreaterThan(150);
    expect(totals.connected).toBeGreaterThan(totals.failed);
    expect(totals.failed).toBeGreaterThan(0);
  });

  test('agrees with its rollups, its segments, its ledger and the sums of its agents', async () => {
    expect(await operator.json('rollups', 'check', '--workspace', first)).toEqual({
      workspaces: 1,
      differences: [],
    });
    const [state] = await parley.sql<{ rolled: boolean; segments: number }>(
      `SELECT rolled_up_until > now() - interval '2 days' AS rolled,
              (SELECT count(*)::int FROM call_segments WHERE workspace_id = $1) AS segments
       FROM call_rollup_states WHERE workspace_id = $1`,
      [first],
    );
    expect(state?.rolled).toBe(true);
    expect(state?.segments).toBeGreaterThan(0);
    const [sums] = await parley.sql(
      `SELECT credits, calls_under_way,
              (SELECT sum(amount)::int FROM credit_entries WHERE workspace_id = $1) AS ledger,
              (SELECT min(balance)::int >= 0 FROM (
                 SELECT sum(amount) OVER (ORDER BY id) AS balance FROM credit_entries WHERE workspace_id = $1) AS b) AS covered,
              (SELECT sum(calls)::int FROM agent_call_totals JOIN agents ON id = agent_id WHERE workspace_id = $1)
                - (SELECT count(*)::int FROM conversations WHERE workspace_id = $1) AS uncounted
       FROM workspaces WHERE id = $1`,
      [first],
    );
    expect(sums).toEqual({ credits: 1_000, calls_under_way: 0, ledger: 1_000, covered: true, uncounted: 0 });
  });

  test('has a campaign that is complete, one that is paused and one that was cancelled', async () => {
    const { body } = await api.get('/api/campaign');
    const campaigns = (body as { data: { campaign_id: string; status: string }[] }).data;
    expect(campaigns.map(({ status }) => status)).toEqual(['paused', 'cancelled', 'completed']);

    for (const { campaign_id, status } of campaigns) {
      const detail = (await api.get(`/api/campaign/${campaign_id}`)).body.data;
      const progress = detail.progress as Record<string, number>;
      const counted = await parley.sql<{ key: string; count: number }>(
        `SELECT status AS key, count(*)::int AS count FROM campaign_recipients WHERE campaign_id = $1 GROUP BY 1`,
        [campaign_id],
      );
      const isShown = ([, count]: [string, number]) => count > 0;
      expect(Object.entries(progress).filter(isShown).sort()).toEqual(
        counted.map(({ key, count }) => [key, count] as [string, number]).sort(),
      );
      expect(progress.pending === 0).toBe(status !== 'paused');
      const outcomes = Object.values(detail.outcomes as Record<string, number>);
      expect(outcomes.reduce((sum, count) => sum + count, 0)).toBe(
        (progress.disconnected as number) + (progress.failed as number),
      );
    }
  });

  describe('has recordings', () => {
    const MAX_BYTES = 44 + 300 * 8_000;
    let recording: URL;

    const get = (change: (query: URLSearchParams) => void = () => undefined, init?: RequestInit) => {
      const url = new URL(recording.pathname + recording.search, parley.url);
      change(url.searchParams);
      return fetch(url, init);
    };

    beforeAll(async () => {
      const { body } = await api.get('/api/calls?outcome=renewed&limit=1');
      const { call_id } = (body as { data: [{ call_id: string }] }).data[0];
      recording = new URL((await api.get(`/api/calls/${call_id}`)).body.data.recording_url as string);
    });

    test('that a browser can play without a credential, also in parts', async () => {
      const whole = await get();
      const part = await get(undefined, { headers: { range: 'bytes=44-143' } });

      expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/wav']);
      expect((await whole.arrayBuffer()).byteLength).toBe(Number(whole.headers.get('content-length')));
      expect(Number(whole.headers.get('content-length'))).toBeLessThanOrEqual(MAX_BYTES);
      expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 100]);
    });

    test.each<[string, (query: URLSearchParams) => void]>([
      ['without its signature', (query) => query.delete('signature')],
      ['with a wrong signature', (query) => query.set('signature', 'x'.repeat(43))],
      [
        'with a part of its signature',
        (query) => query.set('signature', query.get('signature')?.slice(0, 20) ?? ''),
      ],
      ['with another length', (query) => query.set('seconds', '1e9')],
      ['with a length of another form', (query) => query.set('seconds', `0${query.get('seconds')}`)],
      ['with two lengths', (query) => query.append('seconds', '9999')],
    ])('of which there is none %s', async (_, change) => {
      const { status } = await get(change);

      expect(status).toBe(404);
    });

    test('of which a longer one, from before there was a limit, has 300 seconds', async () => {
      const { body } = await api.get('/api/calls?outcome=renewed&limit=1&page=2');
      const [{ call_id: callId }] = (body as { data: [{ call_id: string }] }).data;
      const path = `${recording.origin}/demo/recordings/${callId}.wav`;
      const stored = `${path}?seconds=3600`;
      await parley.sql('UPDATE call_recordings SET url = $2 WHERE conversation_id = $1', [callId, stored]);
      const shown = new URL((await api.get(`/api/calls/${callId}`)).body.data.recording_url as string);

      const { status, headers } = await fetch(parley.url + shown.pathname + shown.search, { method: 'HEAD' });

      expect([status, Number(headers.get('content-length'))]).toEqual([200, MAX_BYTES]);
    });
  });

  test('has recipients that a search finds by a part of their names', async () => {
    const [campaign] = (await api.get('/api/campaign')).body.data as [{ campaign_id: string }];
    const { body } = await api.get(`/api/campaign/${campaign.campaign_id}/recipients?limit=1`);
    const [{ phone_number, customer_name }] = body.data as [{ phone_number: string; customer_name: string }];
    const part = customer_name.toUpperCase().slice(1);
    const found = await api.get(`/api/recipients?search=${encodeURIComponent(part)}&limit=100`);
    expect(found.body.data).toContainEqual(expect.objectContaining({ phone_number, customer_name }));
  });

  test('shows a call with its transcript, its recording and its webhooks', async () => {
    const { body } = await api.get('/api/calls?outcome=renewed&limit=1');
    const [{ call_id: id }] = (body as { data: [{ call_id: string }] }).data;

    const transcript = (await api.get(`/api/calls/${id}/transcript`)).body.data;
    expect(transcript).toMatchObject({ complete: true, truncated: false });
    expect(transcript.turns.map(({ speaker }: { speaker: string }) => speaker).slice(0, 2)).toEqual([
      'agent',
      'user',
    ]);
    const { recording_url: recording, duration_sec: seconds } = (await api.get(`/api/calls/${id}`)).body.data;
    expect(recording).toContain(`/demo/recordings/${id}.wav?seconds=${seconds}&signature=`);
    const timeline = (await api.get(`/api/calls/${id}/timeline`)).body.data as { data: object }[];
    expect(timeline.map(({ data }) => data)).toContainEqual(
      expect.objectContaining({ recording_url: recording, duration_sec: seconds }),
    );
    const deliveries = (await api.get(`/api/webhooks/deliveries?conversation_id=${id}`)).body.data;
    expect(deliveries.map(({ type }: { type: string }) => type).sort()).toEqual([
      'call.ended',
      'call.started',
    ]);
    const delivery = (await api.get(`/api/webhooks/deliveries/${deliveries[0].delivery_id}`)).body.data;
    expect(delivery.attempts.at(-1)).toMatchObject({ answer: { headers: { server: 'nginx' } } });
    const [{ pending }] = (await parley.sql<{ pending: number }>(
      `SELECT count(*)::int AS pending FROM webhook_deliveries WHERE workspace_id = $1 AND status = 'pending'`,
      [first],
    )) as [{ pending: number }];
    expect(pending).toBe(0);
  });

  test('is the same for a seed, another one for another seed, and never added twice', async () => {
    const { workspaceId } = await parley.workspace();
    const settings = { DATABASE_URL: parley.database.url, JWT_SECRET };
    const rival = new OperatorProcess(settings);
    const args = ['demo', 'seed', '--calls', '200', '--workspace', workspaceId];
    const atOnce = await Promise.all([operator.run(args), rival.run(args)]);
    await rival.finish();
    expect(atOnce.map(({ code }) => code).sort()).toEqual([0, 1]);
    const groups = async (by: ApiClient) => (await readSeries(by)).buckets.map((bucket) => bucket.groups);
    expect(await groups(await createApi(workspaceId))).toEqual(await groups(api));
    const other = await seed('--seed', 'another');
    expect(await groups(await createApi(other.workspaceId))).not.toEqual(await groups(api));

    const again = await operator.run(['demo', 'seed', '--workspace', first]);
    expect({ code: again.code, stdout: again.stdout }).toEqual({ code: 1, stdout: '' });
    expect(again.stderr).toContain('only put into a workspace without calls');
  });

  test('prints a link that signs in once, and is recorded in the audit', async () => {
    const token = new URL(link).hash.replace('#token=', '');
    const headers = { 'x-parley-session': '1', origin: parley.url };
    expect((await parley.api.with(headers).post('/api/session', { token })).status).toBe(201);
    const { body } = await api.get('/api/audit?action=workspace.demo_data_added');
    expect(body.data).toMatchObject([{ details: { calls: 200, seed: 'parley' } }]);
  });
});
