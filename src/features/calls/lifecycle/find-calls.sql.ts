import { statement } from '../../../platform/database/statement';
import { CLAIMED_STATUSES, inStatus, IS_IN_PROGRESS, STATUS } from '../model/call-states';
import type { Conversation } from '../model/conversation.entity';

/** The number of calls that a sweep finds at once. */
export const SWEEP_BATCH = 100;

export type FoundCall = Pick<Conversation, 'id' | 'status'>;

export const FIND_QUEUED_OF_SUSPENDED = statement<object, FoundCall>(
  'find-queued-calls-of-suspended-workspaces',
  `
    SELECT conversations.id, conversations.status
    FROM workspaces JOIN conversations ON conversations.workspace_id = workspaces.id
    WHERE workspaces.suspended_at IS NOT NULL AND workspaces.calls_under_way > 0
      AND ${IS_IN_PROGRESS} AND conversations.${inStatus(STATUS.queued)}
    ORDER BY conversations.id LIMIT ${SWEEP_BATCH}`,
);

export const FIND_UNCLAIMED = statement<object, FoundCall>(
  'find-unclaimed-calls',
  `
    SELECT id, status FROM conversations WHERE ${IS_IN_PROGRESS} AND ${inStatus(STATUS.queued)} AND expires_at <= now()
    ORDER BY expires_at LIMIT ${SWEEP_BATCH}`,
);

export const FIND_LOST = statement<{ leaseSeconds: number }, FoundCall>(
  'find-lost-calls',
  `
    SELECT id, status FROM conversations
    WHERE ${IS_IN_PROGRESS} AND ${inStatus(...CLAIMED_STATUSES)}
      AND heartbeat_at <= now() - $leaseSeconds * interval '1 second'
    ORDER BY heartbeat_at LIMIT ${SWEEP_BATCH}`,
);

/** The runtime has this time to report that nobody has joined. */
const JOIN_GRACE_SECONDS = 30;

/** SQL: whether nobody can join a web call any more, and its runtime has had time to report that. */
export const IS_JOIN_OVER = `join_expires_at <= now() - interval '${JOIN_GRACE_SECONDS} seconds'`;

export const FIND_UNJOINED = statement<object, FoundCall>(
  'find-unjoined-calls',
  `
    SELECT id, status FROM conversations
    WHERE ${IS_IN_PROGRESS} AND ${inStatus(STATUS.accepted)} AND ${IS_JOIN_OVER}
    ORDER BY join_expires_at LIMIT ${SWEEP_BATCH}`,
);

/** A call that a request waits for, until somebody can join it. */
export type AwaitedCall = Pick<Conversation, 'id' | 'status' | 'joinUrl' | 'joinExpiresAt'>;

export const FIND_AWAITED = statement<{ ids: string[] }, AwaitedCall>(
  'find-awaited-calls',
  `
    SELECT id, status, CASE WHEN join_expires_at > now() THEN join_url END AS "joinUrl", join_expires_at AS "joinExpiresAt"
    FROM conversations WHERE id = ANY ($ids)`,
);

interface ConversationOfAgent {
  workspaceId: string;
  agentId: string;
  conversationId: string;
}

export const FIND_STATUS = statement<ConversationOfAgent, Pick<Conversation, 'status'>>(
  'find-call-status',
  'SELECT status FROM conversations WHERE workspace_id = $workspaceId AND agent_id = $agentId AND id = $conversationId',
);
