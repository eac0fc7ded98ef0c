import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Brackets, In } from 'typeorm';
import { Database, type Queryable, type Transaction } from '../../platform/database/database';
import { likePattern } from '../../platform/database/like-pattern';
import { type Page, readPage, WorkspaceRepository } from '../../platform/database/workspace.repository';
import { AssignmentConditions } from './assignment-conditions.sql';
import type { ListKnowledgeBasesQuery } from './knowledge-base.dto';
import { KnowledgeBase, UNIQUE_NAME } from './knowledge-base.entity';
import { FIND_BY_NAMES } from './knowledge-base.sql';

@Injectable()
export class KnowledgeBaseRepository extends WorkspaceRepository<KnowledgeBase> {
  constructor(
    database: Database,
    private readonly assignments: AssignmentConditions,
  ) {
    super(database, KnowledgeBase, UNIQUE_NAME);
  }

  async list(workspaceId: string, query: ListKnowledgeBasesQuery): Promise<Page<KnowledgeBase>> {
    const { search, kb_id, agent_id, start_date, end_date } = query;
    if ([kb_id, agent_id].some((id) => id !== undefined && !isUUID(id))) return { rows: [], total: 0 };
    const rows = this.select(workspaceId, 'kb');
    if (kb_id !== undefined) rows.andWhere('kb.id = :kb_id', { kb_id });
    if (agent_id !== undefined) rows.andWhere(this.assignments.isAssigned('kb'), { agent_id });
    if (start_date) rows.andWhere('kb.createdAt >= :start_date', { start_date });
    if (end_date) rows.andWhere('kb.createdAt <= :end_date', { end_date });
    if (search !== undefined) {
      rows.andWhere(
        new Brackets((where) => where.where('kb.name ILIKE :search').orWhere('kb.description ILIKE :search')),
        { search: likePattern(search) },
      );
    }
    const direction = query.sortOrder === 'asc' ? 'ASC' : 'DESC';
    return readPage(rows.orderBy(`kb.${query.sortBy}`, direction).addOrderBy('kb.id', direction), query);
  }

  /** Finds a knowledge base that is assigned to at least one of these agents of the workspace. */
  async findAssigned(workspaceId: string, id: string, agentIds: string[]): Promise<KnowledgeBase | null> {
    if (!isUUID(id)) return null;
    return this.select(workspaceId, 'kb')
      .andWhere('kb.id = :id', { id })
      .andWhere(this.assignments.isAssignedToAny('kb'), {
        agentIds: agentIds.filter((agentId) => isUUID(agentId)),
      })
      .getOne();
  }

  /** Whether the workspace has a knowledge base with this name, without regard to case. */
  nameExists(workspaceId: string, name: string): Promise<boolean> {
    return this.select(workspaceId, 'kb').andWhere('lower(kb.name) = lower(:name)', { name }).getExists();
  }

  /** Finds the ids that exist. */
  async findExisting(workspaceId: string, ids: string[], { manager }: Queryable): Promise<Set<string>> {
    const id = In(ids.filter((each) => isUUID(each)));
    const found = await manager.find(KnowledgeBase, { select: { id: true }, where: { workspaceId, id } });
    return new Set(found.map((row) => row.id));
  }

  /** Finds knowledge bases by their names, without regard to case. */
  async findByNames(
    workspaceId: string,
    names: string[],
    queryable: Queryable,
  ): Promise<Map<string, { id: string; name: string }>> {
    if (names.length === 0) return new Map();
    const found = await queryable.query(FIND_BY_NAMES, { workspaceId, names });
    return new Map(found.map(({ given, id, name }) => [given, { id, name }]));
  }

  /** Deletes a knowledge base with its sources, passages and words. @returns false if it does not exist */
  async delete(workspaceId: string, id: string, { manager }: Transaction): Promise<boolean> {
    const { affected } = await manager.delete(KnowledgeBase, { workspaceId, id });
    return affected === 1;
  }
}
