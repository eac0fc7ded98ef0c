import { QuotasService } from '../../src/accounts/workspaces/quotas.service';
import { createAgent } from '../support/agents';
import { outcome, refused } from '../support/answers';
import { campaignReached, createCampaign, recipientsFile } from '../support/campaigns';
import { AgentCalls } from '../support/calls';
import { readLedger } from '../support/ledger';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { TestWorker } from '../support/worker';

const spent = (limit: number) =>
  refused(403, 'The credits of this day are spent', {
    details:
      `The workspace may spend ${limit} credits a day (UTC), and the hold of this call would exceed that. ` +
      'Try again tomorrow, or ask the operator for a higher quota.',
    error_code: 'CREDITS_PER_DAY_QUOTA_REACHED',
  });

describe("A workspace's credits per day", () => {
  const parley = useOwnParley({
    CAMPAIGN_INTERVAL_MS: '50',
    SWEEP_INTERVAL_MS: '50',
    LEASE_SECONDS: '600',
    HEARTBEAT_SECONDS: '1',
  });
  const worker = useStarted(() => TestWorker.start(parley));

  const cap = ({ workspaceId }: TestWorkspace, limit: number | null) =>
    parley.app.get(QuotasService, { strict: false }).set(workspaceId, 'credits_per_day', limit);

  const spentToday = async ({ workspaceId }: TestWorkspace) =>
    (await parley.app.get(QuotasService, { strict: false }).show(workspaceId, 'credits_per_day')).used;

  /** Moves the spending of the workspace so far to the day before. */
  const nextDay = async ({ workspaceId }: TestWorkspace) => {
    await parley.sql('UPDATE workspaces SET spent_on = spent_on - 1 WHERE id = $1', [workspaceId]);
    await parley.sql(
      `UPDATE conversations SET created_at = created_at - interval '1 day' WHERE workspace_id = $1`,
      [workspaceId],
    );
  };

  async function setUp(limit: number | null) {
    const workspace = await parley.workspace({ credits: 100 });
    await cap(workspace, limit);
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    const start = () =>
      outcome(workspace.api.post(`/api/agents/${calls.agentId}/calls`, { to_number: '+15551234567' }));
    return { workspace, calls, start };
  }

  /** A claimed call that lasts for these minutes. */
  async function taken(calls: AgentCalls, minutes: number) {
    const id = await calls.start();
    const call = await (await worker.findOffer(id)).take();
    await parley.sql(
      `UPDATE conversations SET accepted_at = accepted_at - $2 * interval '1 minute' WHERE id = $1`,
      [id, minutes],
    );
    const end = async () => {
      await call.ended({ connected_at: new Date(Date.now() - minutes * 60_000 + 5_000).toISOString() });
      await calls.reached(id, 'disconnected');
    };
    const fail = async () => {
      await call.failed();
      await calls.reached(id, 'failed');
    };
    return { id, call, end, fail };
  }

  test('are exact where many calls start at once, and refused calls leave no trace', async () => {
    const { workspace, start } = await setUp(3);

    const outcomes = await Promise.all(Array.from({ length: 20 }, start));

    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const refusal of outcomes.filter(({ status }) => status !== 200)) expect(refusal).toEqual(spent(3));
    expect(await readLedger(parley, workspace.workspaceId)).toEqual({
      credits: 97,
      entries: ['hold -1', 'hold -1', 'hold -1'],
    });
    expect(await spentToday(workspace)).toBe(3);
  });

  test('are unlimited where the operator has set none', async () => {
    const { workspace, start } = await setUp(null);

    const outcomes = await Promise.all(Array.from({ length: 5 }, start));

    expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(await spentToday(workspace)).toBe(5);
  });

  test('count the charge of a call, and not the released hold', async () => {
    const { workspace, calls, start } = await setUp(5);
    const [failing, long] = [await taken(calls, 1), await taken(calls, 4)];
    expect(await spentToday(workspace)).toBe(2);

    await failing.fail();
    expect(await spentToday(workspace)).toBe(1);
    await long.end();
    expect(await spentToday(workspace)).toBe(4);

    expect((await start()).status).toBe(200);
    expect(await start()).toEqual(spent(5));
  });

  test('follow the correction of a call that was considered lost', async () => {
    const { workspace, calls } = await setUp(10);
    const { id, call, end } = await taken(calls, 3);
    await call.connected();
    await calls.reached(id, 'connected');
    await parley.sql(
      `UPDATE conversations SET heartbeat_at = heartbeat_at - interval '1 hour', connected_at = heartbeat_at - interval '1 hour'
       WHERE id = $1`,
      [id],
    );
    await calls.reached(id, 'disconnected');
    expect(await spentToday(workspace)).toBe(1);

    await end();

    await until(async () => (await spentToday(workspace)) === 3);
    expect((await readLedger(parley, workspace.workspaceId)).credits).toBe(97);
  });

  test('start again each day', async () => {
    const { workspace, start } = await setUp(2);
    await start();
    await start();
    expect(await start()).toEqual(spent(2));

    await nextDay(workspace);

    expect(await spentToday(workspace)).toBe(0);
    expect((await start()).status).toBe(200);
    expect(await spentToday(workspace)).toBe(1);
  });

  test('are not raised by holds of the day before, and count what exceeds them', async () => {
    const { workspace, calls, start } = await setUp(3);
    const [failing, long] = [await taken(calls, 1), await taken(calls, 2)];
    await nextDay(workspace);
    await start();

    await failing.fail();
    expect(await spentToday(workspace)).toBe(1);
    await long.end();
    expect(await spentToday(workspace)).toBe(2);

    expect((await start()).status).toBe(200);
    expect(await start()).toEqual(spent(3));
  });

  test('are not the reason of the refusal where the balance is too low', async () => {
    const workspace = await parley.workspace({ credits: 0 });
    await cap(workspace, 0);
    const agentId = await createAgent(workspace);

    const { status } = await workspace.api.post(`/api/agents/${agentId}/calls`, {
      to_number: '+15551234567',
    });

    expect(status).toBe(402);
  });

  test('make a campaign wait, which continues the next day', async () => {
    const { workspace, calls } = await setUp(2);
    const id = await createCampaign(workspace.api, calls.agentId, recipientsFile(3));
    await campaignReached(workspace.api, id, ({ progress }) => progress.queued === 2);

    // The campaign starts at a later tick: the waiting one was before it.
    const { workspace: another, calls: others } = await setUp(null);
    const later = await createCampaign(another.api, others.agentId, recipientsFile(1));
    await campaignReached(another.api, later, ({ progress }) => progress.queued === 1);
    const lockedBy = async () => (await parley.sql('SELECT xmax FROM campaigns WHERE id = $1', [id]))[0];
    const before = await lockedBy();
    const last = await createCampaign(another.api, others.agentId, recipientsFile(1));
    await campaignReached(another.api, last, ({ progress }) => progress.queued === 1);
    // No transaction has locked the row of the waiting one since then.
    expect(await lockedBy()).toEqual(before);

    await nextDay(workspace);

    await campaignReached(workspace.api, id, ({ progress }) => progress.queued === 3);
  });
});

describe("A workspace's own limit of calls in progress", () => {
  const parley = useOwnParley({ ROLES: 'http', WORKSPACE_CONCURRENCY: '2' });

  test.each([
    [1, 1],
    [4, 4],
    [0, 0],
    [null, 2],
  ])('replaces the one of the installation: %s', async (quota, expected) => {
    const workspace = await parley.workspace();
    await parley.app
      .get(QuotasService, { strict: false })
      .set(workspace.workspaceId, 'concurrent_calls', quota);
    const agentId = await createAgent(workspace);

    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        workspace.api.post(`/api/agents/${agentId}/calls`, { to_number: '+15551234567' }),
      ),
    );

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(expected);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect({ status, body }).toMatchObject({
        status: 429,
        body: {
          error_code: 'CONCURRENCY_LIMIT',
          details: expect.stringContaining(`${expected} calls of this workspace are in progress`) as string,
        },
      });
    }
  });
});
