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

interface ConversationOfAgent {
  workspaceId: string;
  agentId: string;
  conversationId: string;
}

export const FIND_STATUS = statement<ConversationOfAgent, Pick<Conversation, 'status'>>(
  'find-call-status',
  'SELECT status FROM conversations WHERE workspace_id = $workspaceId AND agent_id = $agentId AND id = $conversationId',
);
