import { type JsonRows, statement } from '../../../platform/database/statement';
import { ENTRY_KIND } from '../../../accounts/workspaces/credit-entry.entity';
import { lockWorkspaces } from '../../../accounts/workspaces/lock-workspaces.sql';
import { addSpending } from '../../../accounts/workspaces/spending.sql';
import { addWebhookEvents, HAS_JOBS } from '../../webhooks/add-webhook-event.sql';
import type { Actor } from '../../../platform/http/actor';
import { CALL_EVENT, type Canceller } from '../model/call-event.entity';
import { type DisconnectReason, STATUS } from '../model/call-states';
import { CALL_EVENT_COLUMNS, callEvents } from './call-webhooks.sql';
import { IS_JOIN_OVER } from './find-calls.sql';
import { queueFindings } from '../model/queue-findings.sql';
import { lockCalls } from './lock-calls.sql';
import { connectedOf, END_COLUMNS, type EndOfCall, SET_END, toSpending } from './settlement.sql';

/** SQL: assignments that clear the address at which a web call can be joined. */
export const WITHOUT_JOIN = 'join_url = NULL, join_expires_at = NULL';

/** SQL: assignments that clear the address at which users hear a call. */
const WITHOUT_LISTENING = 'listen_url = NULL, listen_expires_at = NULL';

/** SQL: the conditions under which a call ends, on its locked row. The row of `call` names one of them. */
const GUARDS = {
  none: 'true',
  token: 'conversations.token = call.token',
  agent: 'conversations.workspace_id = call."workspaceId" AND conversations.agent_id = call."agentId"',
  expired: 'expires_at <= now()',
  lease: `heartbeat_at <= now() - call."leaseSeconds" * interval '1 second'`,
  join: IS_JOIN_OVER,
  suspended:
    'conversations.workspace_id = ANY (ARRAY(SELECT id FROM workspace WHERE suspended_at IS NOT NULL))',
};

/** SQL: whether the guard of a call holds. A name that is not among them lets no call end. */
const GUARD_HOLDS = `CASE guard
          ${Object.entries(GUARDS)
            .map(([name, condition]) => `WHEN '${name}' THEN ${condition}`)
            .join('\n          ')}
        END`;

/** The values that the guards of some endings compare. */
type Guarded =
  | { guard: Exclude<keyof typeof GUARDS, 'token' | 'agent' | 'lease'> }
  | { guard: 'token'; token: string }
  | { guard: 'agent'; workspaceId: string; agentId: string }
  | { guard: 'lease'; leaseSeconds: number };

/** The end of a call. If somebody cancels it, `by` and the sender of the request are stored for its timeline. */
export type CallToEnd = EndOfCall & Guarded & { by?: Canceller; actor?: Actor };

const COLUMNS = `${END_COLUMNS}, guard text, "workspaceId" uuid, "agentId" uuid, "leaseSeconds" integer, by text, actor jsonb`;

/** A call that has ended, or one that has not because another transaction has locked its workspace. */
export interface Ended {
  id: string;
  /** null: it has ended. */
  lockedWorkspaceId: string | null;
  /** null: it has not ended. */
  reason: DisconnectReason | null;
}

const END_CALLS = `settled AS (
      UPDATE conversations SET ${WITHOUT_JOIN}, ${WITHOUT_LISTENING}, ${SET_END}
      FROM call
      WHERE conversations.id = call.id AND conversations.id = ANY (ARRAY(SELECT id FROM locked))
        AND conversations.workspace_id = ANY (ARRAY(SELECT id FROM workspace)) AND status = ANY (call."from")
        AND ${GUARD_HOLDS}
      RETURNING agent_id, agent_version, hold, charge, duration_sec, disconnect_reason, conversations.created_at, ended_at,
                by, actor, ${CALL_EVENT_COLUMNS}
    )`;

const ENTER_RELEASES_AND_CHARGES = `ledger AS (
      INSERT INTO credit_entries (workspace_id, conversation_id, kind, amount)
      SELECT workspace_id, id, '${ENTRY_KIND.release}', hold FROM settled
      UNION ALL
      SELECT workspace_id, id, '${ENTRY_KIND.charge}', -charge FROM settled WHERE charge > 0
    )`;

const UPDATE_BALANCES = `balance AS (
      UPDATE workspaces SET credits = credits + released, calls_under_way = calls_under_way - calls,
             ${addSpending('spent')}
      FROM (SELECT workspace_id, sum(hold - charge)::int AS released, count(*)::int AS calls,
                   sum(${toSpending('charge - hold', 'created_at')})::int AS spent
            FROM settled GROUP BY workspace_id) AS sums
      WHERE workspaces.id = sums.workspace_id
    )`;

const ADD_TO_AGENTS = `agent AS (
      INSERT INTO agent_call_totals AS totals (agent_id, calls, successful, seconds, last_ended_at)
      SELECT agent_id, count(*), count(*) FILTER (WHERE status = '${STATUS.disconnected}'), sum(duration_sec), max(ended_at)
      FROM settled GROUP BY agent_id ORDER BY agent_id
      ON CONFLICT (agent_id) DO UPDATE SET
        calls = totals.calls + excluded.calls, successful = totals.successful + excluded.successful,
        seconds = totals.seconds + excluded.seconds, last_ended_at = GREATEST(totals.last_ended_at, excluded.last_ended_at)
    )`;

const NOTE_CANCELLERS = `noted AS (
      INSERT INTO call_events (conversation_id, kind, data)
      SELECT id, '${CALL_EVENT.cancelled}', jsonb_strip_nulls(jsonb_build_object('by', by, 'actor', actor))
      FROM settled WHERE by IS NOT NULL
    )`;

const CALLS_OF_LOCKED_WORKSPACES = `
    UNION ALL
    SELECT id, workspace_id, NULL FROM locked WHERE workspace_id <> ALL (ARRAY(SELECT id FROM workspace))`;

/**
 * The statements that end calls and settle them: holds, charges, ledger, balances, the agents' sums and the webhooks.
 * Every end of a call is made by one of them, so that each is settled once. They take their locks in the order calls,
 * workspaces, sums of agents, each by id. Clients' requests lock the rows of agents, so the sums are not in them.
 */
const settleCalls = (name: string, { skipLocked }: { skipLocked: boolean }) => {
  const tables = [
    lockCalls(COLUMNS),
    lockWorkspaces('SELECT workspace_id FROM locked', 'id, suspended_at', { skipLocked }),
    END_CALLS,
    ENTER_RELEASES_AND_CHARGES,
    UPDATE_BALANCES,
    ADD_TO_AGENTS,
    NOTE_CANCELLERS,
    `due AS (${queueFindings(connectedOf('settled'))})`,
    addWebhookEvents(callEvents('settled')),
  ];
  return statement<{ calls: JsonRows<CallToEnd> }, Ended>(
    name,
    `
    WITH ${tables.join(', ')}
    SELECT id, NULL::uuid AS "lockedWorkspaceId", disconnect_reason AS reason FROM settled WHERE ${HAS_JOBS}
    ${skipLocked ? CALLS_OF_LOCKED_WORKSPACES : ''}`,
  );
};

export const SETTLE = {
  /** Waits for the rows of the calls' workspaces. */
  waiting: settleCalls('settle-calls', { skipLocked: false }),
  /** Leaves out the calls of locked workspaces, so that no workspace delays the calls of the others. */
  unlocked: settleCalls('settle-unlocked-calls', { skipLocked: true }),
};
