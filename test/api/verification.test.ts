import { VerificationLoopModule } from '../../src/features/verification/verification-loop.module';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { createCampaign, recipientsFile } from '../support/campaigns';
import { OperatorProcess } from '../support/operator-process';
import { JWT_SECRET, type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { answeringStatus, WebhookReceiver } from '../support/webhook-receiver';
import { Webhooks } from '../support/webhooks';
import { TestWorker } from '../support/worker';

interface Verification {
  checked: Record<string, number>;
  violations: { check: string; workspace_id: string; id: string; detail: string }[];
}

/** SQL: adds invocations to a call of the workspace; of each column, SQL that may name their number `n`. */
function insertInvocations(columns: Record<string, string>, number = 1): string {
  const all = {
    ...{ id: 'gen_random_uuid()', workspace_id: 'workspace_id', conversation_id: 'id', agent_id: 'agent_id' },
    ...{ tool: `'book_table'`, key: 'gen_random_uuid()::text', arguments: `'{}'`, lease_ms: '1' },
    ...{ lease_until: 'now()', settled_at: 'now()', settled_by: `'server'`, ...columns },
  };
  return `
    INSERT INTO tool_invocations (${Object.keys(all).join()})
    SELECT ${Object.values(all).join()}
    FROM (SELECT * FROM conversations WHERE workspace_id = $1 LIMIT 1) AS call, generate_series(1, ${number}) AS n`;
}

/** SQL: the recipients of the workspace's campaign with this status. */
const recipientsOf = (status: string) => `
  campaign_recipients JOIN campaigns ON campaigns.id = campaign_id
  WHERE workspace_id = $1 AND campaigns.status = '${status}'`;

/** Changes that no code of the product makes, each with the check that finds it. `$1` is the workspace. */
const TAMPERING: [check: string, found: string, statement: string][] = [
  ['balances', 'another balance', 'UPDATE workspaces SET credits = credits + 1 WHERE id = $1'],
  [
    'calls_under_way',
    'another count',
    'UPDATE workspaces SET calls_under_way = calls_under_way + 1 WHERE id = $1',
  ],
  [
    'settlements',
    'a hold that was not released',
    `UPDATE credit_entries SET conversation_id = NULL
     WHERE id = (SELECT id FROM credit_entries WHERE workspace_id = $1 AND kind = 'release' LIMIT 1)`,
  ],
  [
    'claims',
    'a call that nobody claimed',
    `UPDATE conversations SET claim_id = NULL
     WHERE id = (SELECT id FROM conversations
                 WHERE workspace_id = $1 AND connected_at IS NOT NULL AND incoming_claim_id IS NULL LIMIT 1)`,
  ],
  [
    'ends',
    'an end without its webhook',
    `DELETE FROM webhook_deliveries
     WHERE conversation_id = (SELECT id FROM conversations
                              WHERE workspace_id = $1 AND ended_at IS NOT NULL AND request->>'external_id' = 'told')`,
  ],
  [
    'recipients',
    'other counts',
    `UPDATE campaigns SET count_failed = count_failed + 1, recipient_count = recipient_count + 1
     WHERE workspace_id = $1 AND status = 'paused'`,
  ],
  [
    'recipients',
    'one who was called too often',
    `UPDATE campaign_recipients SET attempts = 4
     WHERE (campaign_id, phone_number) = (
       SELECT campaign_id, phone_number FROM ${recipientsOf('cancelled')} LIMIT 1)`,
  ],
  [
    'recipients',
    'one who is left in a campaign that is over',
    `WITH moved AS (
       UPDATE campaign_recipients SET status = 'pending'
       WHERE (campaign_id, phone_number) = (
         SELECT campaign_id, phone_number FROM ${recipientsOf('completed')} AND campaign_recipients.status = 'failed' LIMIT 1)
       RETURNING campaign_id)
     UPDATE campaigns SET count_failed = count_failed - 1, count_pending = count_pending + 1
     WHERE id = (SELECT campaign_id FROM moved)`,
  ],
  [
    'webhooks',
    'one that was delivered while an earlier one waits',
    `INSERT INTO webhook_deliveries
       (id, workspace_id, ordering_key, type, url, data, status, next_attempt_at, give_up_at)
     SELECT gen_random_uuid(), $1::uuid, '00000000-0000-7000-8000-000000000000', 'call.ended', 'https://a.example', '{}',
            status, CASE status WHEN 'pending' THEN now() END, now() + interval '1 hour'
     FROM (VALUES ('pending'), ('delivered')) deliveries (status)`,
  ],
  [
    'webhooks',
    'one that was sent before an earlier one, which was delivered later',
    `UPDATE webhook_attempts SET started_at = started_at + interval '1 day'
     WHERE delivery_id = (
       SELECT earlier.id FROM webhook_deliveries AS earlier JOIN webhook_deliveries AS later USING (ordering_key)
       WHERE earlier.workspace_id = $1 AND earlier.sequence < later.sequence
         AND earlier.status = 'delivered' AND later.status = 'delivered' LIMIT 1)`,
  ],
  ['tools.settled', 'what was done without a request', insertInvocations({ state: `'done'` })],
  [
    'rehearsals.apart',
    'a call with the id of a rehearsal',
    `WITH run AS (
       INSERT INTO rehearsal_runs (id, workspace_id, agent_id, agent_version, cause, mode, seed, repeat, max_tokens,
                                   status, created_by, ended_at)
       SELECT gen_random_uuid(), workspace_id, agent_id, 1, 'api', 'text', 1, 1, 1, 'passed', 'user', now()
       FROM conversations WHERE workspace_id = $1 LIMIT 1 RETURNING id, workspace_id)
     INSERT INTO rehearsal_results (id, workspace_id, run_id, position, name, repeat, seed, status, ended_at)
     SELECT (SELECT id FROM conversations WHERE workspace_id = $1 LIMIT 1), workspace_id, id, 0, 'a', 1, 1, 'passed', now()
     FROM run`,
  ],
  [
    'rollups',
    'another sum',
    `UPDATE call_rollups SET seconds = seconds + 1
     WHERE (subject_id, bucket_minutes, starts_at, call_type) = (
       SELECT subject_id, bucket_minutes, starts_at, call_type FROM call_rollups
       WHERE subject_id = $1 AND bucket_minutes = 15 LIMIT 1)`,
  ],
  [
    'measurements',
    'a sum of nothing',
    `INSERT INTO measurement_rollups (workspace_id, starts_at, agent_id, agent_version, campaign_id, measure, amount)
     SELECT $1::uuid, '2026-03-02T13:00:00Z', gen_random_uuid(), 1, gen_random_uuid(), 'a measure', 1`,
  ],
];

/** Changes of further tables that the check of the rollups reads. */
const TAMPERED_ROLLUPS: Record<string, string> = {
  'a day that was deleted': `
    DELETE FROM call_rollups
    WHERE subject_id = $1 AND bucket_minutes = 1440
      AND starts_at = (SELECT max(starts_at) FROM call_rollups WHERE subject_id = $1 AND bucket_minutes = 1440)`,
  'a count of an outcome': `
    UPDATE call_value_rollups SET connected = connected + 1
    WHERE (value_id, starts_at) = (
      SELECT value_id, starts_at FROM call_value_rollups JOIN call_values ON id = value_id
      WHERE workspace_id = $1 AND dimension = 'outcome' LIMIT 1)`,
  'the duration of a call': `
    UPDATE call_segment_durations SET connected = connected[2:] || 9999
    WHERE workspace_id = $1
      AND starts_at = (SELECT min(starts_at) FROM call_segment_durations WHERE workspace_id = $1 AND connected <> '{}')`,
};

describe('The verification of the invariants', () => {
  const parley = useOwnParley({ ALLOW_PRIVATE_ADDRESSES: 'true' });
  const receiver = useStarted(() => WebhookReceiver.start());
  const worker = useStarted(() => TestWorker.start(parley));
  let workspace: TestWorkspace;
  let operator: OperatorProcess;

  beforeAll(async () => {
    workspace = await parley.workspace();
    operator = new OperatorProcess({ DATABASE_URL: parley.database.url, JWT_SECRET });
    await operator.json('demo', 'seed', '--calls', '300', '--workspace', workspace.workspaceId);
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    const id = await calls.start({ webhook_url: 'https://a.example', external_id: 'told' });
    expect(await workspace.api.post(`/api/calls/${id}/hangup`, {})).toMatchObject({ status: 202 });
  });
  afterAll(() => operator.finish());

  const verify = async (...args: string[]) => {
    const { code, stdout } = await operator.run(['verify', '--json', ...args]);
    return { code, ...(JSON.parse(stdout) as Verification) };
  };

  test('finds nothing in an installation that nobody has tampered with, and says how much it has checked', async () => {
    const { code, checked, violations } = await verify();
    expect({ code, violations }).toEqual({ code: 0, violations: [] });
    const [calls] = await parley.sql<{ number: number }>('SELECT count(*)::int AS number FROM conversations');
    expect(checked).toMatchObject({
      balances: 1,
      calls_under_way: 1,
      rollups: 1,
      settlements: calls?.number,
    });
    expect(Object.keys(checked).sort()).toEqual([...new Set(TAMPERING.map(([check]) => check))].sort());
    expect(checked.settlements).toBeGreaterThan(0);
    expect(checked.recipients).toBeGreaterThan(0);
    expect(checked.webhooks).toBeGreaterThan(0);
  });

  test.each(TAMPERING)('finds a violation of %s: %s', async (check, _, statement) => {
    const { workspaceId } = workspace;
    const before = await verify('--workspace', workspaceId);
    await parley.sql(statement, [workspaceId]);

    const { code, violations } = await verify('--workspace', workspaceId);
    expect(code).toBe(1);
    const found = violations.filter(
      ({ id, check: by }) => !before.violations.some((known) => known.id === id && known.check === by),
    );
    expect(found).toEqual([
      {
        check,
        workspace_id: workspaceId,
        id: expect.any(String) as string,
        detail: expect.any(String) as string,
      },
    ]);
  });

  test('finds nothing in a campaign that had more attempts before its policy was changed', async () => {
    const { workspaceId, api } = await parley.workspace();
    const agentId = await createAgent({ api });
    const retry = { on: ['dial_busy'], max: 2, afterMinutes: [1] };
    const fields = {
      retry: JSON.stringify(retry),
      isScheduled: 'true',
      scheduleTime: '2100-01-01T00:00:00Z',
    };
    const id = await createCampaign(api, agentId, recipientsFile(1), fields);
    const find = async () =>
      (await verify('--workspace', workspaceId)).violations.map(({ detail }) => detail);
    const call = (attempts: number) =>
      parley.sql('UPDATE campaign_recipients SET attempts = $2 WHERE campaign_id = $1', [id, attempts]);
    await call(3);
    expect(await find()).toEqual([]);
    await call(4);
    expect(await find()).toEqual([
      'A recipient was called 4 times, which is more often than the campaign says',
    ]);
    await call(3);
    expect(await api.send('PATCH', `/api/campaign/${id}`, { retry: null })).toMatchObject({ status: 200 });
    expect(await find()).toEqual([]);
  });

  test('finds nothing after a webhook was given up and sent again, and after its person was erased', async () => {
    const { workspaceId, api } = await parley.workspace();
    const webhooks = new Webhooks(api);
    const calls = new AgentCalls(api, await createAgent({ api }));
    const person = '+15551239876';
    const path = `/told/${person.slice(1)}`;
    receiver.answer(path, answeringStatus(404), answeringStatus(204));
    const id = await calls.start({ to_number: person, webhook_url: receiver.url(path) });
    const call = await (await worker.findOffer(id)).take();
    await call.connected();
    await call.ended();
    const settled = () =>
      until(async () => {
        const deliveries = await webhooks.ofCall(id);
        return (
          deliveries.length === 2 && deliveries.every(({ status }) => status !== 'pending') && deliveries
        );
      });
    const [started] = await settled();
    expect(started).toMatchObject({ type: 'call.started', status: 'failed' });
    await webhooks.replay(started?.delivery_id ?? '');
    expect(await settled()).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }]);
    // The first attempt of the later webhook is long before the last one of the earlier webhook.
    await parley.sql(
      `UPDATE webhook_attempts SET started_at = now() + interval '1 hour' WHERE delivery_id = $1 AND number = 2`,
      [started?.delivery_id],
    );
    expect(await verify('--workspace', workspaceId)).toMatchObject({ code: 0, violations: [] });

    const { erasure_id } = (await api.post('/api/erasures', { phone_number: person })).body.data;
    const erasure = async () => (await api.get(`/api/erasures/${erasure_id}`)).body.data;
    await until(async () => (await erasure()).status === 'completed');
    expect(await webhooks.ofCall(id)).toEqual([]);
    expect(await verify('--workspace', workspaceId)).toMatchObject({ code: 0, violations: [] });
  });

  test('finds what an agent did twice', async () => {
    const { workspaceId } = workspace;
    await parley.sql('DROP INDEX tool_invocations_once');
    const same = { state: `'done'`, attempts: '1', same_as: `'the same'` };
    await parley.sql(insertInvocations(same, 2), [workspaceId]);

    const details = (await verify('--workspace', workspaceId)).violations.map(({ detail }) => detail);
    expect(details.filter((detail) => detail === 'Another invocation before has done the same')).toHaveLength(
      1,
    );
  });

  test.each(Object.entries(TAMPERED_ROLLUPS))('finds in the rollups %s', async (_, statement) => {
    const { workspaceId } = workspace;
    const findDetails = async () =>
      (await verify('--workspace', workspaceId)).violations
        .filter(({ check }) => check === 'rollups')
        .map(({ detail }) => detail);
    const before = await findDetails();
    await parley.sql(statement, [workspaceId]);

    const after = await findDetails();
    expect(after).toEqual(expect.arrayContaining(before));
    expect(after.length).toBeGreaterThan(before.length);
  });

  test('finds no wrong sums any more when they were built again', async () => {
    const { workspaceId } = workspace;
    await operator.json('rollups', 'rebuild', '--workspace', workspaceId);
    const { violations } = await verify('--workspace', workspaceId);
    expect(violations.filter(({ check }) => ['rollups', 'measurements'].includes(check))).toEqual([]);
  });

  test('says nothing of other workspaces when it is asked about one', async () => {
    const other = await parley.workspace();
    expect(await verify('--workspace', other.workspaceId)).toMatchObject({ code: 0, violations: [] });
  });

  test('shows what the server itself has found in the metrics', async () => {
    await parley.app.get(VerificationLoopModule).verify();
    const { body } = await parley.api.get('/metrics');
    expect(body).toContain('invariant_violations{check="balances"} 1');
    expect(body).toContain('invariant_violations{check="rollups"}');
    expect(body).toMatch(/^verification_interval_seconds 3600$/m);
    expect(body).toMatch(/^verification_seconds_since_completion \d/m);
  });
});

