import { WORKSPACE_LOCK } from './lock-workspace';

/**
 * SQL: CTEs of which `workspace` has locked the rows of workspaces, by id. An advisory lock comes first, so that no
 * statement waits for the row itself: Postgres could otherwise end the later UPDATE of the row as a deadlock; see
 * decision 25. A statement that changes what the calls of a workspace change, or waits for its row, takes it too.
 * @param ids SQL: a SELECT of the ids
 * @param columns SQL: of `workspace`
 * @param skipLocked leaves out workspaces that are locked, and waits for none
 */
export const lockWorkspaces = (ids: string, columns: string, { skipLocked }: { skipLocked: boolean }) => `
  workspace_lock AS MATERIALIZED (
    SELECT id, ${skipLocked ? 'pg_try_advisory_xact_lock' : 'pg_advisory_xact_lock'}(
                 hashtextextended('${WORKSPACE_LOCK}' || id, 0)) AS is_free
    FROM (SELECT DISTINCT id FROM (${ids}) AS wanted (id) ORDER BY id) AS wanted
  ), workspace AS MATERIALIZED (
    SELECT ${columns}
    FROM workspaces
    WHERE workspaces.id = ANY (ARRAY(SELECT id FROM workspace_lock ${skipLocked ? 'WHERE is_free' : ''}))
    ORDER BY workspaces.id
    FOR NO KEY UPDATE ${skipLocked ? 'SKIP LOCKED' : ''}
  )`;
