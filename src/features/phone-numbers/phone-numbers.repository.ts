import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { Database, type Queryable, type Transaction } from '../../platform/database/database';
import { type Page, readPage, WorkspaceRepository } from '../../platform/database/workspace.repository';
import { PhoneNumber, type PhoneNumberType } from './phone-number.entity';

@Injectable()
export class PhoneNumbersRepository extends WorkspaceRepository<PhoneNumber> {
  constructor(database: Database) {
    super(database, PhoneNumber);
  }

  /** Lists the numbers, newest first. */
  list(workspaceId: string, page: { page: number; limit: number }): Promise<Page<PhoneNumber>> {
    const newestFirst = this.select(workspaceId, 'number')
      .orderBy('number.createdAt', 'DESC')
      .addOrderBy('number.id', 'DESC');
    return readPage(newestFirst, page);
  }

  findByNumber(
    workspaceId: string,
    number: string,
    { manager }: Queryable = this.database,
  ): Promise<PhoneNumber | null> {
    return manager.findOneBy(PhoneNumber, { workspaceId, number });
  }

  /** Finds the id of the workspace that has the number, for the operator. */
  async findHolder(number: string, { manager }: Queryable = this.database): Promise<string | undefined> {
    return (await manager.findOneBy(PhoneNumber, { number }))?.workspaceId;
  }

  /** Inserts a number. It does nothing if a workspace, this one or another, has the number already. */
  async insertIfFree(workspaceId: string, number: string, { manager }: Transaction): Promise<void> {
    await manager
      .createQueryBuilder()
      .insert()
      .into(PhoneNumber)
      .values({ id: uuidv7(), workspaceId, number })
      .orIgnore()
      .execute();
  }

  /** @returns false if the workspace does not have the number */
  async delete(workspaceId: string, number: string, { manager }: Transaction): Promise<boolean> {
    const { affected } = await manager.delete(PhoneNumber, { workspaceId, number });
    return affected === 1;
  }

  async assign(
    workspaceId: string,
    id: string,
    agent: { agentId: string; type: PhoneNumberType },
    { manager }: Transaction,
  ): Promise<void> {
    await manager.update(PhoneNumber, { workspaceId, id }, agent);
  }

  /** Changes the number of an agent. Does nothing if it has none. */
  async updateByAgent(
    workspaceId: string,
    agentId: string,
    change: { agentId?: null; type: PhoneNumberType },
    { manager }: Transaction,
  ): Promise<void> {
    await manager.update(PhoneNumber, { workspaceId, agentId }, change);
  }

  findByAgents(workspaceId: string, agentIds: string[]): Promise<PhoneNumber[]> {
    return this.select(workspaceId, 'number')
      .andWhere({ agentId: In(agentIds) })
      .getMany();
  }

  /** Locks the numbers of the workspace, and which agents have them, until the transaction ends. */
  lockAll(workspaceId: string, transaction: Transaction): Promise<void> {
    return transaction.lock(`phone numbers of ${workspaceId}`);
  }
}
