import type { NarrowConversation } from '../calls/conversation.entity';
import type { CallRecordDto } from './call-statistics.dto';

export const presentCall = (call: NarrowConversation): CallRecordDto => ({
  call_id: call.id,
  agent_id: call.agentId,
  agent_type: call.callType,
  status: call.status === 'disconnected' ? 'success' : call.status,
  duration: asMinutes(call.durationSec),
  created_at: call.createdAt,
});

/** Seconds as text: `2m 5s`. */
export const asMinutes = (seconds: number) => `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
