/**
 * Limits how many jobs of one kind each workspace runs at once in this process, so that the slow jobs of a few
 * workspaces never hold all permits. A workspace gets another permit while it holds fewer than its maximum and fewer
 * than are free: the more workspaces are busy, the fewer each gets, and the last is for one that holds none.
 */
export class WorkspaceConcurrencyLimiter {
  private readonly held = new Map<string, number>();

  /** @param free all permits, which are free at first */
  constructor(
    private free: number,
    private readonly maxPerWorkspace: number,
  ) {}

  /** The workspaces that hold permits and get no other one for now. */
  get saturated(): string[] {
    return [...this.held.keys()].filter((workspaceId) => this.isSaturated(workspaceId));
  }

  /** @returns false if the workspace gets no permit for now; true: call {@link release} once */
  tryAcquire(workspaceId: string): boolean {
    if (this.isSaturated(workspaceId)) return false;
    this.held.set(workspaceId, this.heldBy(workspaceId) + 1);
    this.free -= 1;
    return true;
  }

  release(workspaceId: string): void {
    const remaining = this.heldBy(workspaceId) - 1;
    if (remaining === 0) this.held.delete(workspaceId);
    else this.held.set(workspaceId, remaining);
    this.free += 1;
  }

  private isSaturated(workspaceId: string): boolean {
    return this.heldBy(workspaceId) >= Math.min(this.maxPerWorkspace, this.free);
  }

  private heldBy(workspaceId: string): number {
    return this.held.get(workspaceId) ?? 0;
  }
}
