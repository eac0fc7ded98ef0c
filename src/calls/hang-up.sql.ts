import type { Statement } from '../database/sql';

/** $1 workspace, $2 agent, $3 id. No row: no runtime holds such a call. */
export const REQUEST_HANG_UP: Statement = {
  name: 'request-hang-up',
  text: `
    UPDATE conversations SET hangup_requested_at = COALESCE(hangup_requested_at, now())
    WHERE workspace_id = $1 AND agent_id = $2 AND id = $3 AND status IN ('accepted', 'connected')
    RETURNING status, worker_id AS "workerId"`,
};

/** $1 workspace, $2 agent, $3 id. */
export const FIND_STATUS: Statement = {
  name: 'find-call-status',
  text: 'SELECT status FROM conversations WHERE workspace_id = $1 AND agent_id = $2 AND id = $3',
};
