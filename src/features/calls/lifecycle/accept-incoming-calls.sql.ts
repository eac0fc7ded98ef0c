import { ACTIVE_TYPE, ACTIVE_VERSION, TAKES_CALLS } from '../../agents/active-version.sql';
import { AGENT_TYPE } from '../../agents/agent-types';
import { type JsonRows, statement } from '../../../platform/database/statement';
import { isListed } from '../../do-not-call/is-listed.sql';
import { ENTRY_KIND } from '../../../accounts/workspaces/credit-entry.entity';
import { lockWorkspaces } from '../../../accounts/workspaces/lock-workspaces.sql';
import { addSpending } from '../../../accounts/workspaces/spending.sql';
import type { AcceptedCall, Refusal } from '../model/accepted-call';
import type { CallRequest } from '../model/call-request';
import { type CallType, DEFAULT_CHANNEL, DIRECTION, STATUS } from '../model/call-states';
import type { ClaimScope } from '../model/claim-scope';
import { ACCEPTED_CALL_COLUMNS } from './call-transitions.sql';
import { freeCalls, findRefusal } from './may-start-call.sql';
import { HOLD } from '../model/pricing';

/** A call that has reached a runtime, which claims it. */
export interface IncomingCall {
  /** The id of the call, if it is accepted. */
  id: string;
  claimId: string;
  workerId: string;
  token: string;
  /** E.164 */
  toNumber: string;
  /** E.164; '' where it is withheld */
  fromNumber: string;
  callType: CallType;
  request: Partial<CallRequest>;
  ttlSeconds: number;
  scope: ClaimScope;
}

export interface IncomingCallsToAccept {
  calls: JsonRows<IncomingCall>;
  /** The number of calls of a workspace that may be in progress if it has no quota of its own. */
  workspaceConcurrency: number;
}

/** An incoming call that was accepted, with the token that proves its claim, and the worker that claimed it first. */
export type ClaimedIncomingCall = AcceptedCall & { token: string; workerId: string };

/** The decision on one claim. Without a refusal and without a call, another statement has accepted the same claim. */
export type IncomingDecision = {
  requestId: string;
  claimId: string;
  /** 'locked': another transaction has locked the workspace. */
  refusal: Exclude<Refusal['reason'], 'not published' | 'key lost' | 'cap reached'> | 'locked' | null;
  /** The workspace whose number was called; null if no workspace in the scope of the claim has the number. */
  workspaceOfNumber: string | null;
} & ({ id: null } | ClaimedIncomingCall);

/**
 * A statement that decides on incoming calls, like `acceptCalls` on those that clients start. The unique index on the
 * claim makes one call of claims with the same id; only the calls that it lets through take a hold.
 */