describe('What was due while no server worked', () => {
  // Without a sweeper, nothing ends a call that is overdue.
  const parley = useOwnParley({ ROLES: 'http' });
  let operator: OperatorProcess;
  beforeAll(() => {
    operator = new OperatorProcess({ DATABASE_URL: parley.database.url, JWT_SECRET });
  });
  afterAll(() => operator.finish());

  const CLAIMED = `token = gen_random_uuid(), claim_id = gen_random_uuid(), connected_at = created_at`;

  /** A call that no runtime claimed, one whose runtime is silent, and a tool whose server has gone: all since five hours ago. */
  async function leaveWork() {
    const workspace = await parley.workspace();
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    const [queued, connected, working] = [await calls.start(), await calls.start(), await calls.start()];
    const past = `now() - interval '5 hours'`;
    await parley.sql(`UPDATE conversations SET expires_at = ${past} WHERE id = $1`, [queued]);
    await parley.sql(
      `UPDATE conversations SET status = 'connected', accepted_at = ${past}, heartbeat_at = ${past}, ${CLAIMED} WHERE id = $1`,
      [connected],
    );
    const { workspaceId } = workspace;
    await parley.sql(
      insertInvocations({ state: `'running'`, lease_until: past, settled_at: 'NULL', settled_by: 'NULL' }),
      [workspaceId],
    );
    /** Lets a server have worked: a runtime claimed a call at this time. */
    const claim = (ago: string) =>
      parley.sql(
        `UPDATE conversations SET status = 'connected', created_at = now() - interval '4 hours', heartbeat_at = now(),
                accepted_at = now() - interval '${ago}', ${CLAIMED} WHERE id = $1`,
        [working],
      );
    const findings = async () => {
      const { stdout } = await operator.run(['verify', '--json', '--workspace', workspaceId]);
      return (JSON.parse(stdout) as Verification).violations.map(({ check, id }) => [check, id]);
    };
    return { queued, connected, claim, findings };
  }

  test('is no violation while nothing shows that servers have worked since, or for less than an hour', async () => {
    const { claim, findings } = await leaveWork();
    expect(await findings()).toEqual([]);
    await claim('30 minutes');
    expect(await findings()).toEqual([]);
  });

  test('is a violation when servers have worked for an hour since, and it is still left', async () => {
    const { queued, connected, claim, findings } = await leaveWork();
    await claim('2 hours');
    expect(await findings()).toEqual([
      ['ends', queued],
      ['ends', connected],
      ['tools.settled', expect.any(String)],
    ]);
  });
});
