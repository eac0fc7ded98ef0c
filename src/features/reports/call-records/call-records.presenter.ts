import { NO_ANALYSIS } from '../../agents/agent-analysis';
import { toCallRequest } from '../../calls/model/call-request';
import { createCallStart } from '../../calls/model/call-start.message';
import { getJoin } from '../../calls/model/join.dto';
import { createLatencyMeter } from '../runtime-reports/turn-latency';
import type { CallDetailDto, CallDto, ExportedCallDto, TranscriptTurnDto } from './call-records.dto';
import type { CallDetail, CallRecord } from './call-records.repository';
import type { ExportedCall } from './call-export.repository';
import type { FoundTurn } from './transcripts.repository';

export const presentCall = (call: CallRecord): CallDto => ({
  call_id: call.id,
  agent: { id: call.agentId, name: call.agentName, deleted: call.isAgentDeleted },
  agent_version: call.agentVersion,
  campaign_id: call.campaignId,
  direction: call.direction,
  channel: call.channel,
  call_type: call.callType,
  to_number: call.toNumber,
  from_number: call.fromNumber,
  customer_name: call.customerName,
  external_id: call.externalId,
  status: call.status,
  disconnect_reason: call.disconnectReason,
  disconnected_by: call.disconnectedBy,
  created_at: call.createdAt,
  connected_at: call.connectedAt,
  ended_at: call.endedAt,
  duration_sec: call.durationSec,
  charge: call.charge,
  outcome: call.outcome,
  has_recording: call.hasRecording,
  can_listen: call.isAudible,
});

export const presentExportedCall = (call: ExportedCall): ExportedCallDto => ({
  ...presentCall(call),
  campaign_name: call.campaignName,
  summary: call.summary,
  findings: call.answers ?? {},
});

/** Makes a function that presents the turns of a call, in their order. */
export function createTurnPresenter(): (turn: FoundTurn) => TranscriptTurnDto {
  const measure = createLatencyMeter();
  return (turn) => ({
    sequence: turn.sequence,
    speaker: turn.speaker,
    text: turn.text,
    started_at: turn.startedAt,
    ended_at: turn.endedAt,
    latency_ms: measure(turn),
    tool: turn.tool,
  });
}

/** @param mayJoin whether the reader may start such calls */
export function presentCallDetail(call: CallDetail, mayJoin: boolean): CallDetailDto {
  const request = toCallRequest(call.request);
  const { greeting, agent } = createCallStart(
    { ...call, request, timeLeftMs: 0 },
    { ...call, tools: [], analysis: NO_ANALYSIS },
  );
  return {
    ...presentCall(call),
    dynamic_variables: request.dynamic_variables,
    greeting,
    style: request.style,
    memory_id: request.memory_id,
    webhook_url: request.webhook_url,
    worker_id: call.workerId,
    attempt: call.attempt,
    metadata: {
      summary: call.summary,
      process_compliance: call.processCompliance,
      outcome: call.outcome,
    },
    analysis: call.analysis,
    findings: call.findings,
    recording_url: call.recordingUrl,
    join: mayJoin ? getJoin(call) : null,
    campaign: call.campaignId === null ? null : { id: call.campaignId, name: call.campaignName ?? '' },
    agent_config: agent,
  };
}
