import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Database, type Queryable, type Transaction } from '../../platform/database/database';
import type { PageQuery } from '../../platform/http/pagination';
import { type Page, readPage, WorkspaceRepository } from '../../platform/database/workspace.repository';
import { KEEP_REHEARSALS } from './rehearsals.sql';
import { Rehearsal, UNIQUE_REHEARSAL_NAME } from './rehearsal.entity';

/** Every method but those of the base takes the agent, too: a rehearsal of another agent does not exist. */
@Injectable()
export class RehearsalsRepository extends WorkspaceRepository<Rehearsal> {
  constructor(database: Database) {
    super(database, Rehearsal, UNIQUE_REHEARSAL_NAME);
  }

  /** Lists the rehearsals of an agent by their names. */
  list(workspaceId: string, agentId: string, query: PageQuery): Promise<Page<Rehearsal>> {
    const rows = this.select(workspaceId, 'rehearsal').andWhere('rehearsal.agentId = :agentId', { agentId });
    return readPage(rows.orderBy('rehearsal.name', 'ASC'), query);
  }

  /** All rehearsals of an agent, by their names. */
  listAll(
    workspaceId: string,
    agentId: string,
    { manager }: Queryable = this.database,
  ): Promise<Rehearsal[]> {
    return manager.find(Rehearsal, { where: { workspaceId, agentId }, order: { name: 'ASC' } });
  }

  count(workspaceId: string, agentId: string, { manager }: Transaction): Promise<number> {
    return manager.countBy(Rehearsal, { workspaceId, agentId });
  }

  /** Whether a rehearsal of an agent is played when none is named. */
  hasEnabled(workspaceId: string, agentId: string, { manager }: Transaction): Promise<boolean> {
    return manager.existsBy(Rehearsal, { workspaceId, agentId, enabled: true });
  }

  async delete(
    workspaceId: string,
    agentId: string,
    rows: Rehearsal[],
    { manager }: Transaction,
  ): Promise<void> {
    await manager.delete(Rehearsal, { workspaceId, agentId, id: In(rows.map(({ id }) => id)) });
  }

  /** Keeps rehearsals from being deleted until the transaction ends. @returns the number that there are */
  async keep(workspaceId: string, ids: string[], transaction: Transaction): Promise<number> {
    return (await transaction.query(KEEP_REHEARSALS, { workspaceId, ids })).length;
  }

  async deleteOfPerson(workspaceId: string, phoneNumber: string): Promise<void> {
    await this.database.manager.delete(Rehearsal, { workspaceId, personNumber: phoneNumber });
  }

  async deleteAll(workspaceId: string, agentId: string, { manager }: Transaction): Promise<void> {
    await manager.delete(Rehearsal, { workspaceId, agentId });
  }
}
