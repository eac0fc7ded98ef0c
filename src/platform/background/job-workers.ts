import { Logger as NestLogger } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import { Logger, runTaskList, type TaskList, type WorkerPool } from 'graphile-worker';
import type { Pool } from 'pg';

/** The time between the polls of an idle job worker. A new job wakes one immediately. */
const POLL_INTERVAL_MS = 2_000;

/** The library's own listeners on the signal that it passes to jobs. */
const LIBRARY_LISTENERS = 2;

/** Runs jobs of some kinds, up to `concurrency` at once. */
export class JobWorkers {
  private readonly logger = new NestLogger(JobWorkers.name);
  private workers: WorkerPool | undefined;

  /** @param skip returns the flags of the jobs that are skipped for now */
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
    // One listener for each job in progress.
    setMaxListeners(this.concurrency + LIBRARY_LISTENERS, this.workers.abortSignal);
  }

  /** Waits for the jobs in progress. Their signal is aborted after five seconds. */
  async stop(): Promise<void> {
    await this.workers?.gracefulShutdown();
  }

  private log(level: string, message: string): void {
    if (level === 'error') this.logger.error(message);
    else if (level === 'warning') this.logger.warn(message);
    else this.logger.debug(message);
  }
}
