import type { AgentSnapshot } from '../agents/agent-version.entity';
import type { CallRequest } from '../calls/call-request';
import type { Conversation } from '../calls/conversation.entity';
import { statement } from '../database/statement';
import type { AnalysisFields } from './call-analysis.entity';
import type { Speaker, ToolUse } from './transcript-turn.entity';
import { CALL_RECORD, type CallRecord } from './call-record.sql';

export interface CallId {
  workspaceId: string;
  callId: string;
  /** null: all agents */
  agentsInScope: string[] | null;
}

/** SQL: whether a row of `conversations`, named `call`, is this one, and in scope. */
export const IS_CALL = `
  call.id = $callId AND call.workspace_id = $workspaceId
  AND ($agentsInScope::uuid[] IS NULL OR call.agent_id = ANY ($agentsInScope))`;

export interface CallDetail
  extends CallRecord, Pick<Conversation, 'workspaceId' | 'userId' | 'expiresAt' | 'attempt'> {
  request: Partial<CallRequest>;
  workerId: string | null;
  summary: string;
  processCompliance: string;
  campaignName: string | null;
  recordingUrl: string | null;
  analysis: AnalysisFields | null;
  snapshot: AgentSnapshot;
}

export const FIND_CALL = statement<CallId, CallDetail>(
  'find-call',
  `
    SELECT ${CALL_RECORD}, call.workspace_id AS "workspaceId", call.user_id AS "userId",
           call.expires_at AS "expiresAt", call.attempt, call.request, call.worker_id AS "workerId", call.summary,
           call.process_compliance AS "processCompliance", campaigns.name AS "campaignName",
           call_recordings.url AS "recordingUrl", call_analyses.fields AS analysis,
           COALESCE(call.agent_snapshot, snapshot) AS snapshot
    FROM conversations AS call
    JOIN agents ON agents.id = call.agent_id
    LEFT JOIN agent_versions ON agent_versions.agent_id = call.agent_id AND version = call.agent_version
    LEFT JOIN campaigns ON campaigns.id = call.campaign_id
    LEFT JOIN call_recordings ON call_recordings.conversation_id = call.id
    LEFT JOIN call_analyses ON call_analyses.conversation_id = call.id
    WHERE ${IS_CALL}`,
);

export interface FoundTurn {
  sequence: number;
  speaker: Speaker;
  text: string;
  startedAt: Date;
  endedAt: Date | null;
  tool: ToolUse | null;
}

export interface TranscriptState {
  truncated: boolean;
  complete: boolean;
}

/** From one snapshot. No row: no such call. A row without a sequence has the state alone. */
export const FIND_TRANSCRIPT = statement<CallId, TranscriptState & (FoundTurn | { sequence: null })>(
  'find-transcript',
  `
    SELECT COALESCE(truncated, false) AS truncated,
           COALESCE(COALESCE(turns, 0) >= transcript_turns, false) AS complete,
           sequence, speaker, text, started_at AS "startedAt", turn.ended_at AS "endedAt", tool
    FROM conversations AS call
    LEFT JOIN call_transcripts ON call_transcripts.conversation_id = call.id
    LEFT JOIN transcript_turns AS turn ON turn.conversation_id = call.id
    WHERE ${IS_CALL}
    ORDER BY sequence`,
);

export const FIND_AGENT_OF_CALL = statement<CallId, Pick<Conversation, 'agentId'>>(
  'find-agent-of-call',
  `SELECT agent_id AS "agentId" FROM conversations AS call WHERE ${IS_CALL}`,
);
