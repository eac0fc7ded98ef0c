import { Client } from 'pg';
import { createAgent } from '../support/agents';
import type { ApiClient } from '../support/client';
import { createDatabase, type TestDatabase } from '../support/database';
import { memoryDuring } from '../support/memory';
import { JWT_SECRET } from '../support/parley';
import { ServerProcess } from '../support/server-process';

const ROWS = 60;

/** The limit in MB for six concurrent lists. With the wide columns, they used gigabytes. */
const MAX_GROWTH = 150;

const WIDEST = '😀'.repeat(100_000);

/**
 * The value was stored by an older version: a megabyte of objects that need sixty times as much memory when they
 * are parsed.
 */
const OBJECTS = JSON.stringify({ lists: Array(33).fill(Array(10_000).fill({})) });

describe('Rows of a megabyte each', () => {
  let database: TestDatabase;
  let server: ServerProcess | undefined;
  let api: ApiClient;
  let agentId: string;

  beforeAll(async () => {
    database = await createDatabase();
    server = await ServerProcess.start({ DATABASE_URL: database.url, JWT_SECRET, LOG_LEVEL: 'warn' });
    api = server.api.with({ 'x-api-key': server.demo?.apiKey ?? '' });
    agentId = await createAgent({ api }, { prompt: WIDEST });
    await fill();
  });
  afterAll(async () => {
    await server?.stop();
    await database.drop();
  });

  async function fill(): Promise<void> {
    const client = new Client(database.url);
    await client.connect();
    await client.query(
      `INSERT INTO agents (id, workspace_id, user_id, name, type, config, category, deployment_last_updated)
       SELECT gen_random_uuid(), workspace_id, user_id, name, type, jsonb_set(config, '{metaData}', $1),
              array_fill(repeat('x', 200), ARRAY[1000]), now()
       FROM agents, generate_series(1, ${ROWS}) WHERE id = $2`,
      [OBJECTS, agentId],
    );
    await client.query(
      `INSERT INTO conversations (
         id, workspace_id, agent_id, user_id, call_type, direction, channel, to_number, from_number, request,
         agent_version, agent_snapshot, hold, expires_at, last_publish_at, status, ended_at, disconnect_reason)
       SELECT gen_random_uuid(), workspace_id, id, user_id, 'phonecall', 'outbound', 'voice', '', '', $1,
              1, $1, 1, now(), now(), 'failed', now(), 'error'
       FROM agents, generate_series(1, ${ROWS}) WHERE id = $2`,
      [OBJECTS, agentId],
    );
    await client.query(
      `INSERT INTO prompt_templates (id, workspace_id, name, greeting, prompt)
       SELECT gen_random_uuid(), workspace_id, name, '', $1
       FROM agents, generate_series(1, ${ROWS}) WHERE id = $2`,
      [WIDEST, agentId],
    );
    await client.end();
  }

  test.each([
    ['agents', () => '/api/agents', (data: unknown[]) => data.length, ROWS + 1],
    [
      'conversations',
      () => `/api/agents/${agentId}/conversations`,
      (data: { conversations: unknown[] }) => data.conversations.length,
      ROWS,
    ],
    ['prompt templates', () => '/api/prompt-templates', (data: unknown[]) => data.length, ROWS + 6],
  ])(
    'do not fill the memory when six lists of %s are read concurrently',
    async (_, path, getCount, count) => {
      const list = async () => getCount((await api.get(`${path()}?limit=100`)).body.data as never);
      // The first list allocates memory that is kept.
      await list();
      let counts: number[] = [];

      const { atRest, peak } = await memoryDuring(api, async () => {
        counts = await Promise.all(Array.from({ length: 6 }, list));
      });

      expect(counts).toEqual(Array(6).fill(count));
      expect(peak - atRest).toBeLessThan(MAX_GROWTH);
    },
  );
});
