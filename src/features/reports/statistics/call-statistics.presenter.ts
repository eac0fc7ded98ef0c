import { type ConversationStatus, STATUS } from '../../calls/model/call-states';
import type { CallOutcome, CallRecordDto, CallStatisticsDto } from './call-statistics.dto';
import type { CallTotals, ReportedCall } from './call-statistics.repository';

/** The status of calls with this outcome. */
export const getStatus = (outcome: CallOutcome): ConversationStatus =>
  outcome === 'success' ? STATUS.disconnected : STATUS.failed;

export const presentStatistics = (totals: CallTotals, calls: ReportedCall[]): CallStatisticsDto => ({
  total_calls: totals.total,
  successful_calls: totals.successful,
  failed_calls: totals.failed,
  average_duration: asMinutes(totals.averageSeconds),
  calls: calls.map(presentCall),
});

const presentCall = (call: ReportedCall): CallRecordDto => ({
  call_id: call.id,
  agent_id: call.agentId,
  agent_type: call.callType,
  status: call.status === STATUS.disconnected ? 'success' : call.status,
  duration: asMinutes(call.durationSec),
  created_at: call.createdAt,
});

/** Seconds as text, such as `2m 5s`. */
const asMinutes = (seconds: number) => `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
