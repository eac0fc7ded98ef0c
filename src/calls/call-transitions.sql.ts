import { statement } from '../database/statement';
import type { OwnedKey, StoredResponse } from '../idempotency/idempotent-attempt';
import { addWebhookEvents } from '../webhooks/add-webhook-event.sql';
import { isSuspended } from '../workspaces/suspended.sql';
import { ACCEPTED_CALL_COLUMNS, acceptCall, type AcceptanceRow, WITH_RESPONSE } from './accept-call.sql';
import type { AcceptedCall, NewCall } from './accepted-call';
import {
  CLAIMED_STATUSES,
  type DisconnectReason,
  ENDED_STATUSES,
  inStatus,
  PARTY,
  type Party,
  REASON,
  STATUS,
} from './call-states';
import { CALL_EVENT_COLUMNS, callEvents } from './call-webhooks.sql';
import type { Conversation } from './conversation.entity';
import { chargeFor } from './pricing';
import { correctCall, endCall } from './settle-call.sql';

/*
 * Every change of a call's state, in the order of a call's life. Each is one statement that names the status it starts
 * from, so an event that is late, repeated, out of order or sent with another call's token changes nothing.
 *
 *   POST …/calls                      runtime                              runtime
 *       │                                │                                    │
 *    ACCEPT ──► queued ──────────────► CLAIM ► accepted ──► CONNECT ────► connected
 *    (hold)       │                              │  │                         │
 *                 │ CANCEL_*, EXPIRE,            │  └────── END ──────────┐   │ END, LOSE_CONNECTED
 *                 │ REFUSE_DESTINATION           │ FAIL, LOSE_ACCEPTED    │   │
 *                 ▼                              ▼                        ▼   ▼
 *               failed                        failed                    disconnected
 *           (hold released)               (hold released)          (hold released, charged)
 *
 * A call that LOSE_* ended is corrected by the late report of its runtime: CORRECT_FAILURE changes the reason, and
 * CORRECT_END the rest too, `failed → disconnected` and the charge included.
 */

interface CallId {
  conversationId: string;
}

/** A call that a runtime has claimed, with the token that proves it. */
interface ClaimedCall extends CallId {
  token: string;
}

interface CallOfWorkspace extends CallId {
  workspaceId: string;
  agentId: string;
}

/*
 * → queued
 */

/**
 * No row: the agent does not exist. A row without an id: the agent is off (`agentIsOn` is false), or the workspace may
 * not start a call now, and `WHY_REFUSED` says why.
 */
export const ACCEPT = acceptCall<NewCall & CallId, AcceptanceRow>('start-call');

/** Also stores the response of the attempt. A row without an id whose `isOwned` is false: the attempt lost its key. */
export const ACCEPT_IDEMPOTENT = acceptCall<
  NewCall & CallId & OwnedKey & { response: StoredResponse },
  AcceptanceRow & { isOwned: boolean }
>('start-idempotent-call', WITH_RESPONSE);

/*
 * queued, until it is dispatched
 */

export const MARK_DISPATCHED = statement<{ conversationIds: string[] }>(
  'mark-dispatched',
  'UPDATE conversations SET dispatched_at = now() WHERE id = ANY($conversationIds) AND dispatched_at IS NULL',
);

/** For a broker that lost its messages with its process. */
export const FORGET_DISPATCHES = statement(
  'forget-dispatches',
  `UPDATE conversations SET dispatched_at = NULL WHERE ${inStatus(STATUS.queued)} AND dispatched_at IS NOT NULL`,
);

/** Longer than a publish may take, so that a call that is being dispatched is not published a second time. */
const REPUBLISH_AFTER_SECONDS = 5;

/** Small, since each row has the snapshot of its agent, of up to a megabyte. */
export const REPUBLISH_BATCH = 20;

/** Takes calls to publish them again. Another sweeper skips them while they are locked, and does not find them after. */
export const TAKE_UNDISPATCHED = statement<object, AcceptedCall>(
  'take-undispatched-calls',
  `
    UPDATE conversations SET last_publish_at = now()
    WHERE id IN (
      SELECT id FROM conversations
      WHERE ${inStatus(STATUS.queued)} AND dispatched_at IS NULL AND expires_at > now()
        AND last_publish_at <= now() - ${REPUBLISH_AFTER_SECONDS} * interval '1 second'
      ORDER BY expires_at LIMIT ${REPUBLISH_BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING ${ACCEPTED_CALL_COLUMNS}`,
);

