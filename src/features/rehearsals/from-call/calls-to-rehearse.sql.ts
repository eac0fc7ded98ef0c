import { statement } from '../../../platform/database/statement';
import { personNumber } from '../../calls/model/call-parties.sql';
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
           disconnected_by AS "disconnectedBy", NULLIF(${personNumber('conversations')}, '') AS "personNumber"
    FROM conversations WHERE workspace_id = $workspaceId AND agent_id = $agentId AND id = $callId FOR KEY SHARE`,
);

const MAX_TOOLS = 50;
/** A rehearsal has up to 64 KB. */
const MAX_CHARACTERS = 200_000;

/** The first askings. A rehearsal with more of them would be too large. */
export const LIST_ASKED_TOOLS = statement<Omit<CallOfAgent, 'agentId'>, AskedTool>(
  'list-tools-to-rehearse',
  `
    WITH asked AS (
      SELECT tool, arguments, state, result, error, repeats,
             sum(length(arguments::text) + COALESCE(length(result::text), 0)) OVER (ORDER BY asked_at, id) AS length
      FROM tool_invocations
      WHERE workspace_id = $workspaceId AND conversation_id = $callId ORDER BY asked_at, id LIMIT ${MAX_TOOLS}
    )
    SELECT tool, arguments, state, result, error, repeats FROM asked WHERE length <= ${MAX_CHARACTERS}`,
);
