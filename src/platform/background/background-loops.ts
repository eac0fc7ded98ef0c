import { Global, Inject, Injectable, Logger, Module, type OnModuleDestroy } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { CONFIG, type Config } from '../../config';

/** Runs work repeatedly until the server stops, in the processes with the role `background`. */
@Injectable()
export class BackgroundLoops implements OnModuleDestroy {
  private readonly logger = new Logger(BackgroundLoops.name);
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>[] = [];

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Whether work in progress should end soon. */
  get areStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /**
   * Runs the work now, and again each time `pauseMs` after its end.
   * @param failure the log message when it throws, after which it is repeated as usual
   * @param firstAfterMs the pause before the first run
   */
  start(work: () => Promise<void>, pauseMs: number, failure: string, firstAfterMs = 0): void {
    if (!this.config.ROLES.includes('background')) return;
    // The pause of each loop adds a listener to it.
    setMaxListeners(this.running.length + 2, this.stopping.signal);
    const onError = (error: unknown) => this.logger.warn({ err: error }, failure);
    this.running.push(this.pause(firstAfterMs).then(() => this.repeat(work, pauseMs, onError)));
  }

  /**
   * Repeats the work until a batch is not full, or until the server stops.
   * @param work handles one batch, and returns its size
   */
  async inBatches(size: number, work: () => Promise<number>): Promise<void> {
    let count = size;
    while (count === size && !this.areStopping) count = await work();
  }

  /** Lets no loop start anything more. */
  stop(): void {
    this.stopping.abort();
  }

  async onModuleDestroy(): Promise<void> {
    this.stop();
    await Promise.all(this.running);
  }

  private async repeat(work: () => Promise<void>, pauseMs: number, onError: (error: unknown) => void) {
    while (!this.areStopping) {
      await work().catch(onError);
      await this.pause(pauseMs);
    }
  }

  /** Ends early when the server stops, which also ends the loop. */
  private async pause(ms: number): Promise<void> {
    if (ms > 0) await pause(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}

@Global()
@Module({ providers: [BackgroundLoops], exports: [BackgroundLoops] })
export class BackgroundLoopsModule {}
