import type { TestParley } from './parley';

interface Ledger {
  credits: number;
  entries: string[];
}

const WORKSPACE = `
  SELECT credits, calls_under_way, (
    SELECT count(*)::int FROM conversations WHERE workspace_id = $1 AND ended_at IS NULL
  ) AS not_ended
  FROM workspaces WHERE id = $1`;

/**
 * A workspace's balance and its ledger without the grants, oldest first. Checks that the balance is the sum of the
 * ledger, and that the count of calls in progress is correct.
 */
export async function readLedger(parley: TestParley, workspaceId: string): Promise<Ledger> {
  const [workspace] = await parley.sql<{ credits: number; calls_under_way: number; not_ended: number }>(
    WORKSPACE,
    [workspaceId],
  );
  const entries = await parley.sql<{ kind: string; amount: number }>(
    'SELECT kind, amount FROM credit_entries WHERE workspace_id = $1 ORDER BY id',
    [workspaceId],
  );
  const credits = workspace?.credits ?? NaN;
  expect(workspace?.calls_under_way).toBe(workspace?.not_ended);
  expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(credits);
  return {
    credits,
    entries: entries.filter(({ kind }) => kind !== 'grant').map(({ kind, amount }) => `${kind} ${amount}`),
  };
}
