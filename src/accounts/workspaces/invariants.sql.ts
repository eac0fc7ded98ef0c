import { invariant, pageOfRows } from '../../platform/database/invariant';

/** Checks that the balance of a workspace is the sum of its ledger. */
export const CHECK_BALANCES = invariant(
  'balances',
  `
  SELECT workspaces.id, workspaces.id AS workspace_id,
         CASE WHEN credits <> ledger.amount
              THEN format('The balance is %s, and the sum of the ledger is %s', credits, ledger.amount) END AS detail
  FROM (${pageOfRows('workspaces', 10, 'id')}) workspaces
  CROSS JOIN LATERAL (
    SELECT COALESCE(sum(amount), 0) AS amount FROM credit_entries WHERE workspace_id = workspaces.id) ledger`,
);
