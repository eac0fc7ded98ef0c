import { Logger as NestLogger } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import { Logger, runTaskList, type TaskList, type WorkerPool } from 'graphile-worker';
import type { Pool } from 'pg';

/** How often an idle worker looks; a job that was just added wakes one at once. */
const POLL_INTERVAL_MS = 2_000;

/** Of the library itself, on the signal that it gives to jobs. */
const LIBRARY_LISTENERS = 2;

/** Takes jobs of some kinds, so many at once. */
export class JobWorkers {
  private readonly logger = new NestLogger(JobWorkers.name);
  private workers: WorkerPool | undefined;

  /** @param skip tells the flags of jobs that are to be left alone for now */
  constructor(
    private readonly tasks: TaskList,
    private readonly concurrency: number,
    private readonly skip: () => string[] = () => [],
  ) {}

  start(pool: Pool): void {
    this.workers = runTaskList(
      {
        concurrency: this.concurrency,
        pollInterval: POLL_INTERVAL_MS,
        noHandleSignals: true,
        forbiddenFlags: this.skip,
        logger: new Logger(() => (level, message) => this.log(level, message)),
      },
      this.tasks,
      pool,
    );
    // Every job may listen, once.
    setMaxListeners(this.concurrency + LIBRARY_LISTENERS, this.workers.abortSignal);
  }

  /** Waits for the jobs under way; their signal is aborted after five seconds. */
  async stop(): Promise<void> {
    await this.workers?.gracefulShutdown();
  }

  private log(level: string, message: string): void {
    if (level === 'error') this.logger.error(message);
    else if (level === 'warning') this.logger.warn(message);
    else this.logger.debug(message);
  }
}
