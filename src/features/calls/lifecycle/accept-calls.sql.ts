import { ACTIVE_TYPE, ACTIVE_VERSION } from '../../agents/active-version.sql';
import { AGENT_TYPE } from '../../agents/agent-types';
import { type JsonRows, statement } from '../../../platform/database/statement';
import { isListed } from '../../do-not-call/is-listed.sql';
import type { OwnedKey, StoredResponse } from '../../../accounts/idempotency/idempotent-attempt';
import { ENTRY_KIND } from '../../../accounts/workspaces/credit-entry.entity';
import { lockWorkspaces } from '../../../accounts/workspaces/lock-workspaces.sql';
import { countStartedCalls, lockCallCaps } from '../../../accounts/auth/call-caps.sql';
import { addSpending } from '../../../accounts/workspaces/spending.sql';
import type { AcceptedCall, NewCall, Refusal } from '../model/accepted-call';
import type { CallRequest } from '../model/call-request';
import { DEFAULT_CHANNEL } from '../model/call-states';
import { freeCalls, findRefusal } from './may-start-call.sql';
import { HOLD } from '../model/pricing';

/** A new call. A call with an Idempotency-Key also has the key, and the response that is stored with it. */
export type CallToAccept = Omit<NewCall, 'request'> & { id: string; request: Partial<CallRequest> } & Partial<
    OwnedKey & { response: StoredResponse }
  >;

export interface CallsToAccept {
  calls: JsonRows<CallToAccept>;
  /** The number of calls of a workspace that may be in progress if it has no quota of its own. */
  workspaceConcurrency: number;
}

/** The decision on one call. The columns of the call are null if it is refused. */
export interface Acceptance extends Pick<
  AcceptedCall,
  'id' | 'agentVersion' | 'channel' | 'fromNumber' | 'createdAt' | 'expiresAt'
> {
  /** 'locked': another transaction has locked a row that the decision needs. */
  refusal: Refusal['reason'] | 'locked' | null;
  creditsPerDay: number | null;
  concurrentCalls: number;
  /** The cap of the credential, and when it allows calls again. null: it has none. */
  callsPerDay: number | null;
  capResetsAt: Date | null;
}

/** SQL: whether only its workspace can refuse a row of `candidate`. */
const MAY_BE_DECIDED = 'is_on AND version IS NOT NULL AND is_owned AND NOT is_listed';

/**
 * A statement that decides on calls of any workspaces, in the order of their ids. An accepted call takes its hold and
 * inserts its row and the ledger row; a refused one changes nothing. One statement saves round trips, and
 * locks the workspaces for its commit only. It takes its locks in the order key, workspace, cap.
 */
