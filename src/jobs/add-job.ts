import type { EntityManager } from 'typeorm';

export interface JobSpec {
  name: string;
  payload: object;
  /** The jobs of one queue run one after the other, in all processes. */
  queue?: string;
  /** Default 25: with the library's pauses, about three days. */
  maxAttempts?: number;
}

/** Adds a job inside the transaction that causes it: both come to be, or neither. */
export async function addJob(manager: EntityManager, job: JobSpec): Promise<void> {
  await manager.query(`SELECT graphile_worker.add_job($1, $2::json, max_attempts => $3, queue_name => $4)`, [
    job.name,
    JSON.stringify(job.payload),
    job.maxAttempts ?? 25,
    job.queue ?? null,
  ]);
}
