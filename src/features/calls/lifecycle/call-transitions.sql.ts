import { byName } from '../../../platform/database/closed-list';
import { type JsonRows, type Statement, statement } from '../../../platform/database/statement';
import { isListedIn, findListedNumbers } from '../../do-not-call/is-listed.sql';
import type { Actor } from '../../../platform/http/actor';
import { addWebhookEvents, HAS_JOBS } from '../../webhooks/add-webhook-event.sql';
import { isSuspended } from '../../../accounts/workspaces/suspended.sql';
import type { AcceptedCall } from '../model/accepted-call';
import { CALL_EVENT, CANCELLER } from '../model/call-event.entity';
import {
  CALL_TYPE,
  CLAIMED_STATUSES,
  ENDED_STATUSES,
  inStatus,
  IS_IN_PROGRESS,
  PARTY,
  REASON,
  STATUS,
} from '../model/call-states';
import { CALL_EVENT_COLUMNS, callEvents } from './call-webhooks.sql';
import type { ClaimScope } from '../model/claim-scope';
import type { Conversation } from '../model/conversation.entity';
import { lockCalls, WITHOUT_WAITING_FOR_THE_DISK } from './lock-calls.sql';
import { WITHOUT_JOIN } from './settle-call.sql';

/*
 * Every change of a call's state, in the order of a call's life. Each is one statement, or a row of one, that names the
 * status it starts from, so an event that is late, repeated, out of order or sent with another call's token changes nothing.
 *
 *   POST …/calls                      runtime                              runtime
 *       │                                │                                    │
 *    ACCEPT ──► queued ──────────────► CLAIM ► accepted ──► CONNECT ────► connected
 *    (hold)       │                              │  │                         │
 *                 │ CANCEL_*, EXPIRE             │  └────── END ──────────┐   │ END, LOSE_CONNECTED
 *                 │                              │ FAIL, LOSE_ACCEPTED,   │   │
 *                 │                              │ FAIL_UNJOINED          │   │
 *                 ▼                              ▼                        ▼   ▼
 *               failed                        failed                    disconnected
 *           (hold released)               (hold released)          (hold released, charged)
 *
 * A call that LOSE_* ended is corrected by the late report of its runtime: CORRECT_FAILURE changes the reason, and
 * CORRECT_END the rest too, `failed → disconnected` and the charge included.
 */

interface CallId {
  id: string;
}

/** A call that a runtime has claimed, with the token that proves it. */
interface ClaimedCall extends CallId {
  token: string;
}

interface CallOfWorkspace {
  workspaceId: string;
  agentId: string;
  conversationId: string;
}

/*
 * → queued: `acceptCalls` in `accept-calls.sql.ts`
 */

/*
 * queued, until it is dispatched
 */

/** Skips calls that are being claimed or cancelled, which need no mark. */
export const MARK_DISPATCHED = statement<{ conversationIds: string[] }>(
  'mark-dispatched',
  `UPDATE conversations SET dispatched_at = now()
   WHERE id = ANY (ARRAY(
       SELECT id FROM conversations WHERE id = ANY ($conversationIds) AND dispatched_at IS NULL
       FOR NO KEY UPDATE SKIP LOCKED))
     AND ${WITHOUT_WAITING_FOR_THE_DISK}`,
);

/** Marks the queued calls as not published, after a broker that lost its messages with its process. */
export const CLEAR_DISPATCHES = statement(
  'clear-dispatches',
  `UPDATE conversations SET dispatched_at = NULL
   WHERE id = ANY (ARRAY(
     SELECT id FROM conversations
     WHERE ${IS_IN_PROGRESS} AND ${inStatus(STATUS.queued)} AND dispatched_at IS NOT NULL
     ORDER BY id FOR NO KEY UPDATE))`,
);

/**
 * The time is longer than a publish may take, so that a call that is being dispatched is not published a second
 * time.
 */
const REPUBLISH_AFTER_SECONDS = 5;

/** The batch is small, because the variables of each row have up to a megabyte. */
export const REPUBLISH_BATCH = 20;

/** The columns of an {@link AcceptedCall}, as its properties. */
export const ACCEPTED_CALL_COLUMNS = `
  id, workspace_id AS "workspaceId", user_id AS "userId", agent_id AS "agentId", agent_version AS "agentVersion",
  campaign_id AS "campaignId", call_type AS "callType", direction, channel, to_number AS "toNumber",
  from_number AS "fromNumber", request, created_at AS "createdAt", expires_at AS "expiresAt",
  ceil(extract(epoch FROM expires_at - now()) * 1000)::int AS "timeLeftMs"`;

