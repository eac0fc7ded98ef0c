import { statement } from '../../../platform/database/statement';
import type { CallTrace } from './call-trace';

/** For a message of a runtime, which does not know the workspace. */
export const FIND_CALL_TRACE = statement<{ conversationId: string }, CallTrace>(
  'find-trace-of-call',
  `SELECT request->>'traceparent' AS traceparent, workspace_id AS "workspaceId", agent_id AS "agentId"
   FROM conversations WHERE id = $conversationId AND request->>'traceparent' IS NOT NULL`,
);