/*
 * queued → accepted → connected
 */

/**
 * The point from which a call is placed: of several claims, one finds the row `queued`. The same claim sent again gets
 * the same token. No other claim is granted for a suspended workspace.
 */
export const CLAIM = statement<ClaimedCall & { claimId: string; workerId: string }, { token: string }>(
  'claim-call',
  `
    UPDATE conversations SET status = '${STATUS.accepted}', claim_id = $claimId, worker_id = $workerId,
           token = COALESCE(token, $token), accepted_at = COALESCE(accepted_at, now()), heartbeat_at = now()
    WHERE id = $conversationId
      AND ((${inStatus(STATUS.queued)} AND expires_at > now()) OR (${inStatus(STATUS.accepted)} AND claim_id = $claimId))
      AND (${inStatus(STATUS.accepted)} OR NOT ${isSuspended('conversations.workspace_id')})
    RETURNING token`,
);

export const CONNECT = statement<ClaimedCall & { occurredAt: Date }>(
  'connect-call',
  `
    WITH connected AS (
      UPDATE conversations SET status = '${STATUS.connected}', heartbeat_at = now(),
             connected_at = LEAST(GREATEST($occurredAt::timestamptz, accepted_at), now())
      WHERE id = $conversationId AND token = $token AND ${inStatus(STATUS.accepted)}
      RETURNING ${CALL_EVENT_COLUMNS}
    )
    ${addWebhookEvents(callEvents('connected'))}`,
);

export const HEARTBEAT = statement<
  ClaimedCall,
  Pick<Conversation, 'hangupRequestedAt'> & { workerId: string }
>(
  'call-heartbeat',
  `
    UPDATE conversations SET heartbeat_at = now()
    WHERE id = $conversationId AND token = $token AND ${inStatus(...CLAIMED_STATUSES)}
    RETURNING worker_id AS "workerId", hangup_requested_at AS "hangupRequestedAt"`,
);

/** No row: no runtime holds such a call. */
export const REQUEST_HANG_UP = statement<
  CallOfWorkspace,
  Pick<Conversation, 'status'> & { workerId: string }
>(
  'request-hang-up',
  `
    UPDATE conversations SET hangup_requested_at = COALESCE(hangup_requested_at, now())
    WHERE workspace_id = $workspaceId AND agent_id = $agentId AND id = $conversationId
      AND ${inStatus(...CLAIMED_STATUSES)}
    RETURNING status, worker_id AS "workerId"`,
);

/*
 * queued → failed. The condition on the status decides the race with a claim: if a runtime has claimed the call, no row
 * changes.
 */

const IS_CALL = 'id = $conversationId';

const endedNow = (reason: DisconnectReason) =>
  `ended_at = now(), disconnect_reason = '${reason}', disconnected_by = '${PARTY.system}'`;

/** The broker did not confirm the message. */
export const CANCEL_UNCONFIRMED = endCall<CallId>({
  name: 'cancel-unconfirmed-call',
  from: [STATUS.queued],
  to: STATUS.failed,
  where: IS_CALL,
  set: endedNow(REASON.dispatch_failed),
});

export const CANCEL_QUEUED = endCall<CallOfWorkspace>({
  name: 'cancel-queued-call',
  from: [STATUS.queued],
  to: STATUS.failed,
  where: `workspace_id = $workspaceId AND agent_id = $agentId AND ${IS_CALL}`,
  set: endedNow(REASON.cancelled),
});

export const CANCEL_SUSPENDED = endCall<CallId>({
  name: 'cancel-suspended-call',
  from: [STATUS.queued],
  to: STATUS.failed,
  where: `${IS_CALL} AND ${isSuspended('conversations.workspace_id')}`,
  set: endedNow(REASON.cancelled),
});