/** Takes calls to publish them again. Another sweeper skips them while they are locked, and does not find them after. */
export const TAKE_UNDISPATCHED = statement<object, AcceptedCall>(
  'take-undispatched-calls',
  `
    WITH taken AS (
      UPDATE conversations SET last_publish_at = now()
      WHERE id = ANY (ARRAY(
        SELECT id FROM conversations
        WHERE ${IS_IN_PROGRESS} AND ${inStatus(STATUS.queued)} AND dispatched_at IS NULL AND expires_at > now()
          AND last_publish_at <= now() - ${REPUBLISH_AFTER_SECONDS} * interval '1 second'
        ORDER BY expires_at LIMIT ${REPUBLISH_BATCH} FOR NO KEY UPDATE SKIP LOCKED))
      RETURNING ${ACCEPTED_CALL_COLUMNS}
    ), noted AS (
      INSERT INTO call_events (conversation_id, kind) SELECT id, '${CALL_EVENT.published}' FROM taken
    )
    SELECT * FROM taken`,
);

/*
 * queued → accepted → connected
 */

const IS_CALL = 'conversations.id = call.id AND conversations.id = ANY (ARRAY(SELECT id FROM locked))';

const IS_CLAIMED_CALL = 'conversations.token = call.token';

export interface Claim extends ClaimedCall {
  claimId: string;
  workerId: string;
  scope: ClaimScope;
}

/** Why a claim is not granted. `claimed`: by another claim. `unknown`: there is no such call in the scope of the claim. */
export const CLAIM_REFUSALS = [
  'unknown',
  'claimed',
  'ended',
  'expired',
  'suspended',
  'campaign_stopped',
  'do_not_call',
] as const;
export type ClaimRefusal = (typeof CLAIM_REFUSALS)[number];
export const CLAIM_REFUSAL = byName(CLAIM_REFUSALS);

/** A decision: either the refusal or the token and its time are null. */
export interface DecidedClaim extends CallId {
  token: string | null;
  acceptedAt: Date | null;
  /** The seconds since the call was accepted; null for a claim that is repeated. */
  waitedSeconds: number | null;
  refusal: ClaimRefusal | null;
}

/** The statement that claims calls. It includes the decision of campaigns; see {@link claimCalls}. */
export abstract class ClaimStatements {
  abstract readonly claim: Statement<{ calls: JsonRows<Claim> }, DecidedClaim>;
}

/**
 * Claims calls, which may be placed from then on: of several claims, one finds the row `queued`. The same claim
 * sent again gets the same token. Everything that forbids to place the call is checked here, on the locked row;
 * see decision 32.
 * @param isStopped SQL: whether the campaign of a row of `conversations` has stopped calling
 */
