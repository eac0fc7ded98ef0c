import { LRUCache } from 'lru-cache';
import { hashKey } from './api-keys.service';

const MAX = 50_000;
const HOUR_MS = 3_600_000;

const hashText = (credential: string) => hashKey(credential).toString('base64');

/**
 * The hashes of credentials that were valid within the last hour, in bounded memory. Each workspace has its own bound,
 * so that one with many credentials does not displace those of others.
 */
export class RecentlyValid {
  /** The hashes by workspace, oldest first. */
  private readonly hashesOfWorkspace = new Map<string, Set<string>>();
  private readonly workspaceOfHash = new LRUCache<string, string>({
    // `max` would reserve the memory for all of them at once.
    maxSize: MAX,
    sizeCalculation: () => 1,
    ttl: HOUR_MS,
    dispose: (workspaceId, hash) => this.remove(workspaceId, hash),
  });

  constructor(private readonly maxOfWorkspace: number) {}

  has(credential: string): boolean {
    return this.workspaceOfHash.get(hashText(credential)) !== undefined;
  }

  add(credential: string, workspaceId: string): void {
    const hash = hashText(credential);
    if (this.workspaceOfHash.get(hash) !== undefined) return;
    this.workspaceOfHash.set(hash, workspaceId);
    const hashes = this.hashesOfWorkspace.get(workspaceId) ?? new Set();
    this.hashesOfWorkspace.set(workspaceId, hashes.add(hash));
    const [oldest] = hashes;
    if (hashes.size > this.maxOfWorkspace && oldest !== undefined) this.workspaceOfHash.delete(oldest);
  }

  delete(credential: string): void {
    this.workspaceOfHash.delete(hashText(credential));
  }

  private remove(workspaceId: string, hash: string): void {
    const hashes = this.hashesOfWorkspace.get(workspaceId);
    hashes?.delete(hash);
    if (hashes?.size === 0) this.hashesOfWorkspace.delete(workspaceId);
  }
}
