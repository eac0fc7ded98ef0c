import type { Pool } from 'pg';
import { until } from './until';

const SESSIONS = `
  SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND application_name LIKE 'parley%'`;

const DEADLOCKS = 'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()';

/**
 * The number of deadlocks that Postgres has ended in a database. A session may report its own only when it ends,
 * so all sessions must have ended.
 */
export async function countDeadlocks(sql: Pick<Pool, 'query'>): Promise<number> {
  await until(async () => (await sql.query(SESSIONS)).rowCount === 0);
  const { rows } = await sql.query<{ deadlocks: number }>(DEADLOCKS);
  return rows[0]?.deadlocks ?? 0;
}
