import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database';
import { likePattern } from '../../platform/database/like-pattern';
import { type Page, readPage, WorkspaceRepository } from '../../platform/database/workspace.repository';
import { Tool, UNIQUE_TOOL_NAME } from './tool.entity';
import type { ListToolsQuery } from './tools.dto';

@Injectable()
export class ToolsRepository extends WorkspaceRepository<Tool> {
  constructor(database: Database) {
    super(database, Tool, UNIQUE_TOOL_NAME);
  }

  /** Lists the tools by their names. */
  list(workspaceId: string, { search, ...page }: ListToolsQuery): Promise<Page<Tool>> {
    const rows = this.select(workspaceId, 'tool');
    if (search !== undefined) rows.andWhere('tool.name LIKE :search', { search: likePattern(search) });
    return readPage(rows.orderBy('tool.name', 'ASC'), page);
  }

  /**
   * Locks the tools of a workspace until the transaction ends: what stores an agent's actions and what changes a tool come
   * one after the other. It comes before the locks of agents' rows.
   */
  lockAll(workspaceId: string, transaction: Transaction): Promise<void> {
    return transaction.lock(`tools of ${workspaceId}`);
  }

  async delete({ workspaceId, id }: Tool, { manager }: Transaction): Promise<void> {
    await manager.delete(Tool, { workspaceId, id });
  }
}
