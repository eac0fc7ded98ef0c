import { statement } from '../../../platform/database/statement';
import type { CallToRehearse, AskedTool } from './call-to-rehearsal';

interface CallOfAgent {
  workspaceId: string;
  agentId: string;
  callId: string;
}

/** An erasure of the person waits, and deletes what is made of the call afterwards. */
export const LOCK_CALL_TO_REHEARSE = statement<CallOfAgent, CallToRehearse>(
  'lock-call-to-rehearse',
  `
    SELECT direction, call_type AS "callType", request, disconnect_reason AS "disconnectReason",
           disconnected_by AS "disconnectedBy"
    FROM conversations WHERE workspace_id = $workspaceId AND agent_id = $agentId AND id = $callId FOR KEY SHARE`,
);

/** A rehearsal has fewer mocks. */
const MAX_TOOLS = 200;

export const LIST_ASKED_TOOLS = statement<Omit<CallOfAgent, 'agentId'>, AskedTool>(
  'list-tools-to-rehearse',
  `
    SELECT tool, arguments, state, result, error, repeats FROM tool_invocations
    WHERE workspace_id = $workspaceId AND conversation_id = $callId ORDER BY asked_at, id LIMIT ${MAX_TOOLS}`,
);