const acceptCalls = (name: string, { skipLocked }: { skipLocked: boolean }) =>
  statement<CallsToAccept, Acceptance>(
    name,
    `
    WITH call AS MATERIALIZED (
      SELECT * FROM json_to_recordset($calls::json) AS call (
        id uuid, "workspaceId" uuid, "agentId" uuid, "userId" text, "agentVersion" integer, "campaignId" uuid, "startedBy" jsonb, "capId" uuid, "callType" text,
        direction text, channel text, "toNumber" text, request jsonb, "ttlSeconds" integer,
        "notAfter" timestamptz, attempt smallint,
        endpoint text, "idempotencyKey" text, owner uuid, response json)
    ), attempt AS MATERIALIZED (
      SELECT call.id
      FROM call JOIN idempotency_keys held
        ON held.workspace_id = call."workspaceId" AND held.endpoint = call.endpoint
        AND held.key = call."idempotencyKey" AND held.owner = call.owner AND held.answer IS NULL
      ORDER BY held.workspace_id, held.endpoint, held.key
      FOR UPDATE OF held ${skipLocked ? 'SKIP LOCKED' : ''}
    ), candidate AS MATERIALIZED (
      SELECT call.*, agent.*, call.owner IS NULL OR attempt.id IS NOT NULL AS is_owned,
             ${isListed('call."workspaceId"', 'call."toNumber"')} AS is_listed
      FROM call
      -- Not a join of tables: Postgres would read all agents while its statistics say that there are few.
      CROSS JOIN LATERAL (
        SELECT ${ACTIVE_TYPE} AS type, agents.status AS is_on, COALESCE(call."agentVersion", ${ACTIVE_VERSION}) AS version,
               phone_numbers.number
        FROM agents LEFT JOIN phone_numbers ON phone_numbers.agent_id = agents.id
        WHERE agents.id = call."agentId" AND agents.workspace_id = call."workspaceId" AND agents.deleted_at IS NULL
        LIMIT 1
      ) AS agent
      LEFT JOIN attempt ON attempt.id = call.id
    ), ${lockWorkspaces(
      `SELECT "workspaceId" FROM candidate WHERE ${MAY_BE_DECIDED}`,
      `workspaces.id AS workspace_id, ${freeCalls('$workspaceConcurrency')}`,
      { skipLocked },
    )}, cap AS MATERIALIZED (${lockCallCaps(
      `SELECT "capId" FROM candidate JOIN workspace ON workspace_id = "workspaceId"
       WHERE "capId" IS NOT NULL AND ${MAY_BE_DECIDED}`,
    )}), capped AS (
      SELECT *, COALESCE(row_number() OVER (PARTITION BY cap_id ORDER BY id) > calls_left, false) AS is_over_cap
      FROM candidate JOIN workspace ON workspace_id = "workspaceId"
      LEFT JOIN cap ON cap_id = "capId" AND cap_workspace_id = workspace_id
      WHERE ${MAY_BE_DECIDED}
    ), ranked AS (
      SELECT *, count(*) FILTER (WHERE NOT is_over_cap) OVER (PARTITION BY workspace_id ORDER BY id) AS place
      FROM capped
    ), decided AS MATERIALIZED (
      SELECT *, CASE WHEN is_over_cap AND NOT is_suspended THEN 'cap reached' ELSE ${findRefusal('place')} END AS refusal
      FROM ranked
    ), held AS (
      UPDATE workspaces SET credits = credits - ${HOLD} * calls, calls_under_way = calls_under_way + calls,
             ${addSpending(`${HOLD} * calls`)}
      FROM (SELECT workspace_id, count(*)::int AS calls FROM decided WHERE refusal IS NULL GROUP BY workspace_id) AS started
      WHERE workspaces.id = started.workspace_id
    ), counted AS (
      UPDATE call_caps SET ${countStartedCalls('calls')}
      FROM (
        SELECT cap_id, count(*)::int AS calls FROM decided WHERE refusal IS NULL AND cap_id IS NOT NULL GROUP BY cap_id
      ) AS started
      WHERE call_caps.id = started.cap_id
    ), accepted AS (
      INSERT INTO conversations (
        id, workspace_id, agent_id, user_id, campaign_id, started_by, call_type, direction, channel, to_number, from_number,
        request, agent_version, attempt, hold, created_at, last_publish_at, expires_at)
      SELECT id, workspace_id, "agentId", "userId", "campaignId", "startedBy", "callType", direction,
             COALESCE(channel, CASE type WHEN '${AGENT_TYPE.chat}' THEN '${DEFAULT_CHANNEL.chat}'
                               ELSE '${DEFAULT_CHANNEL.voice}' END),
             "toNumber", COALESCE(number, ''), request, version, COALESCE(attempt, 1), ${HOLD},
             now(), now(), LEAST(now() + "ttlSeconds" * interval '1 second', "notAfter")
      FROM decided WHERE refusal IS NULL
      RETURNING id, workspace_id, agent_version, channel, from_number, created_at, expires_at
    ), ledger AS (
      INSERT INTO credit_entries (workspace_id, conversation_id, kind, amount)
      SELECT workspace_id, id, '${ENTRY_KIND.hold}', -${HOLD} FROM accepted
    ), answered AS (
      UPDATE idempotency_keys held SET answer = decided.response
      FROM decided
      WHERE refusal IS NULL AND held.workspace_id = decided.workspace_id AND held.endpoint = decided.endpoint
        AND held.key = decided."idempotencyKey" AND held.owner = decided.owner
    )
    SELECT call.id,
           CASE WHEN candidate.id IS NULL THEN 'no agent'
                WHEN NOT candidate.is_on THEN 'agent off'
                WHEN candidate.version IS NULL THEN 'not published'
                WHEN NOT candidate.is_owned THEN '${skipLocked ? 'locked' : 'key lost'}'
                WHEN candidate.is_listed THEN 'do not call'
                WHEN decided.id IS NULL THEN 'locked'
                ELSE decided.refusal END AS refusal,
           decided.credits_per_day AS "creditsPerDay", decided.concurrent_calls AS "concurrentCalls",
           decided.calls_per_day AS "callsPerDay", decided.cap_resets_at AS "capResetsAt",
           accepted.agent_version AS "agentVersion", accepted.channel, accepted.from_number AS "fromNumber",
           accepted.created_at AS "createdAt", accepted.expires_at AS "expiresAt"
    FROM call
    LEFT JOIN candidate ON candidate.id = call.id
    LEFT JOIN decided ON decided.id = call.id
    LEFT JOIN accepted ON accepted.id = call.id`,
  );

export const ACCEPT = {
  /** Accepts the calls of one workspace. */
  waiting: acceptCalls('accept-calls', { skipLocked: false }),
  /** Decides on calls without waiting for a lock, so that no workspace delays the calls of the others. */
  unlocked: acceptCalls('accept-unlocked-calls', { skipLocked: true }),
};
