/**
 * CTEs for a statement that changes calls: `call` has the rows of its parameter `$calls`, and `locked` those that
 * exist. Statements that change several calls lock them by id, so that two of them never wait for each other.
 * @param columns the columns of `call` beside its id
 * @param lockedColumns the columns of `locked` beside the ids of the call and its workspace; no other statement
 * changes them
 */
export const lockCalls = (columns: string, lockedColumns = '') => `
  call AS MATERIALIZED (
    SELECT * FROM json_to_recordset($calls::json) AS call (id uuid${columns && `, ${columns}`})
  ), locked AS MATERIALIZED (
    SELECT id, workspace_id${lockedColumns && `, ${lockedColumns}`} FROM conversations
    WHERE id = ANY (ARRAY(SELECT id FROM call)) ORDER BY id FOR NO KEY UPDATE
  )`;

/**
 * A condition that is true, and lets the statement return before its changes are on the disk. Postgres may lose such
 * a change in a crash: the next heartbeat reports the same again, and a call that was published twice is claimed
 * once.
 */
export const WITHOUT_WAITING_FOR_THE_DISK = `(SELECT set_config('synchronous_commit', 'off', true)) IS NOT NULL`;
