import type { Installation } from './installation';
import type { Violation } from './violation';

/** No call of the suite lasts a minute, so each connected call costs one credit. */
const MISCHARGED_CALLS = `
  SELECT conversations.id AS "conversationId"
  FROM conversations LEFT JOIN credit_entries ON credit_entries.conversation_id = conversations.id
  WHERE to_number >= $1 AND status IN ('disconnected', 'failed')
  GROUP BY conversations.id
  HAVING count(*) FILTER (WHERE kind = 'hold') <> 1 OR count(*) FILTER (WHERE kind = 'release') <> 1
      OR COALESCE(sum(amount) FILTER (WHERE kind IN ('hold', 'release')), 1) <> 0
      OR COALESCE(sum(-amount) FILTER (WHERE kind IN ('charge', 'correction')), 0) <> charge
      OR charge <> (status = 'disconnected')::int`;

const WRONG_BALANCES = `
  SELECT workspaces.id, credits, sum(amount)::int AS ledger
  FROM workspaces JOIN credit_entries ON workspace_id = workspaces.id
  GROUP BY workspaces.id HAVING credits <> sum(amount)`;

/** If all calls of a workspace are of one day and have ended, its spending on that day is the sum of their charges. */
const WRONG_SPENDING = `
  SELECT workspaces.id, spent_credits, sum(charge)::int AS charged
  FROM workspaces JOIN conversations ON workspace_id = workspaces.id
  GROUP BY workspaces.id
  HAVING bool_and((conversations.created_at AT TIME ZONE 'UTC')::date = spent_on) AND calls_under_way = 0
     AND spent_credits <> sum(charge)`;

const WRONG_COUNTS = `SELECT id, calls_under_way FROM workspaces WHERE calls_under_way <> 0`;

const WRONG_AGENTS = `
  SELECT agents.id, calls, count(conversations.id)::int AS ended
  FROM agents
  LEFT JOIN agent_call_totals totals ON totals.agent_id = agents.id
  LEFT JOIN conversations ON conversations.agent_id = agents.id AND ended_at IS NOT NULL
  GROUP BY agents.id, calls HAVING COALESCE(calls, 0) <> count(conversations.id)`;

/** Every call is settled once with the correct amounts, and every stored total equals the sum of its rows. */
export async function checkCredits(installation: Installation, firstNumber: string): Promise<Violation[]> {
  const mischarged = await installation.rows<{ conversationId: string }>(MISCHARGED_CALLS, [firstNumber]);
  const balances = await installation.rows(WRONG_BALANCES);
  const spending = await installation.rows(WRONG_SPENDING);
  const counts = await installation.rows(WRONG_COUNTS);
  const agents = await installation.rows(WRONG_AGENTS);
  return [
    ...mischarged.map((row) => ({ message: 'A call was not settled once with the correct amounts', ...row })),
    ...balances.map((row) => ({
      message: `A balance differs from the sum of its ledger: ${JSON.stringify(row)}`,
    })),
    ...spending.map((row) => ({
      message: `A day's spending differs from the charges of its calls: ${JSON.stringify(row)}`,
    })),
    ...counts.map((row) => ({
      message: `A workspace counts ended calls as in progress: ${JSON.stringify(row)}`,
    })),
    ...agents.map((row) => ({
      message: `The call total of an agent differs from its calls: ${JSON.stringify(row)}`,
    })),
  ];
}
