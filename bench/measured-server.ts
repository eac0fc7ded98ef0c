import type { Request } from 'autocannon';
import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import type { TestDatabase } from '../test/support/database';
import { deleteTopology } from '../test/support/rabbitmq';
import type { ServerChild } from './server-child';

/** A running server that is measured: Parley or the reference. Both have the same routes and the same messages. */
export interface MeasuredServer {
  name: string;
  url: string;
  child: ServerChild;
  /** The prefix of its exchanges and queues. */
  prefix: string;
  databaseUrl: string;
  sql: Pool;
  /** The requests that start a call, one of each workspace. */
  startCalls: Request[];
  /** Whether calls are not ended: one row with the column `busy`. */
  isBusy: string;
  stop(): Promise<void>;
}

/** A pool whose idle connections may end with their database. */
export const idlePool = (connectionString: string): Pool =>
  new Pool({ connectionString, max: 2 }).on('error', () => undefined);

export const newPrefix = (name: string) => `${name}-${randomBytes(4).toString('hex')}`;

const CALL = { to_number: '+15551234567', dynamic_variables: { name: 'Ada' } };

/** @param fields further fields of the call */
export const startCallRequest = (apiKey: string, agentId: string, fields: object = {}): Request => ({
  method: 'POST',
  path: `/api/agents/${agentId}/calls`,
  headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
  body: JSON.stringify({ ...CALL, ...fields }),
});

/** Ends a server and removes its database and queues. */
export async function removeServer(
  { child, sql, prefix }: Pick<MeasuredServer, 'child' | 'sql' | 'prefix'>,
  database: TestDatabase,
  rabbitmqUrl: string,
): Promise<void> {
  await child.kill();
  await sql.end();
  await database.drop();
  await deleteTopology(prefix, [], rabbitmqUrl);
}
