import { clientClosedRequest } from './client-abort-signal';
import { workspaceBusy } from './workspace-busy';

interface Waiter {
  weight: number;
  grant: () => void;
}

interface Usage {
  free: number;
  /** In order of arrival. */
  waiting: Set<Waiter>;
}

interface Share {
  /** Of each workspace. */
  permits: number;
  /** Names what a permit stands for, in a refusal. */
  resource: string;
  waitSeconds: number;
}

interface Request {
  /** How many permits, from 1 to all of them; default 1. */
  weight?: number;
  /** Aborted when the client leaves; asked for only where the request has to wait. */
  abandoned?: () => AbortSignal | undefined;
}

/**
 * A counting semaphore for each workspace, in order of arrival: one workspace never waits for another. Not
 * async-mutex's, in which a single waiter can't be aborted.
 */
export class WorkspaceSemaphore {
  private readonly usages = new Map<string, Usage>();

  constructor(private readonly share: Share) {}

  /** @returns what releases the permit; undefined where none is free, which is not waited for */
  tryAcquire(workspaceId: string): (() => void) | undefined {
    const usage = this.usageOf(workspaceId);
    if (usage.waiting.size > 0 || usage.free < 1) return undefined;
    usage.free -= 1;
    return this.releaseOf(workspaceId, usage, 1);
  }

  /**
   * @returns what releases the permits; to be called once
   * @throws 503 where none became free in time, 499 where the client left
   */
  async acquire(workspaceId: string, { weight = 1, abandoned }: Request = {}): Promise<() => void> {
    const usage = this.usageOf(workspaceId);
    if (usage.waiting.size === 0 && usage.free >= weight) usage.free -= weight;
    else await this.wait(workspaceId, usage, weight, abandoned?.());
    return this.releaseOf(workspaceId, usage, weight);
  }

  private usageOf(workspaceId: string): Usage {
    const known = this.usages.get(workspaceId);
    if (known) return known;
    const usage = { free: this.share.permits, waiting: new Set<Waiter>() };
    this.usages.set(workspaceId, usage);
    return usage;
  }

  private releaseOf(workspaceId: string, usage: Usage, weight: number): () => void {
    return () => {
      usage.free += weight;
      this.grantNext(workspaceId, usage);
    };
  }

  private wait(workspaceId: string, usage: Usage, weight: number, abandoned?: AbortSignal): Promise<void> {
    const { resource, waitSeconds } = this.share;
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        settle();
        usage.waiting.delete(waiter);
        this.grantNext(workspaceId, usage);
        reject(error);
      };
      const leave = () => fail(clientClosedRequest());
      const late = () => fail(workspaceBusy(resource, waitSeconds));
      const timer = setTimeout(late, waitSeconds * 1_000).unref();
      const settle = () => {
        clearTimeout(timer);
        abandoned?.removeEventListener('abort', leave);
      };
      const waiter = {
        weight,
        grant: () => {
          settle();
          resolve();
        },
      };
      usage.waiting.add(waiter);
      if (abandoned?.aborted) leave();
      else abandoned?.addEventListener('abort', leave, { once: true });
    });
  }

  private grantNext(workspaceId: string, usage: Usage): void {
    for (const waiter of usage.waiting) {
      if (waiter.weight > usage.free) return;
      usage.waiting.delete(waiter);
      usage.free -= waiter.weight;
      waiter.grant();
    }
    const isUnused = usage.free === this.share.permits && usage.waiting.size === 0;
    if (isUnused && this.usages.get(workspaceId) === usage) this.usages.delete(workspaceId);
  }
}
