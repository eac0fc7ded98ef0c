import { STATUS } from '../../features/calls/model/call-states';
import { CONVERSATION_DETAIL } from '../../features/calls/model/conversation-detail.sql';
import { statement } from '../../platform/database/statement';
import { ENTRY_KIND } from '../../accounts/workspaces/credit-entry.entity';
import { addSpending, isToday } from '../../accounts/workspaces/spending.sql';

/** Prevents new calls of the workspace until the transaction ends. */
export const LOCK_WORKSPACE = statement<{ workspaceId: string }, { id: string }>(
  'lock-workspace-for-demo-data',
  'SELECT id FROM workspaces WHERE id = $workspaceId FOR NO KEY UPDATE',
);

export const HAS_CALLS = statement<{ workspaceId: string }, { hasCalls: boolean }>(
  'has-workspace-calls',
  'SELECT EXISTS (SELECT FROM conversations WHERE workspace_id = $workspaceId) AS "hasCalls"',
);

/** Adds the sums that the ends of the calls would have added. */
export const ADD_AGENT_TOTALS = statement<{ workspaceId: string }>(
  'add-demo-agent-totals',
  `
    INSERT INTO agent_call_totals (agent_id, calls, successful, seconds, last_ended_at)
    SELECT agent_id, count(*), count(*) FILTER (WHERE status = '${STATUS.disconnected}'), sum(duration_sec), max(ended_at)
    FROM conversations WHERE workspace_id = $workspaceId GROUP BY agent_id`,
);

/** Adds the entries in the order of time, because the ledger counts balances in the order of its rows. */
export const ADD_LEDGER = statement<{ workspaceId: string; since: Date; spare: number }, { spent: number }>(
  'add-demo-ledger',
  `
    WITH entry AS MATERIALIZED (
      SELECT id, '${ENTRY_KIND.hold}' AS kind, -hold AS amount, created_at AS at, 1 AS place
      FROM conversations WHERE workspace_id = $workspaceId
      UNION ALL
      SELECT id, '${ENTRY_KIND.release}', hold, ended_at, 2 FROM conversations WHERE workspace_id = $workspaceId
      UNION ALL
      SELECT id, '${ENTRY_KIND.charge}', -charge, ended_at, 3
      FROM conversations WHERE workspace_id = $workspaceId AND charge > 0
    ), granted AS MATERIALIZED (
      SELECT $spare::int - COALESCE(sum(amount), 0)::int AS amount FROM entry
    ), added AS (
      INSERT INTO credit_entries (workspace_id, conversation_id, kind, amount, created_at)
      SELECT $workspaceId, id, kind, amount, at
      FROM (SELECT NULL::uuid AS id, '${ENTRY_KIND.grant}' AS kind, amount, $since::timestamptz AS at, 0 AS place FROM granted
            UNION ALL SELECT id, kind, amount, at, place FROM entry) AS line
      ORDER BY at, place, id
    ), today AS (
      SELECT COALESCE(sum(charge), 0)::int AS spent FROM conversations
      WHERE workspace_id = $workspaceId AND ${isToday('created_at')}
    )
    UPDATE workspaces SET credits = credits + $spare::int, ${addSpending('today.spent')}
    FROM today WHERE workspaces.id = $workspaceId
    RETURNING today.spent`,
);

/** Fills the webhooks of a call with the call as the API shows it. */
export const FILL_DELIVERIES = statement<{ workspaceId: string }>(
  'fill-demo-deliveries',
  `
    UPDATE webhook_events SET data = ${CONVERSATION_DETAIL} || jsonb_build_object('external_id', '')
    FROM conversations
    WHERE webhook_events.workspace_id = $workspaceId AND conversations.id = webhook_events.conversation_id`,
);

/** Backdates a workspace that was made for the data. */
export const BACKDATE_WORKSPACE = statement<{ workspaceId: string; since: Date }>(
  'backdate-demo-workspace',
  `
    WITH owner AS (UPDATE users SET created_at = $since WHERE workspace_id = $workspaceId)
    UPDATE workspaces SET created_at = $since WHERE id = $workspaceId`,
);
