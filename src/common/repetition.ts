import { setTimeout as pause } from 'node:timers/promises';

/** Does something again and again, each time a pause after it was done, until it is stopped. */
export class Repetition {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  /** Whether what is under way should come to its end. */
  get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** @param failed is told of an error; the next time comes all the same. */
  start(act: () => Promise<void>, pauseMs: number, failed: (error: unknown) => void): void {
    this.running = this.run(act, pauseMs, failed);
  }

  /**
   * Does batch after batch until one is not full, or until it is stopped.
   * @param act returns how many there were
   */
  async inBatches(size: number, act: () => Promise<number>): Promise<void> {
    let count = size;
    while (count === size && !this.isStopping) count = await act();
  }

  /** Resolves when what is under way is done. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(act: () => Promise<void>, pauseMs: number, failed: (error: unknown) => void) {
    const { signal } = this.stopping;
    while (!this.isStopping) {
      await act().catch(failed);
      // A stop ends the pause with an error, and then the loop.
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
