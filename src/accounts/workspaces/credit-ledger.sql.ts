import { statement } from '../../platform/database/statement';
import type { CreditEntry } from './credit-entry.entity';

export type ListedEntry = Pick<CreditEntry, 'id' | 'createdAt' | 'kind' | 'amount' | 'conversationId'> & {
  /** The balance of the workspace after the entry. */
  balance: number;
};

/**
 * One page, newest first. Each row has the number of all entries; a row without an id has nothing else. The balances
 * are counted back from that of the workspace in the same snapshot.
 */
export const LIST_ENTRIES = statement<
  { workspaceId: string; offset: number; limit: number },
  { total: number } & (ListedEntry | { id: null })
>(
  'list-credit-entries',
  `
    WITH newest AS (
      SELECT * FROM credit_entries WHERE workspace_id = $workspaceId
      ORDER BY id DESC LIMIT $offset::bigint + $limit::int
    ), page AS MATERIALIZED (
      SELECT id, created_at, kind, amount, conversation_id,
             COALESCE(sum(amount) OVER (ORDER BY id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS since
      FROM newest ORDER BY id DESC OFFSET $offset
    )
    SELECT total, page.id, page.created_at AS "createdAt", kind, amount, conversation_id AS "conversationId",
           (credits - since)::int AS balance
    FROM workspaces
    CROSS JOIN (SELECT count(*)::int AS total FROM credit_entries WHERE workspace_id = $workspaceId) AS counted
    LEFT JOIN page ON true
    WHERE workspaces.id = $workspaceId
    ORDER BY page.id DESC`,
);
