import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger as NestLogger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type JobHelpers, Logger, run, type Runner } from 'graphile-worker';
import { CONFIG, type Config } from '../config';

/** Does one job. It may be run again after a crash, so what it does must bear being done twice. */
export type JobHandler = (payload: never, helpers: JobHelpers) => Promise<void>;

/** How often an idle runner looks; a job that was just added wakes it at once. */
const POLL_INTERVAL_MS = 2_000;

/**
 * Runs the jobs that transactions have added (see `add-job.ts`), where this process has the role `background`. A job
 * that throws is tried again with growing pauses; one whose process died, by another process.
 */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new NestLogger(JobRunner.name);
  private readonly handlers = new Map<string, JobHandler>();
  private runner: Runner | undefined;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** To be called before the application has started, in a feature's `onModuleInit`. */
  register(name: string, handler: JobHandler): void {
    this.handlers.set(name, handler);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.ROLES.includes('background') || this.handlers.size === 0) return;
    this.runner = await run({
      connectionString: this.config.DATABASE_URL,
      concurrency: this.config.JOB_CONCURRENCY,
      maxPoolSize: this.config.JOB_CONCURRENCY + 2,
      pollInterval: POLL_INTERVAL_MS,
      noHandleSignals: true,
      taskList: Object.fromEntries(this.handlers) as never,
      logger: new Logger(() => (level, message) => this.log(level, message)),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.runner?.stop();
  }

  private log(level: string, message: string): void {
    if (level === 'error') this.logger.error(message);
    else if (level === 'warning') this.logger.warn(message);
    else this.logger.debug(message);
  }
}
