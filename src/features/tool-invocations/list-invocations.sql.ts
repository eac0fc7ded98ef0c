import { statement } from '../../platform/database/statement';
import { INVOCATION_ROW, type InvocationRow } from './record-invocation.sql';
import { INVOCATION_STATE, type ToolInvocation } from './tool-invocation.entity';

export const FIND_INVOCATION = statement<{ workspaceId: string; callId: string; id: string }, InvocationRow>(
  'find-tool-invocation',
  `SELECT ${INVOCATION_ROW} FROM tool_invocations
   WHERE id = $id AND conversation_id = $callId AND workspace_id = $workspaceId`,
);

/** Finds the invocations that do not run any more. */
export const FIND_SETTLED = statement<{ ids: string[] }, InvocationRow>(
  'find-settled-tool-invocations',
  `SELECT ${INVOCATION_ROW} FROM tool_invocations WHERE id = ANY ($ids) AND state <> '${INVOCATION_STATE.running}'`,
);

export type ListedInvocation = InvocationRow &
  Pick<
    ToolInvocation,
    'conversationId' | 'agentId' | 'attempts' | 'repeats' | 'askedAt' | 'settledAt' | 'settledBy' | 'note'
  >;

/** SQL: the columns of {@link ListedInvocation}. */
export const LISTED_INVOCATION = `
  ${INVOCATION_ROW}, conversation_id AS "conversationId", agent_id AS "agentId", attempts, repeats,
  asked_at AS "askedAt", settled_at AS "settledAt", settled_by AS "settledBy", note`;

export const FIND_LISTED_INVOCATION = statement<{ workspaceId: string; id: string }, ListedInvocation>(
  'find-listed-tool-invocation',
  `SELECT ${LISTED_INVOCATION} FROM tool_invocations WHERE id = $id AND workspace_id = $workspaceId`,
);

/**
 * The invocations of a call in scope, in their order; a call has up to 100. No row: there is no such call. A row without an id:
 * the call has none.
 */
export const LIST_INVOCATIONS = statement<
  { workspaceId: string; agentsInScope: string[] | null; callId: string },
  ListedInvocation | { id: null }
>(
  'list-tool-invocations-of-call',
  `SELECT invocation.*
   FROM conversations AS call LEFT JOIN LATERAL (
     SELECT ${LISTED_INVOCATION} FROM tool_invocations WHERE conversation_id = call.id
   ) AS invocation ON true
   WHERE call.id = $callId AND call.workspace_id = $workspaceId
     AND ($agentsInScope::uuid[] IS NULL OR call.agent_id = ANY ($agentsInScope))
   ORDER BY "askedAt", invocation.id`,
);
