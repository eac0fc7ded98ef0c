import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database';
import { paginate } from '../../platform/http/pagination';
import { CreditLedgerRepository } from './credit-ledger.repository';
import type { ListCreditEntriesQuery } from './workspaces.dto';
import { SUBSCRIPTION_STATUS, type SubscriptionStatus, type Workspace } from './workspace.entity';
import { creditsOutOfRange, workspaceNotFound } from './workspaces.errors';
import { presentCreditEntry } from './workspaces.presenter';
import { WorkspacesRepository } from './workspaces.repository';

/** The largest balance and the largest single grant. */
export const MAX_CREDITS = 1_000_000_000;

export interface NewWorkspace {
  name: string;
  credits: number;
  subscribed: boolean;
}

export interface CreatedWorkspace {
  workspaceId: string;
  userId: string;
}

/** The workspaces themselves. Requests reach only the one of their credential; the operator reaches all. */
@Injectable()
export class WorkspacesService {
  constructor(
    private readonly workspaces: WorkspacesRepository,
    private readonly ledger: CreditLedgerRepository,
    private readonly database: Database,
  ) {}

  /** Creates a workspace with its first user and its first credits. */
  create(input: NewWorkspace): Promise<CreatedWorkspace> {
    return this.database.transaction((transaction) => this.insert(input, transaction));
  }

  /**
   * Creates a workspace if there is none yet, else returns null. If several servers start at once, one creates it.
   */
  createFirst(input: NewWorkspace): Promise<CreatedWorkspace | null> {
    return this.database.transaction(async (transaction) => {
      await this.workspaces.lockFirst(transaction);
      if (!(await this.workspaces.exists(transaction))) return this.insert(input, transaction);
      transaction.change = null;
      return null;
    });
  }

  /** @returns the balance after the grant of `amount` */
  async addCredits(workspaceId: string, amount: number): Promise<{ credits: number }> {
    assertAmount(amount);
    return this.database.transaction(async (transaction) => {
      const workspace = await this.workspaces.findLocked(workspaceId, transaction);
      if (!workspace) throw workspaceNotFound(workspaceId);
      const credits = workspace.credits + amount;
      if (credits > MAX_CREDITS) throw creditsOutOfRange();
      await this.workspaces.updateCredits(workspaceId, credits, transaction);
      await this.ledger.insertGrant(workspaceId, amount, transaction);
      transaction.change = amount === 0 ? null : { amount, balance: credits };
      return { credits };
    });
  }

  async listCreditEntries(workspaceId: string, query: ListCreditEntriesQuery) {
    const { kind = null, start_date = null, end_date = null } = query;
    const filter = { kinds: kind, createdFrom: start_date, createdUntil: end_date };
    const { rows, total } = await this.ledger.list(workspaceId, filter, query);
    return paginate(rows.map(presentCreditEntry), query, total);
  }

  async setSubscription(workspaceId: string, status: SubscriptionStatus): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const workspace = await this.workspaces.findLocked(workspaceId, transaction);
      if (!workspace) throw workspaceNotFound(workspaceId);
      transaction.change = workspace.subscriptionStatus === status ? null : { subscription: status };
      await this.workspaces.updateSubscription(workspaceId, status, transaction);
    });
  }

  /** Suspending again keeps the time of the first suspension. */
  async setSuspended(workspaceId: string, isSuspended: boolean): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const workspace = await this.workspaces.findLocked(workspaceId, transaction);
      if (!workspace) throw workspaceNotFound(workspaceId);
      if ((workspace.suspendedAt !== null) === isSuspended) transaction.change = null;
      await this.workspaces.updateSuspended(workspaceId, isSuspended, transaction);
    });
  }

  /** @throws 404 */
  async get(workspaceId: string): Promise<Workspace> {
    const workspace = await this.workspaces.find(workspaceId);
    if (!workspace) throw workspaceNotFound(workspaceId);
    return workspace;
  }

  /** Returns the first user, who owns what the operator creates without a user. */
  async getOwner(workspaceId: string): Promise<string> {
    const user = await this.workspaces.findFirstUser(workspaceId);
    if (!user) throw workspaceNotFound(workspaceId);
    return user.id;
  }

  private async insert(
    { name, credits, subscribed }: NewWorkspace,
    transaction: Transaction,
  ): Promise<CreatedWorkspace> {
    assertAmount(credits);
    const subscriptionStatus = subscribed ? SUBSCRIPTION_STATUS.active : SUBSCRIPTION_STATUS.inactive;
    const workspaceId = await this.workspaces.insert({ name, subscriptionStatus, credits }, transaction);
    const userId = await this.workspaces.insertUser(workspaceId, transaction);
    if (credits > 0) await this.ledger.insertGrant(workspaceId, credits, transaction);
    return { workspaceId, userId };
  }
}

function assertAmount(amount: number) {
  if (!Number.isInteger(amount) || amount < 0 || amount > MAX_CREDITS) throw creditsOutOfRange();
}
