import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { LRUCache } from 'lru-cache';
import { type PageQuery, paginate } from '../../platform/http/pagination';
import { runForWorkspace } from '../../platform/http/request-context';
import { presentVersion } from './agent-versions.presenter';
import { presentPinned } from '../tools/tools.presenter';
import { listOfferedTools } from '../tools/offered-tools';
import type { OfferedTool } from '../tools/tool-definition';
import { type AgentAnalysis, NO_ANALYSIS } from './agent-analysis';
import type { AgentSnapshot, PinnedConfiguration } from './agent-version.entity';
import { AgentVersionsRepository } from './agent-versions.repository';
import { agentNotFound, agentVersionNotFound } from './agents.errors';

/** The size of all snapshots in the cache, as JSON. One snapshot has up to a megabyte. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024;

/** The part of a version that its calls depend on. */
export interface AgentConfiguration {
  snapshot: AgentSnapshot;
  tools: readonly OfferedTool[];
  analysis: AgentAnalysis;
}

interface VersionOfAgent {
  workspaceId: string;
  agentId: string;
  agentVersion: number;
}

/** Reads versions of agents. A version never changes, so its cache needs no invalidation. */
@Injectable()
export class AgentVersionsService {
  private readonly cache = new LRUCache<string, AgentConfiguration, VersionOfAgent>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: (configuration) => JSON.stringify(configuration).length,
    fetchMethod: (_, __, { context }) => this.read(context),
    // A full cache would otherwise abort reads in progress, and with them the starts of calls.
    ignoreFetchAbort: true,
  });

  constructor(private readonly versions: AgentVersionsRepository) {}

  /**
   * Lists the versions of an agent, newest first, even if it was deleted.
   * @throws 404
   */
  async list(workspaceId: string, agentId: string, query: PageQuery) {
    if (!isUUID(agentId)) throw agentNotFound();
    const { rows, total } = await this.versions.list(workspaceId, agentId, query);
    // Every agent has a version.
    if (total === 0) throw agentNotFound();
    return paginate(rows.map(presentVersion), query, total);
  }

  /**
   * Returns a version with its configuration, even if the agent was deleted.
   * @throws 404
   */
  async get(workspaceId: string, agentId: string, version: number) {
    if (!isUUID(agentId)) throw agentNotFound();
    const found = await this.versions.find(workspaceId, agentId, version);
    if (!found) {
      await this.list(workspaceId, agentId, { page: 1, limit: 1 });
      throw agentVersionNotFound();
    }
    const { snapshot, tools, analysis } = found;
    return {
      ...presentVersion(found),
      agent_config: snapshot,
      tools: tools.map(presentPinned),
      analysis: analysis ?? NO_ANALYSIS,
    };
  }

  /** Returns what a call of this version was started with. The caller must not change it. */
  async getConfiguration(version: VersionOfAgent): Promise<AgentConfiguration> {
    const key = `${version.agentId} ${version.agentVersion}`;
    return this.cache.get(key) ?? this.cache.forceFetch(key, { context: version });
  }

  private async read({ workspaceId, agentId, agentVersion }: VersionOfAgent): Promise<AgentConfiguration> {
    const configuration = await runForWorkspace(workspaceId, () =>
      this.versions.findConfiguration(workspaceId, agentId, agentVersion),
    );
    if (!configuration) throw new Error(`Agent ${agentId} has no version ${agentVersion}.`);
    return toConfiguration(configuration);
  }
}

/** The configuration with which calls of a version start. */
export const toConfiguration = ({ snapshot, tools, analysis }: PinnedConfiguration): AgentConfiguration => ({
  snapshot,
  tools: listOfferedTools(snapshot, tools),
  analysis: analysis ?? NO_ANALYSIS,
});
