import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { type PageQuery, Paginated } from '../common/pagination';
import { InjectScoped, pageOf, WorkspaceScopedRepository } from '../database/workspace-scoped.repository';
import { PhoneNumber, type PhoneNumberType } from './phone-number.entity';
import type { PhoneNumberListDto } from './phone-numbers.dto';
import { numberTaken } from './phone-numbers.errors';
import { presentPhoneNumber } from './phone-numbers.presenter';

@Injectable()
export class PhoneNumbersService {
  constructor(
    @InjectScoped(PhoneNumber) private readonly numbers: WorkspaceScopedRepository<PhoneNumber>,
    private readonly dataSource: DataSource,
  ) {}

  async list(workspaceId: string, query: PageQuery): Promise<Paginated<PhoneNumberListDto>> {
    const newestFirst = this.numbers
      .query(workspaceId, 'number')
      .orderBy('number.createdAt', 'DESC')
      .addOrderBy('number.id', 'DESC');
    const { data, pagination } = await pageOf(newestFirst, query, presentPhoneNumber);
    const { total, page, limit } = pagination;
    return new Paginated({ total, page, size: limit, phone_numbers: data }, pagination);
  }

  /** Adding a number that the workspace already has changes nothing. */
  async add(workspaceId: string, number: string) {
    return presentPhoneNumber(await this.register(this.dataSource.manager, workspaceId, number));
  }

  /** Gives the agent this number and no other, taking it from whoever had it in the workspace. */
  async assign(
    manager: EntityManager,
    workspaceId: string,
    number: string,
    agentId: string,
    type: PhoneNumberType,
  ): Promise<void> {
    // One assignment at a time: two that cross would each wait for the other's row.
    await manager.query(`SELECT pg_advisory_xact_lock(hashtext('phone numbers of ' || $1))`, [workspaceId]);
    const { id } = await this.register(manager, workspaceId, number);
    await this.release(manager, workspaceId, agentId);
    await manager.update(PhoneNumber, { workspaceId, id }, { agentId, type });
  }

  /** The numbers of agents, by agent id. */
  async ofAgents(workspaceId: string, agentIds: string[]): Promise<Map<string, string>> {
    const rows = await this.numbers
      .query(workspaceId, 'number')
      .andWhere({ agentId: In(agentIds) })
      .getMany();
    return new Map(rows.map(({ agentId, number }) => [agentId as string, number]));
  }

  /** Follows a change of its agent's type. */
  async setType(
    manager: EntityManager,
    workspaceId: string,
    agentId: string,
    type: PhoneNumberType,
  ): Promise<void> {
    await manager.update(PhoneNumber, { workspaceId, agentId }, { type });
  }

  /** Frees the agent's number. */
  async release(manager: EntityManager, workspaceId: string, agentId: string): Promise<void> {
    await manager.update(PhoneNumber, { workspaceId, agentId }, { agentId: null, type: 'inbound' });
  }

  private async register(manager: EntityManager, workspaceId: string, number: string): Promise<PhoneNumber> {
    await manager
      .createQueryBuilder()
      .insert()
      .into(PhoneNumber)
      .values({ id: uuidv7(), workspaceId, number })
      .orIgnore()
      .execute();
    const row = await manager.findOneBy(PhoneNumber, { workspaceId, number });
    if (!row) throw numberTaken();
    return row;
  }
}
