import type { EntityManager } from 'typeorm';

export interface JobSpec {
  name: string;
  payload: object;
  /** Of several jobs with one key that wait, the last one stays. */
  key?: string;
  /** Jobs of one queue run one after the other. */
  queue?: string;
  runAt?: Date;
  /** Default 25: with the library's pauses, about three days. */
  maxAttempts?: number;
}

/** Adds a job inside the transaction that causes it: both come to be, or neither. */
export async function addJob(manager: EntityManager, job: JobSpec): Promise<void> {
  await manager.query(
    `SELECT graphile_worker.add_job($1, $2::json, queue_name => $3, run_at => $4, max_attempts => $5, job_key => $6)`,
    [job.name, JSON.stringify(job.payload), job.queue, job.runAt, job.maxAttempts ?? 25, job.key],
  );
}
