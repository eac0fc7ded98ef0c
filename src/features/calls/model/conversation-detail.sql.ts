import { statement } from '../../../platform/database/statement';
import type { ConversationDto } from './conversations.dto';

/** SQL: a time as the API writes it. */
export const timestamp = (column: string) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * SQL, on a row of `conversations`: the conversation as the API presents it, a `ConversationDto`. A statement that
 * changes a call can put it into the webhook.
 */
export const CONVERSATION_DETAIL = `
  jsonb_build_object(
    'id', conversations.id,
    'conversation_id', conversations.id,
    'assistant_id', conversations.agent_id,
    'userId', conversations.user_id,
    'workspaceId', conversations.workspace_id,
    'campaign_id', conversations.campaign_id,
    'status', conversations.status,
    'to_number', NULLIF(conversations.to_number, ''),
    'connected_at', ${timestamp('conversations.connected_at')},
    'ended_at', ${timestamp('conversations.ended_at')},
    'duration', to_char(make_interval(secs => conversations.duration_sec), 'HH24:MI:SS'),
    'duration_sec', conversations.duration_sec,
    'disconnect_reason', conversations.disconnect_reason,
    'disconnected_by', conversations.disconnected_by,
    'metadata', jsonb_build_object(
      'summary', conversations.summary,
      'process_compliance', conversations.process_compliance,
      'outcome', conversations.outcome))`;

export const FIND_CONVERSATION = statement<
  { workspaceId: string; agentId: string; conversationId: string },
  { detail: ConversationDto }
>(
  'find-conversation',
  `
    SELECT ${CONVERSATION_DETAIL} AS detail FROM conversations
    WHERE workspace_id = $workspaceId AND agent_id = $agentId AND id = $conversationId`,
);
