import { Example, EXAMPLE_IDS, EXAMPLE_TIME, getExample } from '../../../platform/validation/example';
import { DateTimeField, IntegerField, ListField, NestedField } from '../../../platform/validation/fields';
import { TextField } from '../../../platform/validation/text-fields';
import {
  CONVERSATION_STATUSES,
  type ConversationStatus,
  DISCONNECT_REASONS,
  type DisconnectReason,
  PARTIES,
  type Party,
  PARTY,
  REASON,
  STATUS,
} from './call-states';

const nullable = true;

@Example({
  id: EXAMPLE_IDS.conversation,
  conversation_id: EXAMPLE_IDS.conversation,
  assistant_id: EXAMPLE_IDS.agent,
  to_number: '+15551234567',
  from_number: '+15557654321',
  created_at: EXAMPLE_TIME,
  status: STATUS.disconnected,
})
export class ConversationSummaryDto {
  @TextField() id: string;
  @TextField() conversation_id: string;
  @TextField() assistant_id: string;
  @TextField() to_number: string;
  @TextField() from_number: string;
  @DateTimeField() created_at: Date;
  @TextField({ choices: CONVERSATION_STATUSES }) status: ConversationStatus;
}

@Example({
  conversations: [getExample(ConversationSummaryDto)],
  assistant_name: 'Front desk',
  total_count: 1,
  page: 1,
  limit: 10,
})
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

/** A conversation, which `CONVERSATION_DETAIL` builds. */
@Example({
  id: EXAMPLE_IDS.conversation,
  assistant_id: EXAMPLE_IDS.agent,
  conversation_id: EXAMPLE_IDS.conversation,
  disconnect_reason: REASON.user_hangup,
  status: STATUS.disconnected,
  to_number: '+15551234567',
  userId: EXAMPLE_IDS.user,
  workspaceId: EXAMPLE_IDS.workspace,
  campaign_id: null,
  connected_at: '2026-03-02T09:30:05.000Z',
  ended_at: '2026-03-02T09:32:10.000Z',
  duration: '00:02:05',
  duration_sec: 125,
  disconnected_by: PARTY.user,
  metadata: { summary: 'Asked for an appointment.', process_compliance: 'yes', outcome: 'booked' },
})
export class ConversationDto {
  @TextField() id: string;
  @TextField() assistant_id: string;
  @TextField() conversation_id: string;
  @TextField({ nullable, choices: DISCONNECT_REASONS }) disconnect_reason: DisconnectReason | null;
  @TextField({ choices: CONVERSATION_STATUSES }) status: ConversationStatus;
  @TextField({ nullable }) to_number: string | null;
  @TextField() userId: string;
  @TextField() workspaceId: string;
  @TextField({ nullable }) campaign_id: string | null;
  @DateTimeField({ nullable }) connected_at: string | null;
  @DateTimeField({ nullable }) ended_at: string | null;
  @TextField({ example: '00:02:05' }) duration: string;
  @IntegerField() duration_sec: number;
  @TextField({ nullable, choices: PARTIES }) disconnected_by: Party | null;
  @NestedField(() => ConversationMetadataDto) metadata: ConversationMetadataDto;
}
