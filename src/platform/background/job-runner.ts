import {
  Inject,
  Injectable,
  Logger as NestLogger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { JobHelpers, TaskList } from 'graphile-worker';
import type { Pool } from 'pg';
import { CONFIG, type Config, urlsByHost } from '../../config';
import { primaryClient } from '../database/primary-client';
import { JobLeasesRepository } from './job-leases.repository';
import { JobWorkers } from './job-workers';
import { jobWorkersPool } from './job-workers-pool';

/** Runs one job. A job may run again after a crash, so it must be idempotent. */
export type JobHandler = (payload: never, helpers: JobHelpers) => Promise<void>;

/** Job workers for some kinds of jobs, so that no other kind waits for them. */
export interface DedicatedJobWorkers {
  concurrency: number;
  /** Returns the flags of the jobs that are skipped for now. */
  skip?: () => string[];
}

/**
 * The number is low, because the job workers' statements are short. The jobs use the application's connections.
 */
const SHARED_CONNECTIONS = 4;

/**
 * Runs the jobs that transactions add (see `add-job.ts`), in processes with the role `background`. A job that throws is
 * retried with increasing pauses. The library would leave the job of a killed process locked for four hours, so the
 * job workers renew a short lease, and jobs with an expired lease are taken over.
 */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new NestLogger(JobRunner.name);
  private readonly dedicated: JobWorkers[] = [];
  private readonly shared: TaskList = {};
  private running: JobWorkers[] = [];
  private pool: Pool | undefined;
  private leases: JobLeasesRepository | undefined;
  private takeover: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Must be called before the application has started, in a feature's `onModuleInit`. */
  register(handlers: Record<string, JobHandler>, dedicated?: DedicatedJobWorkers): void {
    const tasks = Object.fromEntries(
      Object.entries(handlers).map(([name, handler]) => [name, this.withLease(handler)]),
    ) as TaskList;
    if (dedicated) this.dedicated.push(new JobWorkers(tasks, dedicated.concurrency, dedicated.skip));
    else Object.assign(this.shared, tasks);
  }

  onApplicationBootstrap(): void {
    if (!this.config.ROLES.includes('background')) return;
    this.running = [...this.dedicated, new JobWorkers(this.shared, this.config.JOB_CONCURRENCY)];
    const pool = (this.pool = this.createPool());
    this.running.forEach((workers) => workers.start(pool));
    const leases = (this.leases = new JobLeasesRepository(pool, this.config.JOB_LEASE_SECONDS));
    this.takeover = this.startLeaseTimer(() => leases.takeOverExpired());
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.takeover);
    await Promise.all(this.running.map((workers) => workers.stop()));
    // The library waits for the last jobs, but not for the statements that delete them.
    await this.pool?.end();
  }

  private createPool(): Pool {
    const urls = urlsByHost(this.config.DATABASE_URL);
    return jobWorkersPool(
      {
        connectionString: urls[0],
        Client: primaryClient(urls),
        // Each set of job workers listens on one connection.
        max: this.running.length + SHARED_CONNECTIONS,
        application_name: 'parley jobs',
        // A plan that was made while no job waited would read all jobs once thousands wait.
        options: '-c plan_cache_mode=force_custom_plan',
      },
      (error) => this.logger.warn({ err: error }, 'A connection of the job workers was lost'),
      () => this.isStopping,
    );
  }

  private withLease(handler: JobHandler): JobHandler {
    return async (payload, helpers) => {
      const { id, locked_by: jobWorker } = helpers.job;
      const renewal = this.startLeaseTimer(async () => this.leases?.renew(id, jobWorker));
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
