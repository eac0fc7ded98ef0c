import type { TestParley } from './parley';

interface Ledger {
  credits: number;
  entries: string[];
}

/** A workspace's balance and its ledger without the grants, oldest first; the balance must be the ledger's sum. */
export async function ledgerOf(parley: TestParley, workspaceId: string): Promise<Ledger> {
  const [workspace] = await parley.sql<{ credits: number }>('SELECT credits FROM workspaces WHERE id = $1', [
    workspaceId,
  ]);
  const entries = await parley.sql<{ kind: string; amount: number }>(
    'SELECT kind, amount FROM credit_entries WHERE workspace_id = $1 ORDER BY id',
    [workspaceId],
  );
  const credits = workspace?.credits ?? NaN;
  expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(credits);
  return {
    credits,
    entries: entries.filter(({ kind }) => kind !== 'grant').map(({ kind, amount }) => `${kind} ${amount}`),
  };
}
