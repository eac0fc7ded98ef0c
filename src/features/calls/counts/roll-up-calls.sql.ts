import { statement } from '../../../platform/database/statement';
import { addToRollups, QUARTER, selectRollups, getStart, SUMS_OF_CALLS } from './call-rollups.sql';
import { IS_IN_PROGRESS } from '../model/call-states';

/**
 * The number of calls that a step reads, so that it takes well under a second. A quarter of an hour with more is one
 * step.
 */
const STEP_CALLS = 20_000;

/**
 * The margin is longer than a clock may go back, and than a session may take to show the start of its transaction.
 */
const MARGIN = `interval '5 minutes'`;

/**
 * The time before which no call is created any more. A call is created at the start of its transaction, so all
 * transactions that started before it must have ended. One whose start is hidden or not tracked counts as very old.
 */
export const FIND_HORIZON = statement<object, { horizon: Date | null }>(
  'find-roll-up-horizon',
  `
    SELECT NULLIF(${getStart(QUARTER, `LEAST(now() - ${MARGIN}, min(started_at))`)}, '-infinity') AS horizon
    FROM (
      SELECT CASE WHEN (pg_has_role(usesysid, 'USAGE') OR pg_has_role('pg_read_all_stats', 'USAGE'))
                    AND state IS DISTINCT FROM 'disabled' THEN xact_start
                  WHEN pid IN (SELECT pid FROM pg_locks WHERE locktype = 'virtualxid') THEN '-infinity' END AS started_at
      FROM pg_stat_activity
      WHERE datname = current_database() AND usesysid IS NOT NULL AND pid <> pg_backend_pid()
    ) AS transactions`,
);

export const ADD_STATES = statement(
  'add-roll-up-states',
  `
    INSERT INTO call_rollup_states (workspace_id)
    SELECT id FROM workspaces WHERE id NOT IN (SELECT workspace_id FROM call_rollup_states)
    ORDER BY id
    ON CONFLICT DO NOTHING`,
);

/** SQL: the creation of the workspace's first call that is not rolled up. */
const firstCall = `
  SELECT created_at FROM conversations
  WHERE workspace_id = state.workspace_id AND created_at >= state.rolled_up_until AND created_at < $horizon
  ORDER BY created_at LIMIT 1`;

/** The workspaces that have calls to roll up. */
export const FIND_WORKSPACES = statement<{ horizon: Date }, { workspaceId: string }>(
  'find-workspaces-to-roll-up',
  `
    SELECT workspace_id AS "workspaceId" FROM call_rollup_states AS state
    WHERE rolled_up_until < $horizon AND (${firstCall}) IS NOT NULL`,
);

/**
 * Rolls up the oldest calls of a workspace: up to the first call in progress, and about {@link STEP_CALLS}. It counts
 * them without a lock, so that a correction waits only while it writes, and changes nothing if the rollups were changed
 * since its snapshot.
 * @param horizon of an earlier statement, because this one must see what the transactions before it have committed
 */
export const ROLL_UP = statement<{ workspaceId: string; horizon: Date }, { hasMoved: boolean }>(
  'roll-up-calls',
  `
    WITH first AS MATERIALIZED (
      SELECT workspace_id, revision, ${getStart(QUARTER, `(${firstCall})`)} AS starts_at
      FROM call_rollup_states AS state
      WHERE workspace_id = $workspaceId
        AND pg_try_advisory_xact_lock(hashtextextended('call rollups of ' || workspace_id, 0))
    ), step AS MATERIALIZED (
      SELECT first.*, LEAST($horizon, ${getStart(QUARTER, 'in_progress.created_at')},
               GREATEST(starts_at + ${QUARTER}, COALESCE(${getStart(QUARTER, 'next.created_at')}, $horizon))) AS ends_at
      FROM first
      CROSS JOIN LATERAL (
        SELECT min(created_at) AS created_at FROM conversations
        WHERE workspace_id = first.workspace_id AND ${IS_IN_PROGRESS}) AS in_progress
      LEFT JOIN LATERAL (
        SELECT created_at FROM conversations
        WHERE workspace_id = first.workspace_id AND created_at >= starts_at AND created_at < $horizon
        ORDER BY created_at OFFSET ${STEP_CALLS} LIMIT 1) AS next ON true
    ), ended AS MATERIALIZED (
      SELECT workspace_id, agent_id, call_type, ${getStart(QUARTER, 'created_at')} AS starts_at, ${SUMS_OF_CALLS}
      FROM step JOIN conversations USING (workspace_id)
      WHERE created_at >= step.starts_at AND created_at < step.ends_at
      GROUP BY 1, 2, 3, 4
    ), moved AS (
      UPDATE call_rollup_states AS state SET rolled_up_until = ends_at, revision = state.revision + 1
      FROM step
      WHERE state.workspace_id = step.workspace_id AND state.revision = step.revision AND ends_at > starts_at
      RETURNING ends_at
    ), counted AS (
      SELECT ended.* FROM ended, moved
    ), added AS (${addToRollups(selectRollups('counted'))})
    SELECT EXISTS (SELECT FROM moved) AS "hasMoved"`,
);
