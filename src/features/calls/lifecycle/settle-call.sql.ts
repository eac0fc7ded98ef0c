import { type JsonRows, statement } from '../../../platform/database/statement';
import { ENTRY_KIND } from '../../../accounts/workspaces/credit-entry.entity';
import { lockWorkspaces } from '../../../accounts/workspaces/lock-workspaces.sql';
import { addSpending } from '../../../accounts/workspaces/spending.sql';
import { addWebhookEvents, HAS_JOBS } from '../../webhooks/add-webhook-event.sql';
import { CALL_EVENT } from '../model/call-event.entity';
import { type DisconnectReason, inStatus, STATUS } from '../model/call-states';
import { CALL_EVENT_COLUMNS, callEvents } from './call-webhooks.sql';
import { queueFindings } from '../model/queue-findings.sql';
import { lockCalls } from './lock-calls.sql';
import { type Ending, toSpending } from './settlement.sql';

/** SQL: assignments that clear the address at which a web call can be joined. */
export const WITHOUT_JOIN = 'join_url = NULL, join_expires_at = NULL';

/** SQL: assignments that clear the address at which users hear a call. */
const WITHOUT_LISTENING = 'listen_url = NULL, listen_expires_at = NULL';

interface CancellableEnding extends Ending {
  /** SQL: the actor that cancels the calls; it is stored for their timelines. */
  canceller?: string;
  /** SQL: the sender of the request that cancels the calls, as jsonb. */
  actor?: string;
}

/** A call that has ended, or one that has not because another transaction has locked its workspace. */
export interface Ended {
  id: string;
  /** null: it has ended. */
  lockedWorkspaceId: string | null;
  /** null: it has not ended. */
  reason: DisconnectReason | null;
}

const endCallsTo = ({
  from,
  to,
  where = 'true',
  set,
  canceller,
  actor = 'NULL::jsonb',
}: CancellableEnding) => `settled AS (
      UPDATE conversations SET status = '${to}', ${WITHOUT_JOIN}, ${WITHOUT_LISTENING}, ${set}
      FROM call
      WHERE conversations.id = call.id AND conversations.id = ANY (ARRAY(SELECT id FROM locked))
        AND conversations.workspace_id = ANY (ARRAY(SELECT id FROM workspace)) AND ${inStatus(...from)} AND ${where}
      RETURNING agent_id, agent_version, hold, charge, duration_sec, disconnect_reason, conversations.created_at, ended_at, ${CALL_EVENT_COLUMNS}
                ${canceller ? `, ${canceller} AS canceller, ${actor} AS actor` : ''}
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
      SELECT id, '${CALL_EVENT.cancelled}', jsonb_strip_nulls(jsonb_build_object('by', canceller, 'actor', actor)) FROM settled
    )`;

const CALLS_OF_LOCKED_WORKSPACES = `
    UNION ALL
    SELECT id, workspace_id, NULL FROM locked WHERE workspace_id <> ALL (ARRAY(SELECT id FROM workspace))`;

/**
 * A statement that ends calls and settles them: holds, charges, ledger, balances, the agents' sums and the webhooks.
 * Every end of a call is made by it, so that each is settled once. It takes its locks in the order calls, workspaces,
 * sums of agents, each by id. Clients' requests lock the rows of agents, so the sums are not in them.
 */
const settleCalls = <Call extends { id: string }>(
  ending: CancellableEnding,
  { skipLocked }: { skipLocked: boolean },
) => {
  const tables = [
    lockCalls(ending.columns ?? ''),
    lockWorkspaces('SELECT workspace_id FROM locked', 'id', { skipLocked }),
    endCallsTo(ending),
    ENTER_RELEASES_AND_CHARGES,
    UPDATE_BALANCES,
    ADD_TO_AGENTS,
    ...(ending.canceller ? [NOTE_CANCELLERS] : []),
    ...(ending.to === STATUS.disconnected ? [`due AS (${queueFindings('settled')})`] : []),
    addWebhookEvents(callEvents('settled')),
  ];
  return statement<{ calls: JsonRows<Call> }, Ended>(
    skipLocked ? `${ending.name}-unlocked` : ending.name,
    `
    WITH ${tables.join(', ')}
    SELECT id, NULL::uuid AS "lockedWorkspaceId", disconnect_reason AS reason FROM settled WHERE ${HAS_JOBS}
    ${skipLocked ? CALLS_OF_LOCKED_WORKSPACES : ''}`,
  );
};

/** Makes the statement of an end, which waits for the rows of the calls' workspaces. */
export const endCalls = <Call extends { id: string }>(ending: CancellableEnding) =>
  settleCalls<Call>(ending, { skipLocked: false });

/**
 * Makes two statements for ends that share a batch. The first leaves out the calls of locked workspaces, so that no
 * workspace delays the calls of the others. The second waits for the lock of such a workspace.
 */
export const endSharedCalls = <Call extends { id: string }>(ending: Ending) => ({
  ofAllWorkspaces: settleCalls<Call>(ending, { skipLocked: true }),
  ofOneWorkspace: settleCalls<Call>(ending, { skipLocked: false }),
});