/** For a call that was accepted in the same transaction, and is never published. */
export const REFUSE_DESTINATION = endCall<CallId>({
  name: 'refuse-destination-of-call',
  from: [STATUS.queued],
  to: STATUS.failed,
  where: IS_CALL,
  set: endedNow(REASON.invalid_destination),
});

/** No runtime claimed the call in time. */
export const EXPIRE = endCall<CallId>({
  name: 'expire-unclaimed-call',
  from: [STATUS.queued],
  to: STATUS.failed,
  where: `${IS_CALL} AND expires_at <= now()`,
  set: endedNow(REASON.dispatch_expired),
});

/*
 * accepted, connected → failed, disconnected
 */

export interface ReportedFailure extends ClaimedCall {
  reason: DisconnectReason;
  party: Party;
}

export interface ReportedEnd extends ReportedFailure {
  connectedAt: Date;
  endedAt: Date;
  summary: string;
  processCompliance: string;
  outcome: string;
}

const IS_CLAIMED_CALL = `${IS_CALL} AND token = $token`;

const reportedCause = 'disconnect_reason = $reason, disconnected_by = $party';

/** The runtime reports that the call was never connected. */
export const FAIL = endCall<ReportedFailure>({
  name: 'fail-call',
  from: [STATUS.accepted],
  to: STATUS.failed,
  where: IS_CLAIMED_CALL,
  set: `ended_at = now(), ${reportedCause}`,
});

const secondsOf = (connected: string) => `FLOOR(EXTRACT(EPOCH FROM ${connected}))`;

// Both times are by the runtime's clock, so that its error cancels out. No call lasts longer than it has been accepted.
const reportedTime = `GREATEST(interval '0', LEAST($endedAt::timestamptz - $connectedAt::timestamptz, now() - accepted_at))`;

const sinceClaim = (time: string) => `LEAST(GREATEST(${time}::timestamptz, accepted_at), now())`;

const reportedEnd = `
  connected_at = COALESCE(connected_at, ${sinceClaim('$connectedAt')}), ended_at = ${sinceClaim('$endedAt')},
  duration_sec = ${secondsOf(reportedTime)}, charge = ${chargeFor(reportedTime)}, ${reportedCause},
  summary = $summary, process_compliance = $processCompliance, outcome = $outcome`;

/** The runtime reports the end of a call that was connected, even if its `call.connected` never arrived. */
export const END = endCall<ReportedEnd>({
  name: 'end-call',
  from: CLAIMED_STATUSES,
  to: STATUS.disconnected,
  where: IS_CLAIMED_CALL,
  set: reportedEnd,
});

type Lease = CallId & { leaseSeconds: number };

const IS_LEASE_OVER = `heartbeat_at <= now() - $leaseSeconds * interval '1 second'`;

export const LOSE_ACCEPTED = endCall<Lease>({
  name: 'lose-accepted-call',
  from: [STATUS.accepted],
  to: STATUS.failed,
  where: `${IS_CALL} AND ${IS_LEASE_OVER}`,
  set: endedNow(REASON.worker_lost),
});

/** Charged until the last heartbeat. */
export const LOSE_CONNECTED = endCall<Lease>({
  name: 'lose-connected-call',
  from: [STATUS.connected],
  to: STATUS.disconnected,
  where: `${IS_CALL} AND ${IS_LEASE_OVER}`,
  set: `
    ended_at = heartbeat_at, duration_sec = ${secondsOf('(heartbeat_at - connected_at)')},
    charge = ${chargeFor('(heartbeat_at - connected_at)')},
    disconnect_reason = '${REASON.worker_lost}', disconnected_by = '${PARTY.system}'`,
});

/*
 * failed, disconnected: the late report of a runtime that was considered lost
 */

export const CORRECT_FAILURE = correctCall<ReportedFailure>({
  name: 'correct-failed-call',
  from: [STATUS.failed],
  to: STATUS.failed,
  where: IS_CLAIMED_CALL,
  set: reportedCause,
});

export const CORRECT_END = correctCall<ReportedEnd>({
  name: 'correct-ended-call',
  from: ENDED_STATUSES,
  to: STATUS.disconnected,
  where: IS_CLAIMED_CALL,
  set: reportedEnd,
});
