import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database';
import { KnowledgeBaseService } from '../knowledge-base/knowledge-base.service';
import type { AssignedKnowledgeBaseDto } from './knowledge-base-assignments.dto';
import { AgentVersionsService } from './agent-versions.service';
import { agentNotFound } from './agents.errors';
import { AgentsRepository } from './agents.repository';
import { KnowledgeBaseAssignmentsRepository } from './knowledge-base-assignments.repository';

/** Assigns knowledge bases to agents. Each change raises the versions of the agents that it changes. */
@Injectable()
export class KnowledgeBaseAssignmentsService implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly assignments: KnowledgeBaseAssignmentsRepository,
    private readonly agents: AgentsRepository,
    private readonly versions: AgentVersionsService,
    private readonly knowledgeBases: KnowledgeBaseService,
  ) {}

  onModuleInit(): void {
    this.knowledgeBases.beforeDeletion((...deleted) => this.unassignFromAll(...deleted));
  }

  /**
   * Assigns a knowledge base to agents. Agents that have it already are not changed.
   * @throws 404
   */
  async assign(workspaceId: string, id: string, agents: string[]): Promise<AssignedKnowledgeBaseDto> {
    return this.withLocked(workspaceId, id, agents, async (agentIds, transaction) => {
      const added = await this.assignments.assign(id, agentIds, transaction);
      await this.agents.raiseVersions(added, transaction);
      await this.versions.store(workspaceId, added, transaction, { step: 'follow' });
      transaction.change = added.length > 0 ? { agents: added } : null;
      const count = await this.assignments.countAgents(id, transaction);
      return { assigned_assistant_ids: agentIds, assistants_with_kb_count: count };
    });
  }

  /**
   * @returns the agents, each once, whether they had it or not
   * @throws 404
   */
  async unassign(workspaceId: string, id: string, agents: string[]): Promise<string[]> {
    return this.withLocked(workspaceId, id, agents, async (agentIds, transaction) => {
      const removed = await this.assignments.unassign(id, agentIds, transaction);
      await this.agents.raiseVersions(removed, transaction);
      await this.versions.store(workspaceId, removed, transaction, { step: 'follow' });
      transaction.change = removed.length > 0 ? { agents: removed } : null;
      return agentIds;
    });
  }

  /** The ids of an agent's knowledge bases, in their order. */
  listByAgent(agentId: string): Promise<string[]> {
    return this.assignments.listByAgent(agentId);
  }

  /** Locks the assignments of the workspace, before any lock of an agent's row. */
  lock(workspaceId: string, transaction: Transaction): Promise<void> {
    return this.assignments.lockAll(workspaceId, transaction);
  }

  /**
   * Gives an agent these knowledge bases and no others. The caller raises the version of the agent.
   * @returns whether it had others before
   * @throws 404
   */
  async replace(
    workspaceId: string,
    agentId: string,
    ids: string[],
    transaction: Transaction,
  ): Promise<boolean> {
    await this.knowledgeBases.assertOwned(workspaceId, ids, transaction);
    const next = uniqueIds(ids);
    const current = await this.assignments.listByAgent(agentId, transaction);
    if (current.join() === next.join()) return false;
    await this.assignments.deleteByAgent(agentId, transaction);
    await this.assignments.insert(agentId, next, transaction);
    return true;
  }

  /**
   * Replaces as {@link replace} does, but leaves out knowledge bases that have been deleted.
   * @returns the ids of the deleted ones
   */
  async restore(
    workspaceId: string,
    agentId: string,
    ids: string[],
    transaction: Transaction,
  ): Promise<string[]> {
    const existing = await this.knowledgeBases.stillOwned(workspaceId, ids, transaction);
    await this.replace(workspaceId, agentId, existing, transaction);
    return ids.filter((id) => !existing.includes(id));
  }

  /** Removes the assignments of a deleted agent. */
  unassignAll(agentId: string, transaction: Transaction): Promise<void> {
    return this.assignments.deleteByAgent(agentId, transaction);
  }

  private async unassignFromAll(workspaceId: string, id: string, transaction: Transaction): Promise<void> {
    await this.assignments.lockAll(workspaceId, transaction);
    const agentIds = await this.assignments.listAgents(id, transaction);
    // Agents are locked before assignments: deleting an agent locks them in the same order.
    await this.agents.raiseVersions(agentIds, transaction);
    await this.assignments.deleteByKnowledgeBase(id, transaction);
    await this.versions.store(workspaceId, agentIds, transaction, { step: 'follow' });
  }

  private async withLocked<Result>(
    workspaceId: string,
    knowledgeBaseId: string,
    agents: string[],
    work: (agentIds: string[], transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return this.database.transaction(async (transaction) => {
      await this.assignments.lockAll(workspaceId, transaction);
      await this.knowledgeBases.assertOwned(workspaceId, [knowledgeBaseId], transaction);
      const agentIds = uniqueIds(agents);
      if (!(await this.agents.lock(workspaceId, agentIds, transaction))) throw agentNotFound();
      return work(agentIds, transaction);
    });
  }
}

const uniqueIds = (ids: string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))];
