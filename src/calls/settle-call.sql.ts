import { statement } from '../database/statement';
import { addWebhookEvents } from '../webhooks/add-webhook-event.sql';
import { ENTRY_KIND } from '../workspaces/credit-entry.entity';
import { addSpending, isToday } from '../workspaces/spending.sql';
import { type ConversationStatus, type ENDED_STATUSES, inStatus, REASON, STATUS } from './call-states';
import { CALL_EVENT_COLUMNS, callEvents } from './call-webhooks.sql';

interface Ending {
  name: string;
  from: readonly ConversationStatus[];
  to: (typeof ENDED_STATUSES)[number];
  /** SQL: which calls, beside their status. */
  where: string;
  /** SQL: assignments of the other columns. */
  set: string;
}

/** A call of an earlier day never lowers today's counter, which does not include its hold. */
const spendingOf = (credits: string, createdAt: string) =>
  addSpending(`CASE WHEN ${isToday(createdAt)} THEN ${credits} ELSE GREATEST(0, ${credits}) END`);

/**
 * A statement that ends calls and settles them: it releases the hold, takes the charge, and updates ledger, balance and
 * the agent's sums, and adds the webhook. Every end of a call is made by it, so that each is settled exactly once.
 * It takes its locks in the order conversation, workspace, agent.
 */
export const endCall = <Parameters extends object>({ name, from, to, where, set }: Ending) =>
  statement<Parameters, { id: string }>(
    name,
    `
    WITH ended AS (
      UPDATE conversations SET status = '${to}', ${set}
      WHERE ${where} AND ${inStatus(...from)}
      RETURNING agent_id, hold, charge, duration_sec, conversations.created_at, ended_at, ${CALL_EVENT_COLUMNS}
    ), ledger AS (
      INSERT INTO credit_entries (workspace_id, conversation_id, kind, amount)
      SELECT workspace_id, id, '${ENTRY_KIND.release}', hold FROM ended
      UNION ALL
      SELECT workspace_id, id, '${ENTRY_KIND.charge}', -charge FROM ended WHERE charge > 0
    ), balance AS (
      UPDATE workspaces SET credits = credits + ended.hold - ended.charge, calls_under_way = calls_under_way - 1,
             ${spendingOf('ended.charge - ended.hold', 'ended.created_at')}
      FROM ended WHERE workspaces.id = ended.workspace_id
      RETURNING ended.*
    ), agent AS (
      UPDATE agents SET
        ended_calls_total = ended_calls_total + 1,
        ended_calls_successful = ended_calls_successful + (balance.status = '${STATUS.disconnected}')::int,
        ended_calls_seconds = ended_calls_seconds + balance.duration_sec,
        ended_calls_last_at = GREATEST(ended_calls_last_at, balance.ended_at)
      FROM balance WHERE agents.id = balance.agent_id
    ), events AS (
      ${addWebhookEvents(callEvents('ended'))}
    )
    SELECT id FROM ended`,
  );

/**
 * A statement that corrects a call that had ended as `worker_lost`: the record, the charge (by a ledger entry of the
 * difference), the balance and the agent's sums. It can only run once, since it changes the reason.
 */
export const correctCall = <Parameters extends object>({ name, from, to, where, set }: Ending) =>
  statement<Parameters, { id: string }>(
    name,
    `
    WITH lost AS (
      SELECT id AS lost_id, status AS old_status, charge AS old_charge, duration_sec AS old_duration
      FROM conversations WHERE ${where} AND disconnect_reason = '${REASON.worker_lost}' AND ${inStatus(...from)}
      FOR UPDATE
    ), corrected AS (
      UPDATE conversations SET status = '${to}', ${set}
      FROM lost WHERE id = lost_id
      RETURNING agent_id, charge - old_charge AS owed, duration_sec - old_duration AS seconds,
                (status = '${STATUS.disconnected}')::int - (old_status = '${STATUS.disconnected}')::int AS successes,
                conversations.created_at, ended_at,
                ${CALL_EVENT_COLUMNS}
    ), ledger AS (
      INSERT INTO credit_entries (workspace_id, conversation_id, kind, amount)
      SELECT workspace_id, id, '${ENTRY_KIND.correction}', -owed FROM corrected WHERE owed <> 0
    ), balance AS (
      UPDATE workspaces SET credits = credits - owed, ${spendingOf('owed', 'corrected.created_at')}
      FROM corrected WHERE workspaces.id = corrected.workspace_id
      RETURNING corrected.*
    ), agent AS (
      UPDATE agents SET
        ended_calls_successful = ended_calls_successful + balance.successes,
        ended_calls_seconds = ended_calls_seconds + balance.seconds,
        ended_calls_last_at = GREATEST(ended_calls_last_at, balance.ended_at)
      FROM balance WHERE agents.id = balance.agent_id
    ), events AS (
      ${addWebhookEvents(callEvents('corrected'))}
    )
    SELECT id FROM corrected`,
  );
