import type { ConversationSummaryDto } from '../../calls/model/conversations.dto';
import type { ListedConversation } from './conversations.repository';

export const presentConversationSummary = (conversation: ListedConversation): ConversationSummaryDto => ({
  id: conversation.id,
  conversation_id: conversation.id,
  assistant_id: conversation.agentId,
  to_number: conversation.toNumber,
  from_number: conversation.fromNumber,
  created_at: conversation.createdAt,
  status: conversation.status,
});
