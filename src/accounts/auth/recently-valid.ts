import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { hashKey } from './api-keys.service';

const MAX_KEYS = 50_000;
const MAX_KEYS_OF_WORKSPACE = 100;
const HOUR_MS = 3_600_000;

const hashText = (apiKey: string) => hashKey(apiKey).toString('base64');

/**
 * The hashes of API keys that were valid within the last hour, in bounded memory. Each workspace has its own bound, so
 * that one with many keys does not displace those of others.
 */
@Injectable()
export class RecentlyValidKeys {
  /** The hashes by workspace, oldest first. */
  private readonly hashesOfWorkspace = new Map<string, Set<string>>();
  private readonly workspaceOfHash = new LRUCache<string, string>({
    max: MAX_KEYS,
    ttl: HOUR_MS,
    dispose: (workspaceId, hash) => this.remove(workspaceId, hash),
  });

  has(apiKey: string): boolean {
    return this.workspaceOfHash.get(hashText(apiKey)) !== undefined;
  }

  add(apiKey: string, workspaceId: string): void {
    const hash = hashText(apiKey);
    if (this.workspaceOfHash.get(hash) !== undefined) return;
    this.workspaceOfHash.set(hash, workspaceId);
    const hashes = this.hashesOfWorkspace.get(workspaceId) ?? new Set();
    this.hashesOfWorkspace.set(workspaceId, hashes.add(hash));
    const [oldest] = hashes;
    if (hashes.size > MAX_KEYS_OF_WORKSPACE && oldest !== undefined) this.workspaceOfHash.delete(oldest);
  }

  delete(apiKey: string): void {
    this.workspaceOfHash.delete(hashText(apiKey));
  }

  private remove(workspaceId: string, hash: string): void {
    const hashes = this.hashesOfWorkspace.get(workspaceId);
    hashes?.delete(hash);
    if (hashes?.size === 0) this.hashesOfWorkspace.delete(workspaceId);
  }
}
