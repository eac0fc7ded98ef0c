import type { Conversation } from '../calls/model/conversation.entity';
import { IS_IN_PROGRESS } from '../calls/model/call-states';
import { statement } from '../../platform/database/statement';
import { INVOCATION_STATE, IS_BLOCKING, type ToolInvocation } from './tool-invocation.entity';

export type InvocationRow = Pick<
  ToolInvocation,
  'id' | 'tool' | 'arguments' | 'state' | 'result' | 'error' | 'variables'
>;

/** The facts that a request to the address of a tool needs beside the tool. Of a deleted tool the secrets are null. */
export interface RequestFacts extends Pick<Conversation, 'toNumber' | 'fromNumber'> {
  /** The variables of the call. */
  variables: Record<string, string>;
  secrets: Record<string, string> | null;
  /** The secrets that sign; null: the workspace has none yet */
  signingSecrets: string[] | null;
}

/** SQL: the {@link RequestFacts} of a call and its tool. */
export const REQUEST_FACTS = `
  call.to_number AS "toNumber", call.from_number AS "fromNumber",
  jsonb_strip_nulls(jsonb_build_object('customer_name', NULLIF(call.request ->> 'customer_name', '')))
    || COALESCE(call.request -> 'dynamic_variables', '{}') AS variables,
  CASE WHEN $toolId::uuid IS NULL THEN '{}' ELSE
    (SELECT secrets FROM tools WHERE tools.id = $toolId AND tools.workspace_id = call.workspace_id) END AS secrets,
  (SELECT array_remove(ARRAY[secret, CASE WHEN previous_expires_at > now() THEN previous_secret END], NULL)
   FROM webhook_secrets WHERE webhook_secrets.workspace_id = call.workspace_id) AS "signingSecrets"`;

export const INVOCATION_ROW = 'id, tool, arguments, state, result, error, variables';

export interface NewInvocation {
  id: string;
  workspaceId: string;
  callId: string;
  /** null: an action with an address of its own */
  toolId: string | null;
  tool: string;
  key: string;
  sameAs: string | null;
  arguments: Record<string, unknown>;
  leaseMs: number;
  /** Whether this process has room for one more. */
  mayBegin: boolean;
  maxOfCall: number;
  maxRunning: number;
}

/** No row: there is no such call. */
export interface RecordedInvocation extends RequestFacts {
  status: Conversation['status'];
  hasEnded: boolean;
  /** The number of invocations of the call, and of those that run in the workspace. */
  ofCall: number;
  running: number;
  /** The end of the lease of a new one, by which its server settles it. null: nothing was recorded */
  leaseUntil: Date | null;
  /** null: nothing was recorded, and there was nothing */
  invocation: InvocationRow | null;
}

/**
 * Records an asking, or finds the invocation with its key, or the one that does the same. Two of the same at once have one
 * row: the other statement finds neither, and is repeated.
 */
export const RECORD_INVOCATION = statement<NewInvocation, RecordedInvocation>(
  'record-tool-invocation',
  `
    WITH call AS MATERIALIZED (
      SELECT *, NOT ${IS_IN_PROGRESS} AS has_ended FROM conversations WHERE id = $callId AND workspace_id = $workspaceId
    ), known AS MATERIALIZED (
      SELECT ${INVOCATION_ROW} FROM tool_invocations
      WHERE conversation_id = (SELECT id FROM call) AND key = $key
    ), same AS MATERIALIZED (
      SELECT ${INVOCATION_ROW} FROM tool_invocations
      WHERE conversation_id = (SELECT id FROM call) AND same_as = $sameAs AND ${IS_BLOCKING}
        AND NOT EXISTS (SELECT FROM known)
    ), repeated AS (
      UPDATE tool_invocations SET repeats = repeats + 1 WHERE id IN (SELECT id FROM same)
    ), counted AS MATERIALIZED (
      SELECT (SELECT count(*)::int FROM tool_invocations WHERE conversation_id = call.id) AS of_call,
             (SELECT count(*)::int FROM tool_invocations
              WHERE workspace_id = $workspaceId AND state = '${INVOCATION_STATE.running}') AS running
      FROM call
    ), recorded AS (
      INSERT INTO tool_invocations (
        id, workspace_id, conversation_id, agent_id, tool_id, tool, key, same_as, arguments, state, lease_ms, lease_until)
      SELECT $id, workspace_id, call.id, agent_id, $toolId, $tool, $key, $sameAs, $arguments::jsonb,
             '${INVOCATION_STATE.running}', $leaseMs::integer, now() + $leaseMs::integer * interval '1 millisecond'
      FROM call CROSS JOIN counted
      WHERE $mayBegin AND NOT has_ended AND of_call < $maxOfCall AND running < $maxRunning
        AND NOT EXISTS (SELECT FROM known) AND NOT EXISTS (SELECT FROM same)
        AND ($toolId::uuid IS NULL OR EXISTS (SELECT FROM tools WHERE tools.id = $toolId AND tools.workspace_id = $workspaceId))
      ON CONFLICT DO NOTHING
      RETURNING *
    ), found AS (
      SELECT ${INVOCATION_ROW} FROM recorded UNION ALL SELECT * FROM known UNION ALL SELECT * FROM same
    )
    SELECT status, has_ended AS "hasEnded", of_call AS "ofCall", running, ${REQUEST_FACTS},
           (SELECT lease_until FROM recorded) AS "leaseUntil",
           (SELECT row_to_json(found) FROM found) AS invocation
    FROM call CROSS JOIN counted`,
);
