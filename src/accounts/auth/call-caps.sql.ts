import { TODAY, TOMORROW } from '../workspaces/spending.sql';

const STARTED_TODAY = `(CASE WHEN call_caps.started_on >= ${TODAY} THEN call_caps.started_calls ELSE 0 END)`;

/**
 * SQL: a SELECT that locks caps, with how many further calls each allows today. Only statements that hold the lock of
 * the workspace lock its caps, so none waits here.
 * @param ids SQL: a SELECT of the ids
 */
export const lockCallCaps = (ids: string) => `
  SELECT call_caps.id AS cap_id, call_caps.workspace_id AS cap_workspace_id, call_caps.calls_per_day,
         call_caps.calls_per_day - ${STARTED_TODAY} AS calls_left, ${TOMORROW} AS cap_resets_at
  FROM call_caps WHERE call_caps.id = ANY (ARRAY(${ids})) ORDER BY call_caps.id
  FOR NO KEY UPDATE`;

/**
 * Assignments for an UPDATE of `call_caps` that count started calls. GREATEST: a transaction that began before midnight
 * must not return to the counter of the day before.
 */
export const countStartedCalls = (calls: string) => `
  started_on = GREATEST(call_caps.started_on, ${TODAY}), started_calls = ${STARTED_TODAY} + ${calls}`;
