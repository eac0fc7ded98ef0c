import { Client } from 'pg';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { readLedger } from '../support/ledger';
import { useOwnParley } from '../support/parley';
import { TestWorker } from '../support/worker';

describe('Calls that end together', () => {
  const parley = useOwnParley();
  let worker: TestWorker;

  beforeAll(async () => {
    worker = await TestWorker.start(parley);
  });
  afterAll(() => worker.stop());

  /** A workspace with claimed calls of one agent. */
  async function withClaimedCalls(count: number) {
    const workspace = await parley.workspace({ credits: 10 });
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    const ids = await Promise.all(Array.from({ length: count }, () => calls.start()));
    const held = await Promise.all(ids.map(async (id) => (await worker.findOffer(id)).take()));
    const statuses = async () =>
      new Set(await Promise.all(ids.map(async (id) => (await calls.conversation(id)).status as string)));
    const credits = async () => (await readLedger(parley, workspace.workspaceId)).credits;
    return { workspaceId: workspace.workspaceId, ids, held, calls, statuses, credits };
  }

  test('do not wait for a workspace whose row is locked', async () => {
    // The number of calls is higher than that of the statements that run at once.
    const [ending, failing] = [await withClaimedCalls(5), await withClaimedCalls(5)];
    const other = await withClaimedCalls(2);
    const client = new Client({ connectionString: parley.database.url });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM workspaces WHERE id = ANY ($1) FOR NO KEY UPDATE', [
      [ending.workspaceId, failing.workspaceId],
    ]);

    await Promise.all([
      ...ending.held.map((call) => call.ended()),
      ...failing.held.map((call) => call.failed()),
    ]);
    const [ended, failed] = other.held;
    await Promise.all([ended?.ended(), failed?.failed()]);
    await other.calls.reached(other.ids[0] as string, 'disconnected');
    await other.calls.reached(other.ids[1] as string, 'failed');

    expect(await ending.statuses()).toEqual(new Set(['accepted']));
    expect(await failing.statuses()).toEqual(new Set(['accepted']));
    await client.query('ROLLBACK');
    await client.end();
    for (const id of ending.ids) await ending.calls.reached(id, 'disconnected');
    for (const id of failing.ids) await failing.calls.reached(id, 'failed');
    expect([await ending.credits(), await failing.credits(), await other.credits()]).toEqual([5, 10, 9]);
  });
});
