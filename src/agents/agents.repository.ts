import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Database, type Transaction } from '../database/database';
import { WorkspaceRepository } from '../database/workspace.repository';
import { Agent } from './agent.entity';
import { RAISE_VERSIONS } from './agents.sql';

@Injectable()
export class AgentsRepository extends WorkspaceRepository<Agent, 'config'> {
  constructor(database: Database) {
    super(database, Agent);
  }

  /**
   * Locks agents until the transaction ends.
   * @param ids each once
   * @returns false where the workspace does not have all of them
   */
  async lock(workspaceId: string, ids: string[], { manager }: Transaction): Promise<boolean> {
    if (!ids.every((id) => isUUID(id))) return false;
    const found = await manager
      .createQueryBuilder(Agent, 'agent')
      .setLock('for_no_key_update')
      .where('agent.workspaceId = :workspaceId AND agent.id = ANY(:ids)', { workspaceId, ids })
      .getMany();
    return found.length === ids.length;
  }

  /** For a change, outside of the agents' rows, of what their calls are handed. */
  async raiseVersions(ids: string[], transaction: Transaction): Promise<void> {
    await transaction.query(RAISE_VERSIONS, { ids });
  }
}
