/**
 * Limits how many jobs of one kind each workspace runs in this process. A workspace can start another job while it runs
 * fewer than its maximum and fewer than are free. So the last free slot is for a workspace that runs none.
 */
export class WorkspaceConcurrencyLimiter {
  private readonly running = new Map<string, number>();

  constructor(
    private free: number,
    private readonly maxOfWorkspace: number,
  ) {}

  /** The workspaces that run jobs and cannot start another one now. */
  get saturated(): string[] {
    return [...this.running.keys()].filter((workspaceId) => this.isSaturated(workspaceId));
  }

  /** false: the workspace cannot start a job now. */
  tryAcquire(workspaceId: string): boolean {
    if (this.isSaturated(workspaceId)) return false;
    this.running.set(workspaceId, this.countOf(workspaceId) + 1);
    this.free -= 1;
    return true;
  }

  release(workspaceId: string): void {
    const rest = this.countOf(workspaceId) - 1;
    if (rest === 0) this.running.delete(workspaceId);
    else this.running.set(workspaceId, rest);
    this.free += 1;
  }

  private isSaturated(workspaceId: string): boolean {
    return this.countOf(workspaceId) >= Math.min(this.maxOfWorkspace, this.free);
  }

  private countOf(workspaceId: string): number {
    return this.running.get(workspaceId) ?? 0;
  }
}
