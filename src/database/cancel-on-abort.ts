import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';

/**
 * Does work on a connection; what Postgres does for it is cancelled when the signal is aborted. Ends after the cancel
 * has arrived, so that it can't meet another user of the connection.
 */
export async function cancelOnAbort<Result>(
  dataSource: DataSource,
  client: PoolClient,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const { processID } = client as PoolClient & { processID: number };
  let cancelling: Promise<unknown> | undefined;
  const cancel = () => {
    cancelling = dataSource.query('SELECT pg_cancel_backend($1)', [processID]);
    // It is awaited below; until then its failure has no handler.
    cancelling.catch(() => undefined);
  };
  signal.throwIfAborted();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', cancel);
    await cancelling;
  }
}
