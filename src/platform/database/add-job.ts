import type { Queryable } from './database';
import { statement } from './statement';

export interface JobSpec {
  name: string;
  payload: object;
  /** The flags of the job. Job workers can skip the jobs that have one of them. */
  flags?: string[];
  delaySeconds?: number;
  /** Default 25, which takes about three days with graphile-worker's backoff. */
  maxAttempts?: number;
}

interface AddJobParameters {
  name: string;
  payload: string;
  maxAttempts: number;
  flags: string[] | null;
  delaySeconds: number;
}

export const ADD_JOB = statement<AddJobParameters>(
  'add-job',
  `
    SELECT graphile_worker.add_job($name, $payload::json, max_attempts => $maxAttempts, flags => $flags,
                                   run_at => now() + $delaySeconds * interval '1 second')`,
);

/** Adds a job in the caller's transaction: both are committed, or neither is. */
export async function addJob(job: JobSpec, queryable: Queryable): Promise<void> {
  const { name, payload, maxAttempts = 25, flags = null, delaySeconds = 0 } = job;
  await queryable.query(ADD_JOB, {
    name,
    payload: JSON.stringify(payload),
    maxAttempts,
    flags,
    delaySeconds,
  });
}
