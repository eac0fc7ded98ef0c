import { randomUUID } from 'node:crypto';
import { BackgroundLoops } from '../../src/platform/background/background-loops';
import { CallRollupsService } from '../../src/features/calls/counts/call-rollups.service';
import { isTimeZoneName } from '../../src/platform/validation/time-zone';
import { createAgent } from '../support/agents';
import { invalid, outcome, outOfScope } from '../support/answers';
import { AgentCalls } from '../support/calls';
import { addMeasuredCalls, findWrongMeasurements } from '../support/measurements';
import { addPastCalls, withAgents } from '../support/past-calls';
import { type TestWorkspace, useOwnParley } from '../support/parley';

describe('Calls over time', () => {
  const parley = useOwnParley();
  const rollups = () => parley.app.get(CallRollupsService, { strict: false });

  beforeAll(() => {
    // The tests decide when calls are rolled up.
    parley.app.get(BackgroundLoops).stop();
  });

  const get = async ({ api }: TestWorkspace, query: string) => {
    const { status, body } = await api.get(`/api/reports/calls/series?${query}`);
    if (status !== 200) throw new Error(`${query} was answered ${status}: ${JSON.stringify(body)}`);
    return body.data;
  };

  const addEnded = (workspace: TestWorkspace, agentId: string, times: string[], fields = `''`) =>
    addPastCalls(
      parley,
      workspace,
      `SELECT gen_random_uuid() AS id, $2::uuid AS agent_id, time AS created_at, 'phonecall' AS call_type,
              'disconnected' AS status, 60 AS duration_sec, ${fields} AS outcome
       FROM unnest($3::timestamptz[]) AS time`,
      [agentId, times],
    );

  describe('show how long agents took to answer, and what providers did', () => {
    const DEEPGRAM = { stt_provider: 'deepgram', stt_seconds: 30 };
    let workspace: TestWorkspace;
    let agents: readonly [string, string];

    beforeAll(async () => {
      ({ workspace, agents } = await withAgents(parley));
      await workspace.api.put(`/api/agents/${agents[0]}`, { type: 'outbound', prompt: 'Be brief.' });
      const calls = [
        { at: '2026-03-28T23:20:00Z', agent: 0, version: 1, gaps: [0.4, 0.5, 0.6], fields: DEEPGRAM },
        { at: '2026-03-29T08:00:00Z', agent: 0, version: 2, gaps: [1.2, 1.4], fields: DEEPGRAM },
        { at: '2026-03-29T08:05:00Z', agent: 1, version: 1, gaps: [4], fields: { tts_characters: 80 } },
        { at: '2026-03-30T08:00:00Z', agent: 1, version: 1, gaps: [], fields: {} },
      ].map((call) => ({ ...call, id: randomUUID() }));
      await addPastCalls(
        parley,
        workspace,
        `SELECT *, 'phonecall' AS call_type, 'disconnected' AS status, 60 AS duration_sec
         FROM jsonb_to_recordset($2::jsonb) AS past (id uuid, agent_id uuid, agent_version int, created_at timestamptz)`,
        [
          JSON.stringify(
            calls.map(({ id, agent, version, at }) => ({
              id,
              agent_id: agents[agent],
              agent_version: version,
              created_at: at,
            })),
          ),
        ],
      );
      await addMeasuredCalls(
        parley,
        calls.map(({ id, gaps, fields }) => ({
          id,
          fields,
          turns: gaps.flatMap((gap, index): [['user', number, number], ['agent', number, number]] => [
            ['user', index * 20, index * 20 + 5],
            ['agent', index * 20 + 5 + gap, index * 20 + 15],
          ]),
        })),
      );
    });

    const measure = async (query: string) => {
      const { status, body } = await workspace.api.get(`/api/reports/calls/measurements?${query}`);
      if (status !== 200) throw new Error(`${query} was answered ${status}: ${JSON.stringify(body)}`);
      return body.data;
    };
    const near = (ms: number) => ({ asymmetricMatch: (value: number) => Math.abs(value / ms - 1) < 0.15 });

    test('in days of a time zone, by agent and version, and for one of them', async () => {
      const all = await measure('start_date=2026-03-28&end_date=2026-03-30&timezone=Europe/Berlin');
      expect(all.totals).toEqual({
        latency: { turns: 6, p50_ms: near(600), p90_ms: near(4_000), p95_ms: near(4_000) },
        usage: [
          { kind: 'stt_seconds', provider: 'deepgram', amount: 60 },
          { kind: 'tts_characters', provider: '', amount: 80 },
        ],
      });
      // The first call is of the next day in Berlin.
      expect(all.buckets.map(({ groups }: { groups: object[] }) => groups)).toEqual([
        [],
        [{ key: null, turns: 6, p50_ms: near(600), p90_ms: near(4_000), p95_ms: near(4_000) }],
        [],
      ]);
      const utc = await measure('start_date=2026-03-28&end_date=2026-03-30');
      expect(utc.buckets.map(({ groups }: { groups: { turns: number }[] }) => groups[0]?.turns)).toEqual([
        3,
        3,
        undefined,
      ]);

      const versions = await measure('group_by=agent_version');
      expect(
        versions.groups.map(({ key, latency }: { key: string; latency: object }) => [key, latency]),
      ).toEqual([
        [`${agents[0]}/1`, { turns: 3, p50_ms: near(500), p90_ms: near(590), p95_ms: near(600) }],
        [`${agents[0]}/2`, { turns: 2, p50_ms: near(1_300), p90_ms: near(1_400), p95_ms: near(1_400) }],
        [`${agents[1]}/1`, { turns: 1, p50_ms: near(4_000), p90_ms: near(4_000), p95_ms: near(4_000) }],
      ]);
      expect(versions.groups[1].label).toMatch(/ v2$/);
      const one = await measure(`group_by=agent&agent_id=${agents[1]}`);
      expect(one.groups).toMatchObject([{ key: agents[1], latency: { turns: 1 } }]);
      expect((await measure('campaign_id=unknown')).totals.latency.turns).toBe(0);
      expect((await measure('group_by=campaign')).groups).toMatchObject([{ key: null, label: null }]);
      expect(await findWrongMeasurements(parley, workspace.workspaceId)).toEqual([]);
    });

    test('exactly, also when a server of the last release deletes calls, which knows nothing of them', async () => {
      const { totals } = await measure('');
      await parley.sql(
        `DELETE FROM conversations WHERE id IN (
           SELECT conversation_id FROM call_measurements WHERE workspace_id = $1 ORDER BY 1 LIMIT 2)`,
        [workspace.workspaceId],
      );
      expect(await findWrongMeasurements(parley, workspace.workspaceId)).toEqual([]);
      expect((await measure('')).totals.latency.turns).toBeLessThan(totals.latency.turns as number);
    });

    test('and not for what is not counted, in too many buckets, or to a credential of an agent', async () => {
      const get = (query: string) => outcome(workspace.api.get(`/api/reports/calls/measurements?${query}`));
      expect(await get('group_by=outcome')).toMatchObject({ status: 400 });
      expect(await get('direction=inbound')).toMatchObject({ status: 400 });
      expect(await get('start_date=2020-01-01&interval=hour')).toMatchObject({ status: 400 });
      const scoped = parley.scoped(workspace, `agent:${agents[0]}`);
      expect(await outcome(scoped.get('/api/reports/calls/measurements'))).toEqual(outOfScope());
    });
  });

  test('have hours and days of the time zone, also where its clock changes', async () => {
    const { workspace, agents } = await withAgents(parley);
    await addEnded(workspace, agents[0], [
      '2026-03-28T23:30:00Z',
      '2026-03-29T21:59:59Z',
      '2026-03-29T22:00:00Z',
    ]);
    const query = 'start_date=2026-03-28&end_date=2026-03-30&timezone=Europe/Berlin';

    const { buckets, totals } = await get(workspace, query);
    expect(
      buckets.map(({ start, end, groups }: { start: string; end: string; groups: { calls: number }[] }) => [
        start,
        (Date.parse(end) - Date.parse(start)) / 3_600_000,
        groups[0]?.calls,
      ]),
    ).toEqual([
      ['2026-03-27T23:00:00.000Z', 24, 0],
      ['2026-03-28T23:00:00.000Z', 23, 2],
      ['2026-03-29T22:00:00.000Z', 24, 1],
    ]);
    expect(totals).toEqual({
      calls: 3,
      connected: 3,
      failed: 0,
      under_way: 0,
      seconds: 180,
      credits: 3,
      average_duration_sec: 60,
    });
    const autumn = await get(
      workspace,
      'start_date=2026-10-25&end_date=2026-10-25&timezone=Europe/Berlin&interval=hour',
    );
    expect(autumn.buckets).toHaveLength(25);
    const weeks = await get(workspace, 'start_date=2026-04-01&end_date=2026-04-06&interval=week');
    expect(weeks.buckets.map(({ start }: { start: string }) => start)).toEqual([
      '2026-03-30T00:00:00.000Z',
      '2026-04-06T00:00:00.000Z',
    ]);
    // At midnight, the clock of Havana goes back by an hour, and the clock of Beirut goes forward by one.
    const havana = await get(workspace, 'start_date=2026-11-01&end_date=2026-11-01&timezone=America/Havana');
    expect(havana.buckets).toMatchObject([
      { start: '2026-11-01T04:00:00.000Z', end: '2026-11-02T05:00:00.000Z' },
    ]);
    const beirut = await get(workspace, 'start_date=2026-03-29&end_date=2026-03-29&timezone=Asia/Beirut');
    expect(beirut.buckets).toMatchObject([
      { start: '2026-03-28T22:00:00.000Z', end: '2026-03-29T21:00:00.000Z' },
    ]);
  });

  test('refuse a time zone that Postgres does not have', async () => {
    const rows = await parley.sql<{ name: string }>('SELECT lower(name) AS name FROM pg_timezone_names');
    const known = new Set(rows.map(({ name }) => name));
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const short = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
    const others = [
      ...Intl.supportedValuesOf('timeZone'),
      'US/Pacific-New',
      'Canada/East-Saskatchewan',
      'SystemV/PST8',
    ];

    const taken = [...short, ...others].filter(isTimeZoneName);
    expect(taken.length).toBeGreaterThan(400);
    expect(taken.filter((name) => !known.has(name.toLowerCase()))).toEqual([]);
    const { workspace } = await withAgents(parley);
    const refused = await workspace.api.get('/api/reports/calls/series?timezone=IST');
    expect(refused.body).toMatchObject({ status: 400, errors: [{ field: 'query.timezone' }] });
  });

  test('begin with the first call and end now by default', async () => {
    const { workspace, agents } = await withAgents(parley);
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    await addEnded(workspace, agents[0], [daysAgo(3)]);

    const { buckets, totals, as_of } = await get(workspace, '');
    expect(buckets).toHaveLength(4);
    expect(Math.abs(Date.parse(as_of) - Date.now())).toBeLessThan(60_000);
    expect(totals).toMatchObject({ calls: 2, connected: 1, failed: 0, under_way: 1 });
  });

  test('count a call that is being talked as connected and under way', async () => {
    const { workspace } = await withAgents(parley);
    await parley.sql(
      `UPDATE conversations SET status = 'connected', connected_at = now(), token = gen_random_uuid()
       WHERE workspace_id = $1`,
      [workspace.workspaceId],
    );
    const { totals, groups, buckets } = await get(workspace, 'group_by=outcome');
    expect(totals).toMatchObject({ calls: 1, connected: 1, under_way: 1, average_duration_sec: 0 });
    expect(groups).toEqual([{ key: null, label: null }]);
    expect(buckets).toMatchObject([{ groups: [{ key: null, calls: 1, connected: 1 }], other: null }]);
  });

  test('are grouped, with the names of agents and campaigns, and null for calls without one', async () => {
    const { workspace, agents } = await withAgents(parley);
    await parley.sql(`UPDATE agents SET name = 'Desk' WHERE id = $1`, [agents[1]]);
    await addEnded(workspace, agents[1], ['2026-03-01T10:00:00Z', '2026-03-01T11:00:00Z'], `'sold'`);
    await addEnded(workspace, agents[0], ['2026-03-02T10:00:00Z']);
    const days = 'start_date=2026-03-01&end_date=2026-03-02';

    const byAgent = await get(workspace, `${days}&group_by=agent`);
    expect(byAgent.groups).toMatchObject([{ key: agents[1], label: 'Desk' }, { key: agents[0] }]);
    expect(byAgent.buckets[0].groups).toEqual([
      { key: agents[1], calls: 2, connected: 2, failed: 0, seconds: 120, credits: 2 },
      { key: agents[0], calls: 0, connected: 0, failed: 0, seconds: 0, credits: 0 },
    ]);
    const byOutcome = await get(workspace, `${days}&group_by=outcome`);
    expect(byOutcome.groups).toEqual([
      { key: 'sold', label: 'sold' },
      { key: null, label: null },
    ]);
    expect(byOutcome.buckets[1].groups).toMatchObject([
      { key: 'sold', calls: 0 },
      { key: null, calls: 1 },
    ]);
    const byCampaign = await get(workspace, `${days}&group_by=campaign`);
    expect(byCampaign.buckets[0].groups).toMatchObject([{ key: null, calls: 2 }]);
  });

  test('are grouped by the versions of all agents or of one, also where segments count them', async () => {
    const { workspace, agents } = await withAgents(parley);
    for (const [place, agentId] of agents.entries()) {
      const { status } = await workspace.api.put(`/api/agents/${agentId}`, {
        name: ['Desk', 'Sales'][place],
        type: 'outbound',
        prompt: 'Ask for the day.',
      });
      expect(status).toBe(200);
    }
    await addPastCalls(
      parley,
      workspace,
      `SELECT gen_random_uuid() AS id, ($2::uuid[])[1 + n % 2] AS agent_id, 'phonecall' AS call_type,
              1 + (n % 3 = 0)::int AS agent_version, 'disconnected' AS status, 60 AS duration_sec,
              timestamptz '2026-03-01' + n * interval '10 seconds' AS created_at
       FROM generate_series(1, 600) AS n`,
      [agents],
    );
    const days = 'start_date=2026-03-01&end_date=2026-03-01&group_by=agent_version';
    const readCalls = async (query: string) => {
      const { groups, buckets } = await get(workspace, query);
      const [{ groups: counts }] = buckets as [{ groups: { key: string; calls: number }[] }];
      expect(counts.map(({ key }) => key)).toEqual(groups.map(({ key }: { key: string }) => key));
      return groups
        .map(({ label }: { label: string }, place: number) => [label, counts[place]?.calls])
        .sort();
    };
    const expectVersions = async () => {
      const desk = [
        ['Desk v1', 200],
        ['Desk v2', 100],
      ];
      const sales = [
        ['Sales v1', 200],
        ['Sales v2', 100],
      ];
      expect(await readCalls(days)).toEqual([...desk, ...sales]);
      expect(await readCalls(`${days}&agent_id=${agents[1].toUpperCase()}`)).toEqual(sales);
      expect(await readCalls(`${days}&agent_version=2`)).toEqual([desk[1], sales[1]]);
      expect(await readCalls(`${days}&agent_version=2&agent_id=${agents[0]}`)).toEqual([desk[1]]);
    };

    await expectVersions();
    await rollups().rollUp();
    const segments = await parley.sql('SELECT FROM call_segments WHERE workspace_id = $1', [
      workspace.workspaceId,
    ]);
    expect(segments.length).toBeGreaterThan(0);
    await expectVersions();
  });

  test.each([
    ['interval=minute', 'query.interval'],
    ['timezone=Mars/Base', 'query.timezone'],
    ['timezone=%2B01:00', 'query.timezone'],
    ['group_by=worker_id', 'query.group_by'],
    ['start_date=2026-02-30', 'query.start_date'],
    ['end_date=now', 'query.end_date'],
    ['page=2', 'query.page'],
    ['status=gone', 'query.status.0'],
    ['start_date=2026-01-01&end_date=2026-03-25&interval=hour', 'query.interval'],
    ['start_date=0001-01-01&end_date=9999-12-31&interval=hour', 'query.interval'],
  ])('refuse %s, by name', async (query, field) => {
    const workspace = await parley.workspace();
    expect(await outcome(workspace.api.get(`/api/reports/calls/series?${query}`))).toEqual(invalid(field));
  });

  test('have up to 2,000 buckets, and none for a time that ends before it starts', async () => {
    const workspace = await parley.workspace();
    const hours = await get(
      workspace,
      'start_date=2026-01-01T00:00:00Z&end_date=2026-03-25T07:59:00Z&interval=hour',
    );
    expect(hours.buckets).toHaveLength(2_000);
    const none = await get(workspace, 'start_date=2026-01-02&end_date=2026-01-01');
    expect(none).toMatchObject({ buckets: [], totals: { calls: 0 } });
  });

  test('have the 1,000 most frequent outcomes and one sum of the others, each outcome by its first 100 characters', async () => {
    const { workspace, agents } = await withAgents(parley);
    const beginning = 'é'.repeat(100);
    const outcomes = [`${beginning}1`, `${beginning}2`, beginning, 'other', 'other'];
    await addPastCalls(
      parley,
      workspace,
      `SELECT gen_random_uuid() AS id, $2::uuid AS agent_id, 'phonecall' AS call_type, 'disconnected' AS status,
              timestamptz '2026-03-01' + n * interval '10 seconds' AS created_at, 60 AS duration_sec,
              COALESCE(($3::text[])[n], 'one of many ' || n) AS outcome
       FROM generate_series(1, 1105) AS n`,
      [agents[0], outcomes],
    );
    const expectOutcomes = async () => {
      const { totals, groups, buckets } = await get(
        workspace,
        'start_date=2026-03-01&end_date=2026-03-01&group_by=outcome',
      );
      expect(totals.calls).toBe(1_105);
      expect(groups).toHaveLength(1_000);
      expect(groups.slice(0, 2)).toEqual([
        { key: beginning, label: beginning },
        { key: 'other', label: 'other' },
      ]);
      const [bucket] = buckets;
      expect(bucket.groups).toHaveLength(1_000);
      expect(bucket.groups.slice(0, 3)).toMatchObject([{ calls: 3 }, { calls: 2 }, { calls: 1 }]);
      expect(bucket.other).toEqual({ calls: 102, connected: 102, failed: 0, seconds: 6_120, credits: 102 });
      for (const [outcome, calls] of [
        [`${beginning}2`, 1],
        [beginning, 1],
        ['other', 2],
      ] as const) {
        const filter = new URLSearchParams({ outcome, start_date: '2026-03-01' }).toString();
        const { body } = await workspace.api.get(`/api/calls?${filter}`);
        expect([body.pagination.total, body.data.length]).toEqual([calls, calls]);
        expect((await get(workspace, `${filter}&group_by=outcome`)).totals.calls).toBe(calls);
      }
    };

    await expectOutcomes();
    await rollups().rollUp();
    const segments = await parley.sql('SELECT FROM call_segments WHERE workspace_id = $1', [
      workspace.workspaceId,
    ]);
    expect(segments.length).toBeGreaterThan(0);
    await expectOutcomes();
    expect(await rollups().check(workspace.workspaceId)).toEqual([]);
  });

  test('refuse an answer of more than 8 MB', async () => {
    const { workspace, agents } = await withAgents(parley);
    const times = Array.from({ length: 100 }, (_, index) => new Date(1.77e12 + index * 1_000).toISOString());
    await addEnded(workspace, agents[0], times, `time || repeat('😀', 90)`);
    const refused = await workspace.api.get(
      '/api/reports/calls/series?start_date=2025-06-01&end_date=2026-06-01&group_by=outcome',
    );
    expect(refused.body).toMatchObject({
      status: 400,
      errors: [{ field: 'query.group_by', message: expect.stringContaining('8 MB') as string }],
    });
  });

  test('refuse more groups than an answer has space for', async () => {
    const { workspace, agents } = await withAgents(parley);
    const times = Array.from({ length: 150 }, (_, index) => new Date(1.77e12 + index * 1_000).toISOString());
    await addEnded(workspace, agents[0], times, 'gen_random_uuid()::text');
    const query = 'start_date=2025-06-01&end_date=2026-06-01&group_by=outcome';
    expect(await outcome(workspace.api.get(`/api/reports/calls/series?${query}`))).toEqual(
      invalid('query.group_by'),
    );
  });

  test('need an unscoped credential', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);
    await new AgentCalls(workspace.api, agentId).start({ external_id: randomUUID() });
    const scoped = parley.scoped(workspace, `agent:${agentId}`);
    expect(await outcome(scoped.get('/api/reports/calls/series'))).toEqual(outOfScope());
  });
});
