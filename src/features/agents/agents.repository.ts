import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Database, type Queryable, type Transaction } from '../../platform/database/database';
import { likePattern } from '../../platform/database/like-pattern';
import { type Page, readPage, WorkspaceRepository } from '../../platform/database/workspace.repository';
import { AgentCallTotals } from './agent-call-totals.entity';
import { Agent, type NarrowAgent } from './agent.entity';
import type { ListAgentsQuery } from './agents.dto';
import { type AgentTexts, FIND_NAMING, FIND_TEXTS, FIND_VOICE_ENGINES, RAISE_VERSIONS } from './agents.sql';

/** The columns that a list reads. Others, such as the categories, may be wide. */
const LISTED = ['id', 'name', 'type', 'status', 'updatedAt'] as const satisfies (keyof Agent)[];

const HAS_KNOWLEDGE_BASE = `EXISTS (
  SELECT 1 FROM knowledge_base_assignments WHERE agent_id = agent.id AND knowledge_base_id = :kb_id)`;

export type ListedAgent = Pick<Agent, (typeof LISTED)[number]>;

@Injectable()
export class AgentsRepository extends WorkspaceRepository<Agent, 'config' | 'analysis'> {
  constructor(database: Database) {
    super(database, Agent);
  }

  async list(workspaceId: string, query: ListAgentsQuery): Promise<Page<ListedAgent>> {
    const { category, search, type, status, kb_id, start_date, end_date } = query;
    if (kb_id !== undefined && !isUUID(kb_id)) return { rows: [], total: 0 };
    const rows = this.select(workspaceId, 'agent');
    if (category !== undefined) rows.andWhere(':category = ANY(agent.category)', { category });
    if (search !== undefined) rows.andWhere('agent.name ILIKE :search', { search: likePattern(search) });
    if (type !== undefined) rows.andWhere('agent.type = :type', { type });
    if (status !== undefined) rows.andWhere('agent.status = :status', { status });
    if (kb_id !== undefined) rows.andWhere(HAS_KNOWLEDGE_BASE, { kb_id });
    if (start_date) rows.andWhere('agent.createdAt >= :start_date', { start_date });
    if (end_date) rows.andWhere('agent.createdAt <= :end_date', { end_date });
    const direction = query.sortOrder === 'asc' ? 'ASC' : 'DESC';
    rows.select(LISTED.map((column) => `agent.${column}`));
    rows.orderBy(`agent.${query.sortBy}`, direction).addOrderBy('agent.id', direction);
    return readPage(rows, query);
  }

  /** @returns null if no call of the agent has ended */
  findCallTotals(agentId: string, { manager }: Queryable = this.database): Promise<AgentCallTotals | null> {
    return manager.findOneBy(AgentCallTotals, { agentId });
  }

  /** The voice providers of agents, by agent id. */
  async findVoiceEngines(workspaceId: string, ids: string[]): Promise<Map<string, string>> {
    const rows = await this.database.query(FIND_VOICE_ENGINES, { workspaceId, ids });
    return new Map(rows.map(({ id, voiceEngine }) => [id, voiceEngine]));
  }

  /**
   * Finds the texts in which an agent's variables occur.
   * @returns undefined if the workspace has no such agent
   */
  async findTexts(workspaceId: string, id: string): Promise<AgentTexts | undefined> {
    if (!isUUID(id)) return undefined;
    const [found] = await this.database.query(FIND_TEXTS, { workspaceId, id });
    return found;
  }

  /**
   * Locks agents until the transaction ends.
   * @param ids each once
   * @returns false if the workspace does not have all of them
   */
  async lock(workspaceId: string, ids: string[], { manager }: Transaction): Promise<boolean> {
    if (!ids.every((id) => isUUID(id))) return false;
    const found = await manager
      .createQueryBuilder(Agent, 'agent')
      .setLock('for_no_key_update')
      .where('agent.workspaceId = :workspaceId AND agent.id = ANY(:ids)', { workspaceId, ids })
      .orderBy('agent.id')
      .getMany();
    return found.length === ids.length;
  }

  /** The ids of the agents whose actions have one of these names. */
  async listNaming(workspaceId: string, names: string[], transaction: Transaction): Promise<string[]> {
    return (await transaction.query(FIND_NAMING, { workspaceId, names })).map(({ id }) => id);
  }

  /** Raises the versions of agents after a change outside their rows that affects their calls. */
  async raiseVersions(ids: string[], transaction: Transaction): Promise<void> {
    await transaction.query(RAISE_VERSIONS, { ids, updatedBy: transaction.actor });
  }

  /** Deletes an agent but keeps its row: calls refer to it. */
  async delete(agent: NarrowAgent, { manager }: Transaction): Promise<void> {
    await manager.softRemove(Agent, agent);
  }
}
