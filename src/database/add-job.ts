import type { EntityManager } from 'typeorm';

export interface JobSpec {
  name: string;
  payload: object;
  /** Workers can be told to leave jobs with one of these alone. */
  flags?: string[];
  delaySeconds?: number;
  /** Default 25: with the library's pauses, about three days. */
  maxAttempts?: number;
}

/** Adds a job inside the transaction that causes it: both come to be, or neither. */
export async function addJob(manager: EntityManager, job: JobSpec): Promise<void> {
  await manager.query(
    `SELECT graphile_worker.add_job($1, $2::json, max_attempts => $3, flags => $4, run_at => now() + $5 * interval '1 second')`,
    [job.name, JSON.stringify(job.payload), job.maxAttempts ?? 25, job.flags ?? null, job.delaySeconds ?? 0],
  );
}
