import { Pool, type PoolConfig } from 'pg';

/** On this code the library repeats a statement: about a hundred times, in seven minutes. */
const REPEATABLE = '40001';

type Run = (...args: unknown[]) => Promise<unknown> | undefined;

/**
 * The connections of the job workers. The library lets the process end when it can't strike off a job that is done, as
 * while Postgres restarts: it repeats a statement after very few of the errors that pass. All its statements bear being
 * repeated, so here every error says so, until the workers stop.
 */
export function workersPool(
  config: PoolConfig,
  report: (error: Error) => void,
  areStopping: () => boolean,
): Pool {
  const repeatable =
    (run: Run): Run =>
    (...args) =>
      // With a callback there is no promise.
      run(...args)?.catch((error: Error) => {
        throw areStopping()
          ? error
          : Object.assign(new Error(error.message), { code: REPEATABLE, cause: error });
      });
  const pool = new Pool(config);
  pool.connect = repeatable(pool.connect.bind(pool) as Run) as Pool['connect'];
  // Without listeners a lost connection would end the process.
  return pool.on('error', report).on('connect', (client) => {
    client.on('error', report);
    client.query = repeatable(client.query.bind(client)) as typeof client.query;
  });
}
