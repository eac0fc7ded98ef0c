import { type JsonRows, statement } from '../../../platform/database/statement';
import { ENTRY_KIND } from '../../../accounts/workspaces/credit-entry.entity';
import { lockWorkspaces } from '../../../accounts/workspaces/lock-workspaces.sql';
import { addSpending } from '../../../accounts/workspaces/spending.sql';
import { addWebhookEvents, HAS_JOBS } from '../../webhooks/add-webhook-event.sql';
import { correctCounts, COUNTED_COLUMNS } from '../counts/correct-counts.sql';
import { CALL_EVENT } from '../model/call-event.entity';
import { REASON, STATUS } from '../model/call-states';
import { CALL_EVENT_COLUMNS, correctionEvents } from './call-webhooks.sql';
import { timestamp } from '../model/conversation-detail.sql';
import { queueCalls } from '../model/queue-calls.sql';
import { queueFindings } from '../model/queue-findings.sql';
import { lockCalls } from './lock-calls.sql';
import { connectedOf, END_COLUMNS, type EndOfCall, SET_END, toSpending } from './settlement.sql';

/** The late report of a call that had ended as `worker_lost`. */
export type Correction = EndOfCall & { token: string };

const LOCK_LOST_CALLS = `lost AS (
      SELECT id AS lost_id, status AS old_status, charge AS old_charge, duration_sec AS old_duration,
             ended_at AS old_end, outcome AS old_outcome
      FROM conversations
      WHERE id = ANY (ARRAY(SELECT id FROM locked)) AND disconnect_reason = '${REASON.worker_lost}'
        AND workspace_id = ANY (ARRAY(SELECT id FROM workspace))
      FOR NO KEY UPDATE
    )`;

const CORRECT_RECORDS = `corrected AS (
      UPDATE conversations SET ${SET_END}
      FROM lost, call
      WHERE conversations.id = lost_id AND conversations.id = call.id AND old_status = ANY (call."from")
        AND conversations.token = call.token
      RETURNING agent_id, charge - old_charge AS owed, duration_sec - old_duration AS seconds,
                (status = '${STATUS.disconnected}')::int - (old_status = '${STATUS.disconnected}')::int AS successes,
                conversations.created_at, ended_at, ${COUNTED_COLUMNS},
                charge, duration_sec, disconnect_reason, conversations.outcome, lost.*,
                jsonb_build_object('status', old_status, 'endedAt', old_end, 'durationSec', old_duration) AS corrected_from,
                ${CALL_EVENT_COLUMNS}
    )`;

const NOTE_CORRECTIONS = `noted AS (
      INSERT INTO call_events (conversation_id, kind, data)
      SELECT id, '${CALL_EVENT.corrected}', corrected_from FROM corrected
    )`;

const ENTER_CORRECTIONS = `ledger AS (
      INSERT INTO credit_entries (workspace_id, conversation_id, kind, amount)
      SELECT workspace_id, id, '${ENTRY_KIND.correction}', -owed FROM corrected WHERE owed <> 0
    )`;

const CORRECT_BALANCES = `balance AS (
      UPDATE workspaces SET credits = credits - owed, ${addSpending(toSpending('owed', 'corrected.created_at'))}
      FROM corrected WHERE workspaces.id = corrected.workspace_id
      RETURNING corrected.*
    )`;

const CORRECT_AGENTS = `agent AS (
      UPDATE agent_call_totals AS totals SET
        successful = totals.successful + successes, seconds = totals.seconds + balance.seconds,
        last_ended_at = GREATEST(totals.last_ended_at, ended_at)
      FROM balance WHERE totals.agent_id = balance.agent_id
    )`;

const PREVIOUS = `
  jsonb_build_object('status', old_status, 'disconnect_reason', '${REASON.worker_lost}', 'ended_at', ${timestamp('old_end')},
                     'duration_sec', old_duration)`;

const TABLES = [
  lockCalls(END_COLUMNS),
  lockWorkspaces('SELECT workspace_id FROM locked', 'id', { skipLocked: false }),
  LOCK_LOST_CALLS,
  CORRECT_RECORDS,
  NOTE_CORRECTIONS,
  ENTER_CORRECTIONS,
  CORRECT_BALANCES,
  CORRECT_AGENTS,
  `due AS (${queueFindings(connectedOf('corrected'))})`,
  // The report of the end counts the turns: the transcript may be complete now.
  `queued AS (${queueCalls('corrected')})`,
  correctCounts('balance'),
  addWebhookEvents(correctionEvents('corrected', PREVIOUS)),
];

/**
 * Corrects calls that had ended as `worker_lost`, once: the record, the charge, the ledger, the balance, the agent's
 * sums and the counts. The counts read the calls from `balance`, so that their rows are locked after the balance.
 */
export const CORRECT = statement<{ calls: JsonRows<Correction> }, { id: string }>(
  'correct-calls',
  `
    WITH ${TABLES.join(', ')}
    SELECT id FROM corrected WHERE ${HAS_JOBS}`,
);
