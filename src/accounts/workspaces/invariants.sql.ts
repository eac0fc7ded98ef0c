import { invariant, pageOfRows } from '../../platform/database/invariant';
import { type JsonRows, unpreparedStatement } from '../../platform/database/statement';
import { limitStatementTime } from '../../platform/database/statement-timeouts';

/** The sum of entries of a workspace. */
export interface LedgerSum {
  workspaceId: string;
  amount: number;
}

/** The number of entries that a step sums up, so that it takes a fraction of a second. */
const STEP = 200_000;

/** Finds the newest entry before which nothing is inserted any more: no transaction takes an hour. */
export const FIND_LEDGER_END = unpreparedStatement<object, { id: string }>(
  'find-ledger-end',
  `SELECT id FROM credit_entries WHERE created_at < now() - interval '1 hour' ORDER BY id DESC LIMIT 1`,
);

/** Sums up the entries of a step, by workspace. They never change, so the steps need no common snapshot. */
export const SUM_LEDGER = unpreparedStatement<
  { workspaceId: string | null; after: string; end: string },
  { last: string | null; sums: LedgerSum[] }
>(
  'sum-ledger',
  `
    WITH step AS MATERIALIZED (
      SELECT id, workspace_id, amount FROM credit_entries WHERE id > $after AND id <= $end ORDER BY id LIMIT ${STEP}
    ), sums AS (
      SELECT workspace_id, sum(amount) AS amount FROM step
      WHERE $workspaceId::uuid IS NULL OR workspace_id = $workspaceId GROUP BY workspace_id
    )
    SELECT (SELECT max(id) FROM step) AS last,
           (SELECT COALESCE(jsonb_agg(jsonb_build_object('workspaceId', workspace_id, 'amount', amount)), '[]') FROM sums) AS sums`,
);

/**
 * Compares balances with the sums of the entries up to `end` and those after it.
 * @returns the number of workspaces, and those to look at again: demo data has entries of the past
 */
export const COMPARE_BALANCES = unpreparedStatement<
  { workspaceId: string | null; end: string; sums: JsonRows<LedgerSum> },
  { checked: number; different: string[] }
>(
  'compare-balances',
  `
    WITH recent AS MATERIALIZED (
      SELECT workspace_id, sum(amount) AS amount FROM credit_entries WHERE id > $end GROUP BY workspace_id
    )
    SELECT count(*)::int AS checked,
           COALESCE(array_agg(workspaces.id) FILTER (
             WHERE credits <> COALESCE(earlier.amount, 0) + COALESCE(recent.amount, 0)), '{}') AS different
    FROM workspaces
    LEFT JOIN jsonb_to_recordset($sums::jsonb) AS earlier ("workspaceId" uuid, amount bigint) ON earlier."workspaceId" = workspaces.id
    LEFT JOIN recent ON recent.workspace_id = workspaces.id
    WHERE $workspaceId::uuid IS NULL OR workspaces.id = $workspaceId`,
);

export const EXTEND_TIME_LIMIT = unpreparedStatement(
  'extend-time-limit-of-balance',
  limitStatementTime('checkBalance'),
);

/** Checks in one snapshot that the balance of a workspace is the sum of its ledger. */
export const CHECK_BALANCE = invariant(
  'balances',
  `
  SELECT workspaces.id, workspaces.id AS workspace_id,
         CASE WHEN credits <> ledger.amount
              THEN format('The balance is %s, and the sum of the ledger is %s', credits, ledger.amount) END AS detail
  FROM (${pageOfRows('workspaces', 1, 'id')}) workspaces
  CROSS JOIN LATERAL (
    SELECT COALESCE(sum(amount), 0) AS amount FROM credit_entries WHERE workspace_id = workspaces.id) ledger`,
);
