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

/** Does one job. It may be run again after a crash, so what it does must bear being done twice. */
export type JobHandler = (payload: never, helpers: JobHelpers) => Promise<void>;

/** Gives the jobs of a kind workers of their own, so that no other kind waits for them. */
export interface OwnWorkers {
  concurrency: number;
  /** The flags of jobs that are to be left alone for now. */
  skip?: () => string[];
}

/** The workers' own statements are short, and what a job does runs on the application's connections. */
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
 * Runs the jobs that transactions have added (see `add-job.ts`), where this process has the role `background`. A job
 * that throws is tried again with growing pauses.
 *
 * The library leaves a job to its worker for four hours, also when the worker's process was killed. Here a worker
 * renews its hold while it works, and jobs whose hold is older than the lease are taken over.
 */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new NestLogger(JobRunner.name);
  /** Kinds of jobs that have workers of their own. */
  private readonly dedicated: JobWorkers[] = [];
  private readonly shared: TaskList = {};
  private running: JobWorkers[] = [];
  private pool: Pool | undefined;
  private takingOver: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** To be called before the application has started, in a feature's `onModuleInit`. */
  register(name: string, handler: JobHandler, own?: OwnWorkers): void {
    const task = this.withLease(handler) as TaskList[string];
    if (own) this.dedicated.push(new JobWorkers({ [name]: task }, own.concurrency, own.skip));
    else this.shared[name] = task;
  }

  onApplicationBootstrap(): void {
    if (!this.config.ROLES.includes('background')) return;
    this.running = [...this.dedicated, new JobWorkers(this.shared, this.config.JOB_CONCURRENCY)];
    const pool = (this.pool = this.createPool());
    this.running.forEach((workers) => workers.start(pool));
    this.takingOver = this.startLeaseTimer(() =>
      pool.query({ ...TAKE_OVER_JOBS, values: [this.config.JOB_LEASE_SECONDS] }),
    );
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.takingOver);
    await Promise.all(this.running.map((workers) => workers.stop()));
    // The library waits for the last jobs but not for the statements that strike them off.
    await this.pool?.end();
  }

  private createPool(): Pool {
    return workersPool(
      {
        connectionString: this.config.DATABASE_URL,
        // Each set of workers keeps one to listen on.
        max: this.running.length + SHARED_CONNECTIONS,
        application_name: 'parley jobs',
      },
      (error) => this.logger.warn({ err: error }, 'A connection of the jobs was lost'),
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

  /** Three times within a lease, so that one failure does not lose it. */
  private startLeaseTimer(act: () => Promise<unknown>): NodeJS.Timeout {
    const report = (error: unknown) =>
      this.logger.warn({ err: error }, 'The lease of a job could not be renewed');
    return setInterval(() => void act().catch(report), (this.config.JOB_LEASE_SECONDS * 1_000) / 3);
  }
}
