import { Client } from 'pg';
import type { TestParley, TestWorkspace } from '../test/support/parley';

const CHUNK = 100_000;
const CAMPAIGNS = 60;

export interface LargeWorkspace {
  workspace: TestWorkspace;
  /** An agent that has half of the calls and a part of the others. */
  agent: string;
  campaign: string;
}

const pick = (values: string[], number: string) =>
  `(ARRAY[${values.map((value) => `'${value}'`).join()}])[1 + ${number} % ${values.length}]`;

const OUTCOMES = [
  'booked',
  'not interested',
  'call back',
  'wrong number',
  'no decision',
  'complaint',
  'information',
];
const ENDS = [
  'user_hangup',
  'agent_hangup',
  'call_transfer',
  'voicemail_reached',
  'inactivity',
  'user_hangup',
];
const FAILURES = ['dial_busy', 'dial_no_answer', 'dial_failed', 'worker_lost'];
const NAMES = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Linus', 'Margaret', 'Dennis', 'Ken'];

/** Numbers are spread evenly, so that four digits match one in ten thousand calls. */
const CALLS = `
  INSERT INTO conversations (
    id, workspace_id, agent_id, user_id, campaign_id, status, call_type, direction, channel, to_number, from_number,
    request, agent_version, hold, charge, created_at, expires_at, last_publish_at, dispatched_at, claim_id, token,
    worker_id, accepted_at, heartbeat_at, connected_at, ended_at, duration_sec, disconnect_reason, disconnected_by,
    summary, outcome, incoming_claim_id)
  SELECT (lpad(to_hex((extract(epoch FROM created_at) * 1000)::bigint), 12, '0') || '70008000'
           || lpad(to_hex(n), 12, '0'))::uuid,
         $1, ($2::uuid[])[CASE WHEN n % 2 = 0 THEN 1 ELSE 1 + n / 2 % cardinality($2::uuid[]) END], 'bench',
         CASE WHEN n % 3 = 0 THEN ($3::uuid[])[1 + n / ($6::int / ${CAMPAIGNS} + 1)] END,
         CASE WHEN failed THEN 'failed' ELSE 'disconnected' END,
         CASE WHEN n % 20 = 3 THEN 'webcall' ELSE 'phonecall' END,
         CASE WHEN inbound THEN 'inbound' ELSE 'outbound' END, CASE WHEN n % 11 = 5 THEN 'voice_eu' ELSE 'voice' END,
         CASE WHEN inbound THEN line ELSE customer END, CASE WHEN inbound THEN customer ELSE line END,
         jsonb_build_object(
           'customer_name', ${pick(NAMES, 'hash')} || ' ' || initcap(left(md5(hash::text), 8)), 'external_id', 'crm-' || n,
           'dynamic_variables', jsonb_build_object('appointment', 'Monday at nine', 'plan', 'gold')),
         1, 1, CASE WHEN failed THEN 0 ELSE ceil(GREATEST(duration, 1) / 60.0) END, created_at,
         created_at + interval '5 minutes', created_at, created_at, gen_random_uuid(), gen_random_uuid(),
         'worker-' || hash % 40, created_at, created_at, CASE WHEN NOT failed THEN created_at END,
         created_at + duration * interval '1 second', CASE WHEN failed THEN 0 ELSE duration END,
         CASE WHEN failed THEN ${pick(FAILURES, 'hash')} ELSE ${pick(ENDS, 'hash')} END, 'user',
         CASE WHEN failed THEN '' ELSE 'The customer asked for an appointment and was told about the open hours.' END,
         CASE WHEN failed THEN '' ELSE ${pick(OUTCOMES, '(hash / 7)')} END,
         CASE WHEN inbound THEN gen_random_uuid() END
  FROM (
    SELECT n, n % 10 = 7 AS failed, n % 20 = 11 AS inbound, abs(hashint4(n)::bigint) AS hash,
           abs(hashint4(n + 5)::bigint) % 300 + CASE WHEN n % 50 = 0 THEN 600 ELSE 0 END AS duration,
           '+1' || lpad((abs(hashint8(n::bigint)::bigint) % 8000000000 + 2000000000)::text, 10, '0') AS customer,
           '+1555765' || lpad((1000 + n % 20 * 37)::text, 4, '0') AS line,
           date_trunc('milliseconds', now() - interval '365 days' + n * (interval '365 days' / $6::float8)) AS created_at
    FROM generate_series($4::int, $5::int) AS n
  ) AS numbers`;

/** Adds calls of a year, spread evenly, to a new workspace. */
export async function addLargeWorkspace(
  parley: TestParley,
  workspace: TestWorkspace,
  agents: string[],
  calls: number,
): Promise<LargeWorkspace> {
  const { workspaceId } = workspace;
  const campaigns = await parley.sql<{ id: string }>(
    `INSERT INTO campaigns (id, workspace_id, agent_id, user_id, name, schedule_time, recipient_count, count_disconnected, status)
     SELECT gen_random_uuid(), $1, $2, 'bench', 'Campaign ' || n, now(), 1, 1, 'completed'
     FROM generate_series(0, ${CAMPAIGNS}) AS n RETURNING id`,
    [workspaceId, agents[0]],
  );
  const ids = campaigns.map(({ id }) => id);
  for (let from = 0; from < calls; from += CHUNK) {
    await parley.sql(CALLS, [workspaceId, agents, ids, from, Math.min(from + CHUNK, calls) - 1, calls]);
  }
  await vacuum(parley, 'conversations');
  return { workspace, agent: agents[0] as string, campaign: ids[30] as string };
}

/** The statement has no time limit, unlike those of the server. */
export async function vacuum(parley: TestParley, tables: string): Promise<void> {
  const client = new Client(parley.database.url);
  await client.connect();
  await client.query(`VACUUM (ANALYZE) ${tables}`);
  await client.end();
}
