import type { Statement } from '../database/sql';
import { ACCEPTED_CALL_COLUMNS } from './start-call.sql';

/** Past the publish's own time limit with room to spare, so that a call under dispatch is left alone. */
const REPUBLISH_AFTER_SECONDS = 5;

/** How many calls a step takes at a time. */
export const BATCH = 100;

/** Fewer of those that are published again: each comes with its agent, of up to a megabyte. */
export const PUBLISH_BATCH = 20;

/** Takes calls for another publish; a sweeper beside this one skips them now and finds them too young after. */
export const TAKE_UNDISPATCHED: Statement = {
  name: 'take-undispatched-calls',
  text: `
    UPDATE conversations SET last_publish_at = now()
    WHERE id IN (
      SELECT id FROM conversations
      WHERE status = 'queued' AND dispatched_at IS NULL AND expires_at > now()
        AND last_publish_at <= now() - ${REPUBLISH_AFTER_SECONDS} * interval '1 second'
      ORDER BY expires_at LIMIT ${PUBLISH_BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING ${ACCEPTED_CALL_COLUMNS}`,
};

export const FORGET_DISPATCHES: Statement = {
  name: 'forget-dispatches',
  text: `UPDATE conversations SET dispatched_at = NULL WHERE status = 'queued' AND dispatched_at IS NOT NULL`,
};

export const FIND_SUSPENDED: Statement = {
  name: 'find-queued-calls-of-suspended-workspaces',
  text: `
    SELECT conversations.id, conversations.status
    FROM workspaces JOIN conversations ON conversations.workspace_id = workspaces.id
    WHERE workspaces.suspended_at IS NOT NULL AND workspaces.calls_under_way > 0 AND conversations.status = 'queued'
    ORDER BY conversations.id LIMIT ${BATCH}`,
};

export const FIND_UNCLAIMED: Statement = {
  name: 'find-unclaimed-calls',
  text: `SELECT id, status FROM conversations WHERE status = 'queued' AND expires_at <= now() ORDER BY expires_at LIMIT ${BATCH}`,
};

export const FIND_LOST: Statement = {
  name: 'find-lost-calls',
  text: `
    SELECT id, status FROM conversations
    WHERE status IN ('accepted', 'connected') AND heartbeat_at <= now() - $1 * interval '1 second'
    ORDER BY heartbeat_at LIMIT ${BATCH}`,
};
