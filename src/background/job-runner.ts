import {
  Inject,
  Injectable,
  Logger as NestLogger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { JobHelpers, TaskList } from 'graphile-worker';
import type { Pool } from 'pg';
import { CONFIG, type Config } from '../config';
import { JobWorkers } from './job-workers';
import { workersPool } from './workers-pool';

/** Runs one job. A job may run again after a crash, so it must be idempotent. */
export type JobHandler = (payload: never, helpers: JobHelpers) => Promise<void>;

/** Workers for one kind of job, so that no other kind waits for it. */
export interface DedicatedWorkers {
  concurrency: number;
  /** Returns the flags of the jobs that are skipped for now. */
  skip?: () => string[];
}

/** Few, because the workers' statements are short. The jobs use the application's connections. */
const SHARED_CONNECTIONS = 4;

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

/**
 * Runs the jobs that transactions add (see `add-job.ts`), in processes with the role `background`. A job that throws is
 * retried with increasing pauses. The library would leave the job of a killed process locked for four hours, so the
 * workers renew a short lease, and jobs with an expired lease are taken over.
 */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new NestLogger(JobRunner.name);
  private readonly dedicated: JobWorkers[] = [];
  private readonly shared: TaskList = {};
  private running: JobWorkers[] = [];
  private pool: Pool | undefined;
  private takeover: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Must be called before the application has started, in a feature's `onModuleInit`. */
  register(name: string, handler: JobHandler, dedicated?: DedicatedWorkers): void {
    const task = this.withLease(handler) as TaskList[string];
    if (dedicated) {
      this.dedicated.push(new JobWorkers({ [name]: task }, dedicated.concurrency, dedicated.skip));
    } else {
      this.shared[name] = task;
    }
  }

  onApplicationBootstrap(): void {
    if (!this.config.ROLES.includes('background')) return;
    this.running = [...this.dedicated, new JobWorkers(this.shared, this.config.JOB_CONCURRENCY)];
    const pool = (this.pool = this.createPool());
    this.running.forEach((workers) => workers.start(pool));
    this.takeover = this.startLeaseTimer(() =>
      pool.query({ ...TAKE_OVER_JOBS, values: [this.config.JOB_LEASE_SECONDS] }),
    );
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.takeover);
    await Promise.all(this.running.map((workers) => workers.stop()));
    // The library waits for the last jobs, but not for the statements that delete them.
    await this.pool?.end();
  }

  private createPool(): Pool {
    return workersPool(
      {
        connectionString: this.config.DATABASE_URL,
        // Each set of workers listens on one connection.
        max: this.running.length + SHARED_CONNECTIONS,
        application_name: 'parley jobs',
      },
      (error) => this.logger.warn({ err: error }, 'A connection of the job workers was lost'),
      () => this.isStopping,
    );
  }

  private withLease(handler: JobHandler): JobHandler {
    return async (payload, helpers) => {
      const { id, locked_by: worker } = helpers.job;
      const renewal = this.startLeaseTimer(async () =>
        this.pool?.query({ ...RENEW_LEASE, values: [id, worker] }),
      );
      try {
        await handler(payload, helpers);
      } finally {
        clearInterval(renewal);
      }
    };
  }

  /** Runs three times within a lease, so that one failure does not lose it. */
  private startLeaseTimer(work: () => Promise<unknown>): NodeJS.Timeout {
    const report = (error: unknown) =>
      this.logger.warn({ err: error }, 'A job lease could not be renewed or taken over');
    return setInterval(() => void work().catch(report), (this.config.JOB_LEASE_SECONDS * 1_000) / 3);
  }
}
