import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { type PageQuery, Paginated } from '../http/pagination';
import { E164 } from '../validation/phone-number';
import { Transaction } from '../database/database';
import { CONFIG, type Config } from '../config';
import { InjectScoped, pageOf, WorkspaceScopedRepository } from '../database/workspace-scoped.repository';
import { QuotasService } from '../workspaces/quotas.service';
import { PhoneNumber, type PhoneNumberType } from './phone-number.entity';
import type { PhoneNumberListDto } from './phone-numbers.dto';
import { numberHeld, numberUnavailable, phoneNumberNotFound } from './phone-numbers.errors';
import { presentPhoneNumber } from './phone-numbers.presenter';

@Injectable()
export class PhoneNumbersService {
  constructor(
    @InjectScoped(PhoneNumber) private readonly numbers: WorkspaceScopedRepository<PhoneNumber>,
    private readonly dataSource: DataSource,
    private readonly quotas: QuotasService,
    @Inject(CONFIG) private readonly config: Config,
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
    const row = await this.locked(workspaceId, (manager) => this.register(manager, workspaceId, number));
    return presentPhoneNumber(row);
  }

  /** @throws 404 where the workspace does not have it */
  async remove(workspaceId: string, number: string): Promise<void> {
    if (!E164.test(number)) throw phoneNumberNotFound();
    const { affected } = await this.locked(workspaceId, (manager) =>
      manager.delete(PhoneNumber, { workspaceId, number }),
    );
    if (affected !== 1) throw phoneNumberNotFound();
  }

  /**
   * Gives a workspace a number, also where `PHONE_NUMBERS` is `granted`. Granting it again changes nothing.
   * @throws 409 where another workspace holds it
   */
  async grant(workspaceId: string, number: string): Promise<void> {
    await this.locked(workspaceId, async (manager) => {
      const row = await this.insert(manager, workspaceId, number);
      if (row) return;
      const holder = await manager.findOneBy(PhoneNumber, { number });
      throw numberHeld(holder?.workspaceId ?? 'unknown');
    });
  }

  /**
   * Takes a number from whichever workspace has it.
   * @returns that workspace
   * @throws 404
   */
  async revoke(number: string): Promise<string> {
    const row = await this.dataSource.manager.findOneBy(PhoneNumber, { number });
    if (!row) throw phoneNumberNotFound();
    await this.remove(row.workspaceId, number);
    return row.workspaceId;
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
    await this.lock(manager, workspaceId);
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

  private locked<Result>(
    workspaceId: string,
    work: (manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    return this.dataSource.transaction(async (manager) => {
      await this.lock(manager, workspaceId);
      return work(manager);
    });
  }

  private async lock(manager: EntityManager, workspaceId: string): Promise<void> {
    await manager.query(`SELECT pg_advisory_xact_lock(hashtext('phone numbers of ' || $1))`, [workspaceId]);
  }

  /** The workspace's own row of this number, under the lock of its numbers. */
  private async register(manager: EntityManager, workspaceId: string, number: string): Promise<PhoneNumber> {
    const row =
      this.config.PHONE_NUMBERS === 'open'
        ? await this.insert(manager, workspaceId, number)
        : await manager.findOneBy(PhoneNumber, { workspaceId, number });
    if (!row) throw numberUnavailable();
    return row;
  }

  /** null: another workspace holds it. */
  private async insert(
    manager: EntityManager,
    workspaceId: string,
    number: string,
  ): Promise<PhoneNumber | null> {
    const own = await manager.findOneBy(PhoneNumber, { workspaceId, number });
    if (own) return own;
    await this.quotas.assertRoom(workspaceId, 'phone_numbers', await Transaction.of(manager));
    await manager
      .createQueryBuilder()
      .insert()
      .into(PhoneNumber)
      .values({ id: uuidv7(), workspaceId, number })
      .orIgnore()
      .execute();
    return manager.findOneBy(PhoneNumber, { workspaceId, number });
  }
}
