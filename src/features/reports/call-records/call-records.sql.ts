import type { AgentVersion } from '../../agents/agent-version.entity';
import type { CallRequest } from '../../calls/model/call-request';
import { inStatus, STATUS } from '../../calls/model/call-states';
import { isAudible } from '../../calls/model/listening.sql';
import type { Conversation } from '../../calls/model/conversation.entity';
import { statement } from '../../../platform/database/statement';
import type { Findings } from '../findings/call-findings.entity';
import type { AnalysisFields } from '../runtime-reports/call-analysis.entity';
import type { CallId } from '../filter/call-filter';
import { CALL_RECORD, type CallRecord } from '../filter/call-record.sql';

/** SQL: whether a row of `conversations`, named `call`, has the id of the parameter and is in scope. */
export const IS_CALL = `
  call.id = $callId AND call.workspace_id = $workspaceId
  AND ($agentsInScope::uuid[] IS NULL OR call.agent_id = ANY ($agentsInScope))`;

export interface CallDetail
  extends
    CallRecord,
    Pick<Conversation, 'workspaceId' | 'userId' | 'expiresAt' | 'attempt'>,
    Pick<AgentVersion, 'snapshot' | 'tools'> {
  request: Partial<CallRequest>;
  workerId: string | null;
  summary: string;
  processCompliance: string;
  campaignName: string | null;
  recordingUrl: string | null;
  /** null: nobody can join it now. */
  joinUrl: string | null;
  joinExpiresAt: Date | null;
  analysis: AnalysisFields | null;
  findings: Findings | null;
  /** The analysis that the version of the agent asks for. */
  asked: AgentVersion['analysis'];
}

export const FIND_CALL = statement<CallId, CallDetail>(
  'find-call',
  `
    SELECT ${CALL_RECORD}, call.workspace_id AS "workspaceId", call.user_id AS "userId",
           call.expires_at AS "expiresAt", call.attempt, call.request, call.worker_id AS "workerId", call.summary,
           call.process_compliance AS "processCompliance", campaigns.name AS "campaignName",
           call_recordings.url AS "recordingUrl", call_analyses.fields AS analysis,
           CASE WHEN call.${inStatus(STATUS.accepted)} AND call.join_expires_at > now() THEN call.join_url END AS "joinUrl",
           call.join_expires_at AS "joinExpiresAt", snapshot, tools, agent_versions.analysis AS asked,
           (SELECT json_build_object('fields', found.fields, 'criteria', found.criteria)
            FROM call_findings AS found WHERE found.conversation_id = call.id) AS findings
    FROM conversations AS call
    JOIN agents ON agents.id = call.agent_id
    JOIN agent_versions ON agent_versions.agent_id = call.agent_id AND version = call.agent_version
    LEFT JOIN campaigns ON campaigns.id = call.campaign_id
    LEFT JOIN call_recordings ON call_recordings.conversation_id = call.id
    LEFT JOIN call_analyses ON call_analyses.conversation_id = call.id
    WHERE ${IS_CALL}`,
);

/** No row: users cannot listen to the call now. */
export const FIND_LISTENING = statement<CallId, { url: string; expiresAt: Date }>(
  'find-listening',
  `SELECT listen_url AS url, listen_expires_at AS "expiresAt" FROM conversations AS call
   WHERE ${IS_CALL} AND ${isAudible('call')}`,
);

export const FIND_AGENT_OF_CALL = statement<CallId, Pick<Conversation, 'agentId'>>(
  'find-agent-of-call',
  `SELECT agent_id AS "agentId" FROM conversations AS call WHERE ${IS_CALL}`,
);
