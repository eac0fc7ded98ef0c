/** SQL: whether an entry has not expired. */
export const IS_NOT_EXPIRED = '(do_not_call.expires_at IS NULL OR do_not_call.expires_at > now())';

/**
 * SQL: whether a workspace must not call a number now. It looks up the primary key: Postgres could hash the whole
 * table for an EXISTS.
 * @param workspaceId an expression
 * @param number an expression; '' is never listed
 */
export const isListed = (workspaceId: string, number: string) => `((
  SELECT true
  FROM (SELECT ${workspaceId} AS asked_workspace, ${number} AS asked_number) AS asked
  JOIN do_not_call ON do_not_call.workspace_id = asked_workspace AND do_not_call.phone_number = asked_number
  WHERE ${IS_NOT_EXPIRED}
  LIMIT 1) IS NOT NULL)`;

/**
 * SQL: a CTE `listed` with the numbers of rows that must not be called. Its function has its own snapshot, taken when
 * the last row was read: it includes what was listed while the statement waited for their locks.
 * @param locked a CTE with workspace_id and to_number, whose rows the statement has locked
 */
export const findListedNumbers = (locked: string) => `
  listed AS MATERIALIZED (
    SELECT workspace_id, phone_number
    FROM do_not_call_entries(
      ARRAY(SELECT workspace_id FROM ${locked}), ARRAY(SELECT to_number FROM ${locked})) AS do_not_call
    WHERE ${IS_NOT_EXPIRED}
  )`;

/** SQL: whether a row is one of `findListedNumbers`. */
export const isListedIn = (row: string) =>
  `EXISTS (SELECT FROM listed WHERE listed.workspace_id = ${row}.workspace_id AND phone_number = ${row}.to_number)`;
