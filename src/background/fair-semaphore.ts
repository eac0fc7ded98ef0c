/** The waiters of one kind of work. The workspaces take turns, and each holds one permit at most. */
class WorkspaceQueue {
  /** By workspace; the one that is served next comes first. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private readonly holders = new Set<string>();

  /** How many permits are held. */
  get held(): number {
    return this.holders.size;
  }

  enqueue(workspaceId: string, grant: () => void): void {
    const waiters = this.waiting.get(workspaceId);
    if (waiters) waiters.push(grant);
    else this.waiting.set(workspaceId, [grant]);
  }

  remove(workspaceId: string, grant: () => void): void {
    const remaining = this.waiting.get(workspaceId)?.filter((waiter) => waiter !== grant) ?? [];
    if (remaining.length === 0) this.waiting.delete(workspaceId);
    else this.waiting.set(workspaceId, remaining);
  }

  /** @returns false if no workspace without a permit waits */
  grantNext(): boolean {
    for (const [workspaceId, [grant]] of this.waiting) {
      if (!grant || this.holders.has(workspaceId)) continue;
      this.holders.add(workspaceId);
      this.remove(workspaceId, grant);
      grant();
      return true;
    }
    return false;
  }

  release(workspaceId: string): void {
    this.holders.delete(workspaceId);
    const waiters = this.waiting.get(workspaceId);
    if (!waiters) return;
    // Behind all workspaces that wait now.
    this.waiting.delete(workspaceId);
    this.waiting.set(workspaceId, waiters);
  }
}

/** `request`: a client waits for the response. `job`: background work. */
export type WorkKind = 'request' | 'job';

interface RequestOptions {
  /** Aborted when the client closes the connection. */
  abortSignal: AbortSignal;
  waitMs: number;
  /** Makes the error after `waitMs`. */
  busy: (seconds: number) => Error;
}

/**
 * A semaphore with few permits, shared fairly: the workspaces take turns, so none waits for all the work of another. A
 * workspace holds one permit of a kind at most, and requests come before jobs.
 */
export class FairSemaphore {
  private readonly queues: Record<WorkKind, WorkspaceQueue> = {
    request: new WorkspaceQueue(),
    job: new WorkspaceQueue(),
  };

  /** @param permitsPerKind by default one kind never holds all of them */
  constructor(
    private readonly permits: number,
    private readonly permitsPerKind = permits - 1,
  ) {}

  /**
   * @returns the function that releases the permit, to be called once
   * @throws the signal's reason if it is aborted first
   */
  acquire(kind: WorkKind, workspaceId: string, signal?: AbortSignal): Promise<() => void> {
    const queue = this.queues[kind];
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const grant = () => {
        signal?.removeEventListener('abort', abort);
        resolve(() => {
          queue.release(workspaceId);
          this.grantFree();
        });
      };
      const abort = () => {
        queue.remove(workspaceId, grant);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort, { once: true });
      queue.enqueue(workspaceId, grant);
      this.grantFree();
    });
  }

  /** @throws the reason of `abortSignal` if it is aborted first, and what `busy` makes after `waitMs` */
  async acquireForRequest(
    workspaceId: string,
    { abortSignal, waitMs, busy }: RequestOptions,
  ): Promise<() => void> {
    const signal = AbortSignal.any([abortSignal, AbortSignal.timeout(waitMs)]);
    try {
      return await this.acquire('request', workspaceId, signal);
    } catch {
      throw abortSignal.aborted ? (abortSignal.reason as Error) : busy(waitMs / 1_000);
    }
  }

  private grantFree(): void {
    const { request, job } = this.queues;
    while (request.held + job.held < this.permits) {
      const isGranted = [request, job].some((queue) => queue.held < this.permitsPerKind && queue.grantNext());
      if (!isGranted) return;
    }
  }
}
