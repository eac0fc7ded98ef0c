import { Pool, type PoolConfig } from 'pg';

/** On this error code the library retries a statement, about a hundred times in seven minutes. */
const RETRYABLE = '40001';

type Run = (...args: unknown[]) => Promise<unknown> | undefined;

/**
 * The connections of the job workers. The library retries a statement after very few errors, and ends the process if a
 * completed job cannot be deleted, as during a restart of Postgres. All of its statements can be retried, so this pool
 * marks every error as retryable until the job workers stop.
 */
export function jobWorkersPool(
  config: PoolConfig,
  onError: (error: Error) => void,
  areStopping: () => boolean,
): Pool {
  const retryable =
    (run: Run): Run =>
    (...args) =>
      // With a callback, the method returns no promise.
      run(...args)?.catch((error: Error) => {
        throw areStopping()
          ? error
          : Object.assign(new Error(error.message), { code: RETRYABLE, cause: error });
      });
  const pool = new Pool(config);
  pool.connect = retryable(pool.connect.bind(pool) as Run) as Pool['connect'];
  // Without listeners, a lost connection would end the process.
  return pool.on('error', onError).on('connect', (client) => {
    client.on('error', onError);
    client.query = retryable(client.query.bind(client)) as typeof client.query;
  });
}
