/**
 * SQL: whether a workspace must not call a number now. A look-up by the primary key: Postgres could hash the whole table
 * for an EXISTS.
 * @param workspaceId an expression
 * @param number an expression; '' is never listed
 */
export const isListed = (workspaceId: string, number: string) => `((
  SELECT true
  FROM (SELECT ${workspaceId} AS asked_workspace, ${number} AS asked_number) AS asked
  JOIN do_not_call ON do_not_call.workspace_id = asked_workspace AND do_not_call.phone_number = asked_number
  WHERE do_not_call.expires_at IS NULL OR do_not_call.expires_at > now()
  LIMIT 1) IS NOT NULL)`;
