import { Global, Inject, Injectable, Logger, Module, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { CONFIG, type Config } from '../config';

/** What is done again and again, until the stop, by the processes that have the role `background`. */
@Injectable()
export class BackgroundLoops implements OnModuleDestroy {
  private readonly logger = new Logger(BackgroundLoops.name);
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>[] = [];

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Whether what is under way should come to its end. */
  get areStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /**
   * Does something at once, and then each time a pause after it was done.
   * @param failure what the log says of an error; the next time comes all the same
   */
  start(act: () => Promise<void>, pauseMs: number, failure: string): void {
    if (!this.config.ROLES.includes('background')) return;
    this.running.push(this.repeat(act, pauseMs, (error) => this.logger.warn({ err: error }, failure)));
  }

  /**
   * Does batch after batch until one is not full, or until the stop.
   * @param act returns how many there were
   */
  async inBatches(size: number, act: () => Promise<number>): Promise<void> {
    let count = size;
    while (count === size && !this.areStopping) count = await act();
  }

  /** Begins nothing more. */
  stop(): void {
    this.stopping.abort();
  }

  async onModuleDestroy(): Promise<void> {
    this.stop();
    await Promise.all(this.running);
  }

  private async repeat(act: () => Promise<void>, pauseMs: number, failed: (error: unknown) => void) {
    const { signal } = this.stopping;
    while (!this.areStopping) {
      await act().catch(failed);
      // A stop ends the pause with an error, and then the loop.
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

@Global()
@Module({ providers: [BackgroundLoops], exports: [BackgroundLoops] })
export class BackgroundLoopsModule {}
