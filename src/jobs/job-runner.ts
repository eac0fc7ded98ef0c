import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger as NestLogger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type JobHelpers, Logger, run, type Runner } from 'graphile-worker';
import { Pool } from 'pg';
import { CONFIG, type Config } from '../config';
import { type Statement, Sql } from '../database/sql';

/** Does one job. It may be run again after a crash, so what it does must bear being done twice. */
export type JobHandler = (payload: never, helpers: JobHelpers) => Promise<void>;

/** How often an idle runner looks; a job that was just added wakes it at once. */
const POLL_INTERVAL_MS = 2_000;

const HOLD_JOB: Statement = {
  name: 'hold-job',
  text: 'UPDATE graphile_worker._private_jobs SET locked_at = now() WHERE id = $1 AND locked_by = $2',
};

const TAKE_OVER_JOBS: Statement = {
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
export class JobRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new NestLogger(JobRunner.name);
  private readonly handlers = new Map<string, JobHandler>();
  private runner: Runner | undefined;
  private pool: Pool | undefined;
  private takingOver: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly sql: Sql,
  ) {}

  /** To be called before the application has started, in a feature's `onModuleInit`. */
  register(name: string, handler: JobHandler): void {
    this.handlers.set(name, this.holding(handler));
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.ROLES.includes('background') || this.handlers.size === 0) return;
    this.pool = this.createPool();
    this.runner = await run({
      pgPool: this.pool,
      concurrency: this.config.JOB_CONCURRENCY,
      pollInterval: POLL_INTERVAL_MS,
      noHandleSignals: true,
      taskList: Object.fromEntries(this.handlers) as never,
      logger: new Logger(() => (level, message) => this.log(level, message)),
    });
    this.takingOver = this.often(() => this.sql.run(TAKE_OVER_JOBS, [this.config.JOB_LEASE_SECONDS]));
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.takingOver);
    await this.runner?.stop();
    // The library waits for the last jobs but not for the statements that strike them off.
    await this.pool?.end();
  }

  private createPool(): Pool {
    const pool = new Pool({
      connectionString: this.config.DATABASE_URL,
      max: this.config.JOB_CONCURRENCY + 2,
      application_name: 'parley jobs',
    });
    const report = (error: Error) => this.logger.warn({ err: error }, 'A connection of the jobs was lost');
    // Without listeners a lost connection would end the process.
    return pool.on('error', report).on('connect', (client) => client.on('error', report));
  }

  private holding(handler: JobHandler): JobHandler {
    return async (payload, helpers) => {
      const { id, locked_by: worker } = helpers.job;
      const hold = this.often(() => this.sql.run(HOLD_JOB, [id, worker]));
      try {
        await handler(payload, helpers);
      } finally {
        clearInterval(hold);
      }
    };
  }

  /** Three times within a lease, so that one failure does not lose it. */
  private often(act: () => Promise<unknown>): NodeJS.Timeout {
    const report = (error: unknown) =>
      this.logger.warn({ err: error }, 'A job lease could not be looked after');
    return setInterval(() => void act().catch(report), (this.config.JOB_LEASE_SECONDS * 1_000) / 3);
  }

  private log(level: string, message: string): void {
    if (level === 'error') this.logger.error(message);
    else if (level === 'warning') this.logger.warn(message);
    else this.logger.debug(message);
  }
}
