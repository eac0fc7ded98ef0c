import { Client } from 'pg';
import { getStart, QUARTER } from '../src/features/calls/counts/call-rollups.sql';
import { NO_CAMPAIGN } from '../src/features/reports/measurements/measurement-rollup.entity';
import { migrate } from '../src/platform/database/migrate';
import { createAgent } from '../test/support/agents';
import { asAdmin, databaseUrl } from '../test/support/database';
import { TestParley } from '../test/support/parley';

const QUARTERS = 365 * 96;
/** A chunk is whole quarters of an hour, so its sums of measurements are complete. */
const CHUNK_QUARTERS = 320;
const CREDITS = 100_000_000;

const KEY = 'workspace_id, starts_at, agent_id, agent_version, campaign_id';

/** The measures of the calls that were answered: three response times between 0.7 and 2.3 s, and the usage of four services. */
const MEASURES = `
  measured AS (
    INSERT INTO call_measurements (conversation_id, ${KEY}, amounts)
    SELECT id, workspace_id, ${getStart(QUARTER, 'created_at')}, agent_id, agent_version, '${NO_CAMPAIGN}',
           jsonb_build_object(
             'latency/' || (21 + hash % 5), 1, 'latency/' || (26 + hash / 5 % 4), 1,
             'latency/' || (30 + hash / 20 % 4), 1,
             'stt_seconds/deepgram', 1 + duration_sec, 'tts_characters/elevenlabs', 40 + duration_sec * 7,
             'llm_tokens/openai', 500 + duration_sec * 30, 'carrier_seconds/twilio', 1 + duration_sec)
    FROM (SELECT *, abs(hashtext(id::text) / 2) AS hash FROM added WHERE connected_at IS NOT NULL) AS answered
    RETURNING *
  ), summed AS (
    INSERT INTO measurement_rollups (${KEY}, measure, amount)
    SELECT ${KEY}, measure, sum(value::bigint)
    FROM measured CROSS JOIN LATERAL jsonb_each_text(amounts) AS counted (measure, value)
    GROUP BY ${KEY}, measure
  )`;

/** The calls of a year. The largest of 200 workspaces has 7 % of them, because the workspace is the square of a hash. */
const CALLS = `
  WITH added AS (
    INSERT INTO conversations (
      id, workspace_id, agent_id, user_id, status, call_type, direction, channel, to_number, from_number,
      request, agent_version, hold, charge, created_at, expires_at, last_publish_at, dispatched_at, claim_id, token,
      worker_id, accepted_at, heartbeat_at, connected_at, ended_at, duration_sec, disconnect_reason, disconnected_by,
      summary, outcome, transcript_turns)
    SELECT (lpad(to_hex((extract(epoch FROM created_at) * 1000)::bigint), 12, '0') || '70008000'
             || lpad(to_hex(n), 12, '0'))::uuid,
           ($1::uuid[])[place], ($2::uuid[])[place], 'bench', CASE WHEN failed THEN 'failed' ELSE 'disconnected' END,
           'phonecall', 'outbound', 'voice', '+1' || 2000000000 + hash % 8000000000, '+15557651000',
           jsonb_build_object('customer_name', 'Customer ' || hash, 'external_id', 'crm-' || n,
             'dynamic_variables', jsonb_build_object('appointment', 'Monday at nine', 'plan', 'gold')),
           1, 1, CASE WHEN failed THEN 0 ELSE 1 + duration / 60 END, created_at, created_at + interval '5 minutes',
           created_at, created_at, gen_random_uuid(), gen_random_uuid(), 'worker-' || hash % 40, created_at, created_at,
           CASE WHEN NOT failed THEN created_at END, created_at + duration * interval '1 second',
           CASE WHEN failed THEN 0 ELSE duration END,
           CASE WHEN failed THEN 'dial_no_answer' ELSE (ARRAY['user_hangup', 'agent_hangup'])[1 + hash % 2] END, 'user',
           CASE WHEN failed THEN '' ELSE 'The customer asked for an appointment and was told about the open hours.' END,
           CASE WHEN failed THEN '' ELSE (ARRAY['booked', 'not interested', 'call back'])[1 + hash / 7 % 3] END,
           CASE WHEN n % 20 = 0 THEN 6 END
    FROM (
      SELECT n, n % 10 = 7 AS failed, hash, (hash % 300)::int AS duration,
             1 + floor(cardinality($1::uuid[]) * power((hash % 1000003) / 1000003.0, 2))::int AS place,
             date_trunc('milliseconds', $6::timestamptz + n * (interval '365 days' / $5::float8)) AS created_at
      FROM (SELECT n, abs(hashint8extended(n, 1) / 2) AS hash FROM generate_series($3::bigint, $4::bigint) AS n) AS numbers
    ) AS past
    RETURNING *
  ), ${MEASURES}, paid AS (
    INSERT INTO credit_entries (workspace_id, conversation_id, kind, amount, created_at)
    SELECT workspace_id, id, kind, amount, at
    FROM added CROSS JOIN LATERAL (
      VALUES ('hold', -hold, created_at), ('release', hold, ended_at), ('charge', -charge, ended_at)
    ) AS entries (kind, amount, at)
    WHERE amount <> 0
  ), written AS (
    INSERT INTO call_transcripts (conversation_id, turns, bytes)
    SELECT id, transcript_turns, transcript_turns * 40 FROM added WHERE transcript_turns > 0
  )
  INSERT INTO transcript_turns (conversation_id, sequence, speaker, text, started_at)
  SELECT id, turn, CASE turn % 2 WHEN 0 THEN 'user' ELSE 'agent' END, 'When are you open on the next Monday?', created_at
  FROM added CROSS JOIN LATERAL generate_series(1, transcript_turns) AS turn`;

