import { statement } from '../../../platform/database/statement';
import { type AllowedTransfer, CALL_EVENT } from '../model/call-event.entity';
import type { Conversation } from '../model/conversation.entity';

export type CallToTransfer = Pick<Conversation, 'status' | 'callType'> & { actions: string[] };

/** Locks a call, and finds the actions of its agent in the version of the call. */
export const LOCK_CALL_TO_TRANSFER = statement<{ workspaceId: string; id: string }, CallToTransfer>(
  'lock-call-to-transfer',
  `
    SELECT call.status, call.call_type AS "callType",
           COALESCE(version.snapshot->'actions', '[]') AS actions
    FROM conversations AS call
    JOIN agent_versions AS version ON version.agent_id = call.agent_id AND version.version = call.agent_version
    WHERE call.id = $id AND call.workspace_id = $workspaceId
    FOR NO KEY UPDATE OF call`,
);

/** Stores that a transfer of a locked call was allowed, once for each number. */
export const ALLOW_TRANSFER = statement<{ id: string } & AllowedTransfer, object>(
  'allow-transfer',
  `
    INSERT INTO call_events (conversation_id, kind, data)
    SELECT $id, '${CALL_EVENT.transfer_allowed}',
           jsonb_build_object('toNumber', $toNumber::text, 'maximumSeconds', $maximumSeconds::integer)
    WHERE NOT EXISTS (
      SELECT FROM call_events
      WHERE conversation_id = $id AND kind = '${CALL_EVENT.transfer_allowed}' AND data->>'toNumber' = $toNumber)`,
);
