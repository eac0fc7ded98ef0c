import type { AgentVersion } from '../../agents/agent-version.entity';
import type { CallEventKind } from '../../calls/model/call-event.entity';
import type { Conversation } from '../../calls/model/conversation.entity';
import { statement } from '../../../platform/database/statement';
import type { CallWarning } from '../runtime-reports/call-warnings.entity';
import type { InvocationState, SettledBy } from '../../tool-invocations/tool-invocation.entity';
import type { CallId } from '../filter/call-filter';
import { IS_CALL } from './call-records.sql';

/** The stored facts about a call and about the rows that belong to it. */
export interface CallFacts extends Pick<
  Conversation,
  | 'createdAt'
  | 'campaignId'
  | 'startedBy'
  | 'toNumber'
  | 'fromNumber'
  | 'direction'
  | 'agentVersion'
  | 'dispatchedAt'
  | 'expiresAt'
  | 'acceptedAt'
  | 'connectedAt'
  | 'endedAt'
  | 'heartbeatAt'
  | 'hangupRequestedAt'
  | 'hangupRequestedBy'
  | 'workerId'
  | 'status'
  | 'disconnectReason'
  | 'disconnectedBy'
  | 'durationSec'
> {
  agentName: string;
  /** The actions of the version of the agent, and the tools that they name. */
  actions: string[];
  tools: AgentVersion['tools'];
  /** Whether the call reached a runtime, which claimed it as an incoming call. */
  isIncoming: boolean;
  campaignName: string | null;
  events: { at: string; kind: CallEventKind; data: Record<string, unknown> }[];
  entries: { at: string; kind: string; amount: number }[];
  attempts: {
    at: string;
    number: number;
    type: string;
    url: string;
    statusCode: number | null;
    error: string | null;
    durationMs: number | null;
    deliveryId: string;
    endpointId: string | null;
  }[];
  recording: { at: string; url: string; durationSec: number | null } | null;
  analysis: { at: string; optOut: boolean; fields: number } | null;
  warnings: CallWarning[];
  invocations: {
    id: string;
    tool: string;
    state: InvocationState;
    askedAt: string;
    settledAt: string | null;
    settledBy: SettledBy | null;
  }[];
}

const list = (object: string, from: string) =>
  `COALESCE((SELECT json_agg(json_build_object(${object})) FROM ${from} WHERE conversation_id = call.id), '[]')`;

export const FIND_CALL_FACTS = statement<CallId, CallFacts>(
  'find-call-facts',
  `
    SELECT call.created_at AS "createdAt", call.campaign_id AS "campaignId",
           call.started_by AS "startedBy", campaigns.name AS "campaignName",
           call.to_number AS "toNumber", call.from_number AS "fromNumber", call.direction,
           call.incoming_claim_id IS NOT NULL AS "isIncoming",
           call.agent_version AS "agentVersion", agents.name AS "agentName",
           COALESCE(version.snapshot -> 'actions', '[]') AS actions, version.tools, call.dispatched_at AS "dispatchedAt",
           call.expires_at AS "expiresAt", call.accepted_at AS "acceptedAt", call.connected_at AS "connectedAt",
           call.ended_at AS "endedAt", call.heartbeat_at AS "heartbeatAt",
           call.hangup_requested_at AS "hangupRequestedAt",
           call.hangup_requested_by AS "hangupRequestedBy", call.worker_id AS "workerId", call.status,
           call.disconnect_reason AS "disconnectReason", call.disconnected_by AS "disconnectedBy",
           call.duration_sec AS "durationSec",
           ${list(`'at', created_at, 'kind', kind, 'data', data`, 'call_events')} AS events,
           ${list(`'at', created_at, 'kind', kind, 'amount', amount`, 'credit_entries')} AS entries,
           ${list(
             `'at', started_at, 'number', number, 'type', type, 'url', url, 'statusCode', status_code, 'error', error,
              'durationMs', duration_ms, 'deliveryId', id, 'endpointId', endpoint_id`,
             `webhook_deliveries JOIN webhook_attempts ON delivery_id = id AND (endpoint_id IS NULL OR error IS NOT NULL)`,
           )} AS attempts,
           (SELECT json_build_object('at', reported_at, 'url', url, 'durationSec', duration_sec)
            FROM call_recordings WHERE conversation_id = call.id) AS recording,
           (SELECT json_build_object('at', reported_at, 'optOut', opt_out,
                                     'fields', (SELECT count(*) FROM jsonb_object_keys(fields)))
            FROM call_analyses WHERE conversation_id = call.id) AS analysis,
           ${list(
             `'id', id, 'tool', tool, 'state', state, 'askedAt', asked_at, 'settledAt', settled_at,
              'settledBy', settled_by`,
             'tool_invocations',
           )} AS invocations,
           COALESCE((SELECT warnings FROM call_warnings WHERE conversation_id = call.id), '[]') AS warnings
    FROM conversations AS call JOIN agents ON agents.id = call.agent_id
    JOIN agent_versions AS version ON version.agent_id = call.agent_id AND version.version = call.agent_version
    LEFT JOIN campaigns ON campaigns.id = campaign_id
    WHERE ${IS_CALL}`,
);
