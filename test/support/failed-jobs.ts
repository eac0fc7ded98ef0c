import type { TestParley } from './parley';
import { until } from './until';

/** The failed job, once it waits for its next attempt. */
export const failedJob = (parley: TestParley) =>
  until(async () => {
    const [job] = await parley.sql<{ id: string; attempts: number }>(
      'SELECT id, attempts FROM graphile_worker._private_jobs WHERE last_error IS NOT NULL AND run_at > now() AND locked_at IS NULL',
    );
    return job;
  });

/** Runs the failed job again at once, as if it had had this many attempts. */
export async function retryJob(parley: TestParley, attempts?: number): Promise<void> {
  const job = await failedJob(parley);
  await parley.sql('SELECT graphile_worker.reschedule_jobs(ARRAY[$1::bigint], now(), attempts => $2)', [
    job.id,
    attempts ?? job.attempts,
  ]);
  await parley.sql(`SELECT pg_notify('jobs:insert', '{"r":1,"count":1}')`);
}

export const noJobs = (parley: TestParley) =>
  until(async () => (await parley.sql('SELECT FROM graphile_worker._private_jobs')).length === 0);
