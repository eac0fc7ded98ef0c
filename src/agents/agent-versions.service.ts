import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { AgentSnapshot } from './agent-version.entity';
import { AgentVersionsRepository } from './agent-versions.repository';

/** Of all snapshots in the cache, as JSON. One snapshot has up to a megabyte. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024;

interface VersionOfAgent {
  workspaceId: string;
  agentId: string;
  agentVersion: number;
}

/** Reads versions of agents. A version never changes, so its cache needs no invalidation. */
@Injectable()
export class AgentVersionsService {
  private readonly cache = new LRUCache<string, AgentSnapshot, VersionOfAgent>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: (snapshot) => JSON.stringify(snapshot).length,
    fetchMethod: (_, __, { context }) => this.read(context),
  });

  constructor(private readonly versions: AgentVersionsRepository) {}

  /** The snapshot that a call of this version was started with. The caller must not change it. */
  async snapshotOf(version: VersionOfAgent): Promise<AgentSnapshot> {
    const key = `${version.agentId} ${version.agentVersion}`;
    return this.cache.get(key) ?? this.cache.forceFetch(key, { context: version });
  }

  private async read({ workspaceId, agentId, agentVersion }: VersionOfAgent): Promise<AgentSnapshot> {
    const snapshot = await this.versions.findSnapshot(workspaceId, agentId, agentVersion);
    if (!snapshot) throw new Error(`Agent ${agentId} has no version ${agentVersion}.`);
    return snapshot;
  }
}
