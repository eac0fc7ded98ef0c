import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { AGENT_DEFAULTS } from '../src/features/agents/agent-defaults';
import { createDatabase } from '../test/support/database';
import { SCHEMA } from './bare/schema.sql';
import type { Bench } from './benchmark';
import { idlePool, type MeasuredServer, newPrefix, removeServer, startCallRequest } from './measured-server';
import { ServerChild } from './server-child';

const PROGRAM = join(__dirname, 'bare', 'server.process.ts');
const CREDITS = 1_000_000;

const IS_BUSY = `SELECT EXISTS (SELECT FROM calls WHERE status <> 'ended') AS busy`;

const SEED = `
  WITH seed AS (
    SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::uuid[]) AS seed (workspace_id, hash, agent_id)
  ), workspace AS (
    INSERT INTO workspaces (id, credits) SELECT workspace_id, ${CREDITS} FROM seed
  ), key AS (
    INSERT INTO api_keys (hash, workspace_id) SELECT hash, workspace_id FROM seed
  )
  INSERT INTO agents (id, workspace_id, version, config) SELECT agent_id, workspace_id, 1, $4 FROM seed`;

/**
 * Starts the reference, which does only what a server with the same guarantees must do.
 * @param grouped whether requests that wait share a statement
 */
export async function startBare(
  { services: { rabbitmqUrl }, workspaces }: Bench,
  { grouped = true, callFields = {} } = {},
): Promise<MeasuredServer> {
  const database = await createDatabase({ empty: true });
  const sql = idlePool(database.url);
  await sql.query(SCHEMA);
  const seeds = workspaces.map((workspace) => ({ ...workspace, agentId: randomUUID() }));
  await sql.query(SEED, [
    seeds.map(({ workspaceId }) => workspaceId),
    seeds.map(({ apiKey }) => createHash('sha256').update(apiKey).digest()),
    seeds.map(({ agentId }) => agentId),
    JSON.stringify(AGENT_DEFAULTS),
  ]);
  await sql.query('ANALYZE');
  const prefix = newPrefix('bare');
  const [child, message] = await ServerChild.start(['-r', '@swc-node/register', PROGRAM], {
    DATABASE_URL: database.url,
    RABBITMQ_URL: rabbitmqUrl,
    BROKER_PREFIX: prefix,
    GROUPED: grouped ? 'yes' : 'no',
  });
  const { url } = message as { url: string };
  return {
    name: grouped ? 'bare, grouped' : 'bare, one statement a call',
    url,
    child,
    prefix,
    databaseUrl: database.url,
    sql,
    startCalls: seeds.map(({ apiKey, agentId }) => startCallRequest(apiKey, agentId, callFields)),
    isBusy: IS_BUSY,
    stop: () => removeServer({ child, sql, prefix }, database, rabbitmqUrl),
  };
}
