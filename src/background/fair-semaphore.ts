import { clientClosedRequest } from '../http/client-abort-signal';
import type { ApiError } from '../http/errors';

/** Those who wait for one kind of work: the workspaces take turns, and each of them has one at a time. */
class Line {
  /** By workspace; the one that is next comes first. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private readonly served = new Set<string>();

  get working(): number {
    return this.served.size;
  }

  join(workspaceId: string, begin: () => void): void {
    const others = this.waiting.get(workspaceId);
    if (others) others.push(begin);
    else this.waiting.set(workspaceId, [begin]);
  }

  leave(workspaceId: string, begin: () => void): void {
    const others = this.waiting.get(workspaceId)?.filter((other) => other !== begin) ?? [];
    if (others.length === 0) this.waiting.delete(workspaceId);
    else this.waiting.set(workspaceId, others);
  }

  /** Begins with the next one; false: there is none that may. */
  serve(): boolean {
    for (const [workspaceId, [begin]] of this.waiting) {
      if (!begin || this.served.has(workspaceId)) continue;
      this.served.add(workspaceId);
      this.leave(workspaceId, begin);
      begin();
      return true;
    }
    return false;
  }

  end(workspaceId: string): void {
    this.served.delete(workspaceId);
    const others = this.waiting.get(workspaceId);
    if (!others) return;
    // Behind all who wait now.
    this.waiting.delete(workspaceId);
    this.waiting.set(workspaceId, others);
  }
}

/** `caller`: somebody waits for the answer. `job`: it is done in the background. */
export type Kind = 'caller' | 'job';

/**
 * Hands out a few places of work, so that nobody has to wait for somebody else's heap of it: a workspace has one place
 * of a kind at most, and neither kind has the last one unless it is told so. Callers come before jobs.
 */
export class FairSemaphore {
  private readonly lines: Record<Kind, Line> = { caller: new Line(), job: new Line() };

  /** @param ofOneKind how many of the places one kind may have */
  constructor(
    private readonly places: number,
    private readonly ofOneKind = places - 1,
  ) {}

  /**
   * Waits for a place.
   * @returns what gives it back
   * @throws the signal's reason, when that comes first
   */
  take(kind: Kind, workspaceId: string, signal?: AbortSignal): Promise<() => void> {
    const line = this.lines[kind];
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const begin = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve(() => {
          line.end(workspaceId);
          this.serve();
        });
      };
      const giveUp = () => {
        line.leave(workspaceId, begin);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      line.join(workspaceId, begin);
      this.serve();
    });
  }

  /**
   * Waits as long as the caller does, and no longer than that.
   * @throws 499 where the caller is gone, else what `busy` says
   */
  async acquireForRequest(
    { workspaceId, gone }: { workspaceId: string; gone: AbortSignal },
    waitMs: number,
    busy: (seconds: number) => ApiError,
  ): Promise<() => void> {
    const late = AbortSignal.timeout(waitMs);
    try {
      return await this.take('caller', workspaceId, AbortSignal.any([gone, late]));
    } catch {
      throw gone.aborted ? clientClosedRequest() : busy(waitMs / 1_000);
    }
  }

  private serve(): void {
    const { caller, job } = this.lines;
    while (caller.working + job.working < this.places) {
      const served = [caller, job].some((line) => line.working < this.ofOneKind && line.serve());
      if (!served) return;
    }
  }
}