export const claimCalls = (isStopped: (call: string) => string): ClaimStatements['claim'] =>
  statement(
    'claim-calls',
    `
    WITH ${lockCalls('"claimId" uuid, "workerId" text, token uuid, scope uuid', 'status, disconnect_reason, claim_id, expires_at, campaign_id, to_number')},
    ${findListedNumbers('locked')}, moment AS MATERIALIZED (
      -- Not now(), which is before the statement waited for the locks.
      SELECT clock_timestamp()::timestamptz(3) AS at FROM (SELECT count(*) FROM locked) AS waited
    ), decided AS MATERIALIZED (
      SELECT call.*,
             CASE WHEN locked.id IS NULL OR locked.workspace_id <> call.scope THEN '${CLAIM_REFUSAL.unknown}'
                  WHEN ${inStatus(STATUS.accepted)} AND claim_id = call."claimId" THEN NULL
                  WHEN ${inStatus(...CLAIMED_STATUSES)} THEN '${CLAIM_REFUSAL.claimed}'
                  WHEN disconnect_reason = '${REASON.dispatch_expired}' THEN '${CLAIM_REFUSAL.expired}'
                  WHEN NOT ${inStatus(STATUS.queued)} THEN '${CLAIM_REFUSAL.ended}'
                  WHEN expires_at <= (SELECT at FROM moment) THEN '${CLAIM_REFUSAL.expired}'
                  WHEN ${isSuspended('locked.workspace_id')} THEN '${CLAIM_REFUSAL.suspended}'
                  WHEN ${isStopped('locked')} THEN '${CLAIM_REFUSAL.campaign_stopped}'
                  WHEN ${isListedIn('locked')} THEN '${CLAIM_REFUSAL.do_not_call}'
             END AS refusal
      FROM call LEFT JOIN locked USING (id)
    ), granted AS (
      UPDATE conversations SET status = '${STATUS.accepted}', claim_id = call."claimId", worker_id = call."workerId",
             token = COALESCE(conversations.token, call.token), accepted_at = COALESCE(accepted_at, (SELECT at FROM moment)),
             heartbeat_at = (SELECT at FROM moment)
      FROM decided AS call
      WHERE ${IS_CALL} AND call.refusal IS NULL AND ${inStatus(STATUS.queued, STATUS.accepted)}
      RETURNING conversations.id, conversations.token, conversations.accepted_at, conversations.created_at
    )
    SELECT decided.id, granted.token, granted.accepted_at AS "acceptedAt", refusal,
           CASE WHEN granted.accepted_at = (SELECT at FROM moment)
                THEN extract(epoch FROM granted.accepted_at - granted.created_at)::float8 END AS "waitedSeconds"
    FROM decided LEFT JOIN granted USING (id)`,
  );

export type ReportedJoin = ClaimedCall & { url: string; expiresAt: Date };

/** The longest time for which a web call can be joined. */
const LONGEST_JOIN = `interval '1 hour'`;

/** Sets the address at which a web call can be joined. The latest report counts. */
export const SET_JOIN = statement<{ calls: JsonRows<ReportedJoin> }, CallId>(
  'set-joins-of-calls',
  `
    WITH ${lockCalls('token uuid, url text, "expiresAt" timestamptz')}
    UPDATE conversations SET join_url = call.url, join_expires_at = call."expiresAt", heartbeat_at = now()
    FROM call
    WHERE ${IS_CALL} AND ${IS_CLAIMED_CALL} AND ${inStatus(STATUS.accepted)} AND call_type = '${CALL_TYPE.webcall}'
      AND call."expiresAt" <= now() + ${LONGEST_JOIN}
    RETURNING conversations.id`,
);

export type ReportedListening = ClaimedCall & { url: string; expiresAt: Date };

/** The longest time for which the address is valid. It ends with the call. */
const LONGEST_LISTENING = `interval '1 day'`;

/** Sets the address at which a call can be heard. The latest report counts. */
export const SET_LISTENING = statement<{ calls: JsonRows<ReportedListening> }, CallId>(
  'set-listening-to-calls',
  `
    WITH ${lockCalls('token uuid, url text, "expiresAt" timestamptz')}
    UPDATE conversations SET listen_url = call.url, listen_expires_at = call."expiresAt", heartbeat_at = now()
    FROM call
    WHERE ${IS_CALL} AND ${IS_CLAIMED_CALL} AND ${inStatus(STATUS.accepted, STATUS.connected)}
      AND call."expiresAt" <= now() + ${LONGEST_LISTENING}
    RETURNING conversations.id`,
);

export type ReportedConnection = ClaimedCall & { occurredAt: Date };

export const CONNECT = statement<{ calls: JsonRows<ReportedConnection> }, CallId & { waitedSeconds: number }>(
  'connect-calls',
  `
    WITH ${lockCalls('token uuid, "occurredAt" timestamptz')}, connected AS (
      UPDATE conversations SET status = '${STATUS.connected}', heartbeat_at = now(),
             connected_at = LEAST(GREATEST(call."occurredAt", accepted_at), now()), ${WITHOUT_JOIN}
      FROM call
      WHERE ${IS_CALL} AND ${IS_CLAIMED_CALL} AND ${inStatus(STATUS.accepted)}
      RETURNING ${CALL_EVENT_COLUMNS}, connected_at, conversations.created_at
    ), ${addWebhookEvents(callEvents('connected'))}
    SELECT id, extract(epoch FROM connected_at - created_at)::float8 AS "waitedSeconds"
    FROM connected WHERE ${HAS_JOBS}`,
);

export type Heartbeat = ClaimedCall;

export type HeldCall = CallId & Pick<Conversation, 'hangupRequestedAt'> & { workerId: string };

