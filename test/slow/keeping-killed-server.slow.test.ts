import { Client } from 'pg';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { addPastCalls } from '../support/past-calls';
import { JWT_SECRET, TestParley, type TestWorkspace } from '../support/parley';
import { ServerProcess } from '../support/server-process';
import { until } from '../support/until';

const NUMBER = '+15557320001';
/** The number is more than one batch of an erasure, and more than one step of the retention. */
const CALLS = 250;

describe('When its server is killed', () => {
  /** This server receives the requests of the tests, and does nothing in the background. */
  let front: TestParley;
  let server: ServerProcess | undefined;
  let next: TestParley | undefined;
  let client: Client;

  beforeAll(async () => {
    front = await TestParley.start({ ROLES: 'http' });
    client = new Client(front.database.url);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await server?.kill();
    await next?.stop({ keepDatabase: true });
    await front.stop();
  });

  /** A workspace with many calls that ended long ago, and a transcript of one in the second batch by this order. */
  async function withOldCalls(order: string) {
    const workspace = await front.workspace();
    const agentId = await createAgent(workspace);
    await new AgentCalls(workspace.api, agentId).start();
    await addPastCalls(
      { sql: (text, values) => front.sql(text, values) },
      workspace,
      `SELECT gen_random_uuid() AS id, $2::uuid AS agent_id, $3 AS to_number, 'phonecall' AS call_type,
              timestamptz '2026-03-01T12:00Z' + n * interval '1 minute' AS created_at, 'disconnected' AS status,
              60 AS duration_sec, gen_random_uuid() AS token
       FROM generate_series(1, ${CALLS}) AS n`,
      [agentId, NUMBER],
    );
    await front.sql(
      `INSERT INTO call_transcripts (conversation_id)
       SELECT id FROM conversations WHERE workspace_id = $1 AND ended_at IS NOT NULL ORDER BY ${order} OFFSET 220 LIMIT 1`,
      [workspace.workspaceId],
    );
    return workspace;
  }

  const counted = async (condition: string, { workspaceId }: TestWorkspace) => {
    const text = `SELECT count(*)::int AS count FROM conversations WHERE workspace_id = $1 AND ${condition}`;
    return (await front.sql<{ count: number }>(text, [workspaceId]))[0]?.count;
  };

  test('an erasure and the retention are completed by the next one', async () => {
    const [erased, kept] = [await withOldCalls('id'), await withOldCalls('created_at')];
    const { body } = await erased.api.post('/api/erasures', { phone_number: NUMBER });
    const path = `/api/erasures/${body.data.erasure_id as string}`;
    await kept.api.put('/api/workspace/retention', {
      transcripts_days: null,
      recordings_days: null,
      calls_days: 30,
    });
    await client.query('BEGIN');
    await client.query('SELECT FROM call_transcripts FOR UPDATE');

    server = await ServerProcess.start({
      DATABASE_URL: front.database.url,
      ROLES: 'http,background',
      JWT_SECRET,
      LOG_LEVEL: 'warn',
    });
    await until(
      async () =>
        (await counted(`to_number = ''`, erased)) === 200 &&
        (await counted('ended_at IS NOT NULL', kept)) === 50,
    );
    await server.kill();
    server = undefined;
    await client.query('COMMIT');
    expect((await erased.api.get(path)).body.data).toMatchObject({ status: 'running', calls: 200 });
    // Simulates the end of the lease.
    await front.sql('UPDATE erasures SET due_at = now()');

    next = await TestParley.start({}, front.database);

    await until(async () => (await erased.api.get(path)).body.data.status === 'completed');
    expect((await erased.api.get(path)).body.data).toMatchObject({ calls: CALLS });
    expect(await counted(`to_number = '${NUMBER}'`, erased)).toBe(0);
    await until(async () => (await counted('ended_at IS NOT NULL', kept)) === 0);
    expect((await kept.api.get('/api/calls')).body.pagination).toMatchObject({ total: 1 });
  });
});