const TOTALS = `
  INSERT INTO agent_call_totals (agent_id, calls, successful, seconds, last_ended_at)
  SELECT agent_id, count(*), count(*) FILTER (WHERE status = 'disconnected'), sum(duration_sec), max(ended_at)
  FROM conversations GROUP BY agent_id`;

const BALANCES = `
  UPDATE workspaces SET credits = (SELECT sum(amount) FROM credit_entries WHERE workspace_id = workspaces.id)`;

const LOADED = ['conversations', 'credit_entries', 'call_transcripts', 'transcript_turns'];

const ROLLUPS_KEY = 'measurement_rollups_pkey';

const INDEXES = `
  SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
  WHERE indrelid = ANY ($1::text[]::regclass[])
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`;

export const keptDatabase = (calls: number) => {
  const url = databaseUrl(`kept_${calls}`);
  return { url, drop: () => Promise.resolve() };
};

async function addWorkspaces(parley: TestParley, count: number) {
  const [workspaces, agents]: [string[], string[]] = [[], []];
  for (let number = 0; number < count; number += 1) {
    const workspace = await parley.workspace({ credits: CREDITS });
    workspaces.push(workspace.workspaceId);
    agents.push(await createAgent(workspace));
  }
  return [workspaces, agents] as const;
}

/** Creates a database with the ended calls of a year, as the server would have stored them before it rolls them up. */
export async function load(calls: number, workspaceCount: number): Promise<void> {
  const startedAt = performance.now();
  const report = (what: string) =>
    console.log(`${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(6)} s  ${what}`);
  await asAdmin(`CREATE DATABASE kept_${calls} TEMPLATE template0`);
  const database = keptDatabase(calls);
  await migrate({ DATABASE_URL: database.url });
  const parley = await TestParley.start({ ROLES: 'http' }, database);
  const owners = await addWorkspaces(parley, workspaceCount);
  const client = new Client(database.url);
  await client.connect();
  // The rows refer to rows that exist: the keys are checked once by the statements, not by a trigger for each row.
  await client.query(`SET session_replication_role = replica; SET synchronous_commit = off;
                      SET maintenance_work_mem = '1GB'; SET work_mem = '128MB'`);
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(INDEXES, [LOADED]);
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  await client.query(`ALTER TABLE measurement_rollups DROP CONSTRAINT ${ROLLUPS_KEY}`);
  const first = new Date(Math.floor(Date.now() / 900_000 - QUARTERS) * 900_000);
  const firstOf = (quarter: number) => Math.ceil((Math.min(quarter, QUARTERS) * calls) / QUARTERS);
  for (let quarter = 0; quarter < QUARTERS; quarter += CHUNK_QUARTERS) {
    const end = firstOf(quarter + CHUNK_QUARTERS);
    await client.query(CALLS, [...owners, firstOf(quarter), end - 1, calls, first]);
    if (quarter % (10 * CHUNK_QUARTERS) === 0) report(`${end} calls`);
  }
  for (const { definition } of indexes) await client.query(definition);
  await client.query(
    `ALTER TABLE measurement_rollups ADD CONSTRAINT ${ROLLUPS_KEY} PRIMARY KEY (${KEY}, measure)`,
  );
  report('indexes');
  await client.query(TOTALS);
  await client.query(BALANCES);
  await client.query('VACUUM (ANALYZE)');
  report('totals, vacuum');
  await client.end();
  await parley.stop({ keepDatabase: true });
}
