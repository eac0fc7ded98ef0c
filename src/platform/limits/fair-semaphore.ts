/** The waiters of one kind of work. The workspaces take turns. */
class WorkspaceQueue {
  /** The waiters by workspace; the workspace that is served next comes first. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private readonly heldBy = new Map<string, number>();

  /** The number of permits that are held. */
  held = 0;

  get holders(): string[] {
    return [...this.heldBy.keys()];
  }

  heldByWorkspace(workspaceId: string): number {
    return this.heldBy.get(workspaceId) ?? 0;
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

  hold(workspaceId: string): void {
    this.heldBy.set(workspaceId, this.heldByWorkspace(workspaceId) + 1);
    this.held += 1;
  }

  /**
   * @param limit the number of permits of one workspace
   * @returns false if no workspace below the limit waits
   */
  grantNext(limit: number): boolean {
    for (const [workspaceId, [grant]] of this.waiting) {
      if (!grant || this.heldByWorkspace(workspaceId) >= limit) continue;
      this.hold(workspaceId);
      this.remove(workspaceId, grant);
      grant();
      return true;
    }
    return false;
  }

  release(workspaceId: string): void {
    const remaining = this.heldByWorkspace(workspaceId) - 1;
    if (remaining === 0) this.heldBy.delete(workspaceId);
    else this.heldBy.set(workspaceId, remaining);
    this.held -= 1;
    const waiters = this.waiting.get(workspaceId);
    if (!waiters) return;
    // The workspace moves behind all workspaces that wait now.
    this.waiting.delete(workspaceId);
    this.waiting.set(workspaceId, waiters);
  }
}

/** `request`: a client waits for the response. `job`: background work. */
export type WorkKind = 'request' | 'job';

interface Options {
  permits: number;
  /** The permits of one kind. Default: all but one, so that one kind never holds all of them. */
  permitsPerKind?: number;
  /** The permits of one kind, for one workspace; default 1. */
  permitsPerWorkspace?: number;
}

interface RequestOptions {
  /** Aborted when the client closes the connection. */
  abortSignal: AbortSignal;
  waitMs: number;
  /** Makes the error after `waitMs`. */
  busy: (seconds: number) => Error;
}

/**
 * A semaphore whose permits all workspaces share fairly: they take turns, so none waits for all the work of another, and
 * requests come before jobs. A workspace gets a permit while it holds fewer than its maximum and fewer than are free:
 * the more workspaces are busy, the fewer each gets, and the last is for one that holds none.
 */
export class FairSemaphore {
  private readonly queues: Record<WorkKind, WorkspaceQueue> = {
    request: new WorkspaceQueue(),
    job: new WorkspaceQueue(),
  };
  private readonly permits: number;
  private readonly permitsPerKind: number;
  private readonly permitsPerWorkspace: number;

  constructor({ permits, permitsPerKind = permits - 1, permitsPerWorkspace = 1 }: Options) {
    this.permits = permits;
    this.permitsPerKind = permitsPerKind;
    this.permitsPerWorkspace = permitsPerWorkspace;
  }

  /** The workspaces that hold permits of this kind and get no other one for now. */
  saturated(kind: WorkKind): string[] {
    const queue = this.queues[kind];
    const limit = this.getLimit(queue);
    return queue.holders.filter((workspaceId) => queue.heldByWorkspace(workspaceId) >= limit);
  }

  /** @returns the function that releases the permit, to be called once; undefined if the workspace gets none for now */
  tryAcquire(kind: WorkKind, workspaceId: string): (() => void) | undefined {
    const queue = this.queues[kind];
    if (queue.heldByWorkspace(workspaceId) >= this.getLimit(queue)) return undefined;
    queue.hold(workspaceId);
    return this.createRelease(queue, workspaceId);
  }

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
        resolve(this.createRelease(queue, workspaceId));
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

  private createRelease(queue: WorkspaceQueue, workspaceId: string): () => void {
    return () => {
      queue.release(workspaceId);
      this.grantFree();
    };
  }

  /** The number of permits of a kind that one workspace may hold now. */
  private getLimit(queue: WorkspaceQueue): number {
    const { request, job } = this.queues;
    const free = Math.min(this.permits - request.held - job.held, this.permitsPerKind - queue.held);
    return Math.min(this.permitsPerWorkspace, free);
  }

  private grantFree(): void {
    const { request, job } = this.queues;
    while ([request, job].some((queue) => queue.grantNext(this.getLimit(queue)))) {
      // The loop ends when no permit is free, or no workspace that may have one waits.
    }
  }
}
