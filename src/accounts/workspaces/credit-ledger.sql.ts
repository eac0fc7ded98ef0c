import { type Statement, statement } from '../../platform/database/statement';
import type { CreditEntry, CreditEntryKind } from './credit-entry.entity';

export type ListedEntry = Pick<CreditEntry, 'id' | 'createdAt' | 'kind' | 'amount' | 'conversationId'> & {
  /** The balance of the workspace after the entry. */
  balance: number;
  /** The person of the call. null: the entry belongs to no call, or the call was deleted. */
  customerName: string | null;
  customerNumber: string | null;
};

/** null: any. */
export interface EntryFilter {
  kinds: CreditEntryKind[] | null;
  createdFrom: Date | null;
  createdUntil: Date | null;
}

/**
 * SQL: a table with the columns `call_id`, `customer_name` and `customer_number`, for calls of $workspaceId.
 * @param calls SQL: an array of ids
 */
export type PersonsOfCalls = (calls: string) => string;

/** The statement that lists entries. A folder above names the persons of their calls; see {@link listEntries}. */
export abstract class CreditStatements {
  abstract readonly list: Statement<
    { workspaceId: string; offset: number; limit: number } & EntryFilter,
    { total: number } & (ListedEntry | { id: null })
  >;
}

const MATCHES = `
  workspace_id = $workspaceId AND ($kinds::text[] IS NULL OR kind = ANY ($kinds))
  AND ($createdFrom::timestamptz IS NULL OR created_at >= $createdFrom)
  AND ($createdUntil::timestamptz IS NULL OR created_at <= $createdUntil)`;

/**
 * One page, newest first. Each row has the number of all entries that match; a row without an id has nothing else. The
 * balances are counted back from that of the workspace in the same snapshot, over all entries since.
 */
export const listEntries = (getPersons: PersonsOfCalls): CreditStatements['list'] =>
  statement(
    'list-credit-entries',
    `
    WITH page AS MATERIALIZED (
      SELECT id, conversation_id FROM credit_entries WHERE ${MATCHES}
      ORDER BY id DESC OFFSET $offset::bigint LIMIT $limit::int
    ), newest AS (
      SELECT id, created_at, kind, amount,
             COALESCE(sum(amount) OVER (ORDER BY id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS since
      FROM credit_entries WHERE workspace_id = $workspaceId AND id >= (SELECT min(id) FROM page)
    )
    SELECT total, page.id, newest.created_at AS "createdAt", kind, amount, conversation_id AS "conversationId",
           (credits - since)::int AS balance, customer_name AS "customerName", customer_number AS "customerNumber"
    FROM workspaces
    CROSS JOIN (SELECT count(*)::int AS total FROM credit_entries WHERE ${MATCHES}) AS counted
    LEFT JOIN (page JOIN newest ON newest.id = page.id) ON true
    LEFT JOIN ${getPersons('ARRAY(SELECT conversation_id FROM page)')} AS persons ON call_id = conversation_id
    WHERE workspaces.id = $workspaceId
    ORDER BY page.id DESC`,
  );
