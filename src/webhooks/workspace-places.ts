/**
 * Bounds how many jobs of one workspace this process works on at once, so that the slow receivers of one never take the
 * places of all.
 */
export class WorkspacePlaces {
  private readonly taken = new Map<string, number>();

  constructor(private readonly places: number) {}

  /** The workspaces that have no free place. */
  get full(): string[] {
    return [...this.taken.keys()].filter((workspaceId) => this.isFull(workspaceId));
  }

  /** False: there is no free place. A place is to be given back with {@link leave}. */
  enter(workspaceId: string): boolean {
    if (this.isFull(workspaceId)) return false;
    this.taken.set(workspaceId, this.takenBy(workspaceId) + 1);
    return true;
  }

  leave(workspaceId: string): void {
    const left = this.takenBy(workspaceId) - 1;
    if (left === 0) this.taken.delete(workspaceId);
    else this.taken.set(workspaceId, left);
  }

  private isFull(workspaceId: string): boolean {
    return this.takenBy(workspaceId) >= this.places;
  }

  private takenBy(workspaceId: string): number {
    return this.taken.get(workspaceId) ?? 0;
  }
}
