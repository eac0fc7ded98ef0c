import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import { KnowledgeBaseAssignments } from '../knowledge-base/knowledge-base-assignments';
import type { AssignedKnowledgeBaseDto } from './agent-knowledge-bases.dto';
import { Agent } from './agent.entity';
import { agentNotFound } from './agents.errors';

/** Gives a knowledge base to agents and takes it from them; doing it again changes nothing. */
@Injectable()
export class AgentKnowledgeBasesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly assignments: KnowledgeBaseAssignments,
  ) {}

  async assign(workspaceId: string, id: string, agents: string[]): Promise<AssignedKnowledgeBaseDto> {
    return this.withLocked(workspaceId, id, agents, async (manager, agentIds) => {
      await this.assignments.assign(manager, id, agentIds);
      return {
        assigned_assistant_ids: agentIds,
        assistants_with_kb_count: await this.assignments.countAgents(manager, id),
      };
    });
  }

  async unassign(workspaceId: string, id: string, agents: string[]): Promise<string[]> {
    return this.withLocked(workspaceId, id, agents, async (manager, agentIds) => {
      await this.assignments.unassign(manager, id, agentIds);
      return agentIds;
    });
  }

  /**
   * Does something to a knowledge base and to agents, each named once, in one transaction.
   * @throws 404
   */
  private async withLocked<T>(
    workspaceId: string,
    knowledgeBaseId: string,
    agents: string[],
    work: (manager: EntityManager, agentIds: string[]) => Promise<T>,
  ): Promise<T> {
    return this.dataSource.transaction(async (manager) => {
      await this.assignments.lock(manager, workspaceId);
      await this.assignments.assertOwned(manager, workspaceId, [knowledgeBaseId]);
      const agentIds = [...new Set(agents.map((agentId) => agentId.toLowerCase()))];
      if (!agentIds.every((agentId) => isUUID(agentId))) throw agentNotFound();
      const found = await manager
        .createQueryBuilder(Agent, 'agent')
        .setLock('for_no_key_update')
        .where('agent.workspaceId = :workspaceId AND agent.id = ANY(:agentIds)', { workspaceId, agentIds })
        .getMany();
      if (found.length !== agentIds.length) throw agentNotFound();
      return work(manager, agentIds);
    });
  }
}
