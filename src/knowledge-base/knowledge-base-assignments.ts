import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import { knowledgeBaseNotFound } from './knowledge-base.errors';
import { KnowledgeBaseAssignment } from './knowledge-base-assignment.entity';
import { KnowledgeBase } from './knowledge-base.entity';

/** The last one that an integer column holds. */
const MAX_VERSION = 2_147_483_647;

/** What agents are handed has changed, and so their deployment version rises. The agents' table is all we know of them. */
const RAISE_VERSIONS = `
  UPDATE agents SET deployment_version = LEAST(deployment_version::bigint + 1, ${MAX_VERSION}),
    deployment_last_updated = now(), updated_at = now()
  WHERE id = ANY($1)`;

/** Which agents have which knowledge bases. What is unknown, malformed or another workspace's is a 404. */
@Injectable()
export class KnowledgeBaseAssignments {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Lets one change of assignments at a time into a workspace. To be taken before the rows of agents, so that changes
   * which want several rows never wait for each other in a circle.
   */
  async lock(manager: EntityManager, workspaceId: string): Promise<void> {
    await manager.query(`SELECT pg_advisory_xact_lock(hashtext('knowledge bases of ' || $1))`, [workspaceId]);
  }

  /** An agent's knowledge bases, in their order. */
  async ofAgent(agentId: string): Promise<string[]> {
    return idsOf(this.dataSource.manager, agentId);
  }

  async countAgents(manager: EntityManager, knowledgeBaseId: string): Promise<number> {
    return manager.countBy(KnowledgeBaseAssignment, { knowledgeBaseId });
  }

  /** @throws 404 */
  async assertOwned(manager: EntityManager, workspaceId: string, ids: string[]): Promise<void> {
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
    if (!wanted.every((id) => isUUID(id))) throw knowledgeBaseNotFound();
    const found = await manager
      .createQueryBuilder(KnowledgeBase, 'kb')
      .where('kb.workspaceId = :workspaceId AND kb.id = ANY(:wanted)', { workspaceId, wanted })
      .getCount();
    if (found !== wanted.length) throw knowledgeBaseNotFound();
  }

  /** Gives agents one more knowledge base; those that have it already stay as they are. */
  async assign(manager: EntityManager, knowledgeBaseId: string, agentIds: string[]): Promise<void> {
    const added: { agent_id: string }[] = await manager.query(
      `INSERT INTO knowledge_base_assignments (agent_id, knowledge_base_id, position)
       SELECT agent_id, $1, (SELECT COALESCE(max(position) + 1, 0) FROM knowledge_base_assignments has
                             WHERE has.agent_id = agents.agent_id)
       FROM unnest($2::uuid[]) AS agents (agent_id)
       ON CONFLICT DO NOTHING RETURNING agent_id`,
      [knowledgeBaseId, agentIds],
    );
    await manager.query(RAISE_VERSIONS, [added.map(({ agent_id }) => agent_id)]);
  }

  async unassign(manager: EntityManager, knowledgeBaseId: string, agentIds: string[]): Promise<void> {
    const [removed]: [{ agent_id: string }[], number] = await manager.query(
      `DELETE FROM knowledge_base_assignments WHERE knowledge_base_id = $1 AND agent_id = ANY($2) RETURNING agent_id`,
      [knowledgeBaseId, agentIds],
    );
    await manager.query(RAISE_VERSIONS, [removed.map(({ agent_id }) => agent_id)]);
  }

  /**
   * Gives an agent these knowledge bases and no others. Its version is left to the caller.
   * @returns whether it had others before
   * @throws 404
   */
  async replace(
    manager: EntityManager,
    workspaceId: string,
    agentId: string,
    ids: string[],
  ): Promise<boolean> {
    await this.assertOwned(manager, workspaceId, ids);
    const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
    if ((await idsOf(manager, agentId)).join() === wanted.join()) return false;
    await this.release(manager, agentId);
    await manager.insert(
      KnowledgeBaseAssignment,
      wanted.map((knowledgeBaseId, position) => ({ agentId, knowledgeBaseId, position })),
    );
    return true;
  }

  /** Takes all of them from an agent that is no more. */
  async release(manager: EntityManager, agentId: string): Promise<void> {
    await manager.delete(KnowledgeBaseAssignment, { agentId });
  }

  /** Takes a knowledge base that is about to go from all agents. */
  async removeAll(manager: EntityManager, workspaceId: string, knowledgeBaseId: string): Promise<void> {
    await this.lock(manager, workspaceId);
    const assigned = await manager.findBy(KnowledgeBaseAssignment, { knowledgeBaseId });
    // Agents before assignments, in the order in which deleting an agent takes them.
    await manager.query(RAISE_VERSIONS, [assigned.map(({ agentId }) => agentId)]);
    await manager.delete(KnowledgeBaseAssignment, { knowledgeBaseId });
  }

  /** The condition that one of these agents of the workspace has the knowledge base of a column. */
  includesAny(
    column: string,
    workspaceId: string,
    agentIds: string[],
  ): [condition: string, parameters: object] {
    const having = `
      SELECT 1 FROM knowledge_base_assignments JOIN agents ON agents.id = agent_id
      WHERE knowledge_base_id = ${column} AND agent_id = ANY(:agentIds)
        AND agents.workspace_id = :workspaceId AND agents.deleted_at IS NULL`;
    return [`EXISTS (${having})`, { workspaceId, agentIds: agentIds.filter((id) => isUUID(id)) }];
  }

  /** The condition that an agent has the knowledge base of a column. */
  includes(column: string, agentId: string): [condition: string, parameters: object] {
    const having = `SELECT 1 FROM knowledge_base_assignments WHERE knowledge_base_id = ${column} AND agent_id = :agentId`;
    return [`EXISTS (${having})`, { agentId }];
  }
}

async function idsOf(manager: EntityManager, agentId: string): Promise<string[]> {
  const rows = await manager.find(KnowledgeBaseAssignment, {
    where: { agentId },
    order: { position: 'ASC' },
  });
  return rows.map(({ knowledgeBaseId }) => knowledgeBaseId);
}
