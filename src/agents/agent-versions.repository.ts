import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database';
import type { AgentSnapshot } from './agent-version.entity';
import { FIND_SNAPSHOT, STORE_VERSIONS } from './agent-versions.sql';

@Injectable()
export class AgentVersionsRepository {
  constructor(private readonly database: Database) {}

  /** Stores the current versions of agents. The last step of a transaction that may have raised them. */
  async store(ids: string[], transaction: Transaction): Promise<void> {
    await transaction.query(STORE_VERSIONS, { ids });
  }

  async findSnapshot(
    workspaceId: string,
    agentId: string,
    version: number,
  ): Promise<AgentSnapshot | undefined> {
    const [found] = await this.database.query(FIND_SNAPSHOT, { workspaceId, agentId, version });
    return found?.snapshot;
  }
}
