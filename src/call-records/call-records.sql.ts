import type { AgentSnapshot } from '../agents/agent-version.entity';
import type { CallRequest } from '../calls/call-request';
import type { Conversation } from '../calls/conversation.entity';
import { type Statement, statement } from '../database/statement';
import type { AnalysisFields } from './call-analysis.entity';
import type { Speaker, ToolUse } from './transcript-turn.entity';
import { type CallFilter, IS_MATCH } from './call-filter';
import type { SortOrder } from '../http/pagination';
import type { CallSortField } from './call-filter.dto';

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
}

const CALL_RECORD = `
  call.id, call.agent_id AS "agentId", agents.name AS "agentName", agents.deleted_at IS NOT NULL AS "isAgentDeleted",
  call.agent_version AS "agentVersion", call.campaign_id AS "campaignId", call.direction, call.channel,
  call.call_type AS "callType", call.to_number AS "toNumber", call.from_number AS "fromNumber",
  COALESCE(call.request->>'customer_name', '') AS "customerName",
  COALESCE(call.request->>'external_id', '') AS "externalId", call.status,
  call.disconnect_reason AS "disconnectReason", call.disconnected_by AS "disconnectedBy",
  call.created_at AS "createdAt", call.connected_at AS "connectedAt", call.ended_at AS "endedAt",
  call.duration_sec AS "durationSec", call.charge, call.outcome,
  EXISTS (SELECT FROM call_recordings WHERE conversation_id = call.id) AS "hasRecording"`;

type PageParameters = CallFilter & { offset: number; limit: number };

type PageRow = { total: number } & ({ id: null } | CallRecord);

/**
 * A page of calls with the number of all that match, from one snapshot. A row without an id has the number alone. The
 * statement has no name, so that Postgres plans it for the conditions that are given.
 */
const listCalls = (column: CallSortField, order: SortOrder): Statement<PageParameters, PageRow> => {
  const inOrder = `call.${column} ${order} NULLS LAST, call.id ${order}`;
  return statement(
    '',
    `
    WITH page AS MATERIALIZED (
      SELECT id FROM conversations AS call WHERE ${IS_MATCH} ORDER BY ${inOrder} OFFSET $offset LIMIT $limit
    ), total AS (
      SELECT count(*)::int AS total FROM conversations AS call WHERE ${IS_MATCH}
    )
    SELECT total.total, record.*
    FROM total LEFT JOIN LATERAL (
      SELECT ${CALL_RECORD}
      FROM page JOIN conversations AS call USING (id) JOIN agents ON agents.id = call.agent_id
      ORDER BY ${inOrder}
    ) AS record ON true`,
  );
};

export const LIST_CALLS: Record<CallSortField, Record<SortOrder, Statement<PageParameters, PageRow>>> = {
  created_at: { asc: listCalls('created_at', 'asc'), desc: listCalls('created_at', 'desc') },
  ended_at: { asc: listCalls('ended_at', 'asc'), desc: listCalls('ended_at', 'desc') },
  duration_sec: { asc: listCalls('duration_sec', 'asc'), desc: listCalls('duration_sec', 'desc') },
  charge: { asc: listCalls('charge', 'asc'), desc: listCalls('charge', 'desc') },
};

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

export interface CallDetail extends CallRecord, Pick<Conversation, 'workspaceId' | 'userId' | 'expiresAt'> {
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
           call.expires_at AS "expiresAt", call.request, call.worker_id AS "workerId", call.summary,
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
