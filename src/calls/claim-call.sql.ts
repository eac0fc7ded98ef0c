import type { Statement } from '../database/sql';
import { isSuspended } from '../workspaces/suspended.sql';

/**
 * The one point where a call becomes real: of all who ask, one finds the row `queued`. The same claim asked again
 * (its reply was lost, or the broker gave the request out twice) gets the same token. A suspended workspace's call
 * is not granted to anyone else.
 */
export const CLAIM: Statement = {
  name: 'claim-call',
  text: `
    UPDATE conversations SET status = 'accepted', claim_id = $2, worker_id = $3, token = COALESCE(token, $4),
           accepted_at = COALESCE(accepted_at, now()), heartbeat_at = now()
    WHERE id = $1 AND ((status = 'queued' AND expires_at > now()) OR (status = 'accepted' AND claim_id = $2))
      AND (status = 'accepted' OR NOT ${isSuspended('conversations.workspace_id')})
    RETURNING token`,
};

export const HEARTBEAT: Statement = {
  name: 'call-heartbeat',
  text: `
    UPDATE conversations SET heartbeat_at = now()
    WHERE id = $1 AND token = $2 AND status IN ('accepted', 'connected')
    RETURNING worker_id AS "workerId", hangup_requested_at AS "hangupRequestedAt"`,
};
