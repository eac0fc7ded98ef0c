import { DateTimeField, IntegerField, ListField, NestedField } from '../common/fields';
import { TextField } from '../common/text-fields';
import { type Conversation, CONVERSATION_STATUSES } from '../calls/conversation.entity';

const nullable = true;

export class ConversationSummaryDto {
  @TextField() id: string;
  @TextField() conversation_id: string;
  @TextField() assistant_id: string;
  @TextField() to_number: string;
  @TextField() from_number: string;
  @DateTimeField() created_at: Date;
  @TextField({ choices: CONVERSATION_STATUSES }) status: string;
}

export class ConversationListDto {
  @ListField(() => ConversationSummaryDto) conversations: ConversationSummaryDto[];
  @TextField() assistant_name: string;
  @IntegerField() total_count: number;
  @IntegerField() page: number;
  @IntegerField() limit: number;
}

export class ConversationMetadataDto {
  @TextField() summary: string;
  @TextField() process_compliance: string;
  @TextField() outcome: string;
}

export class ConversationDto {
  @TextField() id: string;
  @TextField() assistant_id: string;
  @TextField() conversation_id: string;
  @TextField({ nullable }) disconnect_reason: string | null;
  @TextField({ choices: CONVERSATION_STATUSES }) status: string;
  @TextField({ nullable }) to_number: string | null;
  @TextField() userId: string;
  @TextField() workspaceId: string;
  @TextField({ nullable }) campaign_id: string | null;
  @DateTimeField({ nullable }) connected_at: Date | null;
  @DateTimeField({ nullable }) ended_at: Date | null;
  @TextField({ example: '00:02:05' }) duration: string;
  @IntegerField() duration_sec: number;
  @TextField({ nullable }) disconnected_by: string | null;
  @NestedField(() => ConversationMetadataDto) metadata: ConversationMetadataDto;
}

export const presentConversationSummary = (conversation: Conversation): ConversationSummaryDto => ({
  id: conversation.id,
  conversation_id: conversation.id,
  assistant_id: conversation.agentId,
  to_number: conversation.toNumber,
  from_number: conversation.fromNumber,
  created_at: conversation.createdAt,
  status: conversation.status,
});

export const presentConversation = (conversation: Conversation): ConversationDto => ({
  id: conversation.id,
  assistant_id: conversation.agentId,
  conversation_id: conversation.id,
  disconnect_reason: conversation.disconnectReason,
  status: conversation.status,
  to_number: conversation.toNumber || null,
  userId: conversation.userId,
  workspaceId: conversation.workspaceId,
  campaign_id: conversation.campaignId,
  connected_at: conversation.connectedAt,
  ended_at: conversation.endedAt,
  duration: asClock(conversation.durationSec),
  duration_sec: conversation.durationSec,
  disconnected_by: conversation.disconnectedBy,
  metadata: {
    summary: conversation.summary,
    process_compliance: conversation.processCompliance,
    outcome: conversation.outcome,
  },
});

/** Seconds as hours:minutes:seconds, two digits each. */
export function asClock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
