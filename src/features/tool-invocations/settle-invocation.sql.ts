import type { PinnedTool } from '../tools/tool-definition';
import { statement } from '../../platform/database/statement';
import {
  INVOCATION_ROW,
  type InvocationRow,
  REQUEST_FACTS,
  type RequestFacts,
} from './record-invocation.sql';
import { INVOCATION_STATE, type ToolInvocation } from './tool-invocation.entity';

export interface Settlement extends Pick<ToolInvocation, 'state' | 'error' | 'variables' | 'attempts'> {
  /** JSON */
  result: string | null;
}

/**
 * Settles an invocation that runs, once. No row: it is settled already. Nothing about the person of an erased call, which has
 * no token, is stored. The lock on the call comes first, as in an erasure.
 */
export const SETTLE_INVOCATION = statement<
  { id: string; workspaceId: string; callId: string } & Settlement,
  InvocationRow
>(
  'settle-tool-invocation',
  `
    WITH call AS MATERIALIZED (
      SELECT id, token IS NULL AS is_erased FROM conversations
      WHERE id = $callId AND workspace_id = $workspaceId FOR NO KEY UPDATE
    ), settled AS (
      UPDATE tool_invocations AS invocation
      SET state = $state, settled_at = now(), attempts = invocation.attempts + $attempts,
          result = CASE WHEN NOT is_erased THEN $result::jsonb END, error = CASE WHEN NOT is_erased THEN $error END,
          variables = CASE WHEN is_erased THEN '{}' ELSE $variables::jsonb END
      FROM call
      WHERE invocation.id = $id AND invocation.conversation_id = call.id
        AND invocation.state = '${INVOCATION_STATE.running}'
      RETURNING invocation.*
    ), given AS (
      UPDATE conversations
      SET request = request || jsonb_build_object(
        'dynamic_variables', COALESCE(request -> 'dynamic_variables', '{}') || settled.variables)
      FROM settled
      WHERE conversations.id = settled.conversation_id AND settled.variables <> '{}'
    )
    SELECT ${INVOCATION_ROW} FROM settled`,
);

/** The number of invocations that a server goes on with at once. */
export const LEASE_BATCH = 20;

export interface LeftInvocation extends RequestFacts {
  id: string;
  workspaceId: string;
  callId: string;
  agentId: string;
  arguments: Record<string, unknown>;
  /** null: the version of the agent has no such tool */
  tool: PinnedTool | null;
}

/** Takes invocations whose server has left them, for this time. */
export const TAKE_LEFT = statement<{ leaseMs: number }, LeftInvocation>(
  'take-left-tool-invocations',
  `
    WITH taken AS (
      UPDATE tool_invocations SET lease_until = now() + $leaseMs * interval '1 millisecond'
      WHERE id = ANY (ARRAY(
        SELECT id FROM tool_invocations WHERE state = '${INVOCATION_STATE.running}' AND lease_until < now()
        ORDER BY lease_until LIMIT ${LEASE_BATCH} FOR UPDATE SKIP LOCKED))
      RETURNING *
    )
    SELECT taken.id, taken.workspace_id AS "workspaceId", taken.conversation_id AS "callId",
           taken.agent_id AS "agentId", taken.arguments,
           (SELECT pinned FROM jsonb_array_elements(version.tools) AS pinned
            WHERE (pinned ->> 'tool_id')::uuid = taken.tool_id) AS tool, ${REQUEST_FACTS.replaceAll('$toolId', 'taken.tool_id')}
    FROM taken
    JOIN conversations AS call ON call.id = taken.conversation_id
    JOIN agent_versions AS version ON version.agent_id = call.agent_id AND version.version = call.agent_version`,
);
