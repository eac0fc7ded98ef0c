import { WorkspacesService } from '../../src/accounts/workspaces/workspaces.service';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { useParley } from '../support/parley';
import { useStarted } from '../support/use-started';
import { TestWorker } from '../support/worker';

describe('The credit ledger', () => {
  const parley = useParley();
  const worker = useStarted(() => TestWorker.start(parley));

  test('lists grants, and the holds, releases and charges of calls, with the balance after each', async () => {
    const workspace = await parley.workspace({ credits: 100 });
    const other = await parley.workspace({ credits: 5 });
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    const id = await calls.start();
    const call = await (await worker.findOffer(id)).take();
    await call.connected();
    await call.ended();
    await calls.reached(id, 'disconnected');
    await parley.app.get(WorkspacesService, { strict: false }).addCredits(workspace.workspaceId, 50);

    const list = async (query = '', { api } = workspace) =>
      (await api.get(`/api/workspace/credits${query}`)).body;
    const entry = (kind: string, amount: number, balance: number, call_id: string | null = id) => ({
      id: expect.any(String),
      at: expect.any(String),
      kind,
      amount,
      balance,
      call_id,
    });
    const entries = [
      entry('grant', 50, 149, null),
      entry('charge', -1, 99),
      entry('release', 1, 100),
      entry('hold', -1, 99),
      entry('grant', 100, 100, null),
    ];
    expect(await list()).toMatchObject({ data: entries, pagination: { total: 5, totalPages: 1 } });
    expect(await list('?limit=2&page=2')).toMatchObject({
      data: entries.slice(2, 4),
      pagination: { total: 5 },
    });
    expect(await list('?page=2')).toMatchObject({ data: [], pagination: { total: 5 } });
    expect(await list('', other)).toMatchObject({ data: [entry('grant', 5, 5, null)] });
  });
});