const acceptIncomingCalls = (name: string, { skipLocked }: { skipLocked: boolean }) =>
  statement<IncomingCallsToAccept, IncomingDecision>(
    name,
    `
    WITH call AS MATERIALIZED (
      SELECT DISTINCT ON ("claimId") *
      FROM json_to_recordset($calls::json) AS call (
        id uuid, "claimId" uuid, "workerId" text, token uuid, "toNumber" text, "fromNumber" text, "callType" text,
        request jsonb, "ttlSeconds" integer, scope uuid)
      WHERE NOT EXISTS (SELECT FROM conversations WHERE incoming_claim_id = "claimId")
    ), candidate AS MATERIALIZED (
      SELECT call.*, agent.*, ${isListed('agent.workspace_id', 'call."fromNumber"')} AS is_listed
      FROM call
      CROSS JOIN LATERAL (
        SELECT agents.id AS agent_id, agents.workspace_id, agents.user_id, ${ACTIVE_TYPE} AS type, ${TAKES_CALLS} AS is_on,
               ${ACTIVE_VERSION} AS version
        FROM phone_numbers JOIN agents ON agents.id = phone_numbers.agent_id
        WHERE phone_numbers.number = call."toNumber" AND agents.deleted_at IS NULL
          AND agents.workspace_id = COALESCE(call.scope, agents.workspace_id)
        LIMIT 1
      ) AS agent
    ), ${lockWorkspaces(
      'SELECT workspace_id FROM candidate WHERE is_on AND NOT is_listed',
      `workspaces.id AS locked_id, ${freeCalls('$workspaceConcurrency')}`,
      { skipLocked },
    )}, ranked AS (
      SELECT *, row_number() OVER (PARTITION BY workspace_id ORDER BY id) AS place
      FROM candidate JOIN workspace ON locked_id = workspace_id WHERE is_on AND NOT is_listed
    ), decided AS MATERIALIZED (
      SELECT *, ${findRefusal('place')} AS refusal FROM ranked
    ), accepted AS (
      INSERT INTO conversations (
        id, workspace_id, agent_id, user_id, status, call_type, direction, channel, to_number, from_number, request,
        agent_version, hold, created_at, last_publish_at, expires_at, incoming_claim_id, token, worker_id,
        accepted_at, heartbeat_at)
      SELECT id, workspace_id, agent_id, user_id, '${STATUS.accepted}', "callType", '${DIRECTION.inbound}',
             CASE type WHEN '${AGENT_TYPE.chat}' THEN '${DEFAULT_CHANNEL.chat}' ELSE '${DEFAULT_CHANNEL.voice}' END,
             "toNumber", "fromNumber", request, version, ${HOLD}, now(), now(),
             now() + "ttlSeconds" * interval '1 second', "claimId", token, "workerId", now(), now()
      FROM decided WHERE refusal IS NULL
      -- Two statements that insert the same claims wait for each other in the same order.
      ORDER BY "claimId"
      ON CONFLICT (incoming_claim_id) WHERE incoming_claim_id IS NOT NULL DO NOTHING
      RETURNING ${ACCEPTED_CALL_COLUMNS}, token, worker_id AS "workerId", workspace_id
    ), held AS (
      UPDATE workspaces SET credits = credits - ${HOLD} * calls, calls_under_way = calls_under_way + calls,
             ${addSpending(`${HOLD} * calls`)}
      FROM (SELECT workspace_id, count(*)::int AS calls FROM accepted GROUP BY workspace_id) AS started
      WHERE workspaces.id = started.workspace_id
    ), ledger AS (
      INSERT INTO credit_entries (workspace_id, conversation_id, kind, amount)
      SELECT workspace_id, id, '${ENTRY_KIND.hold}', -${HOLD} FROM accepted
    )
    SELECT accepted.*, call.id AS "requestId", call."claimId", candidate.workspace_id AS "workspaceOfNumber",
           CASE WHEN candidate.id IS NULL THEN 'no agent'
                WHEN NOT candidate.is_on THEN 'agent off'
                WHEN candidate.is_listed THEN 'do not call'
                WHEN decided.id IS NULL THEN 'locked'
                ELSE decided.refusal END AS refusal
    FROM call
    LEFT JOIN candidate ON candidate.id = call.id
    LEFT JOIN decided ON decided.id = call.id
    LEFT JOIN accepted ON accepted.id = call.id`,
  );

export const ACCEPT_INCOMING = {
  /** Accepts the calls of one workspace. */
  waiting: acceptIncomingCalls('accept-incoming-calls', { skipLocked: false }),
  /** Decides on calls without waiting for a lock, so that no workspace delays the calls of the others. */
  unlocked: acceptIncomingCalls('accept-unlocked-incoming-calls', { skipLocked: true }),
};

/**
 * Finds the call of an accepted claim in any state. An erased call has no token any more; the runtime gets one
 * that proves nothing.
 */
export const FIND_INCOMING = statement<{ claimId: string; scope: ClaimScope }, ClaimedIncomingCall>(
  'find-incoming-call',
  `SELECT ${ACCEPTED_CALL_COLUMNS}, COALESCE(token, gen_random_uuid()) AS token, worker_id AS "workerId"
   FROM conversations
   WHERE incoming_claim_id = $claimId AND workspace_id = COALESCE($scope::uuid, workspace_id)`,
);
