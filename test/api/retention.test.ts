import { Client } from 'pg';
import { CallRollupsService } from '../../src/features/calls/counts/call-rollups.service';
import { CallsRepository } from '../../src/features/calls/lifecycle/calls.repository';
import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { RetentionCleaner } from '../../src/features/retention/retention-cleaner';
import { MAX_COUNTED } from '../../src/features/retention/workspace-retention.entity';
import { createAgent } from '../support/agents';
import { outcome, succeeded } from '../support/answers';
import { AgentCalls } from '../support/calls';
import { campaignReached, createCampaign, csv, readCampaign } from '../support/campaigns';
import { expectExact } from '../support/counted-calls';
import { findWrongMeasurements, addMeasuredCalls } from '../support/measurements';
import { readLedger } from '../support/ledger';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { addRandomCalls, areCorrected, reportLate, withAgents } from '../support/past-calls';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { TakenCall, TestWorker } from '../support/worker';

const DAY_MS = 86_400_000;
const FOR_EVER = { transcripts_days: null, recordings_days: null, calls_days: null };

/** The time this many days ago, with an hour more than the margin of the retention. */
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS - 2 * 3_600_000).toISOString();

describe('The retention of calls', () => {
  const parley = useOwnParley({ CAMPAIGN_INTERVAL_MS: '50' });
  const worker = useStarted(() => TestWorker.start(parley));

  const clean = () => parley.app.get(RetentionCleaner, { strict: false }).clean();
  const sweep = () => parley.app.get(CallsRepository, { strict: false });
  const rollups = () => parley.app.get(CallRollupsService, { strict: false });
  const set = ({ api }: TestWorkspace, fields: object) =>
    outcome(api.put('/api/workspace/retention', { ...FOR_EVER, ...fields }));
  const count = async (table: string, { workspaceId }: TestWorkspace) => {
    const text = `SELECT count(*)::int AS count FROM ${table} WHERE workspace_id = $1`;
    return (await parley.sql<{ count: number }>(text, [workspaceId]))[0]?.count;
  };

  async function withCalls() {
    const workspace = await parley.workspace();
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    const taken = async () => (await worker.findOffer(await calls.start())).take();
    const read = async ({ conversationId }: TakenCall) =>
      (await workspace.api.get(`/api/calls/${conversationId}`)).body.data;
    const transcript = async ({ conversationId }: TakenCall) =>
      (await workspace.api.get(`/api/calls/${conversationId}/transcript`)).body.data.turns as object[];
    /** A call with a transcript and a recording. */
    async function recorded() {
      const call = await taken();
      await call.connected();
      await call.transcript([{ sequence: 1, speaker: 'user', text: 'Hello', started_at: daysAgo(0) }]);
      await call.report(MESSAGE_TYPES.recorded, { recording_url: 'https://example.com/1.wav' });
      await until(async () => (await transcript(call)).length === 1 && (await read(call)).has_recording);
      return call;
    }
    async function ended(call: TakenCall, days: number) {
      await call.ended();
      await calls.reached(call.conversationId, 'disconnected');
      await aged(call, days);
    }
    const aged = ({ conversationId }: TakenCall, days: number) =>
      parley.sql(
        'UPDATE conversations SET created_at = $2, ended_at = CASE WHEN ended_at IS NOT NULL THEN $2::timestamptz END WHERE id = $1',
        [conversationId, daysAgo(days)],
      );
    /** The runtime of the call was silent for too long. */
    async function losing({ conversationId: id }: TakenCall) {
      await calls.reached(id, 'connected');
      await parley.sql(`UPDATE conversations SET heartbeat_at = now() - interval '1 hour' WHERE id = $1`, [
        id,
      ]);
      expect(await sweep().endLost({ id, status: 'connected' }, 60)).toBe(true);
    }
    return { workspace, calls, taken, recorded, ended, aged, losing, read, transcript };
  }

  test('is for ever until it is set, and all three times are set together', async () => {
    const workspace = await parley.workspace();
    const get = () => outcome(workspace.api.get('/api/workspace/retention'));
    expect(await get()).toEqual(succeeded('Retention', FOR_EVER));

    const days = { transcripts_days: 90, recordings_days: 1, calls_days: 36_500 };
    expect(await set(workspace, days)).toEqual(succeeded('Retention set', days));
    expect(await get()).toEqual(succeeded('Retention', days));
    await set(workspace, days);

    const [entry, other] = (await workspace.api.get('/api/audit?action=workspace.retention_set')).body.data;
    expect(entry).toMatchObject({ target: { kind: 'workspace', id: workspace.workspaceId }, details: days });
    expect(other).toBeUndefined();
  });

  test.each([
    ['no days', { calls_days: 0 }, 'body.calls_days'],
    ['more than a hundred years', { transcripts_days: 36_501 }, 'body.transcripts_days'],
    ['half a day', { recordings_days: 0.5 }, 'body.recordings_days'],
    ['a missing time', { calls_days: undefined }, 'body.calls_days'],
    ['another field', { turns_days: 1 }, 'body.turns_days'],
  ])('is not set to %s', async (_, fields, field) => {
    const workspace = await parley.workspace();

    expect(await set(workspace, fields)).toMatchObject({
      status: 400,
      body: { error_code: 'VALIDATION_FAILED', errors: [{ field }] },
    });
  });

  test('of transcripts is also that of what was said to tools', async () => {
    const { workspace, taken, ended } = await withCalls();
    const [old, recent] = [await taken(), await taken()];
    for (const { conversationId } of [old, recent])
      await parley.sql(
        `INSERT INTO tool_invocations (id, workspace_id, conversation_id, agent_id, tool_id, tool, key, same_as, arguments,
                                       state, result, variables, lease_ms, lease_until, settled_at, settled_by)
         SELECT gen_random_uuid(), workspace_id, id, agent_id, gen_random_uuid(), 'book_table', 'Ada', 'hash',
                '{"name": "Ada"}', 'done', '"Ada"', '{"guest": "Ada"}', 1, now(), now(), 'server'
         FROM conversations WHERE id = $1`,
        [conversationId],
      );
    for (const call of [old, recent]) await call.connected();
    await ended(old, 9);
    await ended(recent, 5);
    await set(workspace, { ...FOR_EVER, transcripts_days: 7 });

    await clean();

    const list = async ({ conversationId }: TakenCall) =>
      (await workspace.api.get(`/api/calls/${conversationId}/tools`)).body.data;
    expect(await list(old)).toMatchObject([{ state: 'done', arguments: {}, result: null, variables: {} }]);
    expect(await list(recent)).toMatchObject([{ arguments: { name: 'Ada' }, result: 'Ada' }]);
    const rows = await parley.sql(`SELECT key, same_as FROM tool_invocations WHERE conversation_id = $1`, [
      old.conversationId,
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/Ada|hash/);
  });

  test('of transcripts is also that of the findings, which repeat what was said', async () => {
    const { workspace, calls, taken, read, ended } = await withCalls();
    await workspace.api.put(`/api/agents/${calls.agentId}/analysis`, {
      fields: [{ name: 'guest', type: 'string', description: 'The guest.' }],
      criteria: [{ name: 'consent', text: 'The person agreed.' }],
    });
    const [old, recent] = [await taken(), await taken()];
    for (const call of [old, recent]) {
      await call.connected();
      await call.report(MESSAGE_TYPES.analyzed, { fields: { guest: 'Ada' } });
    }
    await ended(old, 9);
    await ended(recent, 5);
    for (const call of [old, recent]) await until(async () => (await read(call)).findings);
    await set(workspace, { ...FOR_EVER, transcripts_days: 7 });

    await clean();

    expect((await read(old)).findings).toEqual({ fields: {}, criteria: {} });
    const ofOld = [old.conversationId];
    await parley.sql('INSERT INTO due_findings (conversation_id, due_at) VALUES ($1, now())', ofOld);
    const due = () => parley.sql('SELECT FROM due_findings WHERE conversation_id = $1', ofOld);
    await until(async () => (await due()).length === 0);
    expect((await read(old)).findings).toEqual({ fields: {}, criteria: {} });
    expect((await read(old)).analysis).toEqual({ guest: 'Ada' });
    expect((await read(recent)).findings.fields.guest).toEqual({ value: 'Ada', reason: null });
  });

  describe('is previewed', () => {
    const preview = async ({ api }: TestWorkspace, query: string) =>
      (await api.get(`/api/workspace/retention/preview?${query}`)).body.data;
    const due = (calls: number, transcripts: number, recordings: number) => ({
      calls: { count: calls, exact: true },
      transcripts: { count: transcripts, exact: true },
      recordings: { count: recordings, exact: true },
    });

    test('with the data that it would remove, and removes nothing', async () => {
      const { workspace, taken, recorded, ended } = await withCalls();
      await ended(await recorded(), 9);
      await ended(await recorded(), 5);
      await ended(await taken(), 5);
      await recorded();
      const other = await withCalls();
      await other.ended(await other.recorded(), 9);

      expect(await preview(workspace, '')).toEqual(due(0, 0, 0));
      expect(await preview(workspace, 'calls_days=10')).toEqual(due(0, 0, 0));
      expect(await preview(workspace, 'transcripts_days=7&recordings_days=2')).toEqual(due(0, 1, 2));
      // A transcript or recording that is deleted with its call counts too.
      expect(await preview(workspace, 'transcripts_days=7&calls_days=2')).toEqual(due(3, 2, 2));
      expect((await workspace.api.get('/api/workspace/retention')).body.data).toEqual(FOR_EVER);
      expect(await count('conversations', workspace)).toBe(4);

      await set(workspace, { transcripts_days: 7, calls_days: 8 });
      await clean();
      expect(await preview(workspace, 'transcripts_days=7&calls_days=2')).toEqual(due(2, 1, 1));
    });

    test('with a lower bound where there are very many calls', async () => {
      const { workspace, recorded, ended } = await withCalls();
      const call = await recorded();
      await ended(call, 5);
      await parley.sql(
        `INSERT INTO conversations (id, workspace_id, agent_id, user_id, status, call_type, direction, channel, to_number,
                                    from_number, request, agent_version, hold, created_at, expires_at, last_publish_at,
                                    ended_at, disconnect_reason, disconnected_by)
         SELECT gen_random_uuid(), workspace_id, agent_id, user_id, 'failed', call_type, direction, channel, to_number,
                from_number, request, agent_version, hold, created_at, expires_at, last_publish_at, ended_at,
                'dial_busy', 'user'
         FROM conversations CROSS JOIN generate_series(1, $2) WHERE id = $1`,
        [call.conversationId, MAX_COUNTED],
      );

      const { calls } = await preview(workspace, 'calls_days=2');

      expect(calls).toEqual({ count: MAX_COUNTED, exact: false });
    });

    test.each(['calls_days=0', 'calls_days=soon', 'transcripts_days=36501', 'days=1'])(
      'only for times that can be set: not for %s',
      async (query) => {
        const { api } = await parley.workspace();

        expect((await api.get(`/api/workspace/retention/preview?${query}`)).body).toMatchObject({
          status: 400,
          error_code: 'VALIDATION_FAILED',
          errors: [{ field: `query.${query.split('=')[0]}` }],
        });
      },
    );
  });

  test('removes transcripts and recordings after their own times, and leaves the call', async () => {
    const { workspace, recorded, ended, read, transcript } = await withCalls();
    const [old, young] = [await recorded(), await recorded()];
    await ended(old, 3);
    await ended(young, 1);

    await set(workspace, { transcripts_days: 3 });
    await clean();
    expect([await transcript(old), await transcript(young)]).toMatchObject([[], [{}]]);
    expect([await read(old), await read(young)]).toMatchObject([
      { has_recording: true },
      { has_recording: true },
    ]);

    await set(workspace, { recordings_days: 2 });
    await clean();
    expect([await read(old), await read(young)]).toMatchObject([
      { has_recording: false, recording_url: null, status: 'disconnected', to_number: '+15551234567' },
      { has_recording: true },
    ]);
    expect(await transcript(young)).toHaveLength(1);
  });

  test('refuses a recording that is reported later than it may be kept', async () => {
    const { workspace, taken, ended, read } = await withCalls();
    const [old, young] = [await taken(), await taken()];
    await ended(old, 3);
    await ended(young, 1);
    await set(workspace, { recordings_days: 2 });

    for (const call of [old, young])
      await call.report(MESSAGE_TYPES.recorded, { recording_url: 'https://example.com/1.wav' });

    await until(async () => (await read(young)).has_recording);
    expect(await read(old)).toMatchObject({ has_recording: false });
  });

  test('comes back to a call that was under way, behind those that are done', async () => {
    const { workspace, recorded, ended, aged, transcript } = await withCalls();
    const [long, old] = [await recorded(), await recorded()];
    await aged(long, 9);
    await ended(old, 8);
    await set(workspace, { transcripts_days: 2 });
    await parley.sql(
      `UPDATE workspace_retention SET changed_at = now() - interval '2 minutes' WHERE workspace_id = $1`,
      [workspace.workspaceId],
    );

    await clean();
    expect([await transcript(long), await transcript(old)]).toMatchObject([[{}], []]);

    await ended(long, 9);
    await clean();
    expect(await transcript(long)).toEqual([]);
    const [{ until: done } = { until: new Date(0) }] = await parley.sql<{ until: Date }>(
      'SELECT transcripts_until AS until FROM workspace_retention WHERE workspace_id = $1',
      [workspace.workspaceId],
    );
    expect(done.getTime()).toBeGreaterThan(Date.parse(daysAgo(9)));
  });

  test('deletes calls so that lists, statistics and the check of the rollups agree with the rest', async () => {
    const { workspace, agents } = await withAgents(parley);
    const lost = await addRandomCalls(parley, workspace, agents, 1_500);
    const reported = lost.slice(0, 40);
    for (const half of [reported.slice(0, 20), reported.slice(20)]) {
      await Promise.all(half.map((call) => reportLate(parley, call)));
      await areCorrected(parley, half);
      await rollups().rollUp();
    }
    const [before, ledger] = [
      await count('conversations', workspace),
      await readLedger(parley, workspace.workspaceId),
    ];
    expect(await count('call_segments', workspace)).toBeGreaterThan(1);
    const ended = await parley.sql<{ id: string }>(
      'SELECT id FROM conversations WHERE workspace_id = $1 AND ended_at IS NOT NULL',
      [workspace.workspaceId],
    );
    await addMeasuredCalls(
      parley,
      ended.map(({ id }, index) => ({
        id,
        turns: [
          ['user', 0, 1],
          ['agent', 1 + (index % 50) / 10, 9],
        ],
        fields: { llm_tokens: index % 7, llm_provider: 'openai' },
      })),
    );
    expect(await findWrongMeasurements(parley, workspace.workspaceId)).toEqual([]);
    // A time in the middle of the calls.
    const days = Math.floor((Date.now() - Date.parse('2026-03-02T13:00:00Z')) / DAY_MS);

    await set(workspace, { calls_days: days });
    await clean();

    const left = (await count('conversations', workspace)) as number;
    expect(left).toBeLessThan(before as number);
    expect(left).toBeGreaterThan(41);
    await expectExact(parley, workspace);
    expect(await rollups().check(workspace.workspaceId)).toEqual([]);
    expect(await findWrongMeasurements(parley, workspace.workspaceId)).toEqual([]);
    const measured = (await workspace.api.get('/api/reports/calls/measurements')).body.data;
    expect(measured.totals.latency.turns).toBe(left - 1);
    const { body } = await workspace.api.get('/api/calls?outcome=booked&limit=1');
    const booked = await parley.sql(
      `SELECT FROM conversations WHERE workspace_id = $1 AND outcome = 'booked'`,
      [workspace.workspaceId],
    );
    expect(body.pagination).toMatchObject({ total: booked.length });

    // Calls that ended recently stay, and so does the call that is queued.
    await set(workspace, { calls_days: 1 });
    await clean();
    expect(await count('conversations', workspace)).toBe(41);
    expect(await rollups().check(workspace.workspaceId)).toEqual([]);
    expect(await readLedger(parley, workspace.workspaceId)).toEqual(ledger);

    await parley.sql(
      `UPDATE conversations SET ended_at = created_at WHERE workspace_id = $1 AND ended_at IS NOT NULL`,
      [workspace.workspaceId],
    );
    await clean();
    expect(await count('conversations', workspace)).toBe(1);
    const sums = await parley.sql(
      `SELECT FROM call_rollups WHERE workspace_id = $1 AND (connected, failed, seconds, credits) <> (0, 0, 0, 0)`,
      [workspace.workspaceId],
    );
    expect(sums).toEqual([]);
    for (const table of [
      'call_rollups',
      'call_segments',
      'call_segment_durations',
      'call_duration_corrections',
      'call_measurements',
      'measurement_rollups',
    ]) {
      expect([table, await count(table, workspace)]).toEqual([table, 0]);
    }
    expect(await count('call_values', workspace)).toBe(0);
  });

  test('deletes a call after as many days as the answer names, and ignores later reports', async () => {
    const { workspace, taken, ended, read } = await withCalls();
    const [old, young] = [await taken(), await taken()];
    await ended(old, 1);
    await ended(young, 0);
    await set(workspace, { calls_days: 1 });
    await old.report(MESSAGE_TYPES.analyzed, { fields: {}, opt_out: true });
    await young.report(MESSAGE_TYPES.analyzed, { fields: { mood: 'fine' } });
    await until(async () => (await read(young)).analysis !== null);

    await clean();

    expect(await read(old)).toBeUndefined();
    expect(await read(young)).toMatchObject({ status: 'disconnected' });
    expect((await workspace.api.get('/api/do-not-call')).body.data).toEqual([]);
  });

  test('leaves the counts of a campaign, and the calls of those whom it calls again', async () => {
    const { workspace, calls, ended, aged, losing, read } = await withCalls();
    const numbers = ['+15552000010', '+15552000011', '+15552000012'];
    const retry = { on: ['dial_busy'], max: 1, afterMinutes: [10_000] };
    const file = csv(['phone_number', ...numbers].join('\n'));
    const id = await createCampaign(workspace.api, calls.agentId, file, { retry: JSON.stringify(retry) });
    const recipients = async () =>
      (await workspace.api.get(`/api/campaign/${id}/recipients`)).body.data as { last_call_id: string }[];
    await until(async () => (await recipients()).every(({ last_call_id }) => last_call_id));
    const [busy, lost, done] = await Promise.all(
      (await recipients()).map(async ({ last_call_id }) => (await worker.findOffer(last_call_id)).take()),
    );
    if (!busy || !lost || !done) throw new Error('A recipient was not called.');
    await busy.failed();
    await ended(done, 9);
    await lost.connected();
    await losing(lost);
    await campaignReached(
      workspace.api,
      id,
      ({ progress }) => progress.retrying === 1 && progress.disconnected === 2,
    );
    await until(
      async () => (await parley.sql(`SELECT FROM campaign_recipients WHERE status = 'lost'`)).length === 1,
    );
    for (const call of [busy, lost]) await aged(call, 9);
    const before = await readCampaign(workspace.api, id);
    const { body } = await workspace.api.get('/api/workspace/retention/preview?calls_days=8');
    expect(body.data.calls).toEqual({ count: 2, exact: true });

    await set(workspace, { calls_days: 8 });
    await clean();

    expect(await read(done)).toBeUndefined();
    expect(await read(lost)).toBeUndefined();
    expect(await read(busy)).toMatchObject({ status: 'failed' });
    const after = await readCampaign(workspace.api, id);
    expect(after.progress).toEqual(before.progress);
    expect(after.outcomes).toEqual(before.outcomes);
    expect((await recipients()).map(({ last_call_id }) => last_call_id)).toEqual([
      busy.conversationId,
      null,
      null,
    ]);
  });

  test('does not delay calls, nor a late report, while a step is held up', async () => {
    const { workspace, calls, taken, recorded, ended, losing, read } = await withCalls();
    const [old, late] = [await recorded(), await taken()];
    await ended(old, 9);
    await late.connected();
    await losing(late);
    await set(workspace, { calls_days: 8 });
    const client = new Client(parley.database.url);
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM transcript_turns WHERE conversation_id = $1 FOR UPDATE', [
      old.conversationId,
    ]);

    const cleaning = clean();
    await until(async () => {
      const text = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return (await parley.sql(text)).length > 0;
    });
    const call = await taken();
    await call.ended();
    await calls.reached(call.conversationId, 'disconnected');
    await late.ended();
    await until(async () => (await read(late)).disconnect_reason === 'user_hangup');

    await client.query('COMMIT');
    await client.end();
    await cleaning;
    expect(await read(old)).toBeUndefined();
  });
});
