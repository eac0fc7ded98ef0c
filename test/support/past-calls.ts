import { randomUUID } from 'node:crypto';
import { createAgent } from './agents';
import { AgentCalls } from './calls';
import type { TestParley, TestWorkspace } from './parley';
import { until } from './until';
import { TakenCall } from './worker';

/**
 * Adds ended calls as the server would have stored them, all in one transaction: copies of a call that was made through
 * the API.
 * @param calls SQL: a query with the columns id, agent_id, created_at, call_type, status and duration_sec, and with any other
 *   column of conversations
 */
export async function addPastCalls(
  { sql }: Pick<TestParley, 'sql'>,
  { workspaceId }: Pick<TestWorkspace, 'workspaceId'>,
  calls: string,
  values: unknown[] = [],
): Promise<void> {
  await sql(
    `INSERT INTO conversations
     SELECT copy.*
     FROM (SELECT conversations FROM conversations WHERE workspace_id = $1 ORDER BY id LIMIT 1) AS template (call)
     CROSS JOIN (${calls}) AS past
     CROSS JOIN LATERAL jsonb_populate_record(call, jsonb_build_object(
       'ended_at', past.created_at, 'charge', ceil(duration_sec / 60.0), 'disconnect_reason', 'agent_hangup'
     ) || to_jsonb(past)) AS copy`,
    [workspaceId, ...values],
  );
}

/** A workspace with two agents, a queued call, and nothing else that is not rolled up. */
export async function withAgents(parley: TestParley) {
  const workspace = await parley.workspace();
  const agents = [await createAgent(workspace), await createAgent(workspace)] as const;
  await new AgentCalls(workspace.api, agents[0]).start();
  return { workspace, agents };
}

export interface LostCall {
  id: string;
  token: string;
}

const MINUTE_MS = 60_000;
const FIRST_MS = Date.parse('2026-03-01T11:00:00Z');
const LENGTH_MS = 52 * 60 * MINUTE_MS;

/**
 * Adds calls over some days, many of them at the edges of buckets, and some at the same moment.
 * @returns the calls whose runtime is considered lost, so that it can still report them
 */
export async function addRandomCalls(
  parley: TestParley,
  workspace: TestWorkspace,
  agents: readonly string[],
  count: number,
): Promise<LostCall[]> {
  const campaigns = [randomUUID(), null, null];
  const calls = Array.from({ length: count }, () => {
    const time = FIRST_MS + Math.floor(Math.random() * LENGTH_MS);
    const edge = Math.round(time / (15 * MINUTE_MS)) * 15 * MINUTE_MS;
    const status = pick('disconnected', 'disconnected', 'failed');
    const isIncoming = pick(true, false, false);
    const person = pick('+15551234567', '+15551239999', '+15550000001');
    const line = pick('+15557654567', '+15557654321', '');
    return {
      id: randomUUID(),
      agent_id: pick(...agents),
      created_at: new Date(pick(time, time, edge, edge - 1)).toISOString(),
      call_type: pick('phonecall', 'phonecall', 'webcall'),
      status,
      duration_sec: status === 'failed' ? 0 : Math.floor(Math.random() * 500),
      disconnect_reason: pick('agent_hangup', 'worker_lost'),
      token: randomUUID(),
      accepted_at: new Date(FIRST_MS).toISOString(),
      campaign_id: pick(...campaigns),
      direction: pick('outbound', 'outbound', 'inbound'),
      channel: pick('voice', 'voice', 'voice_eu'),
      outcome: pick('', 'booked', 'call back'),
      worker_id: pick('worker-1', 'worker-2'),
      request: pick(
        { customer_name: 'Ada Lovelace', external_id: 'crm-1' },
        { customer_name: 'Grace Hopper' },
        {},
      ),
      incoming_claim_id: isIncoming ? randomUUID() : null,
      to_number: isIncoming ? line : person,
      from_number: isIncoming ? person : line,
    };
  });
  await addPastCalls(
    parley,
    workspace,
    `SELECT * FROM jsonb_to_recordset($2::jsonb) AS given (
       id uuid, agent_id uuid, created_at timestamptz, call_type text, status text, duration_sec int,
       disconnect_reason text, token uuid, accepted_at timestamptz, campaign_id uuid, direction text, channel text,
       outcome text, worker_id text, incoming_claim_id uuid, to_number text, from_number text,
       request jsonb)`,
    [JSON.stringify(calls)],
  );
  return calls.filter((call) => call.disconnect_reason === 'worker_lost');
}

const pick = <Value>(...values: Value[]) => values[Math.floor(Math.random() * values.length)] as Value;

/** Reports the end of a call whose runtime was considered lost. */
export async function reportLate(parley: TestParley, { id, token }: LostCall): Promise<void> {
  const now = Date.now();
  await new TakenCall(parley, id, token).ended({
    connected_at: new Date(now - Math.floor(Math.random() * 500_000)).toISOString(),
    occurred_at: new Date(now).toISOString(),
  });
}

/** Waits until these late reports have corrected their calls. */
export const areCorrected = (parley: TestParley, calls: LostCall[]) =>
  until(async () => {
    const [row] = await parley.sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM conversations
       WHERE id = ANY ($1) AND disconnect_reason <> 'worker_lost' AND status = 'disconnected'`,
      [calls.map(({ id }) => id)],
    );
    return row?.count === calls.length;
  });

/** The time up to which the workspace is rolled up; null if it is not. */
export async function rolledUpUntil(parley: TestParley, { workspaceId }: TestWorkspace) {
  const [state] = await parley.sql<{ until: Date | null }>(
    `SELECT NULLIF(rolled_up_until, '-infinity') AS until FROM call_rollup_states WHERE workspace_id = $1`,
    [workspaceId],
  );
  return state?.until ?? null;
}
