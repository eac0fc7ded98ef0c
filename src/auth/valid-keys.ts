import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { hashOf } from './api-keys.service';

const MAX_KEYS = 50_000;
const MAX_KEYS_OF_WORKSPACE = 100;
const HOUR_MS = 3_600_000;

const nameOf = (apiKey: string) => hashOf(apiKey).toString('base64');

/**
 * API keys that were valid lately, by their hashes, in bounded memory. A workspace has a bound of its own, so that one
 * with many keys does not displace the others.
 */
@Injectable()
export class ValidKeys {
  /** By workspace, the oldest first. */
  private readonly hashes = new Map<string, Set<string>>();
  private readonly workspaces = new LRUCache<string, string>({
    max: MAX_KEYS,
    ttl: HOUR_MS,
    dispose: (workspaceId, hash) => this.remove(workspaceId, hash),
  });

  has(apiKey: string): boolean {
    return this.workspaces.get(nameOf(apiKey)) !== undefined;
  }

  add(apiKey: string, workspaceId: string): void {
    const hash = nameOf(apiKey);
    if (this.workspaces.get(hash) !== undefined) return;
    this.workspaces.set(hash, workspaceId);
    const own = this.hashes.get(workspaceId) ?? new Set();
    this.hashes.set(workspaceId, own.add(hash));
    const [oldest] = own;
    if (own.size > MAX_KEYS_OF_WORKSPACE && oldest !== undefined) this.workspaces.delete(oldest);
  }

  delete(apiKey: string): void {
    this.workspaces.delete(nameOf(apiKey));
  }

  private remove(workspaceId: string, hash: string): void {
    const own = this.hashes.get(workspaceId);
    own?.delete(hash);
    if (own?.size === 0) this.hashes.delete(workspaceId);
  }
}
