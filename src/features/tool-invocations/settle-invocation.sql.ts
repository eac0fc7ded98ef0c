import type { Conversation } from '../calls/model/conversation.entity';
import { statement } from '../../platform/database/statement';
import {
  INVOCATION_ROW,
  type InvocationRow,
  REQUEST_FACTS,
  type RequestFacts,
} from './record-invocation.sql';
import { queueFindingsOf } from '../calls/model/queue-findings.sql';
import { HAS_CONTENT } from './empty-invocations.sql';
import {
  INVOCATION_STATE,
  type InvocationState,
  SETTLED_BY,
  type ToolInvocation,
} from './tool-invocation.entity';

const [SERVER, PERSON] = SETTLED_BY;

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
      SET state = $state, settled_at = now(), settled_by = '${SERVER}', attempts = invocation.attempts + $attempts,
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
    ), due AS (${queueFindingsOf('call')}
    )
    SELECT ${INVOCATION_ROW} FROM settled`,
);

/** The number of left invocations that a statement takes. */
export const LEASE_BATCH = 20;

/** An invocation that was sent before, perhaps. */
export interface SentInvocation extends RequestFacts, Pick<Conversation, 'agentVersion'> {
  id: string;
  workspaceId: string;
  callId: string;
  agentId: string;
  tool: string;
  toolId: string | null;
  arguments: Record<string, unknown>;
}

/** An invocation whose server has left it. */
export interface LeftInvocation extends SentInvocation {
  /** Whether it may be sent again if its tool allows it: it was not emptied, and is not left again and again. */
  mayBeSent: boolean;
}

/** SQL: the {@link SentInvocation} of the rows of `taken`, and further columns. */
const selectSent = (further = '') => `
  SELECT ${further}taken.id, taken.workspace_id AS "workspaceId", taken.conversation_id AS "callId", taken.agent_id AS "agentId",
         taken.tool, taken.tool_id AS "toolId", taken.arguments, call.agent_version AS "agentVersion",
         ${REQUEST_FACTS.replaceAll('$toolId', 'taken.tool_id')}
  FROM taken JOIN conversations AS call ON call.id = taken.conversation_id`;

const NEW_LEASE = `lease_until = now() + lease_ms * interval '1 millisecond'`;

/** The leases of an invocation after which it is not sent again. */
const MAX_LEASES = 3;

/** Takes invocations whose server has left them. */
export const TAKE_LEFT = statement<object, LeftInvocation>(
  'take-left-tool-invocations',
  `
    WITH taken AS (
      UPDATE tool_invocations SET ${NEW_LEASE}
      WHERE id = ANY (ARRAY(
        SELECT id FROM tool_invocations WHERE state = '${INVOCATION_STATE.running}' AND lease_until < now()
        ORDER BY lease_until LIMIT ${LEASE_BATCH} FOR UPDATE SKIP LOCKED))
      RETURNING *, ${HAS_CONTENT} AND now() < asked_at + ${MAX_LEASES} * lease_ms * interval '1 millisecond' AS may_be_sent
    )
    ${selectSent('may_be_sent AS "mayBeSent", ')}`,
);

interface OneInvocation {
  workspaceId: string;
  id: string;
}

/** Lets an invocation run again of which it is not known what came of it. No row: it is another one by now. */
export const REOPEN_INVOCATION = statement<OneInvocation, SentInvocation>(
  'reopen-tool-invocation',
  `
    WITH taken AS (
      UPDATE tool_invocations SET state = '${INVOCATION_STATE.running}', settled_at = NULL, settled_by = NULL, ${NEW_LEASE}
      WHERE id = $id AND workspace_id = $workspaceId AND state = '${INVOCATION_STATE.unknown}' AND ${HAS_CONTENT}
      RETURNING *
    )
    ${selectSent()}`,
);

/** Stores what a person says came of an invocation of which it is not known. The note of an erased call is not stored. */
export const RESOLVE_INVOCATION = statement<
  OneInvocation & { state: InvocationState; note: string },
  { id: string }
>(
  'resolve-tool-invocation',
  `
    WITH settled AS (
      UPDATE tool_invocations
      SET state = $state, settled_at = now(), settled_by = '${PERSON}', note = CASE WHEN ${HAS_CONTENT} THEN $note ELSE '' END
      WHERE id = $id AND workspace_id = $workspaceId AND state = '${INVOCATION_STATE.unknown}'
      RETURNING id, conversation_id
    ), due AS (${queueFindingsOf('(SELECT conversation_id AS id FROM settled) AS resolved')}
    )
    SELECT id FROM settled`,
);