/** Returns the calls that the runtime holds. */
export const HEARTBEAT = statement<{ calls: JsonRows<Heartbeat> }, HeldCall>(
  'call-heartbeats',
  `
    WITH ${lockCalls('token uuid')}
    UPDATE conversations SET heartbeat_at = now()
    FROM call
    WHERE ${IS_CALL} AND ${IS_CLAIMED_CALL} AND ${inStatus(...CLAIMED_STATUSES)} AND ${WITHOUT_WAITING_FOR_THE_DISK}
    RETURNING conversations.id, worker_id AS "workerId", hangup_requested_at AS "hangupRequestedAt"`,
);

/** Stores a request to hang up. No row: no runtime holds such a call. */
export const REQUEST_HANG_UP = statement<
  CallOfWorkspace & { actor: Actor },
  Pick<Conversation, 'status'> & { workerId: string; isFirst: boolean }
>(
  'request-hang-up',
  `
    UPDATE conversations
    SET hangup_requested_at = COALESCE(hangup_requested_at, now()),
        hangup_requested_by = CASE WHEN hangup_requested_at IS NULL THEN $actor::jsonb ELSE hangup_requested_by END
    WHERE workspace_id = $workspaceId AND agent_id = $agentId AND id = $conversationId
      AND ${inStatus(...CLAIMED_STATUSES)}
    RETURNING status, worker_id AS "workerId", hangup_requested_at = now()::timestamptz(3) AS "isFirst"`,
);

/*
 * The endings, as the part of a row of `SETTLE` (`settle-call.sql.ts`) that is the same for all calls of one. The
 * condition on the status decides each race, as that of a cancel with a claim: the later one finds no row.
 */

const FAIL_QUEUED = { from: [STATUS.queued], to: STATUS.failed, party: PARTY.system } as const;

/** Cancels a call whose message the broker did not confirm. */
export const CANCEL_UNCONFIRMED = { ...FAIL_QUEUED, reason: REASON.dispatch_failed, guard: 'none' } as const;

export const CANCEL_QUEUED = { ...FAIL_QUEUED, reason: REASON.cancelled, guard: 'agent' } as const;

export const CANCEL_SUSPENDED = {
  ...FAIL_QUEUED,
  reason: REASON.cancelled,
  guard: 'suspended',
  by: CANCELLER.operator,
} as const;

/**
 * Cancels a call whose claim was refused because of the do-not-call list, even if the number was taken off the
 * list since.
 */
export const CANCEL_LISTED = {
  ...FAIL_QUEUED,
  reason: REASON.cancelled,
  guard: 'none',
  by: CANCELLER.do_not_call,
} as const;

/** Fails a call that no runtime claimed in time. */
export const EXPIRE = { ...FAIL_QUEUED, reason: REASON.dispatch_expired, guard: 'expired' } as const;

/** Fails a call whose runtime reports that it was never connected. */
export const FAIL = { from: [STATUS.accepted], to: STATUS.failed, guard: 'token' } as const;

/**
 * Ends a call whose runtime reports that it was connected and has ended, even if its `call.connected` never
 * arrived.
 */
export const END = { from: CLAIMED_STATUSES, to: STATUS.disconnected, guard: 'token' } as const;

const LOSE = { reason: REASON.worker_lost, party: PARTY.system, guard: 'lease' } as const;

export const LOSE_ACCEPTED = { ...LOSE, from: [STATUS.accepted], to: STATUS.failed } as const;

/** Ends a connected call whose runtime was lost. It is charged until the last heartbeat. */
export const LOSE_CONNECTED = { ...LOSE, from: [STATUS.connected], to: STATUS.disconnected } as const;

/** Fails a web call that nobody has joined, if its runtime does not report that. */
export const FAIL_UNJOINED = {
  from: [STATUS.accepted],
  to: STATUS.failed,
  reason: REASON.dial_no_answer,
  party: PARTY.system,
  guard: 'join',
} as const;

/*
 * failed, disconnected: the late report of a runtime that was considered lost, as rows of `CORRECT`
 * (`correct-call.sql.ts`)
 */

export const CORRECT_FAILURE = { from: [STATUS.failed], to: STATUS.failed } as const;

export const CORRECT_END = { from: ENDED_STATUSES, to: STATUS.disconnected } as const;
