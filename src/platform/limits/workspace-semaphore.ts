interface Waiter {
  weight: number;
  grant: () => void;
}

/** The permits of one workspace. */
interface Usage {
  free: number;
  /** The waiters in order of arrival. */
  waiting: Set<Waiter>;
}

interface Options {
  /** The permits of each workspace. */
  permits: number;
  waitSeconds: number;
  /** Makes the error after `waitSeconds`. */
  busy: (seconds: number) => Error;
}

interface AcquireOptions {
  /** The number of permits, from 1 to all of them; default 1. */
  weight?: number;
  /** Aborted when the client closes the connection. Called only if the request has to wait. */
  abortSignal?: () => AbortSignal | undefined;
}

/** A weighted semaphore for each workspace, in order of arrival: one workspace never waits for another. */
export class WorkspaceSemaphore {
  private readonly usages = new Map<string, Usage>();

  constructor(private readonly options: Options) {}

  /** @returns the function that releases the permit, or undefined if none is free now */
  tryAcquire(workspaceId: string): (() => void) | undefined {
    const usage = this.getUsage(workspaceId);
    if (usage.waiting.size > 0 || usage.free < 1) return undefined;
    usage.free -= 1;
    return this.createRelease(workspaceId, usage, 1);
  }

  /**
   * Waits until enough permits are free.
   * @returns the function that releases them, to be called once
   * @throws what `busy` makes after `waitSeconds`, the signal's reason if it is aborted first
   */
  async acquire(workspaceId: string, { weight = 1, abortSignal }: AcquireOptions = {}): Promise<() => void> {
    const usage = this.getUsage(workspaceId);
    if (usage.waiting.size === 0 && usage.free >= weight) usage.free -= weight;
    else await this.wait(workspaceId, usage, weight, abortSignal?.());
    return this.createRelease(workspaceId, usage, weight);
  }

  /**
   * Takes permits even if too few are free: the number of free ones may become negative.
   * @returns the function that releases them, to be called once
   */
  take(workspaceId: string, weight: number): () => void {
    const usage = this.getUsage(workspaceId);
    usage.free -= weight;
    return this.createRelease(workspaceId, usage, weight);
  }

  countFree(workspaceId: string): number {
    return this.usages.get(workspaceId)?.free ?? this.options.permits;
  }

  private getUsage(workspaceId: string): Usage {
    const known = this.usages.get(workspaceId);
    if (known) return known;
    const usage = { free: this.options.permits, waiting: new Set<Waiter>() };
    this.usages.set(workspaceId, usage);
    return usage;
  }

  private createRelease(workspaceId: string, usage: Usage, weight: number): () => void {
    return () => {
      usage.free += weight;
      this.grantNext(workspaceId, usage);
    };
  }

  private wait(workspaceId: string, usage: Usage, weight: number, signal?: AbortSignal): Promise<void> {
    const { busy, waitSeconds } = this.options;
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        stopWaiting();
        usage.waiting.delete(waiter);
        this.grantNext(workspaceId, usage);
        reject(error);
      };
      const onAbort = () => fail(signal?.reason as Error);
      const onTimeout = () => fail(busy(waitSeconds));
      const timer = setTimeout(onTimeout, waitSeconds * 1_000).unref();
      const stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const waiter = {
        weight,
        grant: () => {
          stopWaiting();
          resolve();
        },
      };
      usage.waiting.add(waiter);
      if (signal?.aborted) onAbort();
      else signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  private grantNext(workspaceId: string, usage: Usage): void {
    for (const waiter of usage.waiting) {
      if (waiter.weight > usage.free) return;
      usage.waiting.delete(waiter);
      usage.free -= waiter.weight;
      waiter.grant();
    }
    const isUnused = usage.free === this.options.permits && usage.waiting.size === 0;
    if (isUnused && this.usages.get(workspaceId) === usage) this.usages.delete(workspaceId);
  }
}
