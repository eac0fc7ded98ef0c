import type { NarrowConversation } from './conversation.entity';
import type { ConversationSummaryDto } from './conversations.dto';

export const presentConversationSummary = (conversation: NarrowConversation): ConversationSummaryDto => ({
  id: conversation.id,
  conversation_id: conversation.id,
  assistant_id: conversation.agentId,
  to_number: conversation.toNumber,
  from_number: conversation.fromNumber,
  created_at: conversation.createdAt,
  status: conversation.status,
});
