import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { WorkspacesService } from '../../src/accounts/workspaces/workspaces.service';
import { createAgent } from '../support/agents';
import { campaignReached, createCampaign, recipientsFile } from '../support/campaigns';
import { AgentCalls } from '../support/calls';
import { readLedger } from '../support/ledger';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { TestWorker } from '../support/worker';

interface Row {
  id: string;
  status: string;
  disconnect_reason: string | null;
  disconnected_by: string | null;
}

describe('A suspended workspace', () => {
  const parley = useOwnParley({
    CAMPAIGN_INTERVAL_MS: '50',
    SWEEP_INTERVAL_MS: '50',
    CAMPAIGN_CONCURRENCY: '2',
  });
  const worker = useStarted(() => TestWorker.start(parley));

  const suspend = ({ workspaceId }: TestWorkspace, isSuspended = true) =>
    parley.app.get(WorkspacesService, { strict: false }).setSuspended(workspaceId, isSuspended);

  /** Read from the database: its credentials may not work while it is suspended. */
  const readCalls = ({ workspaceId }: TestWorkspace) =>
    parley.sql<Row>(
      `SELECT id, status, disconnect_reason, disconnected_by FROM conversations
       WHERE workspace_id = $1 ORDER BY created_at, id`,
      [workspaceId],
    );

  const reached = (workspace: TestWorkspace, condition: (calls: Row[]) => boolean) =>
    until(async () => {
      const calls = await readCalls(workspace);
      return condition(calls) && calls;
    });

  const cancelled = { status: 'failed', disconnect_reason: 'cancelled', disconnected_by: 'system' };

  async function setUp() {
    const workspace = await parley.workspace({ credits: 10 });
    const agentId = await createAgent(workspace);
    return { workspace, agentId, calls: new AgentCalls(workspace.api, agentId) };
  }

  test('has its queued calls cancelled and their holds released', async () => {
    const { workspace, calls } = await setUp();
    const { calls: others, workspace: other } = await setUp();
    for (let started = 0; started < 3; started += 1) await calls.start();
    await others.start();

    await suspend(workspace);

    const ended = await reached(workspace, (rows) => rows.every(({ status }) => status === 'failed'));
    for (const call of ended) expect(call).toMatchObject(cancelled);
    const { credits, entries } = await readLedger(parley, workspace.workspaceId);
    expect(credits).toBe(10);
    expect(entries.filter((entry) => entry === 'release 1')).toHaveLength(3);
    expect(await readCalls(other)).toMatchObject([{ status: 'queued' }]);
  });

  test('does not affect calls that a runtime holds', async () => {
    const { workspace, calls } = await setUp();
    const [accepted, connected] = [await calls.start(), await calls.start()];
    const first = await (await worker.findOffer(accepted)).take();
    const second = await (await worker.findOffer(connected)).take();
    await second.connected();
    await calls.reached(connected, 'connected');

    await suspend(workspace);
    await first.connected();
    await first.ended();
    await second.ended();

    const ended = await reached(workspace, (rows) => rows.every(({ status }) => status === 'disconnected'));
    expect(ended.map((row) => row.disconnect_reason)).toEqual(['user_hangup', 'user_hangup']);
    expect((await readLedger(parley, workspace.workspaceId)).credits).toBe(8);
  });

  test('starts no call whose request began just before, and starts calls again after it was resumed', async () => {
    const { workspace, agentId, calls } = await setUp();
    const client = new Client(parley.database.url);
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query('UPDATE workspaces SET suspended_at = now() WHERE id = $1', [workspace.workspaceId]);
      const answer = workspace.api.post(`/api/agents/${agentId}/calls`, { to_number: '+15551234567' });
      // The request waits for the lock on the row.
      await until(
        async () =>
          (
            await parley.sql(
              `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%idempotency_keys held%'`,
            )
          ).length > 0,
      );
      await client.query('COMMIT');

      expect(await answer).toMatchObject({
        status: 403,
        body: { message: 'The workspace is suspended', error_code: 'WORKSPACE_SUSPENDED' },
      });
    } finally {
      await client.end();
    }
    expect(await readCalls(workspace)).toEqual([]);

    await suspend(workspace, false);

    await calls.start();
    expect(await readCalls(workspace)).toMatchObject([{ status: 'queued' }]);
  });

  test('has campaigns that wait, and continue with the remaining recipients when it is resumed', async () => {
    const { workspace, agentId } = await setUp();
    const id = await createCampaign(workspace.api, agentId, recipientsFile(5));
    await reached(workspace, (rows) => rows.length === 2);

    await suspend(workspace);
    await reached(workspace, (rows) => rows.every(({ status }) => status === 'failed'));

    // The campaign starts at a later tick: the waiting one could have started calls by then.
    const { workspace: another, agentId: other } = await setUp();
    const later = await createCampaign(another.api, other, recipientsFile(1));
    await campaignReached(another.api, later, ({ progress }) => progress.queued === 1);
    const suspended = await readCalls(workspace);
    expect(suspended).toHaveLength(2);
    for (const call of suspended) expect(call).toMatchObject(cancelled);

    await suspend(workspace, false);

    await reached(workspace, (rows) => rows.length === 4);
    expect(await campaignReached(workspace.api, id, ({ progress }) => progress.queued === 2)).toMatchObject({
      status: 'running',
      progress: { pending: 1, failed: 2 },
    });
  });
});

describe('A claim', () => {
  // No sweep runs during the test.
  const parley = useOwnParley({ SWEEP_INTERVAL_MS: '60000' });
  const worker = useStarted(() => TestWorker.start(parley));

  const suspend = (workspace: TestWorkspace, isSuspended: boolean) =>
    parley.app.get(WorkspacesService, { strict: false }).setSuspended(workspace.workspaceId, isSuspended);

  test('of a call whose workspace is suspended is refused, and granted after it is resumed', async () => {
    const workspace = await parley.workspace();
    const id = await new AgentCalls(workspace.api, await createAgent(workspace)).start();
    const offer = await worker.findOffer(id);

    await suspend(workspace, true);
    expect(await offer.claim()).toMatchObject({
      type: 'call.claim-refused.v1',
      body: { reason: expect.stringContaining('its workspace is suspended') as string },
    });

    await suspend(workspace, false);
    expect((await offer.claim()).type).toBe('call.claimed.v1');
  });

  test('that was granted before the suspension gets the same token when it is repeated', async () => {
    const workspace = await parley.workspace();
    const id = await new AgentCalls(workspace.api, await createAgent(workspace)).start();
    const offer = await worker.findOffer(id);
    const claimId = randomUUID();
    const granted = await offer.claim(claimId);

    await suspend(workspace, true);

    expect(await offer.claim(claimId)).toEqual(granted);
    expect((await offer.claim()).type).toBe('call.claim-refused.v1');
  });
});
