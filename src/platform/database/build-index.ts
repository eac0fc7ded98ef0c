import type { QueryRunner } from 'typeorm';

/**
 * Builds an index outside of a transaction. Requests go on meanwhile, and the build waits for the transactions that were
 * begun before it, as long as they take.
 * @param definition such as `"api_keys" ("cap_id")`
 */
export async function buildIndex(
  runner: QueryRunner,
  name: string,
  definition: string,
  { schema = 'public', isUnique = false }: { schema?: string; isUnique?: boolean } = {},
): Promise<void> {
  await runner.query(`SET lock_timeout = 0`);
  // An attempt that was interrupted has left it, and Postgres does not use it.
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS "${schema}"."${name}"`);
  await runner.query(`CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY "${name}" ON ${definition}`);
  await runner.query(`RESET lock_timeout`);
}
