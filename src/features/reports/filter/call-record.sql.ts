import { isAudible } from '../../calls/model/listening.sql';
import type { Conversation } from '../../calls/model/conversation.entity';

export interface CallRecord extends Pick<
  Conversation,
  | 'id'
  | 'agentId'
  | 'agentVersion'
  | 'campaignId'
  | 'direction'
  | 'channel'
  | 'callType'
  | 'toNumber'
  | 'fromNumber'
  | 'status'
  | 'disconnectReason'
  | 'disconnectedBy'
  | 'createdAt'
  | 'connectedAt'
  | 'endedAt'
  | 'durationSec'
  | 'charge'
  | 'outcome'
> {
  agentName: string;
  isAgentDeleted: boolean;
  customerName: string;
  externalId: string;
  hasRecording: boolean;
  /** Whether users can listen to it now. */
  isAudible: boolean;
}

/** SQL: the columns of a {@link CallRecord}, for a row of `conversations` named `call` and the row of its agent. */
export const CALL_RECORD = `
  call.id, call.agent_id AS "agentId", agents.name AS "agentName", agents.deleted_at IS NOT NULL AS "isAgentDeleted",
  call.agent_version AS "agentVersion", call.campaign_id AS "campaignId", call.direction, call.channel,
  call.call_type AS "callType", call.to_number AS "toNumber", call.from_number AS "fromNumber",
  COALESCE(call.request->>'customer_name', '') AS "customerName",
  COALESCE(call.request->>'external_id', '') AS "externalId", call.status,
  call.disconnect_reason AS "disconnectReason", call.disconnected_by AS "disconnectedBy",
  call.created_at AS "createdAt", call.connected_at AS "connectedAt", call.ended_at AS "endedAt",
  call.duration_sec AS "durationSec", call.charge, call.outcome,
  EXISTS (SELECT FROM call_recordings WHERE conversation_id = call.id) AS "hasRecording",
  ${isAudible('call')} AS "isAudible"`;
