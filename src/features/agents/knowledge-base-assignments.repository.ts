import { Injectable } from '@nestjs/common';
import { Database, type Queryable, type Transaction } from '../../platform/database/database';
import { KnowledgeBaseAssignment } from './knowledge-base-assignment.entity';
import { ASSIGN_KNOWLEDGE_BASE, UNASSIGN_KNOWLEDGE_BASE } from './knowledge-base-assignments.sql';

@Injectable()
export class KnowledgeBaseAssignmentsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Locks the assignments of the workspace until the transaction ends. It comes before the locks of agents' rows,
   * so that two transactions which lock several agents cannot deadlock.
   */
  lockAll(workspaceId: string, transaction: Transaction): Promise<void> {
    return transaction.lock(`knowledge bases of ${workspaceId}`);
  }

  /** The ids of an agent's knowledge bases, in their order. */
  async listByAgent(agentId: string, { manager }: Queryable = this.database): Promise<string[]> {
    const rows = await manager.find(KnowledgeBaseAssignment, {
      where: { agentId },
      order: { position: 'ASC' },
    });
    return rows.map(({ knowledgeBaseId }) => knowledgeBaseId);
  }

  /** The ids of the agents that have a knowledge base. */
  async listAgents(knowledgeBaseId: string, { manager }: Transaction): Promise<string[]> {
    const rows = await manager.findBy(KnowledgeBaseAssignment, { knowledgeBaseId });
    return rows.map(({ agentId }) => agentId);
  }

  countAgents(knowledgeBaseId: string, { manager }: Transaction): Promise<number> {
    return manager.countBy(KnowledgeBaseAssignment, { knowledgeBaseId });
  }

  /**
   * Appends a knowledge base to the lists of agents.
   * @returns the ids of the agents that did not have it
   */
  async assign(knowledgeBaseId: string, agentIds: string[], transaction: Transaction): Promise<string[]> {
    const added = await transaction.query(ASSIGN_KNOWLEDGE_BASE, { knowledgeBaseId, agentIds });
    return added.map(({ agentId }) => agentId);
  }

  /** @returns the ids of the agents that had it */
  async unassign(knowledgeBaseId: string, agentIds: string[], transaction: Transaction): Promise<string[]> {
    const removed = await transaction.query(UNASSIGN_KNOWLEDGE_BASE, { knowledgeBaseId, agentIds });
    return removed.map(({ agentId }) => agentId);
  }

  /** Adds the list of an agent that has none. */
  async insert(agentId: string, knowledgeBaseIds: string[], { manager }: Transaction): Promise<void> {
    await manager.insert(
      KnowledgeBaseAssignment,
      knowledgeBaseIds.map((knowledgeBaseId, position) => ({ agentId, knowledgeBaseId, position })),
    );
  }

  async deleteByAgent(agentId: string, { manager }: Transaction): Promise<void> {
    await manager.delete(KnowledgeBaseAssignment, { agentId });
  }

  async deleteByKnowledgeBase(knowledgeBaseId: string, { manager }: Transaction): Promise<void> {
    await manager.delete(KnowledgeBaseAssignment, { knowledgeBaseId });
  }
}
