import { clientClosedRequest } from './client-abort-signal';
import { workspaceBusy } from './workspace-busy';

interface Waiter {
  weight: number;
  grant: () => void;
}

/** Of one workspace. */
interface Usage {
  free: number;
  /** In order of arrival. */
  waiting: Set<Waiter>;
}

interface Options {
  /** Of each workspace. */
  permits: number;
  /** What a permit stands for, in the message of a refusal. */
  resource: string;
  waitSeconds: number;
}

interface AcquireOptions {
  /** How many permits, from 1 to all of them; default 1. */
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
    const usage = this.usageOf(workspaceId);
    if (usage.waiting.size > 0 || usage.free < 1) return undefined;
    usage.free -= 1;
    return this.releaseOf(workspaceId, usage, 1);
  }

  /**
   * Waits until enough permits are free.
   * @returns the function that releases them, to be called once
   * @throws 503 after `waitSeconds`, 499 if the client closes the connection first
   */
  async acquire(workspaceId: string, { weight = 1, abortSignal }: AcquireOptions = {}): Promise<() => void> {
    const usage = this.usageOf(workspaceId);
    if (usage.waiting.size === 0 && usage.free >= weight) usage.free -= weight;
    else await this.wait(workspaceId, usage, weight, abortSignal?.());
    return this.releaseOf(workspaceId, usage, weight);
  }

  private usageOf(workspaceId: string): Usage {
    const known = this.usages.get(workspaceId);
    if (known) return known;
    const usage = { free: this.options.permits, waiting: new Set<Waiter>() };
    this.usages.set(workspaceId, usage);
    return usage;
  }

  private releaseOf(workspaceId: string, usage: Usage, weight: number): () => void {
    return () => {
      usage.free += weight;
      this.grantNext(workspaceId, usage);
    };
  }

  private wait(workspaceId: string, usage: Usage, weight: number, signal?: AbortSignal): Promise<void> {
    const { resource, waitSeconds } = this.options;
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        stopWaiting();
        usage.waiting.delete(waiter);
        this.grantNext(workspaceId, usage);
        reject(error);
      };
      const onAbort = () => fail(clientClosedRequest());
      const onTimeout = () => fail(workspaceBusy(resource, waitSeconds));
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
