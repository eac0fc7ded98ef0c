import { WorkspacesService } from '../../src/accounts/workspaces/workspaces.service';
import { invalid, outcome } from '../support/answers';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { useOwnParley } from '../support/parley';
import { useStarted } from '../support/use-started';
import { TestWorker } from '../support/worker';

describe('The credit ledger', () => {
  const parley = useOwnParley();
  const worker = useStarted(() => TestWorker.start(parley));

  test('lists grants, and the holds, releases and charges of calls, with the balance after each', async () => {
    const workspace = await parley.workspace({ credits: 100 });
    const other = await parley.workspace({ credits: 5 });
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    const id = await calls.start({ customer_name: 'Ada', to_number: '+15551234567' });
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
      customer_name: call_id && 'Ada',
      customer_number: call_id && '+15551234567',
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

  test('lists the entries of some kinds or of a time, each with the balance after it', async () => {
    const workspace = await parley.workspace({ credits: 100 });
    const service = parley.app.get(WorkspacesService, { strict: false });
    for (const amount of [1, 2, 3]) await service.addCredits(workspace.workspaceId, amount);
    await new AgentCalls(workspace.api, await createAgent(workspace)).start();
    await parley.sql(
      `UPDATE credit_entries SET created_at = '2026-03-02T09:30:00Z' WHERE workspace_id = $1 AND amount IN (1, 2)`,
      [workspace.workspaceId],
    );
    const list = async (query: string) => {
      const { body } = await workspace.api.get(`/api/workspace/credits?${query}`);
      const { data, pagination } = body as {
        data: { kind: string; amount: number; balance: number }[];
        pagination: { total: number };
      };
      return { total: pagination.total, rows: data.map((row) => [row.kind, row.amount, row.balance]) };
    };
    const grants = [
      ['grant', 3, 106],
      ['grant', 2, 103],
      ['grant', 1, 101],
      ['grant', 100, 100],
    ];
    expect(await list('kind=grant')).toEqual({ total: 4, rows: grants });
    expect(await list('kind=grant&limit=2&page=2')).toEqual({ total: 4, rows: grants.slice(2) });
    expect(await list('kind=hold&kind=charge')).toEqual({ total: 1, rows: [['hold', -1, 105]] });
    expect(await list('start_date=2026-03-02T09:30:00Z&end_date=2026-03-02')).toEqual({
      total: 2,
      rows: grants.slice(1, 3),
    });
    expect(await list('end_date=2026-03-01')).toEqual({ total: 0, rows: [] });
    expect(await outcome(workspace.api.get('/api/workspace/credits?kind=gift&start_date=then'))).toEqual(
      invalid('query.kind.0', 'query.start_date'),
    );
  });
});
