import type { Pool } from 'pg';

const RENEW_LEASE = {
  name: 'renew-job-lease',
  text: 'UPDATE graphile_worker._private_jobs SET locked_at = now() WHERE id = $1 AND locked_by = $2',
};

const TAKE_OVER_JOBS = {
  name: 'take-over-jobs',
  text: `
    SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT locked_by))
    FROM graphile_worker._private_jobs WHERE locked_at < now() - $1 * interval '1 second'`,
};

/** The locks of jobs in progress, as leases. It uses the job workers' own connections, not those of the application. */
export class JobLeasesRepository {
  constructor(
    private readonly pool: Pool,
    private readonly leaseSeconds: number,
  ) {}

  /** @param jobWorker null: no job worker has locked the job */
  async renew(jobId: string, jobWorker: string | null): Promise<void> {
    await this.pool.query({ ...RENEW_LEASE, values: [jobId, jobWorker] });
  }

  /** Unlocks the jobs whose lease has expired. */
  async takeOverExpired(): Promise<void> {
    await this.pool.query({ ...TAKE_OVER_JOBS, values: [this.leaseSeconds] });
  }
}
