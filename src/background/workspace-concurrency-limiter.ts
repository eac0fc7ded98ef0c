/**
 * Shares out the places of a kind of job in this process, so that the slow jobs of some workspaces never take the places
 * of all. A workspace may take another place while it has fewer than its most, and fewer than are free: the more
 * of them are busy, the fewer each one gets, and the last free place is for a workspace that has none.
 */
export class WorkspaceConcurrencyLimiter {
  private readonly taken = new Map<string, number>();

  /** @param most of them that one workspace may have */
  constructor(
    private free: number,
    private readonly most: number,
  ) {}

  /** The workspaces that have places and may take no other one for now. */
  get full(): string[] {
    return [...this.taken.keys()].filter((workspaceId) => this.isFull(workspaceId));
  }

  /** False: it may take none for now. A place is to be given back with {@link leave}. */
  enter(workspaceId: string): boolean {
    if (this.isFull(workspaceId)) return false;
    this.taken.set(workspaceId, this.takenBy(workspaceId) + 1);
    this.free -= 1;
    return true;
  }

  leave(workspaceId: string): void {
    const left = this.takenBy(workspaceId) - 1;
    if (left === 0) this.taken.delete(workspaceId);
    else this.taken.set(workspaceId, left);
    this.free += 1;
  }

  private isFull(workspaceId: string): boolean {
    return this.takenBy(workspaceId) >= Math.min(this.most, this.free);
  }

  private takenBy(workspaceId: string): number {
    return this.taken.get(workspaceId) ?? 0;
  }
}
