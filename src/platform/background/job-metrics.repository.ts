import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { statement } from '../database/statement';

/** More jobs than this are counted as this many, so that the statements have a bound. */
export const MAX_COUNTED_JOBS = 100_000;

const countJobs = (name: string, where: string) =>
  statement<object, { jobs: number }>(
    name,
    `
    SELECT count(*)::int AS jobs
    FROM (SELECT FROM graphile_worker._private_jobs WHERE ${where} LIMIT ${MAX_COUNTED_JOBS}) AS counted`,
  );

export const COUNT_PENDING_JOBS = countJobs('count-pending-jobs', 'is_available AND run_at <= now()');
export const COUNT_FAILED_JOBS = countJobs('count-failed-jobs', 'attempts >= max_attempts');

@Injectable()
export class JobMetricsRepository {
  constructor(private readonly database: Database) {}

  async countPending(): Promise<number> {
    return (await this.database.query(COUNT_PENDING_JOBS, {}))[0]?.jobs ?? 0;
  }

  async countFailed(): Promise<number> {
    return (await this.database.query(COUNT_FAILED_JOBS, {}))[0]?.jobs ?? 0;
  }
}
