import type { Conversation } from '../calls/model/conversation.entity';
import { statement } from '../../platform/database/statement';
import {
  INVOCATION_ROW,
  type InvocationRow,
  REQUEST_FACTS,
  type RequestFacts,
} from './record-invocation.sql';
import { CALL_OF_EVENT_COLUMNS, eventsOfCalls } from '../calls/model/call-of-event.sql';
import { addWebhookEvents, HAS_JOBS } from '../webhooks/add-webhook-event.sql';
import { queueFindingsOf } from '../calls/model/queue-findings.sql';
import { hasContent } from './empty-invocations.sql';
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

/** An invocation, and the lease with which its server has it. */
export interface Leased {
  id: string;
  workspaceId: string;
  callId: string;
  leaseUntil: Date;
}

/**
 * Settles an invocation that runs, once. No row: it is settled already, or another server has it now. Nothing about the person of an erased call, which has
 * no token, is stored. The lock on the call comes first, as in an erasure.
 */
export const SETTLE_INVOCATION = statement<Leased & Settlement, InvocationRow>(
  'settle-tool-invocation',
  `
    WITH call AS MATERIALIZED (
      SELECT conversations.id, token IS NULL AS is_erased, ${CALL_OF_EVENT_COLUMNS} FROM conversations
      WHERE id = $callId AND workspace_id = $workspaceId FOR NO KEY UPDATE
    ), settled AS (
      UPDATE tool_invocations AS invocation
      SET state = $state, settled_at = now(), settled_by = '${SERVER}', attempts = invocation.attempts + $attempts,
          result = CASE WHEN NOT is_erased THEN $result::jsonb END, error = CASE WHEN NOT is_erased THEN $error END,
          variables = CASE WHEN is_erased THEN '{}' ELSE $variables::jsonb END
      FROM call
      WHERE invocation.id = $id AND invocation.conversation_id = call.id
        AND invocation.state = '${INVOCATION_STATE.running}' AND invocation.lease_until = $leaseUntil::timestamptz
      RETURNING invocation.*
    ), given AS (
      UPDATE conversations
      SET request = request || jsonb_build_object(
        'dynamic_variables', COALESCE(request -> 'dynamic_variables', '{}') || settled.variables)
      FROM settled
      WHERE conversations.id = settled.conversation_id AND settled.variables <> '{}'
    ), due AS (${queueFindingsOf('call')}
    ), ${addWebhookEvents(
      eventsOfCalls(
        `(SELECT call.*, settled.id AS invocation_id, tool FROM call JOIN settled ON conversation_id = call.id
          WHERE state = '${INVOCATION_STATE.unknown}') AS unknown_invocation`,
        'call.tool_unknown',
        `jsonb_build_object('invocation_id', invocation_id, 'tool', tool)`,
      ),
    )}
    SELECT ${INVOCATION_ROW} FROM settled WHERE ${HAS_JOBS}`,
);

/** The number of left invocations that a statement takes. */
export const LEASE_BATCH = 20;

/** An invocation that was sent before, perhaps. */
export interface SentInvocation extends RequestFacts, Pick<Conversation, 'agentVersion'>, Leased {
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

/**
 * SQL: the {@link SentInvocation} of rows.
 * @param from what has the rows, named `sent`
 * @param further further columns, each with a comma
 */
const selectSent = (from: string, further = '') => `
  SELECT ${further}sent.id, sent.workspace_id AS "workspaceId", sent.conversation_id AS "callId", sent.agent_id AS "agentId",
         sent.tool, sent.tool_id AS "toolId", sent.arguments, sent.lease_until AS "leaseUntil",
         call.agent_version AS "agentVersion", ${REQUEST_FACTS.replaceAll('$toolId', 'sent.tool_id')}
  FROM ${from} JOIN conversations AS call ON call.id = sent.conversation_id`;

const NEW_LEASE = `lease_until = now() + lease_ms * interval '1 millisecond'`;

/** The leases of an invocation after which it is not sent again. */
const MAX_LEASES = 3;

/** Takes invocations whose server has left them. The requests of that server count as one, since one was sent perhaps. */
export const TAKE_LEFT = statement<object, LeftInvocation>(
  'take-left-tool-invocations',
  `
    WITH taken AS (
      UPDATE tool_invocations SET ${NEW_LEASE}, attempts = attempts + 1
      WHERE id = ANY (ARRAY(
        SELECT id FROM tool_invocations WHERE state = '${INVOCATION_STATE.running}' AND lease_until < now()
        ORDER BY lease_until LIMIT ${LEASE_BATCH} FOR UPDATE SKIP LOCKED))
      RETURNING *, ${hasContent()} AND now() < asked_at + ${MAX_LEASES} * lease_ms * interval '1 millisecond' AS may_be_sent
    )
    ${selectSent('taken AS sent', 'may_be_sent AS "mayBeSent", ')}`,
);

interface OneInvocation {
  workspaceId: string;
  id: string;
}

/** Finds an invocation with all that a request of it needs. */
export const FIND_SENT = statement<OneInvocation, SentInvocation>(
  'find-sent-tool-invocation',
  `${selectSent('tool_invocations AS sent')} WHERE sent.id = $id AND sent.workspace_id = $workspaceId`,
);

/**
 * Lets an invocation run again of which it is not known what came of it. No row: that is known by now, or its arguments are
 * not kept any more.
 */
export const REOPEN_INVOCATION = statement<OneInvocation, { leaseUntil: Date }>(
  'reopen-tool-invocation',
  `
    UPDATE tool_invocations SET state = '${INVOCATION_STATE.running}', settled_at = NULL, settled_by = NULL, ${NEW_LEASE}
    WHERE id = $id AND workspace_id = $workspaceId AND state = '${INVOCATION_STATE.unknown}' AND ${hasContent()}
    RETURNING lease_until AS "leaseUntil"`,
);

/**
 * Stores what a person says came of an invocation of which it is not known. The note of an erased call is not stored. The lock
 * on the call comes first, as in an erasure.
 */
export const RESOLVE_INVOCATION = statement<
  OneInvocation & { state: InvocationState; note: string },
  { id: string }
>(
  'resolve-tool-invocation',
  `
    WITH call AS MATERIALIZED (
      SELECT id FROM conversations
      WHERE id = (SELECT conversation_id FROM tool_invocations WHERE id = $id AND workspace_id = $workspaceId)
      FOR NO KEY UPDATE
    ), settled AS (
      UPDATE tool_invocations AS invocation
      SET state = $state, settled_at = now(), settled_by = '${PERSON}',
          note = CASE WHEN ${hasContent('invocation')} THEN $note ELSE '' END
      FROM call
      WHERE invocation.id = $id AND invocation.conversation_id = call.id AND invocation.state = '${INVOCATION_STATE.unknown}'
      RETURNING invocation.id
    ), due AS (${queueFindingsOf('(SELECT call.id FROM call CROSS JOIN settled) AS resolved')}
    )
    SELECT id FROM settled`,
);
