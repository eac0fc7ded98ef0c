import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config';
import { Database, type Transaction } from '../../platform/database/database';
import { type PageQuery, paginate, Paginated } from '../../platform/http/pagination';
import { canonicalNumber, E164 } from '../../platform/validation/phone-number';
import { QuotasService } from '../../accounts/workspaces/quotas.service';
import { type PhoneNumber, PHONE_NUMBER_TYPE, type PhoneNumberType } from './phone-number.entity';
import type { PhoneNumberListDto } from './phone-numbers.dto';
import { numberHeld, numberUnavailable, phoneNumberNotFound } from './phone-numbers.errors';
import { presentPhoneNumber } from './phone-numbers.presenter';
import { PhoneNumbersRepository } from './phone-numbers.repository';

@Injectable()
export class PhoneNumbersService {
  constructor(
    private readonly numbers: PhoneNumbersRepository,
    private readonly database: Database,
    private readonly quotas: QuotasService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async list(workspaceId: string, query: PageQuery): Promise<Paginated<PhoneNumberListDto>> {
    const { rows, total } = await this.numbers.list(workspaceId, query);
    const { data, pagination } = paginate(rows.map(presentPhoneNumber), query, total);
    return new Paginated({ total, page: query.page, size: query.limit, phone_numbers: data }, pagination);
  }

  /** Adds a number. A number that the workspace already has stays as it is. */
  async add(workspaceId: string, number: string) {
    const added = await this.withLock(workspaceId, async (transaction) => {
      await this.noteIfOwned(workspaceId, number, transaction);
      return this.ensure(workspaceId, number, transaction);
    });
    return presentPhoneNumber(added);
  }

  /** @throws 404 if the workspace does not have it */
  async remove(workspaceId: string, number: string): Promise<void> {
    if (!E164.test(number)) throw phoneNumberNotFound();
    // An earlier release may have stored it as it is given.
    const spellings = new Set([canonicalNumber(number) ?? number, number]);
    await this.withLock(workspaceId, async (transaction) => {
      for (const spelling of spellings)
        if (await this.numbers.delete(workspaceId, spelling, transaction)) return;
      throw phoneNumberNotFound();
    });
  }

  /**
   * Adds a number to a workspace, also if `PHONE_NUMBERS` is `granted`. Granting it again changes nothing.
   * @throws 409 if another workspace has it
   */
  async grant(workspaceId: string, number: string): Promise<void> {
    await this.withLock(workspaceId, async (transaction) => {
      await this.noteIfOwned(workspaceId, number, transaction);
      if (await this.insert(workspaceId, number, transaction)) return;
      throw numberHeld((await this.numbers.findHolder(number, transaction)) ?? 'unknown');
    });
  }

  /**
   * Returns the id of the workspace that has the number, for the operator.
   * @throws 404
   */
  async getHolder(number: string): Promise<string> {
    const workspaceId = await this.numbers.findHolder(number);
    if (workspaceId === undefined) throw phoneNumberNotFound();
    return workspaceId;
  }

  /**
   * Assigns a number, which becomes the only one of the agent. Another agent of the workspace that had it loses
   * it.
   */
  async assign(
    workspaceId: string,
    number: string,
    agent: { agentId: string; type: PhoneNumberType },
    transaction: Transaction,
  ): Promise<void> {
    // Without the lock, two assignments that exchange numbers could deadlock.
    await this.numbers.lockAll(workspaceId, transaction);
    const { id, agentId } = await this.ensure(workspaceId, number, transaction);
    if (agentId === agent.agentId) transaction.change = null;
    await this.detach(workspaceId, agent.agentId, transaction);
    await this.numbers.assign(workspaceId, id, agent, transaction);
  }

  /** The numbers of agents, by agent id. */
  async ofAgents(workspaceId: string, agentIds: string[]): Promise<Map<string, string>> {
    const rows = await this.numbers.findByAgents(workspaceId, agentIds);
    return new Map(rows.map(({ agentId, number }) => [agentId as string, number]));
  }

  /** Changes the type of the agent's number, when the type of the agent changes. */
  async setType(
    workspaceId: string,
    agentId: string,
    type: PhoneNumberType,
    transaction: Transaction,
  ): Promise<void> {
    await this.numbers.updateByAgent(workspaceId, agentId, { type }, transaction);
  }

  /** Detaches its number from an agent. The workspace keeps it. */
  async detach(workspaceId: string, agentId: string, transaction: Transaction): Promise<void> {
    await this.numbers.updateByAgent(
      workspaceId,
      agentId,
      { agentId: null, type: PHONE_NUMBER_TYPE.inbound },
      transaction,
    );
  }

  private async noteIfOwned(workspaceId: string, number: string, transaction: Transaction): Promise<void> {
    if (await this.numbers.findByNumber(workspaceId, number, transaction)) transaction.change = null;
  }

  private withLock<Result>(
    workspaceId: string,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return this.database.transaction(async (transaction) => {
      await this.numbers.lockAll(workspaceId, transaction);
      return work(transaction);
    });
  }

  /**
   * Returns the workspace's row of this number. It is added if `PHONE_NUMBERS` allows that.
   * @throws 400
   */
  private async ensure(workspaceId: string, number: string, transaction: Transaction): Promise<PhoneNumber> {
    const row =
      this.config.PHONE_NUMBERS === 'open'
        ? await this.insert(workspaceId, number, transaction)
        : await this.numbers.findByNumber(workspaceId, number, transaction);
    if (!row) throw numberUnavailable();
    return row;
  }

  /** @returns null if another workspace has the number */
  private async insert(
    workspaceId: string,
    number: string,
    transaction: Transaction,
  ): Promise<PhoneNumber | null> {
    const own = await this.numbers.findByNumber(workspaceId, number, transaction);
    if (own) return own;
    await this.quotas.assertWithinQuota(workspaceId, 'phone_numbers', transaction);
    await this.numbers.insertIfFree(workspaceId, number, transaction);
    return this.numbers.findByNumber(workspaceId, number, transaction);
  }
}
