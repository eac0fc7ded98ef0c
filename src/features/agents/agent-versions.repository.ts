import { Injectable } from '@nestjs/common';
import { Database, type Queryable, type Transaction } from '../../platform/database/database';
import type { Page } from '../../platform/database/workspace.repository';
import { getOffset, type PageQuery } from '../../platform/http/pagination';
import type { PinnedConfiguration } from './agent-version.entity';
import {
  FIND_SNAPSHOT,
  type ListedVersion,
  STORE_VERSIONS,
  VersionStatements,
  type WholeVersion,
} from './agent-versions.sql';

export type { ListedVersion };

@Injectable()
export class AgentVersionsRepository {
  constructor(
    private readonly database: Database,
    private readonly statements: VersionStatements,
  ) {}

  /**
   * Stores the current versions of agents, as the last step of a transaction that may have raised them.
   * @param restoredFrom the version that the current one is a copy of
   * @returns the agents that have a new version
   */
  async store(
    ids: string[],
    transaction: Transaction,
    { restoredFrom = null }: { restoredFrom?: number | null } = {},
  ): Promise<string[]> {
    const stored = await transaction.query(STORE_VERSIONS, {
      ids,
      createdBy: transaction.actor,
      restoredFrom,
    });
    return stored.map(({ id }) => id);
  }

  /** Lists the versions, newest first. */
  async list(workspaceId: string, agentId: string, query: PageQuery): Promise<Page<ListedVersion>> {
    const page = { offset: getOffset(query), limit: query.limit };
    const rows = await this.database.query(this.statements.list, { workspaceId, agentId, ...page });
    const versions = rows.filter((row): row is { total: number } & ListedVersion => row.version !== null);
    return { rows: versions, total: rows[0]?.total ?? 0 };
  }

  async find(workspaceId: string, agentId: string, version: number): Promise<WholeVersion | undefined> {
    return (await this.database.query(this.statements.find, { workspaceId, agentId, version }))[0];
  }

  async findConfiguration(
    workspaceId: string,
    agentId: string,
    version: number,
    queryable: Queryable = this.database,
  ): Promise<PinnedConfiguration | undefined> {
    return (await queryable.query(FIND_SNAPSHOT, { workspaceId, agentId, version }))[0];
  }
}
