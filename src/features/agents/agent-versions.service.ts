import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { LRUCache } from 'lru-cache';
import type { Transaction } from '../../platform/database/database';
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

/**
 * The fate of the newest version of a gated agent: `rehearse`: its rehearsals decide; `publish`: the same, unless
 * they already do or have; `follow`: the same, unless the version before is a draft, as this one is then; `draft`: nothing
 * yet; `activate`: calls use it at once
 */
export type NextStep = 'rehearse' | 'publish' | 'follow' | 'draft' | 'activate';

/** Runs in a transaction that gives agents new versions, after they are stored, or asks to publish the newest. */
export type VersionListener = (
  workspaceId: string,
  agentIds: string[],
  step: NextStep,
  transaction: Transaction,
) => Promise<void>;

/** Stores and reads versions of agents. A version never changes, so its cache needs no invalidation. */
@Injectable()
export class AgentVersionsService {
  private readonly listeners: VersionListener[] = [];
  private readonly cache = new LRUCache<string, AgentConfiguration, VersionOfAgent>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: (configuration) => JSON.stringify(configuration).length,
    fetchMethod: (_, __, { context }) => this.read(context),
    // A full cache would otherwise abort reads in progress, and with them the starts of calls.
    ignoreFetchAbort: true,
  });

  constructor(private readonly versions: AgentVersionsRepository) {}

  /** Registers a listener of a feature that refers to agents. This feature must not import it. */
  onStored(listener: VersionListener): void {
    this.listeners.push(listener);
  }

  /**
   * Stores the current versions of agents, as the last step of a transaction that may have raised them.
   * @param restoredFrom the version that the current one is a copy of
   */
  async store(
    workspaceId: string,
    ids: string[],
    transaction: Transaction,
    { restoredFrom, step = 'rehearse' }: { restoredFrom?: number; step?: NextStep } = {},
  ): Promise<void> {
    const stored = await this.versions.store(ids, transaction, { restoredFrom });
    const isOld = stored.length === 0;
    if (isOld && step !== 'publish') return;
    const next = isOld || step !== 'publish' ? step : 'rehearse';
    for (const listener of this.listeners)
      await listener(workspaceId, isOld ? ids : stored, next, transaction);
  }

  /**
   * Returns the part of a version that its calls depend on, even if the agent was deleted.
   * @throws 404
   */
  async find(
    workspaceId: string,
    agentId: string,
    version: number,
    transaction?: Transaction,
  ): Promise<PinnedConfiguration> {
    if (!isUUID(agentId)) throw agentNotFound();
    const found = await this.versions.findConfiguration(workspaceId, agentId, version, transaction);
    if (found) return found;
    // Every agent has a version.
    await this.list(workspaceId, agentId, { page: 1, limit: 1 });
    throw agentVersionNotFound();
  }

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
